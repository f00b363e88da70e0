import { type Sql, sql, uints } from '#engine/sql'
import { bucketColumn } from '../../compile/bucket-column'
import { mathWords } from '../../measures/maths'
import { type Calendar, daysBefore, endOfDay, type Interval, type Period } from '../../calendar/period'
import type { QuestionScope } from '../../scope'
import { placeOf, type TrendKeys, seriesEvents, type TrendRow } from './query'
import type { TrendQuestion, TrendSeries } from './question'
import type { BucketedPeriod } from './trend-periods'

/** The days that one number of a trend of actives looks back over. */
export interface ActivesWindow extends Period {
  part: 'bucket' | 'total'
  /** The same as in `TrendRow`. */
  at: number
}

/** The change of the number of active persons from one window to the next. */
export interface ActiveRow {
  place: number
  window: number
  change: number
}

/** The days that end with each bucket, and with what has passed of the period; in the order of their ends. */
export function windowsOf(
  days: number,
  bucketed: BucketedPeriod,
  interval: Interval,
  calendar: Calendar,
): ActivesWindow[] {
  const { buckets, period, countedUntil } = bucketed
  // A month that is not over looks back from today: its last days are still to come.
  const last = earliest(period.until, endOfDay(new Date(calendar.now.getTime() + 1), calendar))
  const ofBuckets = buckets.starts.map((start, i): ActivesWindow => {
    const until = earliest(buckets.starts[i + 1] ?? buckets.end, last)
    return { part: 'bucket', at: start.getTime(), ...lookingBack(days, until, interval, calendar) }
  })
  const total = lookingBack(days, earliest(countedUntil, last), interval, calendar)
  return inOrderOfEnd([...ofBuckets, { part: 'total', at: 1, ...total }])
}

/** None begins before one that ends sooner, as would be where clocks go back and an hour is lived twice. */
function inOrderOfEnd(windows: readonly ActivesWindow[]): ActivesWindow[] {
  let latest = new Date(0)
  return windows
    .toSorted((one, other) => one.until.getTime() - other.until.getTime())
    .map((window) => {
      if (window.from > latest) latest = window.from
      return { ...window, from: latest }
    })
}

/** Whole days for whole days, the last of which may end early. */
function lookingBack(days: number, until: Date, interval: Interval, calendar: Calendar): Period {
  const isShort = interval === 'minute' || interval === 'hour'
  return { from: daysBefore(isShort ? until : endOfDay(until, calendar), days, calendar), until }
}

const earliest = (one: Date, other: Date): Date => (one < other ? one : other)

/**
 * Windows overlap, so that one event counts in many. What is between two neighbouring edges of theirs is in the same
 * windows as a whole, and those stand side by side. So of each person only the stretches of windows are told in which
 * they were active, by their two ends: for thirty days a twentieth of the work of counting persons window by window.
 */
export function actives(
  question: TrendQuestion,
  series: TrendSeries,
  scope: QuestionScope,
  { ranges, keys }: TrendKeys,
  windows: readonly ActivesWindow[],
): Sql {
  const { events, cut } = seriesEvents({ question, scope, ranges }, series, spanOf(windows))
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
          select person, ${placeOf(question, cut, keys)} as place, ${slot} as slot
          from ${events.rows()} as events
        )
        group by place, person
      )
    )
    group by place, window
    order by place, window`
}

/** All that any of the windows looks at. */
export function spanOf(windows: readonly ActivesWindow[]): Period {
  const times = (which: 'from' | 'until') => windows.map((window) => window[which].getTime())
  return { from: new Date(Math.min(...times('from'))), until: new Date(Math.max(...times('until'))) }
}

const edgesOf = (windows: readonly ActivesWindow[]): number[] =>
  [...new Set(windows.flatMap(({ from, until }) => [from.getTime(), until.getTime()]))].sort(
    (one, other) => one - other,
  )

/** Windows that end later begin later too, so those around an instant go from the first that ends after it … */
const firstAround = (instant: number, windows: readonly ActivesWindow[]): number =>
  firstWhere(windows, ({ until }) => until.getTime() > instant)

/** … to before the first that begins after it. */
const firstAfter = (instant: number, windows: readonly ActivesWindow[]): number =>
  firstWhere(windows, ({ from }) => from.getTime() > instant)

/** By halves: what holds for a window holds for all after it. */
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

/** The same as any other trend has: how many there are, from the changes up to there. */
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
