import type { TableColumn } from '#ui/table/column'
import { number, percent } from '#ui/format'
import { NumberLink } from '#ui/chart/NumberLink'
import { Table } from '#ui/table/Table'
import type { ChartProps } from '#insights/chart-settings'
import type { CorrelationAnswer, CorrelationTrait } from '#insights/kinds/correlation/answer'
import type { CorrelationQuery } from '#insights/kinds/correlation/schema'
import { NothingHappened } from '../../chart/NothingHappened'

type CorrelationChartProps = ChartProps<CorrelationQuery, CorrelationAnswer>

/** Lists the traits that converting persons have more often, and less often. */
export function CorrelationChart({ answer, query, drill }: CorrelationChartProps) {
  const { converted, dropped, raising, lowering } = answer
  if (converted + dropped === 0)
    return (
      <NothingHappened
        title="No one entered this funnel"
        body="Try a longer date range or a different first step."
      />
    )
  return (
    <div className="flex flex-col gap-5">
      <p className="text-muted">
        {number(converted)} of {number(converted + dropped)} converted (
        {percent(converted / (converted + dropped))}
        ). An odds ratio of 2 means that the odds of converting are twice as high for people with the trait;
        it does not mean that the trait is the cause. Traits of fewer than {number(query.leastPersons)} people
        are left out.
      </p>
      <Traits title="Convert more often" traits={raising} drill={drill} />
      <Traits title="Convert less often" traits={lowering} drill={drill} />
    </div>
  )
}

function Traits({
  title,
  traits,
  drill,
}: { title: string; traits: readonly CorrelationTrait[] } & Pick<CorrelationChartProps, 'drill'>) {
  return (
    <section aria-label={title} className="-mx-4 min-w-0">
      <p className="mb-1 px-4 text-sm font-medium">{title}</p>
      <Table
        caption={title}
        columns={[
          ...columns,
          outcomeColumn('converted', 'Converted', drill),
          outcomeColumn('dropped', 'Dropped off', drill),
        ]}
        rows={traits}
        rowKey={({ name, value }) => `${name} ${value}`}
        empty={<p className="px-4 pb-2 text-muted">No significant correlation.</p>}
        dense
      />
    </section>
  )
}

/** Three digits; more would look more exact than the estimate is. */
const ratio = (value: number): string => number(Number(value.toPrecision(value >= 1 ? 3 : 2)))

const columns: TableColumn<CorrelationTrait>[] = [
  { key: 'label', header: 'Trait', cell: ({ label }) => <bdi title={label}>{label}</bdi>, truncate: true },
  { key: 'odds', header: 'Odds ratio', numeric: true, cell: ({ oddsRatio }) => `${ratio(oddsRatio)}×` },
  {
    key: 'interval',
    header: '95% CI',
    numeric: true,
    wideOnly: true,
    cell: ({ interval: { from, to } }) => (
      <span className="whitespace-nowrap">{`${ratio(from)} – ${ratio(to)}`}</span>
    ),
  },
]

/** The persons with the trait of one outcome; the number leads to them. */
const outcomeColumn = (
  outcome: 'converted' | 'dropped',
  header: string,
  drill: CorrelationChartProps['drill'],
): TableColumn<CorrelationTrait> => ({
  key: outcome,
  header,
  numeric: true,
  cell: ({ name, value, label, [outcome]: persons }) => {
    const href = persons > 0 ? drill?.({ name, value, outcome }) : undefined
    if (href === undefined) return number(persons)
    return (
      <NumberLink href={href} label={`${label}, ${header}: ${number(persons)}`}>
        {number(persons)}
      </NumberLink>
    )
  },
})
