const svgName = 'http://www.w3.org/2000/svg'
const padding = 16

/**
 * A chart as one SVG that stands alone. On the page it is an SVG that stretches, with words in HTML over it; here both
 * become one drawing, with every colour resolved.
 */
export function svgOfChart(chart: HTMLElement): SVGSVGElement | undefined {
  const frame = chart.getBoundingClientRect()
  if (frame.width === 0 || frame.height === 0) return undefined

  const width = Math.ceil(frame.width) + 2 * padding
  const height = Math.ceil(frame.height) + 2 * padding
  const drawing = svgElement('svg', { xmlns: svgName, width, height, viewBox: `0 0 ${width} ${height}` })
  drawing.append(svgElement('rect', { width, height, fill: backgroundOf(chart) }))
  for (const part of partsOf(chart, { x: frame.left - padding, y: frame.top - padding })) drawing.append(part)
  return drawing
}

type SvgOrigin = { x: number; y: number }

function* partsOf(element: Element, origin: SvgOrigin): Generator<SVGElement> {
  if (!isVisible(element)) return
  if (element instanceof SVGSVGElement) {
    yield resolvedSvg(element, origin)
    return
  }
  yield* boxOf(element, origin)
  for (const child of element.childNodes) {
    if (child instanceof Element) yield* partsOf(child, origin)
    else if (child instanceof Text) yield* wordsOf(child, origin)
  }
}

function isVisible(element: Element): boolean {
  const style = getComputedStyle(element)
  if (style.display === 'none' || style.visibility === 'hidden' || Number(style.opacity) === 0) return false
  const { width, height } = element.getBoundingClientRect()
  // Words for screen readers only are a pixel large; flags on the axis have no width but show what is in them.
  return !(width === 1 && height === 1) && !element.hasAttribute('popover')
}

/** Grounds, and the dashed lines that guides and annotations are. */
function* boxOf(element: Element, origin: SvgOrigin): Generator<SVGElement> {
  const style = getComputedStyle(element)
  const { left, top, width, height } = element.getBoundingClientRect()
  const box = {
    x: left - origin.x,
    y: top - origin.y,
    width,
    height,
    rx: parseFloat(style.borderRadius) || 0,
  }
  const fill = colourIn(style.backgroundColor)
  if (fill !== 'none') yield svgElement('rect', { ...box, fill })
  if (style.backgroundImage !== 'none') yield* hatches(box, colourIn(style.color))
  const { x, y } = box
  if (style.borderTopStyle === 'dashed')
    yield dashes({ x1: x, x2: x + width, y1: y, y2: y }, style.borderTopColor)
  if (style.borderLeftStyle === 'dashed')
    yield dashes({ x1: x, x2: x, y1: y, y2: y + height }, style.borderLeftColor)
}

const dashes = (line: Record<string, number>, colour: string): SVGElement =>
  svgElement('line', { ...line, stroke: colourIn(colour), 'stroke-dasharray': '4 3' })

let patterns = 0

function* hatches(box: Record<string, number>, colour: string): Generator<SVGElement> {
  const id = `hatches-${++patterns}`
  const pattern = svgElement('pattern', { id, width: 7, height: 7, patternUnits: 'userSpaceOnUse' })
  pattern.append(
    svgElement('path', { d: 'M0,7L7,0', stroke: colour, 'stroke-opacity': 0.5, 'stroke-width': 1.5 }),
  )
  yield pattern
  yield svgElement('rect', { ...box, fill: `url(#${id})` })
}

/** Each line of a text by itself, cut where the page cuts it. */
function* wordsOf(text: Text, origin: SvgOrigin): Generator<SVGElement> {
  const parent = text.parentElement
  if (!parent || !text.data.trim()) return
  const style = getComputedStyle(parent)
  const limit = clipBoxOf(parent)
  for (const { words, box } of linesOf(text)) {
    if (box.left >= limit) continue
    const line = svgElement('text', {
      x: box.left - origin.x,
      // Inter has its baseline here in the box of a line.
      y: box.top - origin.y + box.height * 0.8,
      fill: colourIn(style.color),
      'font-family': 'Inter, system-ui, sans-serif',
      'font-size': style.fontSize,
      'font-weight': style.fontWeight,
    })
    line.textContent = truncateText(words, box, limit)
    yield line
  }
}

