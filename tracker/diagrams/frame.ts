import type { DiagramLook, Drawing, DrawRequest, DrawResponse } from './messages'

/** Mermaid's own build in one file, which the build puts before this one. */
declare const mermaid: {
  initialize: (configuration: object) => void
  render: (id: string, source: string) => Promise<{ svg: string }>
}

/**
 * Draws diagrams in a sandboxed frame: Mermaid writes style elements, which the policy of pages refuses, and reads texts of
 * authors. The page gets the finished picture, in which nothing runs.
 */
addEventListener('message', ({ data, ports: [port] }: MessageEvent<unknown>) => {
  if (data !== 'draw' || !port) return
  let last = Promise.resolve()
  port.addEventListener('message', ({ data: request }: MessageEvent<DrawRequest>) => {
    // one after the other: Mermaid's configuration is one for all
    last = last.then(async () => port.postMessage(await draw(request)))
  })
  port.start()
})

async function draw({ id, source, look }: DrawRequest): Promise<DrawResponse> {
  try {
    mermaid.initialize(configurationFor(look))
    const { svg } = await mermaid.render(`diagram-${id}`, source)
    return { id, drawing: drawingIn(svg) }
  } catch (problem) {
    return { id, problem: problem instanceof Error ? problem.message : String(problem) }
  }
}

const configurationFor = ({ isDark, font, text, background, surface, line }: DiagramLook) => ({
  startOnLoad: false,
  securityLevel: 'strict',
  suppressErrorRendering: true,
  // a picture shows no HTML in every browser
  htmlLabels: false,
  flowchart: { htmlLabels: false },
  look: 'classic',
  theme: 'base',
  fontFamily: font,
  // the line does not run through its label
  themeCSS: '.edgeLabel .background { opacity: 1 }',
  themeVariables: {
    darkMode: isDark,
    fontFamily: font,
    background,
    primaryColor: surface,
    primaryTextColor: text,
    primaryBorderColor: line,
    // Mermaid would choose other hues
    secondaryColor: surface,
    tertiaryColor: surface,
    edgeLabelBackground: background,
    noteBkgColor: surface,
    noteTextColor: text,
    noteBorderColor: line,
    lineColor: line,
    textColor: text,
  },
})

/** Gives the drawing the size that it says of itself, and reads the title that its author gave it. */
function drawingIn(svg: string): Drawing {
  const drawing = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg')
  if (!drawing) throw new Error('Mermaid has drawn nothing.')
  const [, , width = 0, height = 0] = (drawing.getAttribute('viewBox') ?? '').split(/\s+/).map(Number)
  drawing.setAttribute('width', String(width))
  drawing.setAttribute('height', String(height))
  drawing.removeAttribute('style')
  const title = drawing.querySelector(':scope > title, :scope > desc')?.textContent ?? ''
  return { svg: new XMLSerializer().serializeToString(drawing), width, height, title }
}
