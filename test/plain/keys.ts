import type { TrendQuery, TrendSeries } from '#insights/kinds/trend/schema'
import type { Calendar, Period } from '#insights/calendar/period'
import type { Breakdown } from '#insights/query-fields'
import { timeOf, type TestEvent } from '../product/test-engine'
import { measureOf } from './numbers'

export interface PlainTrendWorld {
  events: readonly TestEvent[]
  calendar: Calendar
  cohorts: Readonly<Record<string, readonly string[]>>
}

export const matchingEvents = ({ event }: TrendSeries, { events }: PlainTrendWorld): TestEvent[] =>
  events.filter((told) => event === null || told.event === event)

/** Values and cohorts of an event: as many keys as it is put under. */
function keysOf(
  event: TestEvent,
  breakdowns: readonly Breakdown[],
  { cohorts }: PlainTrendWorld,
): (string | null)[][] {
  return breakdowns.reduce<(string | null)[][]>(
    (keys, breakdown) => {
      const values =
        breakdown.type === 'cohort'
          ? cohortsWith(event, breakdown.cohorts, cohorts)
          : [valueOf(event, breakdown.key)]
      return keys.flatMap((key) => values.map((value) => [...key, value]))
    },
    [[]],
  )
}

function cohortsWith(
  { person }: TestEvent,
  ids: readonly string[],
  cohorts: PlainTrendWorld['cohorts'],
): (string | null)[] {
  const found = ids.filter((id) => cohorts[id]?.includes(person))
  return found.length > 0 ? found : [null]
}

const valueOf = ({ properties, columns }: TestEvent, key: string): string | null =>
  key === '$browser' ? columns?.browser || null : (properties?.[key] ?? null)

/** The lines that an event counts on; all values without a line of their own share the line of the others. */
export function linesOf(
  event: TestEvent,
  { breakdowns }: TrendQuery,
  world: PlainTrendWorld,
  shown: readonly string[],
): string[] {
  const keys = keysOf(event, breakdowns, world).map((key) => JSON.stringify(key))
  return [...new Set(keys.map((key) => (shown.includes(key) ? key : 'others')))]
}

/** The best of each series in turn. */
export function rankedKeys(
  query: TrendQuery,
  world: PlainTrendWorld,
  { from, until }: Period,
): (string | null)[][] {
  const ranks = new Map<string, number>()
  query.series.forEach((series, seriesPlace) => {
    const events = matchingEvents(series, world).filter(
      (event) => from <= timeOf(event) && timeOf(event) < until,
    )
    const keys = [
      ...new Set(
        events.flatMap((event) => keysOf(event, query.breakdowns, world).map((key) => JSON.stringify(key))),
      ),
    ]
    const totalOf = (key: string) =>
      measureOf(
        events.filter((event) =>
          keysOf(event, query.breakdowns, world).some((one) => JSON.stringify(one) === key),
        ),
        series.measure,
      )
    const ranked = keys
      .map((key) => ({ key, total: totalOf(key) ?? -Infinity }))
      .toSorted(
        (one, other) =>
          other.total - one.total || (engineSortKey(one.key) < engineSortKey(other.key) ? -1 : 1),
      )
    ranked.forEach(({ key }, rank) =>
      ranks.set(key, Math.min(ranks.get(key) ?? Infinity, rank * 10 + seriesPlace)),
    )
  })
  return [...ranks].toSorted(([, one], [, other]) => one - other).map(([key]) => JSON.parse(key))
}

/** The order among equals is that of the engine's keys. */
function engineSortKey(key: string): string {
  const parts = (JSON.parse(key) as (string | null)[]).map((value) => (value === null ? '' : `=${value}`)) // made by JSON.stringify above
  return parts.length > 1 ? parts.map((part) => `${part.length}:${part}`).join('') : (parts[0] ?? '')
}
