import { int, type Sql, sql } from '#engine/sql'
import { breakdownKey, type BreakdownRanges } from '#insights/compile/internal/breakdowns'
import { type CountedEntity, hasCountedEntity, countedEntityColumn } from '#insights/compile/counted-entity'
import { Events } from '#insights/compile/internal/events'
import { eventNamesOf } from '#insights/compile/internal/event-matchers'
import type { Breakdown } from '#insights/query-fields'
import type { BaseQuery, QueryScope } from '#insights/scope'
import { noSession } from '#insights/compile/internal/sessions'
import { attempts, best, byStep, type FunnelSpec, neededSteps } from './attempts'
import { numeral } from './numerals'
import { atInstant, exclusionBits, isAnyStep, isStep, momentOf, pack, stepBits } from './packing'
import type { FunnelAttribution, FunnelShape } from '../schema'
import type { FunnelTimeRange } from './funnel-time-ranges'

/** The parts of a query that decide how far persons get. */
interface EntrantsQuery extends Omit<BaseQuery, 'period'>, FunnelShape {
  per: CountedEntity | 'session'
  breakdown?: Breakdown | undefined
  attribution: FunnelAttribution
  /** Whether the persons of a session or a group are needed, in `persons`. */
  withPersons?: boolean
  /** Whether every attempt is needed, and not only the best one. */
  withAll?: boolean
}

export const funnelSpecOf = (query: FunnelShape, { from, until }: FunnelTimeRange): FunnelSpec => ({
  ...query,
  packing: { steps: query.steps.length, from },
  until,
})

/**
 * Returns each person (session, group) that entered, with their attempts: `who`, `persons`, `happened`, `tries`, and
 * `key` if there is a breakdown. If everything was excluded there are no tries.
 */
export function entrants(
  query: EntrantsQuery,
  scope: QueryScope,
  timeRange: FunnelTimeRange,
  ranges: BreakdownRanges,
): Sql {
  const spec = funnelSpecOf(query, timeRange)
  return sql`
    select *, ${attempts(spec)} as tries
    from (
      select who, persons, told, ${happenedEvents(query, spec)} as happened
      from (${people(query, scope, timeRange, ranges)})
    )`
}

/** Returns each entrant that was not excluded, with the time of each step in milliseconds; zero if it was not done. */
export function runs(
  query: EntrantsQuery,
  scope: QueryScope,
  timeRange: FunnelTimeRange,
  ranges: BreakdownRanges = [],
): Sql {
  const spec = funnelSpecOf(query, timeRange)
  const { packing } = spec
  const moment = sql`${momentOf(sql`event`, packing)} + ${int(timeRange.from.getTime())}`
  return sql`
    select
      who,
      persons,
      ${keyOf(query)} as key,
      arrayMap(event -> if(event = 0, 0, ${moment}), steps) as moments
    from (
      select who, persons, told, ${byStep(spec)} as steps
      from (
        select *, ${best(sql`tries`, spec)} as best
        from (${entrants(query, scope, timeRange, ranges)})
        where notEmpty(tries)
      )
    )`
}

function people(
  query: EntrantsQuery,
  scope: QueryScope,
  timeRange: FunnelTimeRange,
  ranges: BreakdownRanges,
): Sql {
  const spec = funnelSpecOf(query, timeRange)
  const isBegun = begins(spec)
  return sql`
    select
      who,
      ${query.withPersons ? sql`groupUniqArray(person)` : sql`[]`} as persons,
      ${breakdownColumn(query)} as told,
      groupArray(packed) as packs,
      groupBitOr(bits) as seen,
      minIf(packed, ${isBegun}) as first
    from (
      select *, ${pack(spec.packing)} as packed
      from (${markedEvents(query, scope, timeRange, ranges)})
      where ${query.order === 'strict' ? sql`true` : sql`bits != 0 or barred != 0`}
    )
    group by who${groupsByKey(query) ? sql`, key` : sql``}
    having countIf(${isBegun}) > 0`
}

