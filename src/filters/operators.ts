import { float, type Sql, sql, string, strings } from '#engine/sql'
import type { Json } from '#events/event'
import type { FilterAnswer, FilterColumn } from './filter'
import { isMomentWithin, type MomentRangeFinder, momentRanges, momentWithin } from './moments'
import { numberIn, numberOf } from './numbers'
import { matchesIn, readPattern } from './patterns'
import { foldCase, foldCaseIn, compareByCodePoint, textOf } from './internal/text-values'
import { isVersionWithin, type VersionRangeFinder, versionRanges, versionWithin } from './internal/versions'
import type { OperatorName } from './vocabulary'

/** An operator in memory and in SQL. The two must agree for every property that is text or absent. */
interface FilterOperator {
  /** The result for an absent property; in SQL also for a value that is no date or no version. */
  otherwise: boolean
  /** The operator treats null as a value. All others treat it as absent, which is how the engine stores it. */
  knowsNull?: true
  /** Compares in memory, for flags: prepared once for the wanted value, then called for many values. */
  matches(wanted: Json): (actual: Json, now: Date) => FilterAnswer
  /** Compares in SQL, for insights, a present property; null means `otherwise`. */
  where(column: FilterColumn, wanted: Json, now: Date): Sql
}

const isOneOf: FilterOperator = {
  otherwise: false,
  matches(wanted) {
    const accepted = new Set(foldedList(wanted))
    return (actual) => accepted.has(foldCase(textOf(actual)))
  },
  where: ({ text }, wanted) => sql`${foldCaseIn(text)} in ${strings(foldedList(wanted))}`,
}

const foldedList = (wanted: Json): string[] =>
  (Array.isArray(wanted) ? wanted : [wanted]).map((one) => foldCase(textOf(one)))

const isSet: FilterOperator = {
  otherwise: false,
  matches: () => () => true,
  where: () => sql`true`,
}

const isNotSet: FilterOperator = {
  otherwise: true,
  matches: () => () => false,
  where: () => sql`false`,
}

/** An operator on texts that ignores case. */
function textOperator(
  holds: (actual: string, wanted: string) => boolean,
  inEngine: (actual: Sql, wanted: Sql) => Sql,
): FilterOperator {
  return {
    otherwise: false,
    matches(wanted) {
      const sought = foldCase(textOf(wanted))
      return (actual) => holds(foldCase(textOf(actual)), sought)
    },
    where: ({ text }, wanted) => inEngine(foldCaseIn(text), string(foldCase(textOf(wanted)))),
  }
}

const contains = textOperator(
  (actual, wanted) => actual.includes(wanted),
  (actual, wanted) => sql`position(${actual}, ${wanted}) > 0`,
)
const startsWith = textOperator(
  (actual, wanted) => actual.startsWith(wanted),
  (actual, wanted) => sql`startsWith(${actual}, ${wanted})`,
)
const endsWith = textOperator(
  (actual, wanted) => actual.endsWith(wanted),
  (actual, wanted) => sql`endsWith(${actual}, ${wanted})`,
)

/** An invalid expression, which only imported flags can have, makes the result unknown. */
function regularExpression(isSought: boolean): FilterOperator {
  return {
    otherwise: !isSought,
    matches(wanted) {
      const reading = readPattern(textOf(wanted))
      if ('refused' in reading) return () => false
      return (actual) => reading.pattern.matches(textOf(actual)) === isSought
    },
    where({ text }, wanted) {
      const source = textOf(wanted)
      if ('refused' in readPattern(source)) return sql`false`
      return isSought ? matchesIn(text, source) : sql`not ${matchesIn(text, source)}`
    },
  }
}

/** Compares numbers as numbers and texts as texts, as PostHog does: "100" is less than "30". */
function orderOperator(holds: (order: number) => boolean, sign: Sql): FilterOperator {
  return {
    otherwise: false,
    matches(wanted) {
      const text = textOf(wanted)
      const number = numberOf(wanted)
      return (actual) => {
        const own = countedAs(actual)
        const areNumbers = own !== undefined && number !== undefined
        return holds(areNumbers ? byNumber(own, number) : compareByCodePoint(textOf(actual), text))
      }
    },
    where(column, wanted) {
      const number = numberOf(wanted)
      const asText = sql`${column.text} ${sign} ${string(textOf(wanted))}`
      if (!column.number || number === undefined) return asText
      return sql`ifNull(${column.number} ${sign} ${float(number)}, ${asText})`
    },
  }
}

