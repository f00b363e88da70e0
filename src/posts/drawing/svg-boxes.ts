import type { DrawnElement, DrawnNode } from './svg-document'
import { rulesIn, type StyleRule, stylesOf } from './svg-styles'
import { textWidth } from './text-width'

export interface DrawnBox {
  x: number
  y: number
  width: number
  height: number
}

type Point = readonly [x: number, y: number]
/** As in SVG: x' = ax + cy + e, y' = bx + dy + f. */
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

const usualFontSize = 16
const lineHeight = 1.15
/** The part of a line above its base line. */
const ascent = 0.9

/** The box of an element in its own coordinates, as `getBBox` of browsers returns it. */
export function boxOf(element: DrawnElement): DrawnBox {
  return boxAround(pointsOf(element))
}

export function boxAround(points: readonly Point[]): DrawnBox {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of points) {
    if (Number.isNaN(x) || Number.isNaN(y)) continue
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return left > right
    ? { x: 0, y: 0, width: 0, height: 0 }
    : { x: left, y: top, width: right - left, height: bottom - top }
}

/** Elements without a box of their own. */
const undrawn = new Set(['defs', 'marker', 'style', 'title', 'desc', 'script', 'clipPath', 'mask', 'symbol'])

function pointsOf(element: DrawnElement): readonly Point[] {
  const shape = shapes[element.localName]
  if (shape) return shape(element)
  if (undrawn.has(element.localName)) return []
  return element.children.flatMap((child) => {
    const matrix = transformOf(child)
    const points = pointsOf(child)
    return matrix ? points.map((point) => transformed(point, matrix)) : points
  })
}

const numberIn = (element: DrawnElement, name: string): number =>
  Number.parseFloat(element.getAttribute(name) ?? '') || 0

const corners = (x: number, y: number, width: number, height: number): Point[] => [
  [x, y],
  [x + width, y],
  [x, y + height],
  [x + width, y + height],
]

function rectangle(element: DrawnElement): Point[] {
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => numberIn(element, name))
  return corners(x ?? 0, y ?? 0, width ?? 0, height ?? 0)
}

function round(element: DrawnElement): Point[] {
  const [x, y, r] = [numberIn(element, 'cx'), numberIn(element, 'cy'), numberIn(element, 'r')]
  const [rx, ry] = [numberIn(element, 'rx') || r, numberIn(element, 'ry') || r]
  return corners(x - rx, y - ry, rx * 2, ry * 2)
}

const polygon = (element: DrawnElement): Point[] => pairs(numbersIn(element.getAttribute('points') ?? ''))

const shapes: Readonly<Record<string, (element: DrawnElement) => readonly Point[]>> = {
  rect: rectangle,
  image: rectangle,
  foreignObject: rectangle,
  circle: round,
  ellipse: round,
  polygon,
  polyline: polygon,
  line: (element) => [
    [numberIn(element, 'x1'), numberIn(element, 'y1')],
    [numberIn(element, 'x2'), numberIn(element, 'y2')],
  ],
  path: (element) => pathPoints(element.getAttribute('d') ?? ''),
  text: textPoints,
  tspan: textPoints,
  // HTML that is measured before it is drawn
  div: htmlPoints,
  span: htmlPoints,
  p: htmlPoints,
}

const numbersIn = (text: string): number[] =>
  (text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number)

const pairs = (numbers: readonly number[]): Point[] =>
  Array.from({ length: Math.floor(numbers.length / 2) }, (_, index): Point => [
    numbers[index * 2] ?? 0,
    numbers[index * 2 + 1] ?? 0,
  ])

const argumentCounts: Readonly<Record<string, number>> = {
  m: 2,
  l: 2,
  h: 1,
  v: 1,
  c: 6,
  s: 4,
  q: 4,
  t: 2,
  a: 7,
  z: 0,
}

/** The points that enclose a path: ends, control points, and points of arcs. */
function pathPoints(path: string): Point[] {
  const points: Point[] = []
  let [x, y] = [0, 0]
  let start: Point = [0, 0]
  for (const [, command = '', text = ''] of path.matchAll(/([a-z])([^a-df-z]*)/gi)) {
    const kind = command.toLowerCase()
    const isRelative = command === kind
    if (kind === 'z') [x, y] = start
    for (const [index, given] of groupsOf(numbersIn(text), argumentCounts[kind] ?? 0).entries()) {
      const [baseX, baseY] = isRelative ? [x, y] : [0, 0]
      const end = endOf(kind, given, [x, y], [baseX, baseY])
      if (kind === 'a') points.push(...arcPoints([x, y], end, given))
      else if ('csq'.includes(kind))
        points.push(...pairs(given).map(([px, py]): Point => [px + baseX, py + baseY]))
      ;[x, y] = end
      if (kind === 'm' && index === 0) start = end
      points.push(end)
    }
  }
  return points
}

