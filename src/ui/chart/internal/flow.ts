import { area } from 'd3-shape'
import type { SankeyChartProps, SankeyLink, SankeyNode } from '../chart'
import { round } from './axis'

/** In percent of the drawing. */
export type PlottedNode = SankeyNode & {
  total: number
  dropped: number
  x: number
  y: number
  height: number
  droppedHeight: number
  isLast: boolean
  /** The links whose strongest path leads through the node. */
  litBy: readonly number[]
}

export type PlottedLink = SankeyLink & {
  path: string
  x: number
  y: number
  fromLabel: string
  toLabel: string
  /** The links whose strongest path leads through this one, itself included. */
  litBy: readonly number[]
}

/** With how high the drawing is, so that the fullest step has room for a label at each node. */
export type Flow = { nodes: PlottedNode[]; links: PlottedLink[]; steps: number; heightRem: number }

const nodeWidth = 1.2

/** The height of a label, two lines and a gap, which is the least of a node. */
const labelRem = 2.25
const gapRem = 0.5
const leastRem = 15
/** The room that sizes differ by in the fullest step. */
const slackRem = 6

/** The layout of the drawing. Links that lead to no node, backwards or carry nothing are left out. */
export function flowOf({ nodes, links, totals = {} }: SankeyChartProps): Flow {
  const stepOf = new Map(nodes.map(({ key, step }) => [key, step]))
  const forward = links.filter(
    ({ from, to, value }) => value > 0 && (stepOf.get(to) ?? -Infinity) > (stepOf.get(from) ?? Infinity),
  )
  const counted = nodes
    .map((node) => ({ ...node, ...countsOf(node.key, forward, totals) }))
    .filter(({ total }) => total > 0)
  if (counted.length === 0) return { nodes: [], links: [], steps: 0, heightRem: leastRem }

  const first = Math.min(...counted.map(({ step }) => step))
  const steps = Math.max(...counted.map(({ step }) => step)) - first + 1
  const columns = [...Map.groupBy(counted, ({ step }) => step).values()].map((column) =>
    column.toSorted(bySize),
  )
  const fullest = Math.max(...columns.map(({ length }) => length))
  const heightRem = Math.max(leastRem, fullest * (labelRem + gapRem) + slackRem)
  const placed = columns.flatMap((column) => stack(column, largestScale(columns, heightRem), heightRem))
  const plotted = placed.map((node) => plotNode(node, steps, first))
  const lit = strongestPaths(forward)
  const rowsOf = (key: string) =>
    lit.flatMap((path, row) => (path.some(({ from, to }) => from === key || to === key) ? [row] : []))
  return {
    nodes: plotted.map((node) => ({ ...node, litBy: rowsOf(node.key) })),
    links: plotLinks(forward, plotted, lit),
    steps,
    heightRem,
  }
}

type CountedNode = SankeyNode & { total: number; out: number }

function countsOf(key: string, links: readonly SankeyLink[], totals: Readonly<Record<string, number>>) {
  const out = sum(links.filter(({ from }) => from === key))
  const total = Math.max(sum(links.filter(({ to }) => to === key)), out, totals[key] ?? 0)
  return { total, out }
}

const sum = (of: readonly SankeyLink[]): number => of.reduce((all, { value }) => all + value, 0)

/** The largest first, and last the node of all others, whatever its size. */
const bySize = (one: CountedNode, other: CountedNode): number =>
  Number(one.isOthers ?? false) - Number(other.isOthers ?? false) || other.total - one.total

const heightAt = ({ total }: CountedNode, scale: number): number => Math.max(labelRem, total * scale)

const columnHeight = (column: readonly CountedNode[], scale: number): number =>
  column.reduce((height, node) => height + heightAt(node, scale) + gapRem, -gapRem)

/** The scale at which the fullest step just fits: heights grow with it, so it is found by halving. */
function largestScale(columns: readonly (readonly CountedNode[])[], heightRem: number): number {
  let low = 0
  let high = heightRem / Math.max(...columns.flat().map(({ total }) => total))
  for (let halving = 0; halving < 50; halving++) {
    const middle = (low + high) / 2
    if (columns.every((column) => columnHeight(column, middle) <= heightRem)) low = middle
    else high = middle
  }
  return low
}

type PlacedNode = CountedNode & { y: number; height: number }

function stack(column: readonly CountedNode[], scale: number, heightRem: number): PlacedNode[] {
  let top = 0
  return column.map((node) => {
    const height = heightAt(node, scale)
    const y = top
    top += height + gapRem
    return { ...node, y: (y / heightRem) * 100, height: (height / heightRem) * 100 }
  })
}

