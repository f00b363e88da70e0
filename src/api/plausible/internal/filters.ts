import { conditionProblem, type Filter } from '#filters/filter'
import type { SavedGoal } from '#insights/goals/goals'
import type { Segment } from '#insights/segments/segments'
import { failedOutcome, type Outcome } from '#projects/problems'
import {
  allOf,
  anyOrNothing,
  filterOfTests,
  filterOfValues,
  negated,
  testsOfParts,
  type ValueTest,
} from './conditions'
import { dimensionNamed, isFailure, shortened, type StatsDimension } from './dimensions'
import { filterOfGoal, goalNamed, goalsContaining } from './goals'
import { wildcardPattern } from './patterns'

/** The entries of the project that filters name, and the time of the request. */
export interface FilterContext {
  goals: readonly SavedGoal[]
  segments: readonly Segment[]
  now: Date
}

/** The filters of a query. Those of goals and of other behaviour of a visit stand apart, as they count differently. */
export interface StatsFilters {
  /** Conditions that must all hold. */
  conditions: Filter[]
  /** The goals of which one was reached, for each filter of goals. */
  goals: (readonly SavedGoal[])[]
  /** An event that the visit must have, besides those that count. */
  done: Filter | undefined
  /** The dimensions that are named at the top. */
  dimensions: ReadonlySet<string>
}

/** Together, as most of them become a condition of their own. */
const mostFilters = 100

/** The levels of `and`, `or` and `not` in each other. */
const mostLevels = 10

type FilterOutcome = Outcome<{ filter: Filter }>

/** Parses the filters of a query in the form of Plausible's second API. */
export function filtersFrom(given: unknown, context: FilterContext): Outcome<{ filters: StatsFilters }> {
  if (given !== undefined && !Array.isArray(given)) return failedOutcome('Give the filters as a list.')
  const list: unknown[] = given ?? []
  const size = sizeOf(list, mostLevels)
  if (size === undefined) return failedOutcome(`Filters are nested more than ${mostLevels} times.`)
  if (size > mostFilters)
    return failedOutcome(`A query has at most ${mostFilters} filters and patterns; this one has ${size}.`)
  const filters: StatsFilters = { conditions: [], goals: [], done: undefined, dimensions: namedIn(list) }
  for (const one of list) {
    const problem = addFilter(one, filters, context)
    if (problem) return problem
  }
  return { done: true, filters }
}

/** Counts filters, and the texts of those that look for parts; undefined if they are nested too deep. */
function sizeOf(list: readonly unknown[], levels: number): number | undefined {
  let size = 0
  for (const one of list) {
    const nested = nestedIn(one)
    const inner = nested && levels > 0 ? sizeOf(nested, levels - 1) : undefined
    if (nested && inner === undefined) return undefined
    size += inner ?? patternsIn(one)
  }
  return size
}

/** The filters within one that joins or negates others. */
function nestedIn(one: unknown): unknown[] | undefined {
  if (!Array.isArray(one)) return undefined
  const [operator, operand]: unknown[] = one
  if (operator === 'and' || operator === 'or') return Array.isArray(operand) ? operand : []
  return operator === 'not' || operator === 'has_done' || operator === 'has_not_done' ? [operand] : undefined
}

function patternsIn(one: unknown): number {
  if (!Array.isArray(one)) return 1
  const [operator, , clauses]: unknown[] = one
  const isOfPatterns = typeof operator === 'string' && /^(?:contains|matches)/.test(operator)
  return isOfPatterns && Array.isArray(clauses) ? Math.max(1, clauses.length) : 1
}

const namedIn = (list: readonly unknown[]): ReadonlySet<string> =>
  new Set(
    list.flatMap((one) => {
      const dimension: unknown = Array.isArray(one) ? one[1] : undefined
      return typeof dimension === 'string' ? [dimension] : []
    }),
  )

/** Adds a filter of the top level, or returns why it is refused. */
function addFilter(one: unknown, filters: StatsFilters, context: FilterContext) {
  const [operator, operand]: unknown[] = Array.isArray(one) ? one : []
  if (operator === 'has_done') return addBehaviour(operand, filters, context)
  if (operand === 'event:goal') {
    const found = goalsIn(one, context)
    if (!found.done) return found
    filters.goals.push(found.goals)
    return undefined
  }
  const read = filterFrom(one, context)
  if (!read.done) return read
  filters.conditions.push(read.filter)
  return undefined
}

