import type { DiagramLook, Drawing, DrawRequest, DrawResponse } from '../../diagrams/messages'

/** Diagrams are drawn before they come into view, so that the text around them does not move while it is read. */
const ahead = '150%'

/** A drawing that takes longer is given up, and its code stays. */
const patienceMs = 15_000

const drawings = new Map<number, (response: DrawResponse) => void>()
let drawingPort: Promise<MessagePort> | undefined
let lastId = 0

const nearing = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      nearing.unobserve(target)
      void show(target as HTMLElement)
    }
  },
  { rootMargin: ahead },
)

/** Shows the code of diagrams as pictures. Without a script, and where a drawing fails, a page shows the code. */
export function begin(): void {
  for (const code of document.querySelectorAll('pre[data-language=mermaid]')) nearing.observe(code)
}

async function show(code: HTMLElement): Promise<void> {
  const source = code.textContent
  const { drawing, problem = '' } = await draw(source, lookOf(code))
  if (!drawing) return showProblem(code, problem)
  const picture = new Image(drawing.width, drawing.height)
  picture.className = 'diagram'
  picture.alt = drawing.title || source.trim()
  picture.src = addressOf(drawing)
  await picture.decode().catch(() => {})
  const place = code.closest('.code-frame') ?? code
  place.replaceWith(picture)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    void redraw(picture, source)
  })
}

async function redraw(picture: HTMLImageElement, source: string): Promise<void> {
  const { drawing } = await draw(source, lookOf(picture))
  if (drawing) picture.src = addressOf(drawing)
}

const addressOf = ({ svg }: Drawing): string => `data:image/svg+xml,${encodeURIComponent(svg)}`

/** The writer of a page is told, in a preview alone: it has no key to measure with. */
function showProblem(code: HTMLElement, problem: string): void {
  const isPublic = document.querySelector('script[src*="/_tilth/site"][data-project]')
  if (isPublic || code.nextElementSibling?.matches('.diagram-problem')) return
  const words = document.createElement('p')
  words.className = 'diagram-problem'
  words.textContent = problem
  code.after(words)
}

async function draw(source: string, look: DiagramLook): Promise<DrawResponse> {
  drawingPort ??= openFrame()
  const port = await drawingPort
  const id = (lastId += 1)
  return await new Promise((resolve) => {
    const settle = (response: DrawResponse): void => {
      drawings.delete(id)
      resolve(response)
    }
    drawings.set(id, settle)
    setTimeout(settle, patienceMs, { id, problem: 'The diagram took too long to draw.' })
    const request: DrawRequest = { id, source, look }
    port.postMessage(request)
  })
}

/** The frame is laid out, because texts are measured in it, and out of sight. It can reach neither the page nor the site. */
function openFrame(): Promise<MessagePort> {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  Object.assign(frame.style, {
    position: 'fixed',
    left: '-200vw',
    width: '100vw',
    height: '100vh',
    border: '0',
  })
  frame.src = new URL('diagram-frame.html', import.meta.url).href
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener('message', ({ data }: MessageEvent<DrawResponse>) => drawings.get(data.id)?.(data))
  port1.start()
  return new Promise((resolve) => {
    frame.addEventListener('load', () => {
      frame.contentWindow?.postMessage('draw', '*', [port2])
      resolve(port1)
    })
    document.body.append(frame)
  })
}

/** The look of the text around the code, whose tokens `prose.css` sets. */
function lookOf(element: Element): DiagramLook {
  const around = element.parentElement ?? document.body
  const text = colourIn(around, 'var(--text)')
  return {
    isDark: isLight(text),
    font: getComputedStyle(around).fontFamily,
    text: rgb(text),
    background: rgb(colourIn(around, 'var(--page)')),
    surface: rgb(colourIn(around, 'var(--surface)')),
    line: rgb(colourIn(around, 'var(--muted)')),
  }
}

type Colour = readonly [red: number, green: number, blue: number]

const rgb = (colour: Colour): string => `rgb(${colour.join()})`

/** Mermaid computes with colours of sRGB only; a canvas knows every way to write one. */
function colourIn(around: Element, written: string): Colour {
  const sample = document.createElement('span')
  sample.style.color = written
  around.append(sample)
  const { color } = getComputedStyle(sample)
  sample.remove()
  const plain = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(color)
  if (plain) return [Number(plain[1]), Number(plain[2]), Number(plain[3])]
  const canvas = new OffscreenCanvas(1, 1).getContext('2d')
  if (!canvas) return [0, 0, 0]
  canvas.fillStyle = color
  canvas.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
  return [red, green, blue]
}

/** Whether a text of this colour stands on a dark ground. */
const isLight = (colour: Colour): boolean => colour.reduce((sum, part) => sum + part) > 384