/** Steps are columns of the same width; the last keeps room for its labels. */
const columnAt = (step: number, steps: number): number => round((step / Math.max(steps - 1, 1)) * lastColumn)

export const lastColumn = 85

function plotNode(node: PlacedNode, steps: number, first: number): Omit<PlottedNode, 'litBy'> & PlacedNode {
  const isLast = node.step - first === steps - 1
  const dropped = isLast ? 0 : Math.max(0, node.total - node.out - (node.beyond ?? 0))
  const height = round(node.height)
  return {
    ...node,
    isLast,
    dropped,
    x: columnAt(node.step - first, steps),
    y: round(node.y),
    height,
    droppedHeight: round((dropped / node.total) * height),
  }
}

/** Of each link the path it is part of: onwards and back along the largest links. */
function strongestPaths(links: readonly SankeyLink[]): SankeyLink[][] {
  const largest = (among: readonly SankeyLink[]): SankeyLink | undefined =>
    among.toSorted((one, other) => other.value - one.value)[0]
  const [into, outOf] = [Map.groupBy(links, ({ to }) => to), Map.groupBy(links, ({ from }) => from)]
  return links.map((link) => {
    const path = [link]
    for (let at = largest(into.get(link.from) ?? []); at; at = largest(into.get(at.from) ?? [])) path.push(at)
    for (let at = largest(outOf.get(link.to) ?? []); at; at = largest(outOf.get(at.to) ?? [])) path.push(at)
    return path
  })
}

type PlottedEnd = PlacedNode & { x: number }

/**
 * Ribbons share the height of the node at each of their ends in the order of the nodes at the other ends, so that those of one
 * node do not cross. Both ends are as thick as their share, so a ribbon may widen towards a small node.
 */
function plotLinks(
  links: readonly SankeyLink[],
  nodes: readonly PlottedEnd[],
  paths: readonly (readonly SankeyLink[])[],
): PlottedLink[] {
  const nodeOf = new Map(nodes.map((node) => [node.key, node]))
  const ends = { from: endsAt('from', 'to', links, nodeOf), to: endsAt('to', 'from', links, nodeOf) }
  return links.map((link) => {
    const { from, to, value, href } = link
    const [source, target] = [nodeOf.get(from), nodeOf.get(to)]
    const [start, finish] = [
      ends.from.get(link) ?? { y: 0, width: 0 },
      ends.to.get(link) ?? { y: 0, width: 0 },
    ]
    const [x0, x1] = [(source?.x ?? 0) + nodeWidth, target?.x ?? 0]
    return {
      from,
      to,
      value,
      href,
      fromLabel: source?.label ?? from,
      toLabel: target?.label ?? to,
      x: round((x0 + x1) / 2),
      y: round((start.y + finish.y) / 2),
      path: ribbon({ x: x0, ...start }, { x: x1, ...finish }),
      litBy: paths.flatMap((path, row) => (path.includes(link) ? [row] : [])),
    }
  })
}

type LinkEnd = { y: number; width: number }

function endsAt(
  side: 'from' | 'to',
  across: 'from' | 'to',
  links: readonly SankeyLink[],
  nodeOf: ReadonlyMap<string, PlottedEnd>,
): Map<SankeyLink, LinkEnd> {
  const ends = new Map<SankeyLink, LinkEnd>()
  for (const [key, own] of Map.groupBy(links, (link) => link[side])) {
    const node = nodeOf.get(key)
    if (!node) continue
    let top = node.y
    for (const link of own.toSorted(
      (one, other) => (nodeOf.get(one[across])?.y ?? 0) - (nodeOf.get(other[across])?.y ?? 0),
    )) {
      const width = (link.value / node.total) * node.height
      ends.set(link, { y: top + width / 2, width: Math.max(width, 0.3) })
      top += width
    }
  }
  return ends
}

type RibbonEnd = LinkEnd & { x: number }

/** A band and not a thick line: a line would not stretch with the drawing. */
function ribbon(start: RibbonEnd, end: RibbonEnd): string {
  const draw = area<RibbonEnd>()
    .digits(2)
    .x(({ x }) => x)
    .y0(({ y, width }) => y - width / 2)
    .y1(({ y, width }) => y + width / 2)
  const bend = Array.from({ length: 13 }, (_, index): RibbonEnd => {
    const t = index / 12
    return {
      x: start.x + (end.x - start.x) * t,
      y: start.y + (end.y - start.y) * eased(t),
      width: start.width + (end.width - start.width) * eased(t),
    }
  })
  return draw(bend) ?? ''
}

const eased = (t: number): number => t * t * (3 - 2 * t)