const groupsOf = (numbers: readonly number[], size: number): number[][] =>
  Array.from({ length: size === 0 ? 0 : Math.floor(numbers.length / size) }, (_, index) =>
    numbers.slice(index * size, (index + 1) * size),
  )

function endOf(kind: string, given: readonly number[], from: Point, base: Point): Point {
  if (kind === 'h') return [(given[0] ?? 0) + base[0], from[1]]
  if (kind === 'v') return [from[0], (given[0] ?? 0) + base[1]]
  return [(given.at(-2) ?? 0) + base[0], (given.at(-1) ?? 0) + base[1]]
}

/** Points on an arc, from the formulas for its centre. https://www.w3.org/TR/SVG11/implnote.html#ArcConversionEndpointToCenter */
function arcPoints([x1, y1]: Point, [x2, y2]: Point, given: readonly number[]): Point[] {
  const [rxGiven = 0, ryGiven = 0, , isLarge, sweeps] = given
  const [halfX, halfY] = [(x1 - x2) / 2, (y1 - y2) / 2]
  let [rx, ry] = [Math.abs(rxGiven), Math.abs(ryGiven)]
  if (rx === 0 || ry === 0) return []
  const excess = halfX ** 2 / rx ** 2 + halfY ** 2 / ry ** 2
  if (excess > 1) [rx, ry] = [rx * Math.sqrt(excess), ry * Math.sqrt(excess)]
  const square = (rx * ry) ** 2 - (rx * halfY) ** 2 - (ry * halfX) ** 2
  const factor =
    Math.sqrt(Math.max(0, square / ((rx * halfY) ** 2 + (ry * halfX) ** 2 || 1))) *
    (isLarge === sweeps ? -1 : 1)
  const [shiftX, shiftY] = [(factor * rx * halfY) / ry, (-factor * ry * halfX) / rx]
  const centre: Point = [shiftX + (x1 + x2) / 2, shiftY + (y1 + y2) / 2]
  const from = Math.atan2((halfY - shiftY) / ry, (halfX - shiftX) / rx)
  const to = Math.atan2((-halfY - shiftY) / ry, (-halfX - shiftX) / rx)
  const full = Math.PI * 2
  const span = sweeps ? (to - from + full) % full : -((from - to + full) % full)
  const steps = 16
  return Array.from({ length: steps }, (_, index): Point => {
    const angle = from + (span * index) / steps
    return [centre[0] + rx * Math.cos(angle), centre[1] + ry * Math.sin(angle)]
  })
}

const identity: Matrix = [1, 0, 0, 1, 0, 0]

function transformOf(element: DrawnElement): Matrix | undefined {
  const text = element.getAttribute('transform')
  const isNested = element.localName === 'svg'
  if (text === null && !isNested) return undefined
  const start: Matrix = isNested ? [1, 0, 0, 1, numberIn(element, 'x'), numberIn(element, 'y')] : identity
  let matrix = start
  for (const [, name = '', given = ''] of (text ?? '').matchAll(/(\w+)\s*\(([^)]*)\)/g))
    matrix = multiplied(matrix, matrices[name]?.(...numbersIn(given)) ?? identity)
  return matrix
}

/** The functions of `transform`, with their numbers. */
const matrices: Readonly<Record<string, (...given: number[]) => Matrix>> = {
  translate: (x = 0, y = 0) => [1, 0, 0, 1, x, y],
  scale: (x = 1, y = x) => [x, 0, 0, y, 0, 0],
  matrix: (a = 1, b = 0, c = 0, d = 1, e = 0, f = 0) => [a, b, c, d, e, f],
  rotate: (degrees = 0, x = 0, y = 0) => {
    const angle = (degrees * Math.PI) / 180
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y]
  },
}

const multiplied = ([a, b, c, d, e, f]: Matrix, [a2, b2, c2, d2, e2, f2]: Matrix): Matrix => [
  a * a2 + c * b2,
  b * a2 + d * b2,
  a * c2 + c * d2,
  b * c2 + d * d2,
  a * e2 + c * f2 + e,
  b * e2 + d * f2 + f,
]

const transformed = ([x, y]: Point, [a, b, c, d, e, f]: Matrix): Point => [
  a * x + c * y + e,
  b * x + d * y + f,
]

