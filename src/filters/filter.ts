import { type Sql, sql } from '../engine/sql'
import type { Json } from '../events/event'
import { operators } from './operators'
import type { OperatorName } from './vocabulary'

export { filter } from './parsing'
export { inWords } from './words'

/** Of whom or what something is asked: a condition, or conditions of which all or any must hold. */
export type Filter = PropertyCondition | CohortCondition | { all: Filter[] } | { any: Filter[] }

export interface PropertyCondition {
  type: 'event' | 'person' | 'group' | 'session'
  key: string
  /** The group's type, where `type` is 'group'. */
  group?: string
  operator: OperatorName
  /** Text, a number, a boolean, or a list of them; nothing where the operator takes nothing. */
  value?: Json
}

export interface CohortCondition {
  type: 'cohort'
  /** Its id. */
  cohort: string
  operator: 'in' | 'not_in'
}

/** How insights decide: where what a condition speaks of stands in the statement being written. */
export interface Look {
  property(condition: PropertyCondition): Column
  /** A Bool expression: is in it. */
  cohort(condition: CohortCondition): Sql
}

export interface Column {
  /** A String expression. */
  text: Sql
  /** A Bool expression. */
  isSet: Sql
  /** The same as a number, or null for what is none. With it, more and less go by number; else as texts do. */
  number?: Sql
}

/** How flags decide: what is known about the one they decide for. */
export interface Subject {
  /** Known without a value: it is known that there is none. */
  property(condition: PropertyCondition): { known: boolean; value?: Json }
  /** Is in it. */
  cohort(condition: CohortCondition): Answer
}

/** 'unknown' where something needed for an answer is missing, so that nobody can say. */
export type Answer = boolean | 'unknown'

/** A condition of a statement, never null: what is unknown in memory is decided here, by the operator. */
export function where(filter: Filter, look: Look, now: Date): Sql {
  if ('all' in filter)
    return joined(
      filter.all.map((one) => where(one, look, now)),
      sql` and `,
      sql`true`,
    )
  if ('any' in filter)
    return joined(
      filter.any.map((one) => where(one, look, now)),
      sql` or `,
      sql`false`,
    )
  if (filter.type === 'cohort')
    return filter.operator === 'in' ? look.cohort(filter) : sql`not (${look.cohort(filter)})`
  return propertyWhere(filter, look.property(filter), now)
}

const joined = (parts: Sql[], word: Sql, none: Sql): Sql =>
  parts.length === 0 ? none : sql`(${sql.join(parts, word)})`

function propertyWhere({ operator, value = null }: PropertyCondition, column: Column, now: Date): Sql {
  const means = operators[operator]
  const answer = means.where(column, value, now)
  return means.otherwise
    ? sql`(not ${column.isSet} or ifNull(${answer}, true))`
    : sql`(${column.isSet} and ifNull(${answer}, false))`
}

/** Decides for one after another, much faster than reading the filter anew each time. */
export type Decider = (subject: Subject, now: Date) => Answer

export function matches(filter: Filter, subject: Subject, now: Date): Answer {
  const decider = compiled.get(filter) ?? compile(filter)
  compiled.set(filter, decider)
  return decider(subject, now)
}

const compiled = new WeakMap<Filter, Decider>()

export function compile(filter: Filter): Decider {
  if ('all' in filter) return until(false, filter.all.map(compile))
  if ('any' in filter) return until(true, filter.any.map(compile))
  if (filter.type === 'cohort') return inCohort(filter)
  return ofProperty(filter)
}

/** One answer decides; without it, what is unknown leaves everything so. */
function until(deciding: boolean, deciders: readonly Decider[]): Decider {
  return (subject, now) => {
    let answer: Answer = !deciding
    for (const decide of deciders) {
      const one = decide(subject, now)
      if (one === deciding) return one
      if (one === 'unknown') answer = one
    }
    return answer
  }
}

function inCohort(condition: CohortCondition): Decider {
  return (subject) => {
    const isIn = subject.cohort(condition)
    return isIn === 'unknown' ? isIn : isIn === (condition.operator === 'in')
  }
}

function ofProperty(condition: PropertyCondition): Decider {
  const operator = operators[condition.operator]
  const holds = operator.matches(condition.value ?? null)
  return (subject, now) => {
    const { known, value } = subject.property(condition)
    if (!known) return 'unknown'
    if (value === undefined || (value === null && !operator.knowsNull)) return operator.otherwise
    return holds(value, now)
  }
}
