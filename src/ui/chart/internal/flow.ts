import { sankey } from 'd3-sankey'
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
  /** The middle of the label; away from the node's own middle where labels would overlap. */
  labelY: number
}

export type PlottedLink = SankeyLink & {
  path: string
  x: number
  y: number
  fromLabel: string
  toLabel: string
}

/** With how high the drawing is, so that every label of the fullest step has room. */
export type Flow = { nodes: PlottedNode[]; links: PlottedLink[]; steps: number; heightRem: number }

const nodeWidth = 1.2
const apart = 4

/** The height of a label: two lines and a gap. */
const labelRem = 2.25
const gapRem = 3.25
const leastRem = 15

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
  const layout = arrange(counted, forward, first, steps)
  const columns = Map.groupBy(layout.nodes, ({ step }) => step)
  const fullest = Math.max(...[...columns.values()].map(({ length }) => length))
  const heightRem = Math.max(leastRem, fullest * gapRem)
  const drawn = separateLabels(
    layout.nodes.map((node) => plotNode(node, node, steps, first)),
    (labelRem / heightRem) * 100,
  )
  return { nodes: drawn, links: layout.links.map((link) => plotLink(link, drawn)), steps, heightRem }
}

/** Moves the labels of each step apart: downwards first, then up again from the lower edge. */
function separateLabels(nodes: readonly PlottedNode[], labelHeight: number): PlottedNode[] {
  const labelYs = new Map<string, number>()
  for (const column of Map.groupBy(nodes, ({ step }) => step).values()) {
    const ordered = column.toSorted((one, other) => one.labelY - other.labelY)
    let free = labelHeight / 2
    for (const { key, labelY } of ordered) {
      labelYs.set(key, Math.max(labelY, free))
      free = Math.max(labelY, free) + labelHeight
    }
    let limit = 100 - labelHeight / 2
    for (const { key, labelY } of ordered.toReversed()) {
      const at = Math.min(labelYs.get(key) ?? labelY, limit)
      labelYs.set(key, at)
      limit = at - labelHeight
    }
  }
  return nodes.map((node) => ({ ...node, labelY: round(labelYs.get(node.key) ?? node.labelY) }))
}

type CountedNode = SankeyNode & { total: number; out: number }

function countsOf(key: string, links: readonly SankeyLink[], totals: Readonly<Record<string, number>>) {
  const sum = (of: readonly SankeyLink[]) => of.reduce((all, { value }) => all + value, 0)
  const out = sum(links.filter(({ from }) => from === key))
  const total = Math.max(sum(links.filter(({ to }) => to === key)), out, totals[key] ?? 0)
  return { total, out }
}

/** d3 finds heights and an order with few crossings. */
function arrange(nodes: readonly CountedNode[], links: readonly SankeyLink[], first: number, steps: number) {
  const fullest = Math.max(
    ...Array.from({ length: steps }, (_, step) => nodes.filter((node) => node.step - first === step).length),
  )
  return sankey<CountedNode, SankeyLink>()
    .nodeId(({ key }) => key)
    .nodeAlign(({ step }) => step - first)
    .nodeWidth(nodeWidth)
    .nodePadding(Math.min(apart, 60 / fullest))
    .extent([
      [0, 2],
      [100, 98],
    ])({
    nodes: nodes.map((node) => ({ ...node, fixedValue: node.total })),
    links: links.map((link) => ({ ...link, source: link.from, target: link.to })),
  })
}

type PlacedNode = { y0?: number; y1?: number }

/** Steps are columns of the same width; the last keeps room for its labels. */
const columnAt = (step: number, steps: number): number => round((step / Math.max(steps - 1, 1)) * lastColumn)

export const lastColumn = 85

function plotNode(
  node: CountedNode,
  { y0 = 0, y1 = 0 }: PlacedNode,
  steps: number,
  first: number,
): PlottedNode {
  const isLast = node.step - first === steps - 1
  const dropped = isLast ? 0 : Math.max(0, node.total - node.out - (node.beyond ?? 0))
  const height = round(y1 - y0)
  return {
    ...node,
    isLast,
    dropped,
    x: columnAt(node.step - first, steps),
    y: round(y0),
    height,
    droppedHeight: round((dropped / node.total) * height),
    labelY: y0 + height / 2,
  }
}

type ArrangedLink = SankeyLink & { y0?: number; y1?: number; width?: number }

function plotLink(link: ArrangedLink, nodes: readonly PlottedNode[]): PlottedLink {
  const { from, to, value, href, y0 = 0, y1 = 0, width = 0 } = link
  const [source, target] = [nodes.find(({ key }) => key === from), nodes.find(({ key }) => key === to)]
  const [x0, x1] = [(source?.x ?? 0) + nodeWidth, target?.x ?? 0]
  return {
    from,
    to,
    value,
    href,
    fromLabel: source?.label ?? from,
    toLabel: target?.label ?? to,
    x: round((x0 + x1) / 2),
    y: round((y0 + y1) / 2),
    path: ribbon([x0, y0], [x1, y1], Math.max(width, 0.3)),
  }
}

type RibbonPoint = readonly [x: number, y: number]

/** A band and not a thick line: a line would not stretch with the drawing. */
function ribbon([x0, y0]: RibbonPoint, [x1, y1]: RibbonPoint, width: number): string {
  const draw = area<RibbonPoint>()
    .digits(2)
    .x(([x]) => x)
    .y0(([, y]) => y - width / 2)
    .y1(([, y]) => y + width / 2)
  const bend = Array.from({ length: 13 }, (_, index): RibbonPoint => {
    const t = index / 12
    return [x0 + (x1 - x0) * t, y0 + (y1 - y0) * eased(t)]
  })
  return draw(bend) ?? ''
}

const eased = (t: number): number => t * t * (3 - 2 * t)
