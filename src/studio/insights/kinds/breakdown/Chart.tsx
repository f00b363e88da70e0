import { valueName } from '#events/value-names'
import { CountryFlag } from '#ui/CountryFlag'
import { BarList } from '#ui/chart/BarList'
import type { BarListProps, BarRow } from '#ui/chart/chart'
import { number } from '#ui/format'
import { nameWithMargin } from '#insights/approximation'
import type { ChartProps } from '#insights/chart-settings'
import type { BreakdownAnswer, Panel, PanelRow } from '#insights/kinds/breakdown/answer'
import type { BreakdownQuery } from '#insights/kinds/breakdown/schema'
import { NothingHappened } from '../../chart/NothingHappened'

type BreakdownChartProps = ChartProps<BreakdownQuery, BreakdownAnswer>

/** A list for each dimension: visitors by page, source, place, device … */
export function BreakdownChart({ size, ...chart }: BreakdownChartProps) {
  const { answer } = chart
  const isSeveral = answer.panels.length > 1
  return (
    <div className={isSeveral ? 'grid min-w-0 gap-x-6 gap-y-5 *:min-w-0 md:grid-cols-2' : 'min-w-0'}>
      {answer.panels.map((panel) => (
        <section key={panel.dimension} aria-label={panel.label} className="-mx-4 min-w-0">
          {isSeveral && <p className="mb-1 px-4 text-sm font-medium">{panel.label}</p>}
          <PanelDrawn panel={panel} hasSpace={!isSeveral} {...chart} />
          {size !== 'sm' && <More panel={panel} />}
        </section>
      ))}
    </div>
  )
}

function PanelDrawn({
  panel,
  hasSpace,
  answer,
  approximate,
  query,
  drill,
}: { panel: Panel; hasSpace: boolean } & BreakdownChartProps) {
  const ofVisitors = (name: string) => nameWithMargin({ name, ...approximate })
  const heads: BarListProps['heads'] = {
    label: panel.label,
    value: ofVisitors('Visitors'),
    ...(query.goal
      ? { second: ofVisitors('Conversion') }
      : hasSpace && isOfEvents(panel) && { second: 'Total' }),
  }
  return (
    <BarList
      title={`Visitors by ${panel.label.toLowerCase()}`}
      heads={heads}
      rows={panel.rows.map((row) => ({
        ...rowOf(row, panel, query),
        href: drill?.({ dimension: panel.dimension, value: row.value }),
      }))}
      secondUnit={query.goal ? 'percent' : 'number'}
      total={answer.totals?.figures.visitors}
      empty={<NothingHappened />}
    />
  )
}

const isOfEvents = ({ rows }: Panel): boolean => rows.some(({ events }) => events !== undefined)

const rowOf = (row: PanelRow, { dimension }: Panel, { goal }: BreakdownQuery): BarRow => ({
  key: row.value ?? '',
  label: valueName(dimension, row.value),
  value: row.visitors,
  compared: row.compared?.visitors,
  icon: dimension === 'country' && row.value ? <CountryFlag country={row.value} /> : undefined,
  second: goal ? (row.figures?.conversionRate ?? row.conversionRate ?? null) : row.events,
})

function More({ panel: { rows, valuesInAll } }: { panel: Panel }) {
  if (valuesInAll <= rows.length) return null
  return (
    <p className="px-4 pt-2 text-xs text-muted">
      {number(rows.length)} of {number(valuesInAll)} values
    </p>
  )
}
