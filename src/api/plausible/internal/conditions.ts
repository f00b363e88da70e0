import type { Filter, PropertyCondition } from '#filters/filter'
import { operators } from '#filters/operators'
import type { OperatorName } from '#filters/vocabulary'
import { meansAbsent, type StatsDimension } from './dimensions'
import { alternatives, hasCase, literalPattern } from './patterns'

/** Joins filters that must all hold, without needless levels: a filter has a limit of depth. */
export function allOf(parts: readonly Filter[]): Filter {
  const flat = parts.flatMap((part) => ('all' in part ? part.all : [part]))
  const [only, ...more] = flat
  return only && more.length === 0 ? only : { all: flat }
}

function anyOf(parts: readonly Filter[]): Filter | undefined {
  const flat = parts.flatMap((part) => ('any' in part ? part.any : [part]))
  const [only, ...more] = flat
  if (only === undefined) return undefined
  return more.length === 0 ? only : { any: flat }
}

type Subject = Pick<PropertyCondition, 'type' | 'key'>

const isSet = ({ type, key }: Subject): Filter => ({ type, key, operator: 'is_set' })
const isNotSet = ({ type, key }: Subject): Filter => ({ type, key, operator: 'is_not_set' })

/** A filter that nothing passes. */
const nothing = (subject: Subject): Filter => ({ all: [isSet(subject), isNotSet(subject)] })

export const anyOrNothing = (parts: readonly Filter[], subject: Subject): Filter =>
  anyOf(parts) ?? nothing(subject)

const opposites: Partial<Record<OperatorName, OperatorName>> = {
  exact: 'is_not',
  is_not: 'exact',
  icontains: 'not_icontains',
  not_icontains: 'icontains',
  regex: 'not_regex',
  not_regex: 'regex',
  starts_with: 'not_starts_with',
  not_starts_with: 'starts_with',
  ends_with: 'not_ends_with',
  not_ends_with: 'ends_with',
  is_set: 'is_not_set',
  is_not_set: 'is_set',
  semver_eq: 'semver_neq',
  semver_neq: 'semver_eq',
}

/** Negates a filter; undefined where an operator has no opposite, as in segments and goals of the project's own. */
export function negated(filter: Filter): Filter | undefined {
  if ('all' in filter) return negatedParts(filter.all, (parts) => ({ any: parts }))
  if ('any' in filter) return negatedParts(filter.any, (parts) => ({ all: parts }))
  if (filter.type === 'cohort') return { ...filter, operator: filter.operator === 'in' ? 'not_in' : 'in' }
  const operator = opposites[filter.operator]
  return operator && { ...filter, operator }
}

function negatedParts(parts: readonly Filter[], join: (parts: Filter[]) => Filter): Filter | undefined {
  const opposite = parts.map(negated)
  return opposite.every((one) => one !== undefined) ? join(opposite) : undefined
}

/** One test of a value: several of them stand for "any". */
export interface ValueTest {
  operator: 'exact' | 'icontains' | 'regex'
  value: string | string[]
}

/** Tilth's `exact` ignores case, so a text with letters is compared by a pattern. */
function testsOfValues(values: readonly string[], ignoresCase: boolean): ValueTest[] {
  const plain = ignoresCase ? values : values.filter((value) => !hasCase(value))
  const cased = ignoresCase ? [] : values.filter(hasCase)
  return [
    ...(plain.length > 0 ? [{ operator: 'exact' as const, value: [...plain] }] : []),
    ...alternatives(cased).map((value) => ({ operator: 'regex' as const, value: `^(?:${value})$` })),
  ]
}

export const testsOfParts = (parts: readonly string[], ignoresCase: boolean): ValueTest[] =>
  ignoresCase
    ? parts.map((value) => ({ operator: 'icontains', value }))
    : alternatives(parts).map((value) => ({ operator: 'regex', value }))

/** Plausible leaves the protocol and "www." out of referrers. */
const testsOfReferrers = (values: readonly string[], ignoresCase: boolean): ValueTest[] =>
  values.map((value) => ({
    operator: 'regex',
    value: `^${ignoresCase ? '(?i)' : ''}(?:[a-z-]+://(?:www\\.)?)?${literalPattern(value)}/?$`,
  }))

/** Whether the value of a dimension passes one of the tests, as a filter. */
export function filterOfTests(dimension: StatsDimension, tests: readonly ValueTest[], now: Date): Filter {
  const { type, key, renamed, isClosed } = dimension
  const plain = tests.map((test): Filter => ({ type, key, ...test }))
  if (!renamed) return anyOrNothing(plain, dimension)
  const matching = [...renamed].flatMap(([own, shown]) =>
    tests.some(({ operator, value }) => operators[operator].matches(value)(shown, now) === true) ? [own] : [],
  )
  const known: Filter[] = matching.length > 0 ? [{ type, key, operator: 'exact', value: matching }] : []
  const others = isClosed ? undefined : anyOf(plain)
  const rest: Filter[] = others
    ? [allOf([others, { type, key, operator: 'is_not', value: [...renamed.keys()] }])]
    : []
  return anyOrNothing([...known, ...rest], dimension)
}

/** Whether a dimension has one of the values. */
export function filterOfValues(
  dimension: StatsDimension,
  values: readonly string[],
  ignoresCase: boolean,
  now: Date,
): Filter {
  const { name, type, key, renamed, aliases } = dimension
  const own = values.flatMap((value) => aliases?.get(value) ?? (renamed?.has(value) ? [value] : []))
  const named = values.filter((value) => !meansAbsent(dimension, value))
  const tests =
    name === 'visit:referrer' ? testsOfReferrers(named, ignoresCase) : testsOfValues(named, ignoresCase)
  const parts: Filter[] = [
    ...(named.length > 0 ? [filterOfTests(dimension, tests, now)] : []),
    ...(own.length > 0 ? [{ type, key, operator: 'exact' as const, value: own }] : []),
    ...(named.length < values.length ? [isNotSet(dimension)] : []),
  ]
  return anyOrNothing(parts, dimension)
}
