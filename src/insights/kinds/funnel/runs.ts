import { int, type Sql, sql } from '../../../engine/sql'
import { cutBy, type Ranges } from '../../breakdowns'
import { type Counted, isCounted, whoDid } from '../../counted'
import { Events } from '../../events'
import { namesIn } from '../../happenings'
import type { Breakdown } from '../../question'
import type { Asked, Scope } from '../../scope'
import { noSession } from '../../sessions'
import { attempts, best, byStep, type Course, neededSteps } from './attempts'
import { numeral } from './numerals'
import { atInstant, exclusionBits, isAnyStep, isStep, momentOf, pack, stepBits } from './packing'
import type { FunnelAttribution, FunnelShape } from './question'
import type { FunnelStretch } from './stretch'

/** What decides who went how far. */
export interface Entrants extends Omit<Asked, 'period'>, FunnelShape {
  per: Counted | 'session'
  breakdown?: Breakdown | undefined
  attribution: FunnelAttribution
  /** Whether who is behind a session or a group is to be known, in `persons`. */
  withPersons?: boolean
  /** Whether every attempt matters, and not only how far the best one came. */
  withAll?: boolean
}

export const courseOf = (question: FunnelShape, { from, until }: FunnelStretch): Course => ({
  ...question,
  packing: { steps: question.steps.length, from },
  until,
})

/**
 * Each person (session, group) that entered, with their attempts: `who`, `persons`, `happened`, `tries`, and `key` where
 * there is a breakdown. Where everything was excluded there are no tries.
 */
export function entrants(question: Entrants, scope: Scope, stretch: FunnelStretch, ranges: Ranges): Sql {
  const course = courseOf(question, stretch)
  return sql`
    select *, ${attempts(course)} as tries
    from (
      select who, persons, told, ${happened(question, course)} as happened
      from (${people(question, scope, stretch, ranges)})
    )`
}

/** Each that entered and was not excluded, with the moment of each step in milliseconds; zero where it was not done. */
export function runs(question: Entrants, scope: Scope, stretch: FunnelStretch, ranges: Ranges = []): Sql {
  const course = courseOf(question, stretch)
  const { packing } = course
  const moment = sql`${momentOf(sql`event`, packing)} + ${int(stretch.from.getTime())}`
  return sql`
    select
      who,
      persons,
      ${keyOf(question)} as key,
      arrayMap(event -> if(event = 0, 0, ${moment}), steps) as moments
    from (
      select who, persons, told, ${byStep(course)} as steps
      from (
        select *, ${best(sql`tries`, course)} as best
        from (${entrants(question, scope, stretch, ranges)})
        where notEmpty(tries)
      )
    )`
}

function people(question: Entrants, scope: Scope, stretch: FunnelStretch, ranges: Ranges): Sql {
  const course = courseOf(question, stretch)
  const isBegun = begins(course)
  return sql`
    select
      who,
      ${question.withPersons ? sql`groupUniqArray(person)` : sql`[]`} as persons,
      ${toldOf(question)} as told,
      groupArray(packed) as packs,
      groupBitOr(bits) as seen,
      minIf(packed, ${isBegun}) as first
    from (
      select *, ${pack(course.packing)} as packed
      from (${marked(question, scope, stretch, ranges)})
      where ${question.order === 'strict' ? sql`true` : sql`bits != 0 or barred != 0`}
    )
    group by who${groupsByKey(question) ? sql`, key` : sql``}
    having countIf(${isBegun}) > 0`
}

/** Begins an attempt: the first step, or any where there is no order. */
function begins({ order, exclusions, packing, until }: Course): Sql {
  const isFirst =
    order === 'unordered'
      ? isAnyStep(sql`packed`, packing)
      : isStep(sql`packed`, 0, packing, exclusions.length > 0)
  return sql`(${isFirst} and packed < ${atInstant(until, packing)})`
}

/** The events, each with the steps that it is. */
function marked(question: Entrants, scope: Scope, { from, readUntil }: FunnelStretch, ranges: Ranges): Sql {
  // Strict means that everything else ends an attempt, so everything is read, however rare the steps are.
  const names = question.order === 'strict' ? undefined : namesIn([...question.steps, ...question.exclusions])
  const events = new Events(scope, question, { period: { from, until: readUntil }, names })
  const bits = stepBits(question, events)
  const barred = exclusionBits(question, events)
  const { per, breakdown } = question
  const who = per === 'session' ? sql`session_id` : whoDid(per, events)
  const isSomebodys = per === 'session' ? sql`session_id != ${noSession}` : isCounted(per, events)
  const { key } = cutBy(breakdown ? [breakdown] : [], events, scope, ranges)
  return sql`
    select ${who} as who, person, timestamp, ${key} as key, ${bits} as bits, ${barred} as barred
    from ${events.rows()} as events
    where ${isSomebodys}`
}

/** Events in order. Most people never did the second step: then no attempt of theirs is better than the first. */
function happened({ withAll = false }: Entrants, course: Course): Sql {
  const sorted = sql`arraySort(packs)`
  if (course.order === 'strict') return withoutSimultaneous(sorted, course)
  const second = neededSteps(course)[1] ?? 1
  const isSimple = course.order === 'ordered' && course.exclusions.length === 0
  if (withAll || !isSimple || course.steps.some(({ optional }) => optional)) return sorted
  return sql`if(bitTest(seen, ${numeral(second)}), ${sorted}, [first])`
}

/** What happened at the same instant as a step did not happen between two of them. */
const withoutSimultaneous = (sorted: Sql, { packing }: Course): Sql => sql`
  arrayFilter(
    (event, before) -> ${isAnyStep(sql`event`, packing)} or ${momentOf(sql`event`, packing)} != ${momentOf(sql`before`, packing)},
    ${sorted},
    arrayShiftRight(${sorted}, 1)
  )`

/** For each value a funnel of its own, of the events that have it. */
const groupsByKey = ({ breakdown, attribution }: Entrants): boolean =>
  breakdown !== undefined && breakdown.type !== 'cohort' && attribution === 'all steps'

/** What is needed of the values, over all events of one. */
function toldOf(question: Entrants): Sql {
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

/** Of several at the very same instant, the first in the alphabet. */
function keyOf({ breakdown, attribution }: Entrants): Sql {
  if (!breakdown || breakdown.type === 'cohort' || typeof attribution === 'string') return sql`told`
  const step = numeral(attribution.step + 1)
  const keys = sql`arrayMap(one -> one.2, arrayFilter(one -> one.1 = steps[${step}], told))`
  return sql`arraySort(${keys})[1]`
}
