import type { FunnelStep } from '../../../ui/chart'
import { FunnelChart as Steps } from '../../../ui/FunnelChart'
import { duration, number } from '../../../ui/format'
import { Histogram } from '../../../ui/Histogram'
import { LineChart } from '../../../ui/LineChart'
import { type ChartProps, notesOn } from '../../chart-ground'
import { pointsOf } from '../../clock'
import { NothingHappened } from '../../NothingHappened'
import type { FunnelAnswer, FunnelPart, FunnelStepAnswer, FunnelTimes } from './answer'
import type { FunnelQuestion } from './question'

type FunnelChartProps = ChartProps<FunnelQuestion, FunnelAnswer>

/** Where those who begin something stop: as steps, over time, or by how long it takes. */
export function FunnelChart(chart: FunnelChartProps) {
  const { answer, question } = chart
  const [entered] = answer.steps
  if (!entered || entered.persons === 0)
    return (
      <NothingHappened
        title="Nobody entered this funnel"
        body="Try a longer period or a different first step."
      />
    )
  if (question.view === 'trend' && answer.trend) return <Rates {...chart} trend={answer.trend} />
  if (question.view === 'time' && answer.times) return <Times {...chart} times={answer.times} />
  return <Reached {...chart} />
}

interface Group {
  key: string
  label: string
  steps: FunnelStepAnswer[]
  /** How a point names it; undefined for everybody. */
  values?: { among: boolean; keys: string[] }
  isBefore?: boolean
}

function Reached(chart: FunnelChartProps) {
  const { answer, question, drill } = chart
  return (
    <Steps
      title="Funnel"
      steps={answer.steps.map(({ label, optional }, place) => ({ key: String(place), label, optional }))}
      groups={groupsOf(answer).map((group) => ({
        key: group.key,
        label: group.label,
        steps: group.steps.map((step, place) => stepOf(step, place, group, drill)),
      }))}
      counted={countedIn(question)}
    />
  )
}

function groupsOf({ steps, breakdowns, compared }: FunnelAnswer): Group[] {
  const values = breakdowns?.map(({ value, isOthers, keys, steps: own }): Group => ({
    key: isOthers ? 'others' : (keys[0] ?? ''),
    label: isOthers ? 'Others' : (value ?? '(none)'),
    steps: own,
    values: { among: !isOthers, keys },
  }))
  const all: Group = { key: 'all', label: compared ? 'This period' : 'Everybody', steps }
  const before: Group[] = compared
    ? [{ key: 'before', label: 'Before', steps: compared.steps, isBefore: true }]
    : []
  return values && values.length > 0 ? values : [all, ...before]
}

function stepOf(
  { persons, medianSeconds }: FunnelStepAnswer,
  step: number,
  { values, isBefore }: Group,
  drill: FunnelChartProps['drill'],
): FunnelStep {
  const at = (outcome: 'converted' | 'dropped') =>
    isBefore ? undefined : drill?.({ step, outcome, ...(values && { values }) })
  return {
    count: persons,
    href: at('converted'),
    droppedHref: step === 0 ? undefined : at('dropped'),
    medianMs: medianSeconds === null ? undefined : medianSeconds * 1000,
  }
}

function countedIn({ per }: FunnelQuestion): string {
  if (per === 'person') return 'persons'
  return per === 'session' ? 'sessions' : `groups (${per.group})`
}

function Rates({
  trend,
  answer: { compared },
  ground,
  notes,
  size,
}: FunnelChartProps & { trend: NonNullable<FunnelPart['trend']> }) {
  const { starts, end, interval, rates } = trend
  const before = compared?.trend
  return (
    <LineChart
      title="Conversion rate"
      unit="percent"
      points={pointsOf(starts, interval, ground.timeZone)}
      series={[
        {
          key: 'rate',
          label: 'Conversion rate',
          values: rates,
          ...(before && { compared: rates.map((_, place) => before.rates[place] ?? null) }),
        },
      ]}
      annotations={notesOn(starts, end, notes)}
      size={size}
      {...(before && {
        comparison: { label: 'Before', points: pointsOf(before.starts, interval, ground.timeZone) },
      })}
    />
  )
}

function Times({ times, question, size }: FunnelChartProps & { times: FunnelTimes }) {
  const { bins, persons, medianSeconds, averageSeconds } = times
  if (persons === 0)
    return (
      <NothingHappened
        title="Nobody got to the end yet"
        body="Try a longer period, a longer window, or steps closer to each other."
      />
    )
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted">
        {number(persons)} {countedIn(question)}, {lasting('half of them within', medianSeconds)}
        {lasting('; on average', averageSeconds)}.
      </p>
      <Histogram
        title="Time to convert"
        countLabel="Persons"
        unit="seconds"
        bins={bins.map(({ fromSeconds, toSeconds, persons: count }) => ({
          from: fromSeconds,
          until: toSeconds,
          count,
        }))}
        median={medianSeconds ?? undefined}
        size={size}
      />
    </div>
  )
}

const lasting = (words: string, seconds: number | null): string =>
  seconds === null ? '' : `${words} ${duration(seconds * 1000)}`
