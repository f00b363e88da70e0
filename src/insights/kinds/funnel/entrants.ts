import { int, type Sql, sql } from '#engine/sql'
import { breakdownKey, type BreakdownRanges } from '../../compile/breakdowns'
import { type CountedEntity, hasCountedEntity, countedEntityColumn } from '../../compile/counted-entity'
import { Events } from '../../compile/events'
import { eventNamesOf } from '../../compile/event-matchers'
import type { Breakdown } from '../../question'
import type { BaseQuestion, QuestionScope } from '../../scope'
import { noSession } from '../../compile/sessions'
import { attempts, best, byStep, type FunnelSpec, neededSteps } from './attempts'
import { numeral } from './numerals'
import { atInstant, exclusionBits, isAnyStep, isStep, momentOf, pack, stepBits } from './packing'
import type { FunnelAttribution, FunnelShape } from './question'
import type { FunnelTimeRange } from './funnel-time-ranges'

/** The parts of a question that decide how far persons get. */
interface EntrantsQuestion extends Omit<BaseQuestion, 'period'>, FunnelShape {
  per: CountedEntity | 'session'
  breakdown?: Breakdown | undefined
  attribution: FunnelAttribution
  /** Whether the persons of a session or a group are needed, in `persons`. */
  withPersons?: boolean
  /** Whether every attempt is needed, and not only the best one. */
  withAll?: boolean
}

export const funnelSpecOf = (question: FunnelShape, { from, until }: FunnelTimeRange): FunnelSpec => ({
  ...question,
  packing: { steps: question.steps.length, from },
  until,
})

/**
 * Returns each person (session, group) that entered, with their attempts: `who`, `persons`, `happened`, `tries`, and
 * `key` if there is a breakdown. If everything was excluded there are no tries.
 */
export function entrants(
  question: EntrantsQuestion,
  scope: QuestionScope,
  timeRange: FunnelTimeRange,
  ranges: BreakdownRanges,
): Sql {
  const spec = funnelSpecOf(question, timeRange)
  return sql`
    select *, ${attempts(spec)} as tries
    from (
      select who, persons, told, ${happenedEvents(question, spec)} as happened
      from (${people(question, scope, timeRange, ranges)})
    )`
}

/** Returns each entrant that was not excluded, with the time of each step in milliseconds; zero if it was not done. */
export function runs(
  question: EntrantsQuestion,
  scope: QuestionScope,
  timeRange: FunnelTimeRange,
  ranges: BreakdownRanges = [],
): Sql {
  const spec = funnelSpecOf(question, timeRange)
  const { packing } = spec
  const moment = sql`${momentOf(sql`event`, packing)} + ${int(timeRange.from.getTime())}`
  return sql`
    select
      who,
      persons,
      ${keyOf(question)} as key,
      arrayMap(event -> if(event = 0, 0, ${moment}), steps) as moments
    from (
      select who, persons, told, ${byStep(spec)} as steps
      from (
        select *, ${best(sql`tries`, spec)} as best
        from (${entrants(question, scope, timeRange, ranges)})
        where notEmpty(tries)
      )
    )`
}

function people(
  question: EntrantsQuestion,
  scope: QuestionScope,
  timeRange: FunnelTimeRange,
  ranges: BreakdownRanges,
): Sql {
  const spec = funnelSpecOf(question, timeRange)
  const isBegun = begins(spec)
  return sql`
    select
      who,
      ${question.withPersons ? sql`groupUniqArray(person)` : sql`[]`} as persons,
      ${breakdownColumn(question)} as told,
      groupArray(packed) as packs,
      groupBitOr(bits) as seen,
      minIf(packed, ${isBegun}) as first
    from (
      select *, ${pack(spec.packing)} as packed
      from (${markedEvents(question, scope, timeRange, ranges)})
      where ${question.order === 'strict' ? sql`true` : sql`bits != 0 or barred != 0`}
    )
    group by who${groupsByKey(question) ? sql`, key` : sql``}
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
  question: EntrantsQuestion,
  scope: QuestionScope,
  { from, readUntil }: FunnelTimeRange,
  ranges: BreakdownRanges,
): Sql {
  // in a strict funnel every other event ends an attempt, so all events are read, however rare the steps are
  const names =
    question.order === 'strict' ? undefined : eventNamesOf([...question.steps, ...question.exclusions])
  const events = new Events(scope, question, { period: { from, until: readUntil }, names })
  const bits = stepBits(question, events)
  const barred = exclusionBits(question, events)
  const { per, breakdown } = question
  const who = per === 'session' ? sql`session_id` : countedEntityColumn(per, events)
  const isSomebodys = per === 'session' ? sql`session_id != ${noSession}` : hasCountedEntity(per, events)
  const { key } = breakdownKey(breakdown ? [breakdown] : [], events, scope, ranges)
  return sql`
    select ${who} as who, person, timestamp, ${key} as key, ${bits} as bits, ${barred} as barred
    from ${events.rows()} as events
    where ${isSomebodys}`
}

/** Sorts events. Most people never do the second step: then no attempt of theirs is better than the first. */
function happenedEvents({ withAll = false }: EntrantsQuestion, spec: FunnelSpec): Sql {
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
const groupsByKey = ({ breakdown, attribution }: EntrantsQuestion): boolean =>
  breakdown !== undefined && breakdown.type !== 'cohort' && attribution === 'all steps'

/** Returns the values that are needed of all events of a person. */
function breakdownColumn(question: EntrantsQuestion): Sql {
  const { breakdown, attribution, order } = question
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
function keyOf({ breakdown, attribution }: EntrantsQuestion): Sql {
  if (!breakdown || breakdown.type === 'cohort' || typeof attribution === 'string') return sql`told`
  const step = numeral(attribution.step + 1)
  const keys = sql`arrayMap(one -> one.2, arrayFilter(one -> one.1 = steps[${step}], told))`
  return sql`arraySort(${keys})[1]`
}