const byNumber = (one: number, other: number): number => (one < other ? -1 : Number(one > other))

/** PostHog's SDKs compare true with numbers as 1. */
const countedAs = (actual: Json): number | undefined =>
  typeof actual === 'number' || typeof actual === 'boolean' ? Number(actual) : undefined

/** PostHog has no such operator, so it parses numbers in texts. Both ends are included. */
const between: FilterOperator = {
  otherwise: false,
  matches(wanted) {
    const [least, most] = endsOf(wanted)
    return (actual) => {
      const own = numberOf(actual)
      return own !== undefined && own >= least && own <= most
    }
  },
  where({ text, number }, wanted) {
    const [least, most] = endsOf(wanted)
    return sql`${number ?? numberIn(text)} between ${float(least)} and ${float(most)}`
  },
}

/** Returns the two ends; no value lies between ends that are not numbers. */
function endsOf(wanted: Json): [least: number, most: number] {
  const [least, most] = Array.isArray(wanted) ? wanted.map(numberOf) : []
  return least === undefined || most === undefined ? [1, 0] : [least, most]
}

function dateOperator(range: MomentRangeFinder): FilterOperator {
  return {
    otherwise: false,
    matches: (wanted) => (actual, now) => {
      const wantedRange = range(wanted, now)
      return wantedRange ? isMomentWithin(actual, wantedRange) : 'unknown'
    },
    where({ text }, wanted, now) {
      const wantedRange = range(wanted, now)
      return wantedRange ? momentWithin(text, wantedRange) : sql`null`
    },
  }
}

function versionOperator(range: VersionRangeFinder): FilterOperator {
  return {
    otherwise: false,
    matches(wanted) {
      const wantedRange = range(wanted)
      return wantedRange ? (actual) => isVersionWithin(actual, wantedRange) : () => 'unknown'
    },
    where({ text }, wanted) {
      const wantedRange = range(wanted)
      return wantedRange ? versionWithin(text, wantedRange) : sql`null`
    },
  }
}

/** Negates an operator, also for absent properties. Unknown stays unknown. */
function not(operator: FilterOperator): FilterOperator {
  return {
    otherwise: !operator.otherwise,
    matches(wanted) {
      const holds = operator.matches(wanted)
      return (actual, now) => {
        const answer = holds(actual, now)
        return answer === 'unknown' ? answer : !answer
      }
    },
    where: (column, wanted, now) => sql`not (${operator.where(column, wanted, now)})`,
  }
}

/** Every operator. A new one needs an entry in `vocabulary` and one here. */
export const operators: Readonly<Record<OperatorName, FilterOperator>> = {
  exact: isOneOf,
  // PostHog's Python SDK reads null as the word "none", and flags must come to the same answer there and here
  is_not: { ...not(isOneOf), knowsNull: true },
  icontains: contains,
  not_icontains: not(contains),
  starts_with: startsWith,
  not_starts_with: not(startsWith),
  ends_with: endsWith,
  not_ends_with: not(endsWith),
  regex: regularExpression(true),
  not_regex: regularExpression(false),
  gt: orderOperator((order) => order > 0, sql`>`),
  gte: orderOperator((order) => order >= 0, sql`>=`),
  lt: orderOperator((order) => order < 0, sql`<`),
  lte: orderOperator((order) => order <= 0, sql`<=`),
  between,
  is_date_before: dateOperator(momentRanges.before),
  is_date_after: dateOperator(momentRanges.after),
  is_date_exact: dateOperator(momentRanges.on),
  semver_eq: versionOperator(versionRanges.exactly),
  semver_neq: not(versionOperator(versionRanges.exactly)),
  semver_gt: versionOperator(versionRanges.after),
  semver_gte: versionOperator(versionRanges.since),
  semver_lt: versionOperator(versionRanges.before),
  semver_lte: versionOperator(versionRanges.through),
  semver_tilde: versionOperator(versionRanges.patches),
  semver_caret: versionOperator(versionRanges.compatible),
  semver_wildcard: versionOperator(versionRanges.among),
  is_set: isSet,
  is_not_set: isNotSet,
}
