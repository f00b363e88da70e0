import { type FunnelQuery, windowSeconds } from '#insights/kinds/funnel/schema'
import type { Calendar, Period } from '#insights/calendar/period'
import { timeOf, type TestEvent } from '../product/test-engine'

/** A funnel by a pencil: every attempt of every person, one after another. */
export interface PlainFunnelWorld {
  events: readonly TestEvent[]
  calendar: Calendar
  cohorts: Record<string, readonly string[]>
}

export interface FunnelEvent {
  at: number
  steps: number[]
  /** After which steps it is excluded. */
  exclusions: number[]
  values: (string | null)[]
  session: string | undefined
}

export interface FunnelPeriod extends Period {
  readUntil: number
}

export const keyOf = (value: string | null): string => (value === null ? '' : `=${value}`)

export const windowMsOf = ({ window: { amount, unit } }: FunnelQuery) => amount * windowSeconds[unit] * 1000
export const neededOf = ({ steps }: FunnelQuery) => steps.flatMap(({ optional }, i) => (optional ? [] : [i]))

/** Everybody's events in order; with "all steps" once for each value. */
export function peopleOf(query: FunnelQuery, world: PlainFunnelWorld, period: FunnelPeriod) {
  const { breakdown, attribution, order, per } = query
  const isEach = breakdown && breakdown.type !== 'cohort' && attribution === 'all steps'
  const told = world.events.flatMap((event) => {
    const done = funnelEventOf(query, event, world)
    const who =
      per === 'session' ? event.session : per === 'person' ? event.person : event.groups?.[per.group]
    const isRead = done.at >= period.from.getTime() && done.at < period.readUntil
    const matters = order === 'strict' || done.steps.length > 0 || done.exclusions.length > 0
    return who && isRead && matters ? [{ who, done, key: isEach ? keyOf(done.values[0] ?? null) : '' }] : []
  })
  const groups = Object.values(Object.groupBy(told, ({ who, key }) => JSON.stringify([who, key])))
  return groups.flatMap((group) => {
    const [first] = group ?? []
    const events = (group ?? []).map(({ done }) => done).toSorted(inOrder)
    return first
      ? [{ who: first.who, events: order === 'strict' ? withoutSimultaneous(events) : events }]
      : []
  })
}

function funnelEventOf(query: FunnelQuery, event: TestEvent, { cohorts }: PlainFunnelWorld): FunnelEvent {
  const { breakdown } = query
  const isIt = (name: string | null) => name === null || name === event.event
  const steps = query.steps.flatMap((step, i) => (isIt(step.event) ? [i] : []))
  const bars = query.exclusions.filter((one) => isIt(one.event))
  const barred =
    steps.length > 0
      ? []
      : query.steps.flatMap((_, i) => (bars.some(({ from, to }) => i >= from && i < to) ? [i] : []))
  const within =
    breakdown?.type === 'cohort' ? breakdown.cohorts.filter((id) => cohorts[id]?.includes(event.person)) : []
  const own = breakdown?.type === 'event' ? (event.properties?.[breakdown.key] ?? null) : null
  return {
    at: timeOf(event).getTime(),
    steps,
    exclusions: barred,
    values: within.length > 0 ? within : [own],
    session: event.session,
  }
}

const maskOf = (places: readonly number[]) => places.reduce((mask, place) => mask + 2 ** place, 0)
export const inOrder = (one: FunnelEvent, two: FunnelEvent): number =>
  one.at - two.at ||
  (one.steps[0] ?? 31) - (two.steps[0] ?? 31) ||
  maskOf(one.steps) - maskOf(two.steps) ||
  maskOf(one.exclusions) - maskOf(two.exclusions)

const withoutSimultaneous = (events: readonly FunnelEvent[]) =>
  events.filter(({ steps, at }, i) => steps.length > 0 || events[i - 1]?.at !== at)

export function attemptsOf(
  query: FunnelQuery,
  events: readonly FunnelEvent[],
  { until }: FunnelPeriod,
): FunnelEvent[][] {
  const follow = query.order === 'unordered' ? unorderedAttempt : orderedAttempt
  return events.flatMap((event, i) => {
    const isFirst = query.order === 'unordered' ? event.steps.length > 0 : event.steps.includes(0)
    const attempt = isFirst && event.at < until.getTime() && follow(query, event, events.slice(i + 1))
    return attempt ? [attempt] : []
  })
}

function orderedAttempt(
  query: FunnelQuery,
  first: FunnelEvent,
  rest: readonly FunnelEvent[],
): FunnelEvent[] | undefined {
  const needed = neededOf(query)
  const attempt = [first]
  for (const event of rest) {
    if (event.at - first.at > windowMsOf(query) || attempt.length === needed.length) break
    const [current = 0, next = 0] = needed.slice(attempt.length - 1)
    if (event.steps.includes(next)) attempt.push(event)
    else if (query.order === 'strict' && !event.steps.includes(current)) break
    else if (event.exclusions.includes(current)) return undefined
  }
  return attempt
}

function unorderedAttempt(
  query: FunnelQuery,
  first: FunnelEvent,
  rest: readonly FunnelEvent[],
): FunnelEvent[] | undefined {
  const done = new Map(first.steps.map((step) => [step, first]))
  for (const event of rest) {
    if (event.at - first.at > windowMsOf(query) || done.size === query.steps.length) break
    if (event.exclusions.length > 0) return undefined
    for (const step of event.steps) if (!done.has(step)) done.set(step, event)
  }
  return [...done.values()].toSorted(inOrder)
}

/** The furthest, then the earliest there, then the latest begun; where there is no order, the earliest begun. */
export const byProgress =
  ({ order }: FunnelQuery) =>
  (one: FunnelEvent[], two: FunnelEvent[]): number => {
    const [[first, last], [otherFirst, otherLast]] = [one, two].map((list) => [list[0], list.at(-1)]) as [
      FunnelEvent[],
      FunnelEvent[],
    ] // none is empty
    const begun = first && otherFirst ? inOrder(otherFirst, first) : 0
    return (
      two.length - one.length ||
      (last && otherLast ? inOrder(last, otherLast) : 0) ||
      (order === 'unordered' ? -begun : begun)
    )
  }

export function stepsOf(
  query: FunnelQuery,
  best: readonly FunnelEvent[],
  events: readonly FunnelEvent[],
): (FunnelEvent | undefined)[] {
  const needed = neededOf(query)
  return query.steps.map(({ optional }, i) => {
    if (!optional) return best[needed.indexOf(i)]
    const rank = needed.filter((place) => place < i).length
    const [first, from, to] = [best[0], best[rank - 1], best[rank]]
    if (!first || !from) return undefined
    const isInTime = (event: FunnelEvent) =>
      to ? inOrder(event, to) < 0 : event.at - first.at <= windowMsOf(query)
    return events.find((event) => event.steps.includes(i) && inOrder(event, from) > 0 && isInTime(event))
  })
}
