import { type Sql, sql, uints } from '#engine/sql'
import { bucketColumn } from '#insights/compile/internal/bucket-column'
import { mathWords } from '#insights/measures/maths'
import { type Calendar, daysBefore, endOfDay, type Interval, type Period } from '#insights/calendar/period'
import type { QueryScope } from '#insights/scope'
import { placeOf, type TrendKeys, seriesEvents, type TrendRow } from '../query'
import type { TrendQuery, TrendSeries } from '../schema'
import type { BucketedPeriod } from './trend-periods'

/** The range of days that one number of active persons covers. */
interface ActivesWindow extends Period {
  part: 'bucket' | 'total'
  /** The index of the bucket, as in `TrendRow`. */
  at: number
}

/** The change of the number of active persons from one window to the next. */
export interface ActiveRow {
  place: number
  window: number
  change: number
}

/** Returns the days up to each bucket's end, limited to the elapsed part of the period; in the order of their ends. */
export function windowsOf(
  days: number,
  bucketed: BucketedPeriod,
  interval: Interval,
  calendar: Calendar,
): ActivesWindow[] {
  const { buckets, period, countedUntil } = bucketed
  // an incomplete month covers the days up to today, because its last days are still to come
  const last = earliest(period.until, endOfDay(new Date(calendar.now.getTime() + 1), calendar))
  const ofBuckets = buckets.starts.map((start, i): ActivesWindow => {
    const until = earliest(buckets.starts[i + 1] ?? buckets.end, last)
    return { part: 'bucket', at: start.getTime(), ...lookingBack(days, until, interval, calendar) }
  })
  const total = lookingBack(days, earliest(countedUntil, last), interval, calendar)
  return inOrderOfEnd([...ofBuckets, { part: 'total', at: 1, ...total }])
}

/** Ensures that windows with later ends begin later: where clocks go back, an hour occurs twice. */
function inOrderOfEnd(windows: readonly ActivesWindow[]): ActivesWindow[] {
  let latest = new Date(0)
  return windows
    .toSorted((one, other) => one.until.getTime() - other.until.getTime())
    .map((window) => {
      if (window.from > latest) latest = window.from
      return { ...window, from: latest }
    })
}

/** Returns whole days, the last of which may end early. */
function lookingBack(days: number, until: Date, interval: Interval, calendar: Calendar): Period {
  const isShort = interval === 'minute' || interval === 'hour'
  return { from: daysBefore(isShort ? until : endOfDay(until, calendar), days, calendar), until }
}

const earliest = (one: Date, other: Date): Date => (one < other ? one : other)

/**
 * Windows overlap, so one event counts in many. All events between two neighbouring window edges are in the same
 * windows, and those are consecutive. So each person has only ranges of windows in which they were active, given by
 * their two ends: for thirty days this takes a twentieth of the work of counting persons window by window.
 */
export function actives(
  query: TrendQuery,
  series: TrendSeries,
  scope: QueryScope,
  { ranges, keys }: TrendKeys,
  windows: readonly ActivesWindow[],
): Sql {
  const { events, cut } = seriesEvents({ query, scope, ranges }, series, spanOf(windows))
  const edges = edgesOf(windows)
  const slot = bucketColumn(sql`timestamp`, { starts: edges.map((edge) => new Date(edge)) })
  const at = (which: (edge: number) => number) =>
    sql`arrayMap(one -> transform(one, ${uints(edges)}, ${uints(edges.map(which))}, toUInt64(0)), slots)`
  return sql`
    select place, changes.1 as window, sum(changes.2) as change
    from (
      select
        place,
        ${at((edge) => firstAround(edge, windows))} as firsts,
        ${at((edge) => firstAfter(edge, windows))} as ends,
        arrayMap((one, before) -> greatest(one, before), firsts, arrayPushFront(arrayPopBack(ends), 0)) as begins,
        arrayJoin(arrayConcat(
          arrayMap(one -> (one, toInt64(1)), begins),
          arrayMap(one -> (one, toInt64(-1)), ends)
        )) as changes
      from (
        select place, arraySort(groupUniqArray(slot)) as slots
        from (
          select person, ${placeOf(query, cut, keys)} as place, ${slot} as slot
          from ${events.rows()} as events
        )
        group by place, person
      )
    )
    group by place, window
    order by place, window`
}

/** The range of all windows together. */
function spanOf(windows: readonly ActivesWindow[]): Period {
  const times = (which: 'from' | 'until') => windows.map((window) => window[which].getTime())
  return { from: new Date(Math.min(...times('from'))), until: new Date(Math.max(...times('until'))) }
}

const edgesOf = (windows: readonly ActivesWindow[]): number[] =>
  [...new Set(windows.flatMap(({ from, until }) => [from.getTime(), until.getTime()]))].sort(
    (one, other) => one - other,
  )

/** Windows with later ends begin later, so the windows around an instant go from the first that ends after it … */
const firstAround = (instant: number, windows: readonly ActivesWindow[]): number =>
  firstWhere(windows, ({ until }) => until.getTime() > instant)

/** … up to the first that begins after it. */
const firstAfter = (instant: number, windows: readonly ActivesWindow[]): number =>
  firstWhere(windows, ({ from }) => from.getTime() > instant)

/** Binary search: a condition that holds for a window holds for all later ones. */
function firstWhere(windows: readonly ActivesWindow[], holds: (window: ActivesWindow) => boolean): number {
  let [low, high] = [0, windows.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const window = windows[middle]
    if (window && holds(window)) high = middle
    else low = middle + 1
  }
  return low
}

/** Converts changes to the rows of any other trend: the running total. */
export function rowsOfActives(rows: readonly ActiveRow[], windows: readonly ActivesWindow[]): TrendRow[] {
  const changes = new Map(rows.map(({ place, window, change }) => [`${place} ${window}`, change]))
  return [...new Set(rows.map(({ place }) => place))].flatMap((place) => {
    let value = 0
    return windows.map(({ part, at }, window) => {
      value += changes.get(`${place} ${window}`) ?? 0
      return { place, part, at, value }
    })
  })
}

export const activeDays = ({ measure }: TrendSeries): number | undefined => mathWords(measure.math).days
