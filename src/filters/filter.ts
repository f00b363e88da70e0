import { type Sql, sql } from '#engine/sql'
import type { Json } from '#events/event'
import { operators } from './operators'
import type { OperatorName } from './vocabulary'

export { conditionProblem, filter } from './internal/parsing'

/** A filter: one condition, or filters of which all or any must hold. */
export type Filter = PropertyCondition | CohortCondition | { all: Filter[] } | { any: Filter[] }

export interface PropertyCondition {
  type: 'event' | 'person' | 'group' | 'session'
  key: string
  /** The group's type if `type` is 'group'. */
  group?: string
  operator: OperatorName
  /** Text, a number, a boolean, or a list of them; absent if the operator takes no value. */
  value?: Json
}

export interface CohortCondition {
  type: 'cohort'
  /** The cohort's id. */
  cohort: string
  operator: 'in' | 'not_in'
}

/** Resolves the properties and cohorts of conditions to SQL expressions, for insights. */
export interface ColumnResolver {
  property(condition: PropertyCondition): FilterColumn
  /** A Bool expression: whether the person is in the cohort. */
  cohort(condition: CohortCondition): Sql
}

export interface FilterColumn {
  /** A String expression. */
  text: Sql
  /** A Bool expression. */
  isSet: Sql
  /** The value as a number, or null if it is none. If present, order operators compare numbers; otherwise texts. */
  number?: Sql
}

/** The known properties and cohorts of a visitor, for flags. */
export interface FilterSubject {
  /** `known` without a value: the property is known to be absent. */
  property(condition: PropertyCondition): { known: boolean; value?: Json }
  /** Whether the subject is in the cohort. */
  cohort(condition: CohortCondition): FilterAnswer
}

/** 'unknown' if a property that the filter needs is missing. */
export type FilterAnswer = boolean | 'unknown'

/**
 * Returns a Bool expression that is never null: where `matches` returns 'unknown', SQL uses the operator's `otherwise`.
 */
export function where(filter: Filter, resolver: ColumnResolver, now: Date): Sql {
  if ('all' in filter)
    return joinConditions(
      filter.all.map((one) => where(one, resolver, now)),
      sql` and `,
      sql`true`,
    )
  if ('any' in filter)
    return joinConditions(
      filter.any.map((one) => where(one, resolver, now)),
      sql` or `,
      sql`false`,
    )
  if (filter.type === 'cohort')
    return filter.operator === 'in' ? resolver.cohort(filter) : sql`not (${resolver.cohort(filter)})`
  return propertyWhere(filter, resolver.property(filter), now)
}

const joinConditions = (parts: Sql[], word: Sql, none: Sql): Sql =>
  parts.length === 0 ? none : sql`(${sql.join(parts, word)})`

function propertyWhere({ operator, value = null }: PropertyCondition, column: FilterColumn, now: Date): Sql {
  const means = operators[operator]
  const answer = means.where(column, value, now)
  return means.otherwise
    ? sql`(not ${column.isSet} or ifNull(${answer}, true))`
    : sql`(${column.isSet} and ifNull(${answer}, false))`
}

/** A filter compiled once for many subjects, which is much faster than interpreting it for each. */
export type CompiledFilter = (subject: FilterSubject, now: Date) => FilterAnswer

export function matches(filter: Filter, subject: FilterSubject, now: Date): FilterAnswer {
  const decider = compiledFilters.get(filter) ?? compile(filter)
  compiledFilters.set(filter, decider)
  return decider(subject, now)
}

const compiledFilters = new WeakMap<Filter, CompiledFilter>()

export function compile(filter: Filter): CompiledFilter {
  if ('all' in filter) return firstDeciding(false, filter.all.map(compile))
  if ('any' in filter) return firstDeciding(true, filter.any.map(compile))
  if (filter.type === 'cohort') return compileCohortCondition(filter)
  return compilePropertyCondition(filter)
}

/** The answer `deciding` ends the evaluation; without it, an unknown part makes the result unknown. */
function firstDeciding(deciding: boolean, deciders: readonly CompiledFilter[]): CompiledFilter {
  return (subject, now) => {
    let answer: FilterAnswer = !deciding
    for (const decide of deciders) {
      const one = decide(subject, now)
      if (one === deciding) return one
      if (one === 'unknown') answer = one
    }
    return answer
  }
}

function compileCohortCondition(condition: CohortCondition): CompiledFilter {
  return (subject) => {
    const isIn = subject.cohort(condition)
    return isIn === 'unknown' ? isIn : isIn === (condition.operator === 'in')
  }
}

function compilePropertyCondition(condition: PropertyCondition): CompiledFilter {
  const operator = operators[condition.operator]
  const holds = operator.matches(condition.value ?? null)
  return (subject, now) => {
    const { known, value } = subject.property(condition)
    if (!known) return 'unknown'
    if (value === undefined || (value === null && !operator.knowsNull)) return operator.otherwise
    return holds(value, now)
  }
}