function addBehaviour(operand: unknown, filters: StatsFilters, context: FilterContext) {
  if (filters.done) return failedOutcome('Tilth answers one "has_done" in a query.')
  const read = filterFrom(operand, context)
  if (!read.done) return read
  filters.done = read.filter
  return undefined
}

function filterFrom(one: unknown, context: FilterContext): FilterOutcome {
  if (!Array.isArray(one)) return failedOutcome(`Invalid filter '${shortened(JSON.stringify(one) ?? '')}'.`)
  const [operator, operand]: unknown[] = one
  if (operator === 'and' || operator === 'or') return joinedFrom(operator, operand, context)
  if (operator === 'not') {
    const read = filterFrom(operand, context)
    return read.done ? opposite(read.filter) : read
  }
  if (operator === 'has_done' || operator === 'has_not_done')
    return failedOutcome(
      operator === 'has_done'
        ? 'Tilth answers "has_done" at the top level of the filters only.'
        : 'Tilth does not answer "has_not_done".',
    )
  return leafFrom(one, context)
}

function opposite(filter: Filter): FilterOutcome {
  const found = negated(filter)
  return found
    ? { done: true, filter: found }
    : failedOutcome('Tilth cannot negate a goal or a segment with conditions on numbers or dates.')
}

function joinedFrom(operator: 'and' | 'or', operand: unknown, context: FilterContext): FilterOutcome {
  if (!Array.isArray(operand) || operand.length === 0)
    return failedOutcome(`"${operator}" takes a list of filters.`)
  const parts: Filter[] = []
  for (const one of operand) {
    const read = filterFrom(one, context)
    if (!read.done) return read
    parts.push(read.filter)
  }
  return { done: true, filter: operator === 'and' ? allOf(parts) : anyOrNothing(parts, anyEvent) }
}

const anyEvent = { type: 'event', key: '$event' } as const

interface Leaf {
  operator: string
  dimension: string
  clauses: string[]
  ignoresCase: boolean
}

/** Operators of leaves; the wildcards are those of Plausible's first API. */
const leafOperators: ReadonlySet<string> = new Set(
  ['is', 'contains', 'matches', 'matches_wildcard'].flatMap((name) => [name, `${name}_not`]).concat('is_not'),
)

const mostClauses = 1000

function readLeaf(one: readonly unknown[]): Outcome<{ leaf: Leaf }> {
  const [operator, dimension, clauses, modifiers] = one
  if (typeof operator !== 'string' || !leafOperators.has(operator))
    return failedOutcome(`Unknown operator for filter '${shortened(JSON.stringify(one))}'.`)
  if (typeof dimension !== 'string' || !Array.isArray(clauses) || clauses.length === 0)
    return failedOutcome(
      `Invalid filter '${shortened(JSON.stringify(one))}'. It is [operator, dimension, values].`,
    )
  if (clauses.length > mostClauses) return failedOutcome(`A filter has at most ${mostClauses} values.`)
  const isOfSegments = dimension === 'segment'
  const texts = clauses.flatMap((clause: unknown) =>
    typeof clause === 'string' || (isOfSegments && typeof clause === 'number') ? [String(clause)] : [],
  )
  if (texts.length < clauses.length)
    return failedOutcome(`The values of the filter on ${dimension} are texts.`)
  const ignoresCase = caseIn(modifiers)
  if (ignoresCase === undefined)
    return failedOutcome(
      'The fourth part of a filter is {"case_sensitive": true} or {"case_sensitive": false}.',
    )
  if (modifiers !== undefined && operator.startsWith('matches'))
    return failedOutcome('The case_sensitive modifier is not allowed with pattern operators.')
  return { done: true, leaf: { operator, dimension, clauses: texts, ignoresCase } }
}

function caseIn(modifiers: unknown): boolean | undefined {
  if (modifiers === undefined || modifiers === null) return false
  if (typeof modifiers !== 'object') return undefined
  const entries = Object.entries(modifiers)
  const isKnown = entries.every(([name, value]) => name === 'case_sensitive' && typeof value === 'boolean')
  return isKnown ? entries.some(([, value]) => value === false) : undefined
}

