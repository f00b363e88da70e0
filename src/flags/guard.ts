import type { z } from 'zod'
import type { Unchanging } from '#collection/unchanging'
import type { Filter } from '#filters/filter'
import type { Condition } from './flag'
import type {
  guardLogEntry,
  guardMetric,
  guardReading,
  guardSchema,
  rampStep,
  takenStep,
} from './guard-schema'

/** The types of the schemas in `guard-schema`, for code that goes to browsers without them. */
export type Guard = Unchanging<z.infer<typeof guardSchema>, Condition | Filter>
export type GuardMetric = z.infer<typeof guardMetric>
export type GuardReading = z.infer<typeof guardReading>
export type GuardLogEntry = z.infer<typeof guardLogEntry>
export type RampStep = z.infer<typeof rampStep>
export type TakenStep = z.infer<typeof takenStep>

export const guardStates = {
  running: 'Running',
  'rolled-back': 'Rolled back',
  completed: 'Completed',
  stopped: 'Stopped',
} as const satisfies Record<Guard['state'], string>

/** Whether a lower value is worse. */
export const isBetterWhenHigher = (metric: GuardMetric): boolean =>
  metric.type === 'guardrail' ? metric.goal === 'increase' : metric.type === 'event' || metric.type === 'goal'

/** The reading of a metric that could not be read. */
export const unknownReading: GuardReading = {
  state: 'unknown',
  got: null,
  others: null,
  people: { got: 0, others: 0 },
}

/**
 * The next step and when it is due; undefined if all are completed. A step lasts its full time even if it was taken late,
 * or if a pause interrupted it: a ramp that had to wait does not hurry after that.
 */
export function nextStep({ steps, taken, createdAt, resumedAt }: Guard): TakenStep | undefined {
  const step = steps[taken.length]
  if (!step) return undefined
  const last = taken.at(-1)
  const lasts = step.afterMinutes - (steps[taken.length - 1]?.afterMinutes ?? 0)
  const times = [
    minutesAfter(createdAt, step.afterMinutes),
    ...(last ? [minutesAfter(last.at, lasts)] : []),
    ...(resumedAt ? [minutesAfter(resumedAt, lasts)] : []),
  ]
  return { percentage: step.percentage, at: new Date(Math.max(...times.map((at) => at.getTime()))) }
}

/**
 * The end of the watch after the last step; undefined while steps remain. At 100 % no other side is left to compare
 * with, unless an experiment divides all people among its variants.
 */
export function watchedUntil({ steps, taken, watchMinutes, experiment, resumedAt }: Guard): Date | undefined {
  const last = taken.at(-1)
  if (!last || taken.length < steps.length) return undefined
  const since = resumedAt && resumedAt > last.at ? resumedAt : last.at
  return minutesAfter(since, last.percentage === 100 && experiment === undefined ? 0 : watchMinutes)
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
  if (guard.pausedAt) return { does: 'nothing', why: pausedWords(guard) }
  const until = watchedUntil(guard)
  if (until && until <= now) return completion(guard, readings)
  const step = nextStep(guard)
  if (!step || step.at > now) return { does: 'nothing', why: steadyWords(guard, readings) }
  const doubt = guard.taken.length > 0 ? reasonToWait(guard, readings) : undefined
  return doubt === undefined
    ? { does: 'step', step: { percentage: step.percentage, at: now } }
    : { does: 'nothing', why: doubt }
}

/** The end of an experiment's ramp may ship a variant, so it waits for what a step waits for. */
function completion(guard: Guard, readings: readonly GuardReading[]): GuardAction {
  const doubt = guard.experiment === undefined ? undefined : reasonToWait(guard, readings)
  return doubt === undefined
    ? { does: 'complete', why: throughWords(guard) }
    : { does: 'nothing', why: doubt }
}

const pausedWords = ({ log }: Guard): string =>
  log.findLast(({ event }) => event === 'paused')?.note ?? 'It is paused.'

/** Why a due step is postponed. */
function reasonToWait(guard: Guard, readings: readonly GuardReading[]): string | undefined {
  const { metrics, minimum, waitsForPeople } = guard
  const unknown = readings.find(({ state }) => state === 'unknown')
  if (unknown) return unknown.why ?? 'The next step waits: the numbers could not be looked at.'
  const few = readings.findIndex(({ state }) => state === 'too-few')
  const [metric, reading] = [metrics[few], readings[few]]
  if (!waitsForPeople || !metric || !reading) return undefined
  const { got, others } = reading.people
  if (guard.experiment !== undefined) return `It waits until enough is known of “${metricLabel(metric)}”.`
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
  if (metric.type === 'guardrail')
    return `${metric.name}: ${figures}. That is more than ${metric.worse}% worse, and hardly chance.`
  const direction = isBetterWhenHigher(metric) ? 'fewer' : 'more'
  return `${metricLabel(metric)}: ${figures}. That is over ${metric.worse}% ${direction}, and hardly chance.`
}

export function metricLabel(metric: GuardMetric): string {
  if (metric.type === 'guardrail') return metric.name
  if (metric.type === 'exceptions') return 'Exceptions per visitor'
  if (metric.type === 'vital') return `${metric.vital} of three of four visitors`
  return metric.type === 'event' ? `Visitors with “${metric.event}”` : 'Visitors who reach the goal'
}

/** The figures of both sides. */
export const readingFigures = (metric: GuardMetric, { got, others }: GuardReading): string =>
  `${figure(metric, got)} against ${figure(metric, others)}`

function figure(metric: GuardMetric, value: number | null): string {
  if (value === null) return 'nothing'
  const isShare = metric.type === 'guardrail' ? metric.isShare : isBetterWhenHigher(metric)
  if (isShare) return `${(value * 100).toFixed(1)}%`
  const text = String(Number(value.toPrecision(3)))
  return metric.type === 'guardrail' && metric.currency !== undefined ? `${text} ${metric.currency}` : text
}
