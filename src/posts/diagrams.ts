import { createHash } from 'node:crypto'
import type { Root } from 'mdast'
import { visit } from 'unist-util-visit'
import { sanitizeSvg } from './reading/sanitize-svg'

/** A diagram written as code. Its address contains a hash of the code, so it can be cached forever. */
export interface Diagram {
  address: string
  code: string
  language: string
}

const languages = ['mermaid', 'dot', 'graphviz']
const diagramsPath = '/_tilth/diagrams'
const maxCodeLength = 20_000
const maxEdges = 400

export const isDiagram = (language: string): boolean => languages.includes(language.toLowerCase())

export function diagramPath(code: string, language: string): string {
  const kind = language.toLowerCase() === 'mermaid' ? 'mermaid' : 'dot'
  const hash = createHash('sha256').update(`${renderingVersion} ${kind} ${code}`).digest('base64url')
  return `${diagramsPath}/${hash.slice(0, 22)}.svg`
}

/** Increases when the same code is to be rendered differently. */
const renderingVersion = 1

export function diagramsIn(markdown: Root): Diagram[] {
  const found: Diagram[] = []
  visit(markdown, 'code', ({ lang, value: code }) => {
    if (lang && isDiagram(lang))
      found.push({ address: diagramPath(code, lang), code, language: lang.toLowerCase() })
  })
  return found
}

/** Renders an SVG for light and dark. Invalid code is shown as text, with the error above it. */
export async function renderDiagram(code: string, language: string): Promise<string> {
  if (code.length > maxCodeLength || countEdges(code) > maxEdges)
    return renderError(
      code,
      `A diagram has at most ${maxCodeLength} letters and ${maxEdges} edges. Make two of it.`,
    )
  try {
    const drawn = language.toLowerCase() === 'mermaid' ? await renderMermaid(code) : await renderDot(code)
    return sanitizeSvg(drawn)
  } catch (problem) {
    return renderError(code, problem instanceof Error ? problem.message : String(problem))
  }
}

/**
 * Returns an upper limit of the edges. Both languages connect groups member by member, so a few lines can produce a
 * million edges, and rendering cannot be aborted.
 */
function countEdges(code: string): number {
  const edges = code.match(/[-=.~]{2,}>?|->|<-/g)?.length ?? 0
  const hasGroups = /&|\}\s*-[->]|-[->]\s*(?:subgraph\b[^{]{0,100})?\{/.test(code)
  const names = hasGroups ? (code.match(/[\p{L}\p{N}_]+|"[^"]*"/gu)?.length ?? 0) : 0
  return Math.max(edges, Math.floor((names / 2) ** 2))
}

async function renderMermaid(code: string): Promise<string> {
  const { renderMermaidSVG } = await import(/* turbopackIgnore: true */ 'beautiful-mermaid')
  return renderMermaidSVG(code, { transparent: true, bg: '#ffffff', fg: '#1f2328' })
}

const mermaidTheme = {
  // the last two limit the search for positions
  graph: { bgcolor: 'transparent', fontname: 'sans-serif', nslimit: 4, nslimit1: 4 },
  node: { fontname: 'sans-serif', fontsize: 12 },
  edge: { fontname: 'sans-serif', fontsize: 11 },
}

async function renderDot(code: string): Promise<string> {
  const { instance } = await import(/* turbopackIgnore: true */ '@viz-js/viz')
  const viz = await instance()
  const drawn = viz.render(code, {
    format: 'svg',
    graphAttributes: mermaidTheme.graph,
    nodeAttributes: mermaidTheme.node,
    edgeAttributes: mermaidTheme.edge,
  })
  if (drawn.status === 'success') return drawn.output
  throw new Error(drawn.errors.map(({ message }) => message).join(' ') || 'This is no graph.')
}

function renderError(code: string, reason: string): string {
  const lines = [reason, '', ...code.split('\n').slice(0, 40)].map((line) => line.slice(0, 100))
  const rows = lines.map(
    (line, place) => `<text x="16" y="${32 + place * 18}" xml:space="preserve">${escaped(line)}</text>`,
  )
  const size = `width="760" height="${40 + lines.length * 18}" viewBox="0 0 760 ${40 + lines.length * 18}"`
  return sanitizeSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="monospace" font-size="13">${rows.join('')}</svg>`,
  )
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