/** A length in pixels; `em` is relative to the size of the font. */
function lengthOf(written: string | null, fontSize: number): number {
  const number = Number.parseFloat(written ?? '')
  if (Number.isNaN(number)) return 0
  return /em\s*$/.test(written ?? '') ? number * fontSize : number
}

/** The nearest value of a property in the styles and attributes of an element and what it is in. */
function inherited(element: DrawnElement, name: string): string | undefined {
  const rules = rulesFor(element, name)
  for (let one: DrawnElement | null = element; one; one = one.parentElement) {
    const value = stylesOf(one, rules).get(name) ?? one.getAttribute(name)
    if (value) return value
  }
  return undefined
}

/** The rules of a drawing that set one property. */
function rulesFor(element: DrawnElement, name: string): readonly StyleRule[] {
  let svg: DrawnElement | null = null
  for (let one: DrawnElement | null = element; one; one = one.parentElement)
    if (one.localName === 'svg') svg = one
  const sheet = svg?.children.find(({ localName }) => localName === 'style')
  if (!sheet) return []
  const known = sheetRules.get(sheet) ?? new Map<string, readonly StyleRule[]>()
  sheetRules.set(sheet, known)
  const rules =
    known.get(name) ?? rulesIn(sheet.textContent).filter(({ declarations }) => declarations.has(name))
  known.set(name, rules)
  return rules
}

/** Mermaid writes the styles of a drawing before anything else, and then leaves them. */
const sheetRules = new WeakMap<DrawnElement, Map<string, readonly StyleRule[]>>()

export function fontSizeOf(element: DrawnElement): number {
  const written = inherited(element, 'font-size')
  const size = Number.parseFloat(written ?? '')
  if (Number.isNaN(size)) return usualFontSize
  return /em\s*$/.test(written ?? '') ? size * usualFontSize : size
}

const isBold = (element: DrawnElement): boolean =>
  /^(?:bold|bolder|[6-9]00)/.test(inherited(element, 'font-weight') ?? '')

export const textLengthOf = (element: DrawnElement): number =>
  textWidth(collapsed(element.textContent), fontSizeOf(element), isBold(element))

const collapsed = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** One line of a text: where it stands, and how wide it is. */
interface TextLine {
  x: number
  y: number
  width: number
  fontSize: number
}

function textPoints(element: DrawnElement): Point[] {
  const lines: TextLine[] = []
  collectLines(element, lines, { x: 0, y: 0 })
  const anchor = inherited(element, 'text-anchor') ?? 'start'
  const baseline =
    inherited(element, 'dominant-baseline') ?? inherited(element, 'alignment-baseline') ?? 'auto'
  return lines
    .filter(({ width }) => width > 0)
    .flatMap(({ x, y, width, fontSize }) => {
      const left = anchor === 'middle' ? x - width / 2 : anchor === 'end' ? x - width : x
      const top = y - fontSize * (baselineShifts[baseline] ?? ascent)
      return corners(left, top, width, fontSize * lineHeight)
    })
}

/** How far above its base line a line begins, in font sizes. */
const baselineShifts: Readonly<Record<string, number>> = {
  middle: 0.62,
  central: lineHeight / 2,
  hanging: 0.18,
  'text-before-edge': 0,
  'before-edge': 0,
  'text-after-edge': lineHeight,
}

/** A tspan with a place of its own begins a line; others continue the one before. */
function collectLines(element: DrawnElement, lines: TextLine[], cursor: { x: number; y: number }): void {
  const fontSize = fontSizeOf(element)
  const [x, y] = [element.getAttribute('x'), element.getAttribute('y')]
  if (x !== null) cursor.x = lengthOf(x, fontSize)
  if (y !== null) cursor.y = lengthOf(y, fontSize)
  cursor.x += lengthOf(element.getAttribute('dx'), fontSize)
  cursor.y += lengthOf(element.getAttribute('dy'), fontSize)
  if (x !== null || y !== null || element.hasAttribute('dy') || lines.length === 0)
    lines.push({ ...cursor, width: 0, fontSize })
  for (const child of element.childNodes) {
    if (isElement(child)) collectLines(child, lines, cursor)
    else {
      const last = lines.at(-1)
      if (last) last.width += textWidth(collapsed(child.textContent), fontSize, isBold(element))
    }
  }
}

const isElement = (node: DrawnNode): node is DrawnElement => node.nodeType === 1

function htmlPoints(element: DrawnElement): Point[] {
  return corners(0, 0, textLengthOf(element), fontSizeOf(element) * 1.5)
}
