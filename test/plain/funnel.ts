import type { FunnelQuery } from '#insights/kinds/funnel/schema'
import { bucketsOf, comparedSoFar, comparedWith, periodOn } from '#insights/calendar/period'
import {
  attemptsOf,
  byProgress,
  type FunnelEvent,
  inOrder,
  keyOf,
  neededOf,
  peopleOf,
  type PlainFunnelWorld,
  stepsOf,
  type FunnelPeriod,
  windowMsOf,
} from './funnel-attempts'

/** The progress of a person: the time of each step, zero if the step was not done. */
interface FunnelRun {
  who: string
  moments: number[]
  values: (string | null)[]
}

export function expectedFunnel(query: FunnelQuery, world: PlainFunnelWorld) {
  const { calendar } = world
  const period = periodOn(calendar, query.period)
  const windowMs = windowMsOf(query)
  const main = { ...period, readUntil: period.until.getTime() + windowMs + 1 }
  if (!query.compare) return funnelFor(query, world, main)
  const other = comparedWith(period, query.compare, calendar)
  const soFar = comparedSoFar(other, period, calendar)
  const isCut = soFar.until < other.until
  const late = Math.max(0, calendar.now.getTime() - period.until.getTime())
  const asOf = soFar.until.getTime() + (isCut ? 0 : Math.min(late, windowMs + 1))
  const isOver = calendar.now >= period.until || calendar.now < period.from
  const readUntil = isOver ? asOf : soFar.until.getTime()
  return {
    ...funnelFor(query, world, main),
    compared: funnelFor(query, world, { ...soFar, readUntil }),
  }
}

function funnelFor(query: FunnelQuery, world: PlainFunnelWorld, period: FunnelPeriod) {
  const { breakdown, view } = query
  const all = runsOf({ ...query, breakdown: undefined }, world, period)
  const trend = view === 'trend' ? { trend: trendOf(query, world, period) } : {}
  if (!breakdown) return { steps: figures(query, all), ...trend }
  const rows = runsOf(query, world, period).flatMap((run) => run.values.map((value) => ({ ...run, value })))
  const byValue = Object.groupBy(rows, ({ value }) => keyOf(value))
  const ranked = Object.entries(byValue)
    .map(([key, runs = []]) => ({ key, runs }))
    .toSorted((one, two) => two.runs.length - one.runs.length || (one.key < two.key ? -1 : 1))
  const shown = ranked.slice(0, query.limit).map(({ key, runs }) => ({
    value: key === '' ? null : key.slice(1),
    steps: figures(query, runs),
  }))
  const rest = ranked.slice(query.limit).flatMap(({ runs }) => runs)
  const others = rest.length > 0 ? [{ value: 'all others', steps: figures(query, rest) }] : []
  return {
    steps: figures(query, all),
    breakdowns: [...shown, ...others],
    valuesInAll: ranked.length,
    ...trend,
  }
}

function runsOf(query: FunnelQuery, world: PlainFunnelWorld, period: FunnelPeriod): FunnelRun[] {
  return peopleOf(query, world, period).flatMap(({ who, events }) => {
    const [best] = attemptsOf(query, events, period).toSorted(byProgress(query))
    if (!best) return []
    const steps = stepsOf(query, best, events)
    return [{ who, moments: steps.map((done) => done?.at ?? 0), values: valuesOf(query, steps, events) }]
  })
}

function valuesOf(
  { breakdown, attribution }: FunnelQuery,
  steps: readonly (FunnelEvent | undefined)[],
  events: readonly FunnelEvent[],
): (string | null)[] {
  const own = events[0]?.values ?? [null]
  if (breakdown?.type === 'cohort') return cohortsOfAll(events)
  if (attribution === 'all steps') return own
  const inSteps = events.filter((event) => event.steps.length > 0)
  if (typeof attribution === 'object') return [valueAt(steps[attribution.step], inSteps)]
  const known = inSteps.filter(({ values }) => values[0] !== null).toSorted(byTimeAndValue)
  return known.at(attribution === 'first' ? 0 : -1)?.values ?? [null]
}

/** A session or a group of several persons is in the cohorts of each of them. */
function cohortsOfAll(events: readonly FunnelEvent[]): (string | null)[] {
  const found = new Set(events.flatMap(({ values }) => values).filter((value) => value !== null))
  return found.size > 0 ? [...found] : [null]
}

const valueOf = ({ values: [value = null] }: FunnelEvent) => value

const byTimeAndValue = (one: FunnelEvent, two: FunnelEvent) =>
  one.at - two.at || inAlphabet(keyOf(valueOf(one)), keyOf(valueOf(two)))

const inAlphabet = (one: string, two: string) => (one < two ? -1 : Number(one > two))

/** Of several at the same instant, the first in the alphabet. */
function valueAt(done: FunnelEvent | undefined, inSteps: readonly FunnelEvent[]): string | null {
  const alike = done ? inSteps.filter((event) => inOrder(event, done) === 0) : []
  const [key = ''] = alike.map((event) => keyOf(valueOf(event))).toSorted(inAlphabet)
  return key === '' ? null : key.slice(1)
}

function figures(query: FunnelQuery, runs: readonly FunnelRun[]) {
  return query.steps.map((_, i) => {
    const previous = neededOf(query).findLast((place) => place < i)
    const reached = runs.filter(({ moments }) => (moments[i] ?? 0) > 0)
    const seconds =
      previous === undefined
        ? []
        : reached.map(({ moments }) => ((moments[i] ?? 0) - (moments[previous] ?? 0)) / 1000)
    const persons = new Set(reached.map(({ who }) => who)).size
    return { persons, medianSeconds: median(seconds), averageSeconds: average(seconds) }
  })
}

const average = (numbers: readonly number[]) =>
  numbers.length === 0 ? null : numbers.reduce((sum, one) => sum + one, 0) / numbers.length

function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((one, two) => one - two)
  const [low, high] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ]
  return low === undefined || high === undefined ? null : (low + high) / 2
}

function trendOf(query: FunnelQuery, world: PlainFunnelWorld, period: FunnelPeriod) {
  const starts = bucketsOf(period, query.interval ?? 'day', world.calendar)?.starts.map(Number) ?? []
  const people = peopleOf({ ...query, breakdown: undefined }, world, period)
  const begun = people.map(({ events }) =>
    attemptsOf(query, events, period).map((attempt) => ({
      bucket: starts.findLastIndex((start) => start <= (attempt[0]?.at ?? 0)),
      isConverted: attempt.length === neededOf(query).length,
    })),
  )
  const count = (i: number, isEnough: (isConverted: boolean) => boolean) =>
    begun.filter((own) => own.some(({ bucket, isConverted }) => bucket === i && isEnough(isConverted))).length
  return {
    entered: starts.map((_, i) => count(i, () => true)),
    converted: starts.map((_, i) => count(i, (is) => is)),
  }
}
