import type { RetentionQuery } from '#insights/kinds/retention/schema'
import { bucketsOf, type Calendar, periodOn } from '#insights/calendar/period'
import { type TestEvent, timeOf } from '../product/test-engine'

interface RetentionEvent {
  at: Date
  /** The interval; -1 is before the first. */
  place: number
  isTarget: boolean
  isReturn: boolean
  key: string
}

interface RetentionStart {
  cohort: number
  key: string
  /** In which intervals they came back. */
  returned: Set<number>
}

/** Retention by a pencil: each person's starts, and for each of them the times of their return. */
export function expectedRetention(query: RetentionQuery, events: readonly TestEvent[], calendar: Calendar) {
  const { starts, end } = bucketsOf(periodOn(calendar, query.period), query.interval, calendar) ?? {
    starts: [],
    end: calendar.now,
  }
  const people = Object.groupBy(
    events.filter((event) => actorOf(query, event) !== undefined && timeOf(event) < end),
    (event) => actorOf(query, event) ?? '',
  )
  const all = Object.values(people).flatMap((own = []) =>
    startsOf(query, own.map((event) => retentionEventOf(query, event, starts)).toSorted(inOrder)),
  )
  const complete = starts.map(
    (_, i) => starts.filter((__, j) => j >= i && (starts[j + 1] ?? end) <= calendar.now).length,
  )
  return {
    complete,
    series: seriesOf(query, all).map((one) => ({
      ...one.name,
      ...triangle(query, one.starts, complete),
    })),
  }
}

const actorOf = ({ per }: RetentionQuery, { person, groups }: TestEvent): string | undefined =>
  per === 'person' ? person : groups?.[per.group]

function retentionEventOf(
  { target, returning = target, breakdown }: RetentionQuery,
  event: TestEvent,
  starts: readonly Date[],
): RetentionEvent {
  const at = timeOf(event)
  const isIt = (name: string | null) => name === null || name === event.event
  const value = breakdown?.type === 'event' ? event.properties?.[breakdown.key] : undefined
  return {
    at,
    place: starts.findLastIndex((start) => start <= at),
    isTarget: isIt(target.event),
    isReturn: isIt(returning.event),
    key: value === undefined ? '' : `=${value}`,
  }
}

const inOrder = (one: RetentionEvent, two: RetentionEvent): number =>
  one.at.getTime() - two.at.getTime() || (one.key < two.key ? -1 : 1)

function startsOf({ mode, minimum }: RetentionQuery, done: readonly RetentionEvent[]): RetentionStart[] {
  const isEnough = (place: number) =>
    done.filter((one) => one.isReturn && one.place === place).length >= minimum
  const returned = new Set(done.map(({ place }) => place).filter(isEnough))
  const targets = done.filter(({ isTarget, place }) => isTarget && (mode === 'first-ever' || place >= 0))
  const firsts = targets.filter((one, i) => targets.findIndex(({ place }) => place === one.place) === i)
  const counted = mode === 'recurring' ? firsts : firsts.slice(0, 1)
  return counted.filter(({ place }) => place >= 0).map(({ place, key }) => ({ cohort: place, key, returned }))
}

function seriesOf({ breakdown, limit }: RetentionQuery, starts: readonly RetentionStart[]) {
  if (!breakdown) return [{ name: { breakdown: [] }, starts }]
  const ranked = Object.entries(Object.groupBy(starts, ({ key }) => key)).toSorted(
    ([one, ones = []], [two, twos = []]) => twos.length - ones.length || (one < two ? -1 : 1),
  )
  const shown = ranked.slice(0, limit).map(([key, own = []]) => ({
    name: { breakdown: [key === '' ? null : key.slice(1)] },
    starts: own,
  }))
  const rest = ranked.slice(limit).flatMap(([, own = []]) => own)
  return rest.length > 0 ? [...shown, { name: { breakdown: [], isOthers: true }, starts: rest }] : shown
}

function triangle(
  { rolling }: RetentionQuery,
  starts: readonly RetentionStart[],
  complete: readonly number[],
) {
  const counts = complete.map((_, cohort) => {
    const own = starts.filter((start) => start.cohort === cohort)
    return complete
      .slice(cohort)
      .map((__, gap) => own.filter((start) => gap === 0 || hasReturned(start, gap, rolling)).length)
  })
  const rates = counts.map((row) => row.map((count) => shareOf(count, row[0] ?? 0)))
  const mean = complete.map((_, gap) => {
    const far = counts.filter((__, cohort) => gap < (complete[cohort] ?? 0))
    return shareOf(total(far.map((row) => row[gap] ?? 0)), total(far.map((row) => row[0] ?? 0)))
  })
  return { sizes: counts.map((row) => row[0] ?? 0), counts, rates, mean }
}

const hasReturned = ({ cohort, returned }: RetentionStart, gap: number, rolling: boolean): boolean =>
  [...returned].some((place) => (rolling ? place >= cohort + gap : place === cohort + gap))

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

const shareOf = (count: number, of: number): number | null => (of === 0 ? null : count / of)
