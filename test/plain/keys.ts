import type { TrendQuestion, TrendSeries } from '../../src/insights/kinds/trend/question'
import type { Calendar, Period } from '../../src/insights/period'
import type { Breakdown } from '../../src/insights/question'
import { timeOf, type Told } from '../questions'
import { numberOf } from './numbers'

export interface PlainWorld {
  events: readonly Told[]
  calendar: Calendar
  cohorts: Readonly<Record<string, readonly string[]>>
}

/** What a series is about. */
export const matching = ({ event }: TrendSeries, { events }: PlainWorld): Told[] =>
  events.filter((told) => event === null || told.event === event)

/** Values and cohorts of an event: as many keys as it is put under. */
function keysOf(event: Told, breakdowns: readonly Breakdown[], { cohorts }: PlainWorld): (string | null)[][] {
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
  { person }: Told,
  ids: readonly string[],
  cohorts: PlainWorld['cohorts'],
): (string | null)[] {
  const found = ids.filter((id) => cohorts[id]?.includes(person))
  return found.length > 0 ? found : [null]
}

const valueOf = ({ properties, columns }: Told, key: string): string | null =>
  key === '$browser' ? columns?.browser || null : (properties?.[key] ?? null)

/** Where an event is drawn; once where it is among the others, however often that is. */
export function linesOf(
  event: Told,
  { breakdowns }: TrendQuestion,
  world: PlainWorld,
  shown: readonly string[],
): string[] {
  const keys = keysOf(event, breakdowns, world).map((key) => JSON.stringify(key))
  return [...new Set(keys.map((key) => (shown.includes(key) ? key : 'others')))]
}

/** The best of each series in turn. */
export function rankedKeys(
  question: TrendQuestion,
  world: PlainWorld,
  { from, until }: Period,
): (string | null)[][] {
  const ranks = new Map<string, number>()
  question.series.forEach((series, seriesPlace) => {
    const events = matching(series, world).filter((event) => from <= timeOf(event) && timeOf(event) < until)
    const keys = [
      ...new Set(
        events.flatMap((event) =>
          keysOf(event, question.breakdowns, world).map((key) => JSON.stringify(key)),
        ),
      ),
    ]
    const totalOf = (key: string) =>
      numberOf(
        events.filter((event) =>
          keysOf(event, question.breakdowns, world).some((one) => JSON.stringify(one) === key),
        ),
        series.measure,
      )
    const ranked = keys
      .map((key) => ({ key, total: totalOf(key) ?? -Infinity }))
      .toSorted((one, other) => other.total - one.total || (written(one.key) < written(other.key) ? -1 : 1))
    ranked.forEach(({ key }, rank) =>
      ranks.set(key, Math.min(ranks.get(key) ?? Infinity, rank * 10 + seriesPlace)),
    )
  })
  return [...ranks].toSorted(([, one], [, other]) => one - other).map(([key]) => JSON.parse(key))
}

/** The order among equals is that of the engine's keys. */
function written(key: string): string {
  const parts = (JSON.parse(key) as (string | null)[]).map((value) => (value === null ? '' : `=${value}`)) // made by JSON.stringify above
  return parts.length > 1 ? parts.map((part) => `${part.length}:${part}`).join('') : (parts[0] ?? '')
}