function leafFrom(one: readonly unknown[], context: FilterContext): FilterOutcome {
  const read = readLeaf(one)
  if (!read.done) return read
  const { leaf } = read
  if (leaf.dimension === 'segment') return segmentFrom(leaf, context)
  if (leaf.dimension === 'event:goal') {
    const found = goalsIn(one, context)
    return found.done ? filterOfGoals(found.goals) : found
  }
  if (leaf.dimension === 'time' || leaf.dimension.startsWith('time:'))
    return failedOutcome('Time is filtered by the date_range.')
  const dimension = dimensionNamed(leaf.dimension)
  if (isFailure(dimension)) return dimension
  const positive = positiveFilter(leaf, dimension, context.now)
  if (!positive.done) return positive
  return leaf.operator.endsWith('_not') ? opposite(positive.filter) : positive
}

function positiveFilter(leaf: Leaf, dimension: StatsDimension, now: Date): FilterOutcome {
  const { operator, clauses, ignoresCase } = leaf
  if (operator.startsWith('is')) {
    if (dimension.name === 'visit:country' && clauses.some((code) => code.length !== 2 && code !== ''))
      return failedOutcome('Invalid visit:country filter: a country is a code of two letters, as DE.')
    return { done: true, filter: filterOfValues(dimension, clauses, ignoresCase, now) }
  }
  if (clauses.includes('')) return failedOutcome(`Give "${operator}" texts that are not empty.`)
  if (operator.startsWith('contains'))
    return { done: true, filter: filterOfTests(dimension, testsOfParts(clauses, ignoresCase), now) }
  const patterns = operator.startsWith('matches_wildcard') ? clauses.map(wildcardPattern) : clauses
  if (dimension.name === 'visit:referrer')
    return failedOutcome('Tilth answers "is" and "contains" for visit:referrer.')
  const problem = patterns
    .map((pattern) => conditionProblem('regex', pattern))
    .find((one) => one !== undefined)
  if (problem !== undefined) return failedOutcome(problem)
  const tests = patterns.map((value): ValueTest => ({ operator: 'regex', value }))
  return { done: true, filter: filterOfTests(dimension, tests, now) }
}

function segmentFrom({ operator, clauses }: Leaf, { segments }: FilterContext): FilterOutcome {
  if (operator !== 'is') return failedOutcome('A segment is filtered by "is".')
  const found: Filter[] = []
  for (const clause of clauses) {
    const segment = segments.find(({ id, name }) => id === clause || name === clause)
    if (!segment)
      return failedOutcome(
        `There is no segment "${shortened(clause)}" here. Name it by its id or name in Tilth.`,
      )
    found.push(segment.filter)
  }
  return { done: true, filter: anyOrNothing(found, anyEvent) }
}

function goalsIn(one: unknown, { goals }: FilterContext): Outcome<{ goals: SavedGoal[] }> {
  const read = readLeaf(Array.isArray(one) ? one : [])
  if (!read.done) return read
  const { operator, clauses, ignoresCase } = read.leaf
  if (operator === 'contains')
    return { done: true, goals: clauses.flatMap((part) => goalsContaining(goals, part, ignoresCase)) }
  if (operator !== 'is') return failedOutcome('event:goal is filtered by "is" and "contains".')
  const found: SavedGoal[] = []
  for (const clause of clauses) {
    const goal = goalNamed(goals, clause)
    if (!goal)
      return failedOutcome(
        `Invalid filters. The goal \`${shortened(clause)}\` is not configured for this site. Add it in the studio, under Web analytics → Goals.`,
      )
    found.push(goal)
  }
  return { done: true, goals: found }
}

/** Whether an event reaches one of the goals. */
export function filterOfGoals(goals: readonly SavedGoal[]): FilterOutcome {
  const filters: Filter[] = []
  for (const { name, goal } of goals) {
    const filter = filterOfGoal(goal)
    if (!filter)
      return failedOutcome(`Tilth does not filter by the goal "${name}", which is reached by scrolling.`)
    filters.push(filter)
  }
  return { done: true, filter: anyOrNothing(filters, anyEvent) }
}
