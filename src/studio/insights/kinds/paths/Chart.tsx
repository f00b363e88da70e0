import { eventLabel } from '#events/taxonomy'
import { SankeyChart } from '#ui/chart/SankeyChart'
import { number } from '#ui/format'
import type { ChartProps } from '#insights/chart-settings'
import type { PathsAnswer, PathsNode } from '#insights/kinds/paths/answer'
import type { PathsQuery } from '#insights/kinds/paths/schema'
import { NothingHappened } from '../../chart/NothingHappened'

type PathsChartProps = ChartProps<PathsQuery, PathsAnswer>

/** Draws paths as a flow diagram; widths are numbers of sessions. */
export function PathsChart({ answer: { nodes, links, dropOffs }, query, drill }: PathsChartProps) {
  if (nodes.length === 0)
    return (
      <NothingHappened title="No matching paths" body="Try a longer date range, or another start or end." />
    )
  const dropping = new Set(dropOffs.map(({ node }) => node))
  return (
    <SankeyChart
      title="Paths"
      counted={query.per === 'person' ? 'paths' : 'sessions'}
      nodes={nodes.map((node) => ({
        key: node.id,
        label: labelOf(node, query),
        step: node.step,
        beyond: node.beyond,
        ...(node.isOthers && { isOthers: true }),
        href: drill?.({ node: node.id }),
        droppedHref: dropping.has(node.id) ? drill?.({ dropOff: node.id }) : undefined,
      }))}
      links={links.map(({ from, to, sessions }) => ({
        from,
        to,
        value: sessions,
        href: drill?.({ link: { from, to } }),
      }))}
      totals={Object.fromEntries(nodes.map(({ id, sessions }) => [id, sessions]))}
    />
  )
}

function labelOf({ name, isOthers, merged }: PathsNode, { of }: PathsQuery): string {
  if (isOthers) return merged ? `Others (${number(merged)})` : 'Others'
  return of === 'events' ? eventLabel(name) : name
}
