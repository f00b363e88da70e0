import type { CountedUnit, FunnelChartStep } from '#ui/chart/chart'
import { FunnelChart as Steps } from '#ui/chart/FunnelChart'
import { duration, number, percent, plural } from '#ui/format'
import { Histogram } from '#ui/chart/Histogram'
import { LineChart } from '#ui/chart/LineChart'
import { Change } from '#ui/chart/Stat'
import { type ChartProps, annotationsOn } from '#insights/chart-settings'
import { pointsOf } from '#insights/calendar/clock'
import { comparisonWords } from '#insights/calendar/period-words'
import { breakdownValueName } from '#insights/text/breakdown-names'
import type { FunnelAnswer, FunnelPart, FunnelStepAnswer, FunnelTimes } from '#insights/kinds/funnel/answer'
import type { FunnelQuery } from '#insights/kinds/funnel/schema'
import { NothingHappened } from '../../chart/NothingHappened'

type FunnelChartProps = ChartProps<FunnelQuery, FunnelAnswer>

/** Draws a funnel as steps, as a rate over time, or as times to convert. */
export function FunnelChart(chart: FunnelChartProps) {
  const { answer } = chart
  const [entered] = answer.steps
  if (!entered || entered.persons === 0)
    return (
      <NothingHappened
        title="No one entered this funnel"
        body="Try a longer date range or a different first step."
      />
    )
  return (
    <div className="chart-column flex flex-col gap-3">
      <OverallConversion {...chart} />
      <FunnelView {...chart} />
    </div>
  )
}

function FunnelView(chart: FunnelChartProps) {
  const { answer, query } = chart
  if (query.view === 'trend' && answer.trend) return <RatesOverTime {...chart} trend={answer.trend} />
  if (query.view === 'time' && answer.times) return <TimesToConvert {...chart} times={answer.times} />
  return <ReachedSteps {...chart} />
}

/** The headline of a funnel: the share of those who entered it that reached its last step. */
function OverallConversion({ answer: { steps, compared }, query }: FunnelChartProps) {
  const [entered, last] = [steps[0], steps.at(-1)]
  if (!entered || !last || last.fromFirst === null) return null
  const before = compared?.steps.at(-1)?.fromFirst ?? undefined
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span className="text-2xl font-semibold tabular-nums">{percent(last.fromFirst)}</span>
      {before !== undefined && (
        <span title={`${percent(before)} in the ${comparedWith(query).toLowerCase()}`}>
          <Change from={before} to={last.fromFirst} />
        </span>
      )}
      <span className="text-sm text-muted">
        overall conversion: {number(last.persons)} of {plural(entered.persons, ...countedIn(query))}
      </span>
    </p>
  )
}

interface FunnelGroup {
  key: string
  label: string
  steps: FunnelStepAnswer[]
  /** The values in a point; undefined for everyone. */
  values?: { among: boolean; keys: string[] }
  isBefore?: boolean
}

function ReachedSteps(chart: FunnelChartProps) {
  const { answer, query, drill } = chart
  return (
    <Steps
      title="Funnel"
      steps={answer.steps.map(({ label, optional }, place) => ({ key: String(place), label, optional }))}
      groups={groupsOf(answer, query).map((group) => ({
        key: group.key,
        label: group.label,
        steps: group.steps.map((step, place) => stepOf(step, place, group, drill)),
      }))}
      counted={countedIn(query)}
    />
  )
}

function groupsOf({ steps, breakdowns, compared }: FunnelAnswer, query: FunnelQuery): FunnelGroup[] {
  const values = breakdowns?.map(({ value, name, isOthers, keys, steps: own }): FunnelGroup => ({
    key: isOthers ? 'others' : (keys[0] ?? ''),
    label: isOthers ? 'Others' : (name ?? breakdownValueName(query.breakdown, value)),
    steps: own,
    values: { among: !isOthers, keys },
  }))
  const all: FunnelGroup = { key: 'all', label: compared ? 'This period' : 'All', steps }
  const before: FunnelGroup[] = compared
    ? [{ key: 'before', label: comparedWith(query), steps: compared.steps, isBefore: true }]
    : []
  return values && values.length > 0 ? values : [all, ...before]
}

function stepOf(
  { persons, medianSeconds }: FunnelStepAnswer,
  step: number,
  { values, isBefore }: FunnelGroup,
  drill: FunnelChartProps['drill'],
): FunnelChartStep {
  const at = (outcome: 'converted' | 'dropped') =>
    isBefore ? undefined : drill?.({ step, outcome, ...(values && { values }) })
  return {
    count: persons,
    href: at('converted'),
    droppedHref: step === 0 ? undefined : at('dropped'),
    medianMs: medianSeconds === null ? undefined : medianSeconds * 1000,
  }
}

const comparedWith = ({ compare }: FunnelQuery): string => comparisonWords(compare ?? 'previous')

function countedIn({ per }: FunnelQuery): CountedUnit {
  if (per === 'person') return ['person', 'people']
  return per === 'session' ? ['session', 'sessions'] : [`group (${per.group})`, `groups (${per.group})`]
}

function RatesOverTime({
  trend,
  answer: { compared },
  query,
  settings,
  notes,
  size,
}: FunnelChartProps & { trend: NonNullable<FunnelPart['trend']> }) {
  const { starts, end, interval, rates } = trend
  const before = compared?.trend
  return (
    <LineChart
      title="Conversion rate"
      unit="percent"
      points={pointsOf(starts, interval, settings.timeZone)}
      series={[
        {
          key: 'rate',
          label: 'Conversion rate',
          values: rates,
          ...(before && { compared: rates.map((_, place) => before.rates[place] ?? null) }),
        },
      ]}
      annotations={annotationsOn(starts, end, notes)}
      size={size}
      {...(before && {
        comparison: {
          label: comparedWith(query),
          points: pointsOf(before.starts, interval, settings.timeZone),
        },
      })}
    />
  )
}

function TimesToConvert({ times, query, size }: FunnelChartProps & { times: FunnelTimes }) {
  const { bins, persons, medianSeconds, averageSeconds } = times
  if (persons === 0)
    return <NothingHappened title="No conversions yet" body="Try a longer date range or conversion window." />
  return (
    <>
      <p className="text-muted">
        {plural(persons, ...countedIn(query))}, {lasting('half of them within', medianSeconds)}
        {lasting('; on average', averageSeconds)}.
      </p>
      <Histogram
        title="Time to convert"
        countLabel="People"
        unit="seconds"
        bins={bins.map(({ fromSeconds, toSeconds, persons: count }) => ({
          from: fromSeconds,
          until: toSeconds,
          count,
        }))}
        median={medianSeconds ?? undefined}
        size={size}
      />
    </>
  )
}

const lasting = (words: string, seconds: number | null): string =>
  seconds === null ? '' : `${words} ${duration(seconds * 1000)}`
