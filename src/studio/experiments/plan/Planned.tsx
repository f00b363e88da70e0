import { valueWords } from '#experiments/results/estimate-words'
import type { ExperimentPlan, MetricPlan } from '#experiments/planning/plan'
import { LineChart } from '#ui/chart/LineChart'
import { number, percent, plural } from '#ui/format'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'

/** A plan in sentences, drawn by weeks, and as a table of its metrics. */
export function Planned({ plan, sentences }: { plan: ExperimentPlan; sentences: readonly string[] }) {
  const planned = plan.metrics.filter(({ missing }) => missing === null)
  return (
    <>
      <div className="flex flex-col gap-1">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      {planned.length > 0 && (
        <>
          <LineChart
            title="Smallest effect that is found, by weeks"
            size="sm"
            unit="percent"
            points={plan.unitsByWeek.map((units, i) => ({
              label: `Week ${i + 1}`,
              title: `After ${plural(i + 1, 'week')}, ${plural(units, 'unit')}`,
            }))}
            series={planned.slice(0, mostLines).map(({ id, name, detectable }) => ({
              key: id,
              label: name,
              values: detectable,
            }))}
          />
          <Table
            caption="Sample size of each metric"
            columns={columns}
            rows={planned}
            rowKey={({ id }) => id}
            empty={null}
          />
        </>
      )}
    </>
  )
}

const mostLines = 6

const roles = { primary: 'Primary', secondary: 'Secondary', guardrail: 'Guardrail' }

const columns: TableColumn<MetricPlan>[] = [
  { key: 'name', header: 'Metric', cell: ({ name }) => name },
  { key: 'role', header: 'Role', cell: ({ role }) => roles[role], wideOnly: true },
  {
    key: 'mean',
    header: 'Baseline',
    numeric: true,
    wideOnly: true,
    cell: ({ mean, ...unit }) => valueWords(mean, unit),
  },
  {
    key: 'cuped',
    header: 'CUPED gains',
    numeric: true,
    wideOnly: true,
    cell: ({ varianceReduction }) => (varianceReduction === null ? '–' : percent(varianceReduction, 1)),
  },
  ...[1, 2, 4].map((week): TableColumn<MetricPlan> => ({
    key: `week ${week}`,
    header: `${week === 1 ? 'Found in' : 'In'} ${plural(week, 'week')}`,
    numeric: true,
    // the chart has the other weeks
    wideOnly: week < 4,
    cell: ({ detectable }) => {
      const effect = detectable[week - 1]
      return effect === null || effect === undefined ? '–' : percent(effect, 1)
    },
  })),
  {
    key: 'units',
    header: 'Units a variant',
    numeric: true,
    tight: true,
    cell: ({ unitsNeeded }) => (unitsNeeded === null ? '–' : number(unitsNeeded)),
  },
  {
    key: 'days',
    header: 'Days',
    numeric: true,
    tight: true,
    cell: ({ days }) => (days === null ? 'Over a year' : number(days)),
  },
]