/** The right edge of the nearest box that cuts off what is too long. */
function clipBoxOf(element: Element): number {
  const box = element.closest('.truncate, .line-clamp-2, .line-clamp-6')
  return box ? box.getBoundingClientRect().right + 1 : Infinity
}

function truncateText(words: string, { left, right, width }: DOMRect, limit: number): string {
  if (right <= limit) return words
  const kept = Math.floor((words.length * (limit - left)) / width) - 1
  return `${words.slice(0, Math.max(0, kept)).trimEnd()}…`
}

function linesOf(text: Text): { words: string; box: DOMRect }[] {
  const lines: { words: string; box: DOMRect }[] = []
  for (const { 0: word, index } of text.data.matchAll(/\S+\s*/g)) {
    const box = rectOf(text, index, index + word.trimEnd().length)
    const last = lines.at(-1)
    if (last && Math.abs(last.box.top - box.top) < 2) {
      last.words += word
      last.box = new DOMRect(last.box.left, last.box.top, box.right - last.box.left, last.box.height)
    } else lines.push({ words: word, box })
  }
  return lines
}

function rectOf(text: Text, from: number, until: number): DOMRect {
  const range = document.createRange()
  range.setStart(text, from)
  range.setEnd(text, until)
  return range.getBoundingClientRect()
}

/** The CSS properties of a drawing that are copied into its attributes. */
const painted = ['fill', 'stroke'] as const
const measured = [
  'fill-opacity',
  'stroke-opacity',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'vector-effect',
  'paint-order',
] as const

function resolvedSvg(svg: SVGSVGElement, origin: SvgOrigin): SVGElement {
  // A clone of an element is an element of its kind.
  const copy = svg.cloneNode(true) as SVGSVGElement
  const originals = svg.querySelectorAll('*')
  for (const [place, part] of Array.from(copy.querySelectorAll('*')).entries())
    resolve(part, originals[place])
  const { left, top, width, height } = svg.getBoundingClientRect()
  for (const [name, value] of Object.entries({ x: left - origin.x, y: top - origin.y, width, height }))
    copy.setAttribute(name, String(value))
  for (const name of ['class', 'style', 'role']) copy.removeAttribute(name)
  copy.setAttribute('overflow', 'visible')
  return copy
}

function resolve(part: Element, original: Element | undefined) {
  if (!original) return
  const style = getComputedStyle(original)
  if (style.display === 'none' && !original.closest('pattern, clipPath')) return part.remove()
  for (const name of painted) {
    const value = style.getPropertyValue(name)
    part.setAttribute(name, value.startsWith('url') ? value.replaceAll('"', '') : colourIn(value))
  }
  for (const name of measured) part.setAttribute(name, style.getPropertyValue(name))
  for (const name of ['class', 'style']) part.removeAttribute(name)
}

/** The first ground below it that hides what is under it. */
function backgroundOf(element: Element): string {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const colour = colourIn(getComputedStyle(at).backgroundColor)
    if (colour !== 'none') return colour
  }
  return 'none'
}

const known = new Map<string, string>()

/** As #rrggbb(aa), which every program reads; pages also say oklab(), color-mix() and the like. */
function colourIn(css: string): string {
  if (css === 'none' || css === '') return 'none'
  const found = known.get(css) ?? paint(css)
  known.set(css, found)
  return found
}

function paint(css: string): string {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!canvas) return css
  canvas.fillStyle = css
  canvas.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data
  if (alpha === 0) return 'none'
  const hex = [red, green, blue, ...(alpha < 255 ? [alpha] : [])]
  return `#${hex.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function svgElement(name: 'svg', attributes: SvgAttributes): SVGSVGElement
function svgElement(name: string, attributes: SvgAttributes): SVGElement
function svgElement(name: string, attributes: SvgAttributes): SVGElement {
  const element = document.createElementNS(svgName, name)
  // The parser gives `xmlns` itself.
  for (const [key, value] of Object.entries(attributes))
    if (key !== 'xmlns') element.setAttribute(key, `${value}`)
  return element
}

type SvgAttributes = Record<string, string | number>