/** Whether an event begins an attempt: the first step, or any step if there is no order. */
function begins({ order, exclusions, packing, until }: FunnelSpec): Sql {
  const isFirst =
    order === 'unordered'
      ? isAnyStep(sql`packed`, packing)
      : isStep(sql`packed`, 0, packing, exclusions.length > 0)
  return sql`(${isFirst} and packed < ${atInstant(until, packing)})`
}

/** Reads the events with the steps that they match. */
function markedEvents(
  query: EntrantsQuery,
  scope: QueryScope,
  { from, readUntil }: FunnelTimeRange,
  ranges: BreakdownRanges,
): Sql {
  // in a strict funnel every other event ends an attempt, so all events are read, however rare the steps are
  const names = query.order === 'strict' ? undefined : eventNamesOf([...query.steps, ...query.exclusions])
  const events = new Events(scope, query, { period: { from, until: readUntil }, names })
  const bits = stepBits(query, events)
  const barred = exclusionBits(query, events)
  const { per, breakdown } = query
  const who = per === 'session' ? sql`session_id` : countedEntityColumn(per, events)
  const isSomebodys = per === 'session' ? sql`session_id != ${noSession}` : hasCountedEntity(per, events)
  const { key } = breakdownKey(breakdown ? [breakdown] : [], events, scope, ranges)
  return sql`
    select ${who} as who, person, timestamp, ${key} as key, ${bits} as bits, ${barred} as barred
    from ${events.rows()} as events
    where ${isSomebodys}`
}

/** Sorts events. Most people never do the second step: then no attempt of theirs is better than the first. */
function happenedEvents({ withAll = false }: EntrantsQuery, spec: FunnelSpec): Sql {
  const sorted = sql`arraySort(packs)`
  if (spec.order === 'strict') return withoutSimultaneous(sorted, spec)
  const second = neededSteps(spec)[1] ?? 1
  const isSimple = spec.order === 'ordered' && spec.exclusions.length === 0
  if (withAll || !isSimple || spec.steps.some(({ optional }) => optional)) return sorted
  return sql`if(bitTest(seen, ${numeral(second)}), ${sorted}, [first])`
}

/** Removes events at the same instant as a step, because they are not between two steps. */
const withoutSimultaneous = (sorted: Sql, { packing }: FunnelSpec): Sql => sql`
  arrayFilter(
    (event, before) -> ${isAnyStep(sql`event`, packing)} or ${momentOf(sql`event`, packing)} != ${momentOf(sql`before`, packing)},
    ${sorted},
    arrayShiftRight(${sorted}, 1)
  )`

/** Whether each value has a funnel of its own, of the events with that value. */
const groupsByKey = ({ breakdown, attribution }: EntrantsQuery): boolean =>
  breakdown !== undefined && breakdown.type !== 'cohort' && attribution === 'all steps'

/** Returns the values that are needed of all events of a person. */
function breakdownColumn(query: EntrantsQuery): Sql {
  const { breakdown, attribution, order } = query
  if (!breakdown) return sql`''`
  if (breakdown.type === 'cohort') return cohortsOfAll
  if (attribution === 'all steps') return sql`any(key)`
  if (attribution === 'first') return sql`argMinIf(key, (timestamp, key), bits != 0 and key != '')`
  if (attribution === 'last') return sql`argMaxIf(key, (timestamp, key), bits != 0 and key != '')`
  const isIt = order === 'unordered' ? sql`bits != 0` : sql`bitTest(bits, ${numeral(attribution.step)})`
  return sql`groupArrayIf((packed, key), ${isIt})`
}

/** A session or a group of several persons is in the cohorts of each of them. */
const cohortsOfAll = sql`
  if(
    empty(arrayFilter(one -> one != '', groupUniqArrayArray(key))),
    [''],
    arraySort(arrayFilter(one -> one != '', groupUniqArrayArray(key)))
  )`

/** Returns the key; of several at the same instant, the first in alphabetical order. */
function keyOf({ breakdown, attribution }: EntrantsQuery): Sql {
  if (!breakdown || breakdown.type === 'cohort' || typeof attribution === 'string') return sql`told`
  const step = numeral(attribution.step + 1)
  const keys = sql`arrayMap(one -> one.2, arrayFilter(one -> one.1 = steps[${step}], told))`
  return sql`arraySort(${keys})[1]`
}
