import type { Viz } from '@viz-js/viz'
import { sanitizeSvg } from '../reading/sanitize-svg'
import type { Drawing } from './drawing'
import { openMermaid } from './draw-mermaid'
import { measured } from './measure'

/** Where the diagram programs are. */
export interface DiagramPrograms {
  /** Mermaid's script for browsers. */
  mermaid: string
  /** The address of the module of Graphviz. */
  graphviz: string
}

/** Draws one diagram after the other. */
export function openDrawing(programs: DiagramPrograms): (code: string, language: string) => Promise<Drawing> {
  let mermaid: ReturnType<typeof openMermaid> | undefined
  return async (code, language) => {
    try {
      if (language !== 'mermaid') return measured(sanitizeSvg(await drawDot(code, programs.graphviz)))
      mermaid ??= openMermaid(programs.mermaid)
      return measured(await mermaid(code))
    } catch (problem) {
      return { done: false, message: messageOf(problem) }
    }
  }
}

const dotTheme = {
  // the last two limit the search for positions
  graph: { bgcolor: 'transparent', fontname: 'sans-serif', nslimit: 4, nslimit1: 4 },
  node: { fontname: 'sans-serif', fontsize: 12 },
  edge: { fontname: 'sans-serif', fontsize: 11 },
}

/** The part of the module that is used. */
interface GraphvizModule {
  instance: () => Promise<Viz>
}

async function drawDot(code: string, graphviz: string): Promise<string> {
  // the address is only known when the process starts
  const { instance } = (await import(/* turbopackIgnore: true */ graphviz)) as GraphvizModule
  const viz = await instance()
  const drawn = viz.render(code, {
    format: 'svg',
    graphAttributes: dotTheme.graph,
    nodeAttributes: dotTheme.node,
    edgeAttributes: dotTheme.edge,
  })
  if (drawn.status === 'success') return drawn.output
  throw new Error(drawn.errors.map(({ message }) => message).join(' ') || 'This is no graph.')
}

const maxMessageLength = 600

const messageOf = (problem: unknown): string =>
  (problem instanceof Error ? problem.message : String(problem)).trim().slice(0, maxMessageLength) ||
  'It cannot be read.'
