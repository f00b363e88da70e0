import type { Filter } from '#filters/filter'
import type { VitalName } from '#insights/compile/web-vitals'
import type { ConditionSet } from './flag'

/** A guarded rollout: it proceeds step by step while its metrics are good, and rolls back when they are not. */
export interface Guard {
  id: string
  projectId: number
  flagId: number
  flagKey: string
  environment: string
  /** The index of the flag's condition set that grows. */
  set: number
  /** The variant to compare with all other visitors. Without one, every value but "off" is compared with "off". */
  variant: string | undefined
  steps: readonly RampStep[]
  metrics: readonly GuardMetric[]
  /** Number of people each side needs before the guard draws a conclusion. */
  minimum: number
  /** Whether a due step waits for the minimum number of people. */
  waitsForPeople: boolean
  /** How long the metrics are checked after the last step. */
  watchMinutes: number
  /** The rollout before the guard began, to which it rolls back. */
  before: RolloutBefore
  /** The completed steps, the oldest first. */
  taken: readonly TakenStep[]
  state: GuardState
  /** The reason for the state, in a sentence. */
  why: string
  /** The latest figures, one for each metric. */
  readings: readonly GuardReading[]
  lookedAt: Date | undefined
  endedAt: Date | undefined
  createdBy: string
  createdAt: Date
}

export const guardStates = {
  running: 'Looked after',
  'rolled-back': 'Rolled back',
  completed: 'Went through',
  stopped: 'Stopped',
} as const
export type GuardState = keyof typeof guardStates

export interface RampStep {
  percentage: number
  /** The time since the guard began. */
  afterMinutes: number
}

export interface TakenStep {
  percentage: number
  at: Date
}

export interface RolloutBefore {
  isOn: boolean
  set: ConditionSet
}

/** A metric that must not get worse, and the accepted increase in per cent. */
export type GuardMetric = { worse: number } & (
  | { type: 'exceptions' }
  | { type: 'vital'; vital: VitalName }
  | { type: 'event'; event: string; filter?: Filter | undefined }
  | { type: 'goal'; goal: string }
)

/** Whether a lower value is worse. */
export const isBetterWhenHigher = ({ type }: GuardMetric): boolean => type === 'event' || type === 'goal'

export interface GuardReading {
  state: GuardReadingState
  /** Exceptions per visitor, the third quartile of visitors, or the share that converted. */
  got: number | null
  others: number | null
  /** The number of people on the smaller side, in the step with the most people. */
  people: { got: number; others: number }
}
/** 'unknown' if the metric could not be read. */
export type GuardReadingState = 'well' | 'broken' | 'too-few' | 'unknown'

/** The next step and when it is due; undefined if all are completed. */
export function nextStep({ steps, taken, createdAt }: Guard): TakenStep | undefined {
  const step = steps[taken.length]
  return step && { percentage: step.percentage, at: minutesAfter(createdAt, step.afterMinutes) }
}

/**
 * The end of the watch after the last step; undefined while steps remain. At 100 % no other side is left to compare
 * with.
 */
export function watchedUntil({ steps, taken, watchMinutes }: Guard): Date | undefined {
  const last = taken.at(-1)
  if (!last || taken.length < steps.length) return undefined
  return minutesAfter(last.at, last.percentage === 100 ? 0 : watchMinutes)
}

export const minutesAfter = (at: Date, minutes: number): Date => new Date(at.getTime() + minutes * 60_000)

/** The time between two steps, or between the last step and now. */
export interface GuardInterval {
  from: Date
  until: Date
}

/** The times between the steps: within each, the share is constant, so that people can be compared. */
export function guardIntervalsOf(taken: readonly TakenStep[], now: Date): GuardInterval[] {
  return taken
    .map(({ at }, i) => ({ from: at, until: taken[i + 1]?.at ?? now }))
    .filter(({ from, until }) => from < until)
}

/** The result of a check, before the guard acts on it. */
export type GuardAction =
  | { does: 'nothing'; why: string }
  | { does: 'roll back'; why: string }
  | { does: 'step'; step: TakenStep }
  | { does: 'complete'; why: string }

export function nextGuardAction(guard: Guard, readings: readonly GuardReading[], now: Date): GuardAction {
  const broken = readings.findIndex(({ state }) => state === 'broken')
  const [metric, reading] = [guard.metrics[broken], readings[broken]]
  if (metric && reading) return { does: 'roll back', why: brokenWords(metric, reading) }
  const until = watchedUntil(guard)
  if (until && until <= now) return { does: 'complete', why: throughWords(guard) }
  const step = nextStep(guard)
  if (!step || step.at > now) return { does: 'nothing', why: steadyWords(guard, readings) }
  const doubt = guard.taken.length > 0 ? reasonToWait(guard, readings) : undefined
  return doubt === undefined
    ? { does: 'step', step: { percentage: step.percentage, at: now } }
    : { does: 'nothing', why: doubt }
}

/** Why a due step is postponed. */
function reasonToWait({ metrics, minimum, waitsForPeople }: Guard, readings: readonly GuardReading[]) {
  const unknown = readings.some(({ state }) => state === 'unknown')
  if (unknown) return 'The next step waits: the numbers could not be looked at.'
  const few = readings.findIndex(({ state }) => state === 'too-few')
  const [metric, reading] = [metrics[few], readings[few]]
  if (!waitsForPeople || !metric || !reading) return undefined
  const { got, others } = reading.people
  return (
    `The next step waits until there are ${minimum} people on each side: of “${metricLabel(metric)}” ` +
    `${got} who get it are known, and ${others} who do not.`
  )
}

function steadyWords({ metrics, taken }: Guard, readings: readonly GuardReading[]): string {
  if (taken.length === 0) return 'It has not begun yet.'
  if (readings.some(({ state }) => state === 'unknown')) return 'The numbers could not be looked at.'
  const known = readings.filter(({ state }) => state === 'well').length
  if (known === metrics.length) return 'All is well.'
  return known === 0
    ? 'Too few people for anything to be said yet.'
    : 'All is well as far as can be said yet.'
}

const throughWords = ({ taken }: Guard): string =>
  `Nothing got worse than it may; it stays at ${taken.at(-1)?.percentage ?? 0}%.`

/** The reason in the flag's history. */
function brokenWords(metric: GuardMetric, { got, others }: GuardReading): string {
  const figures = `${figure(metric, got)} for those who get it, ${figure(metric, others)} for the others`
  const direction = isBetterWhenHigher(metric) ? 'fewer' : 'more'
  return `${metricLabel(metric)}: ${figures}. That is over ${metric.worse}% ${direction}, and hardly chance.`
}

export function metricLabel(metric: GuardMetric): string {
  if (metric.type === 'exceptions') return 'Exceptions per visitor'
  if (metric.type === 'vital') return `${metric.vital} of three of four visitors`
  return metric.type === 'event' ? `Visitors with “${metric.event}”` : 'Visitors who reach the goal'
}

/** The figures of both sides. */
export const readingFigures = (metric: GuardMetric, { got, others }: GuardReading): string =>
  `${figure(metric, got)} against ${figure(metric, others)}`

function figure(metric: GuardMetric, value: number | null): string {
  if (value === null) return 'nothing'
  if (isBetterWhenHigher(metric)) return `${(value * 100).toFixed(1)}%`
  return String(Number(value.toPrecision(3)))
}
