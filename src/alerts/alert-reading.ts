import type { Insights } from '#insights/ask'
import { trendNumbers, type TrendNumbers } from '#insights/measures/trend-lines'
import { type Calendar, daysBefore, type Period } from '#insights/calendar/period'
import type { SavedInsights } from '#insights/saved/saved-insights'
import { operator } from '#projects/access'
import { type Outcome, failedOutcome } from '#projects/problems'
import type { Alert } from './alert'
import type { AlertCondition, AlertReading } from './condition'
import { queryOfEvent, queryOfInsight, type WatchedMetric, type WatchedQuery } from './watched-metric'
import type { AlertInterval } from './alert-words'

export interface AlertReadingDependencies {
  insights: Pick<Insights, 'ask'>
  savedInsights: Pick<SavedInsights, 'find'>
}

/** Reads with rights of its own: the author's right to read the project was checked when the alert was saved. */
const alerts = operator('alerts')

export type WatchedAlert = Pick<Alert, 'projectId' | 'watched' | 'condition'>

/** The current number, and the period it covers. */
type AlertReadingOutcome = Outcome<{
  reading: AlertReading
  period: Period
  as: TrendNumbers['lines'][number]['as']
}>

/** The numbers of one line, interval by interval. */
export interface AlertTimeSeries {
  label: string
  as: TrendNumbers['lines'][number]['as']
  interval: AlertInterval
  starts: string[]
  values: (number | null)[]
  /** The numbers that a change is held against, one for each value. */
  against?: (number | null)[]
  lastIsIncomplete: boolean
}

export async function queryOf(
  projectId: number,
  watched: WatchedMetric,
  { savedInsights }: Pick<AlertReadingDependencies, 'savedInsights'>,
): Promise<Outcome<{ question: WatchedQuery }>> {
  if (watched.type === 'event') return { done: true, question: queryOfEvent(watched) }
  return queryOfInsight(await savedInsights.find(projectId, watched.insight, alerts))
}

export async function readNow(
  watching: WatchedAlert,
  calendar: Calendar,
  dependencies: AlertReadingDependencies,
): Promise<AlertReadingOutcome> {
  const { condition } = watching
  if (condition.type === 'absence')
    return await readAbsence(watching, condition.minutes, calendar, dependencies)
  const outcome = await askTrend(
    watching,
    `${intervalsBack(condition)}${units[condition.interval]}`,
    condition.interval,
    dependencies,
  )
  if (!outcome.done) return outcome
  const { answer, line } = outcome
  const index = answer.starts.length - (condition.type === 'threshold' && condition.of === 'running' ? 1 : 2)
  const from = answer.starts[index]
  if (from === undefined) return failedOutcome('There is no complete interval yet.')
  const period = { from: new Date(from), until: new Date(answer.starts[index + 1] ?? calendar.now) }
  const value = line.values[index] ?? null
  if (condition.type === 'threshold') return { done: true, reading: { value }, period, as: line.as }
  const before = indexBefore(answer, index, condition, calendar)
  return { done: true, reading: { value, against: line.values[before] ?? null }, period, as: line.as }
}

async function readAbsence(
  watching: WatchedAlert,
  minutes: number,
  { now }: Calendar,
  dependencies: AlertReadingDependencies,
): Promise<AlertReadingOutcome> {
  const period = { from: new Date(now.getTime() - minutes * 60_000), until: now }
  const text = `${period.from.toISOString()}..${period.until.toISOString()}`
  const outcome = await askTrend(watching, text, 'month', dependencies, 'total')
  if (!outcome.done) return outcome
  return { done: true, reading: { value: outcome.line.total }, period, as: 'number' }
}

const usualIntervals = 30

/** Returns the last thirty intervals for a chart; hourly ones for an absence condition. */
export async function alertTimeSeriesOf(
  watching: WatchedAlert,
  calendar: Calendar,
  dependencies: AlertReadingDependencies,
): Promise<Outcome<{ course: AlertTimeSeries }>> {
  const { condition } = watching
  const interval = condition.type === 'absence' ? 'hour' : condition.interval
  const earlier = condition.type === 'relative' ? intervalsBack(condition) : 0
  const shown = usualIntervals + 1
  const outcome = await askTrend(watching, `${shown + earlier}${units[interval]}`, interval, dependencies)
  if (!outcome.done) return outcome
  const { answer, line } = outcome
  const { label, as, values } = line
  const { starts, lastIsIncomplete } = answer
  const against =
    condition.type === 'relative'
      ? values.map((_, index) => values[indexBefore(answer, index, condition, calendar)] ?? null)
      : undefined
  return {
    done: true,
    course: {
      label,
      as,
      interval,
      starts: starts.slice(-shown),
      values: values.slice(-shown),
      against: against?.slice(-shown),
      lastIsIncomplete,
    },
  }
}

const units = { hour: 'h', day: 'd', week: 'w', month: 'mo' } as const satisfies Record<AlertInterval, string>

/**
 * Returns the number of intervals to query, the current one included. A week has 169 hours where clocks are put back.
 */
function intervalsBack(condition: Exclude<AlertCondition, { type: 'absence' }>): number {
  if (condition.type === 'threshold') return condition.of === 'running' ? 1 : 2
  if (condition.against === 'previous' || condition.interval === 'week') return 3
  return condition.interval === 'hour' ? 7 * 24 + 4 : 9
}

function indexBefore(
  { starts }: TrendNumbers,
  index: number,
  { against, interval }: Extract<AlertCondition, { type: 'relative' }>,
  calendar: Calendar,
): number {
  if (against === 'previous' || interval === 'week') return index - 1
  const before = daysBefore(new Date(starts[index] ?? calendar.now), 7, calendar)
  return starts.findLastIndex((start) => new Date(start) <= before)
}

async function askTrend(
  { projectId, watched }: WatchedAlert,
  period: string,
  interval: AlertInterval,
  dependencies: AlertReadingDependencies,
  math?: 'total',
): Promise<Outcome<{ answer: TrendNumbers; line: TrendNumbers['lines'][number] }>> {
  const of = math && watched.type === 'event' ? { ...watched, measure: { math } } : watched
  const wanted = await queryOf(projectId, of, dependencies)
  if (!wanted.done) return wanted
  const outcome = await dependencies.insights.ask(
    projectId,
    { ...wanted.question, period, interval },
    alerts,
    {
      isFresh: true,
    },
  )
  if (!outcome.done) return outcome
  const answer = trendNumbers(outcome)
  const line = answer?.lines[watched.type === 'insight' ? watched.line : 0]
  return answer && line
    ? { done: true, answer, line }
    : failedOutcome('The insight no longer has this series. Choose another.', 'watched')
}
