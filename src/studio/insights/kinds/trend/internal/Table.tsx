import type { TableColumn } from '#ui/table/column'
import { amount } from '#ui/format'
import { SparkLine } from '#ui/chart/SparkLine'
import { Change } from '#ui/chart/Stat'
import { Table } from '#ui/table/Table'
import { marginAmong, nameWithMargin } from '#insights/approximation'
import { type ChartSettings, unitOf } from '#insights/chart-settings'
import type { TrendLine } from '#insights/kinds/trend/answer'
import { NothingHappened } from '#studio/insights/chart/NothingHappened'
import type { TrendChartProps } from '../Chart'
import { pointOf, titleOf } from './line'

/** Shows a row for each line: its number, its change and its time series. */
export function TrendTable({ answer: { lines, compared }, settings, drill }: TrendChartProps) {
  return (
    <Table
      caption={titleOf(lines)}
      columns={columnsFor(lines, settings, compared !== undefined)}
      rows={lines}
      rowKey={({ key }) => key}
      rowHref={(line) => pointOf(line, drill)}
      empty={<NothingHappened />}
      dense
    />
  )
}

function columnsFor(
  lines: readonly TrendLine[],
  settings: ChartSettings,
  isCompared: boolean,
): TableColumn<TrendLine>[] {
  const largest = Math.max(0, ...lines.map(({ total }) => total ?? 0))
  return [
    {
      key: 'name',
      header: 'Name',
      cell: ({ label }) => <bdi>{label}</bdi>,
      share: ({ total }) => (largest > 0 ? Math.max(0, total ?? 0) / largest : 0),
      truncate: true,
    },
    {
      key: 'course',
      header: 'Trend',
      width: '9rem',
      wideOnly: true,
      cell: ({ values }) => (
        <span className="block w-32">
          <SparkLine values={values} />
        </span>
      ),
    },
    {
      key: 'total',
      header: nameWithMargin({ name: 'Total', ...marginAmong(lines) }),
      numeric: true,
      cell: ({ total, as }) => amount(total, unitOf(as, settings)),
    },
    ...(isCompared ? changeColumns(settings) : []),
  ]
}

const changeOf = (before: number | null, total: number | null) =>
  before === null || total === null ? '–' : <Change from={before} to={total} />

const changeColumns = (settings: ChartSettings): TableColumn<TrendLine>[] => [
  {
    key: 'before',
    header: 'Previous period',
    numeric: true,
    wideOnly: true,
    cell: ({ compared, as }) => amount(compared?.total, unitOf(as, settings)),
  },
  {
    key: 'change',
    header: 'Change',
    numeric: true,
    cell: ({ total, compared }) => changeOf(compared?.total ?? null, total),
  },
]
