import { float, type Sql, sql, string, strings } from '../engine/sql'
import type { Json } from '../events/event'
import type { Answer, Column } from './filter'
import { isMomentWithin, type MomentRange, momentRanges, momentWithin } from './moments'
import { numberIn, numberOf } from './numbers'
import { matchesIn, readPattern } from './patterns'
import { folded, foldedIn, inOrder, textOf } from './texts'
import { isVersionWithin, type VersionRange, versionRanges, versionWithin } from './versions'
import type { OperatorName } from './vocabulary'

/** What an operator means, twice. The two must agree of every property that is text or is not there. */
export interface Operator {
  /** What it says of a property that is not there; in the engine also of one that is no date, no version. */
  otherwise: boolean
  /** Null is a value to it. To all others it is as good as nothing there, which is how the engine keeps it. */
  knowsNull?: true
  /** How flags decide, in memory: made ready once for what is wanted, then asked many times. */
  matches(wanted: Json): (actual: Json, now: Date) => Answer
  /** How insights decide, in the engine, of a property that is there; null means `otherwise`. */
  where(column: Column, wanted: Json, now: Date): Sql
}

const isOneOf: Operator = {
  otherwise: false,
  matches(wanted) {
    const accepted = new Set(foldedList(wanted))
    return (actual) => accepted.has(folded(textOf(actual)))
  },
  where: ({ text }, wanted) => sql`${foldedIn(text)} in ${strings(foldedList(wanted))}`,
}

const foldedList = (wanted: Json): string[] =>
  (Array.isArray(wanted) ? wanted : [wanted]).map((one) => folded(textOf(one)))

const isSet: Operator = {
  otherwise: false,
  matches: () => () => true,
  where: () => sql`true`,
}

const isNotSet: Operator = {
  otherwise: true,
  matches: () => () => false,
  where: () => sql`false`,
}

/** Texts regardless of case. */
function textual(
  holds: (actual: string, wanted: string) => boolean,
  inEngine: (actual: Sql, wanted: Sql) => Sql,
): Operator {
  return {
    otherwise: false,
    matches(wanted) {
      const sought = folded(textOf(wanted))
      return (actual) => holds(folded(textOf(actual)), sought)
    },
    where: ({ text }, wanted) => inEngine(foldedIn(text), string(folded(textOf(wanted)))),
  }
}

const contains = textual(
  (actual, wanted) => actual.includes(wanted),
  (actual, wanted) => sql`position(${actual}, ${wanted}) > 0`,
)
const startsWith = textual(
  (actual, wanted) => actual.startsWith(wanted),
  (actual, wanted) => sql`startsWith(${actual}, ${wanted})`,
)
const endsWith = textual(
  (actual, wanted) => actual.endsWith(wanted),
  (actual, wanted) => sql`endsWith(${actual}, ${wanted})`,
)

/** An expression that is none, which only a flag of somebody else's can have, neither matches nor does not. */
function expression(isSought: boolean): Operator {
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

/** Numbers as numbers, texts as texts: PostHog's rule, by which "100" is less than "30". */
function ordered(holds: (order: number) => boolean, sign: Sql): Operator {
  return {
    otherwise: false,
    matches(wanted) {
      const text = textOf(wanted)
      const number = numberOf(wanted)
      return (actual) => {
        const own = countedAs(actual)
        const areNumbers = own !== undefined && number !== undefined
        return holds(areNumbers ? byNumber(own, number) : inOrder(textOf(actual), text))
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

/** Ours, so it reads numbers wherever there are some; both ends count. */
const between: Operator = {
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

/** Of what are no two numbers nothing is between. */
function endsOf(wanted: Json): [least: number, most: number] {
  const [least, most] = Array.isArray(wanted) ? wanted.map(numberOf) : []
  return least === undefined || most === undefined ? [1, 0] : [least, most]
}

function dated(range: MomentRange): Operator {
  return {
    otherwise: false,
    matches: (wanted) => (actual, now) => {
      const asked = range(wanted, now)
      return asked ? isMomentWithin(actual, asked) : 'unknown'
    },
    where({ text }, wanted, now) {
      const asked = range(wanted, now)
      return asked ? momentWithin(text, asked) : sql`null`
    },
  }
}

function versioned(range: VersionRange): Operator {
  return {
    otherwise: false,
    matches(wanted) {
      const asked = range(wanted)
      return asked ? (actual) => isVersionWithin(actual, asked) : () => 'unknown'
    },
    where({ text }, wanted) {
      const asked = range(wanted)
      return asked ? versionWithin(text, asked) : sql`null`
    },
  }
}

/** Holds wherever the other does not, also of what is not there. What nobody can say remains so. */
function not(operator: Operator): Operator {
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

/** Every operator of the vocabulary. A new one is a line there and one here. */
export const operators: Readonly<Record<OperatorName, Operator>> = {
  exact: isOneOf,
  // PostHog's Python SDK reads null as the word "none", and flags must come to the same answer there and here
  is_not: { ...not(isOneOf), knowsNull: true },
  icontains: contains,
  not_icontains: not(contains),
  starts_with: startsWith,
  not_starts_with: not(startsWith),
  ends_with: endsWith,
  not_ends_with: not(endsWith),
  regex: expression(true),
  not_regex: expression(false),
  gt: ordered((order) => order > 0, sql`>`),
  gte: ordered((order) => order >= 0, sql`>=`),
  lt: ordered((order) => order < 0, sql`<`),
  lte: ordered((order) => order <= 0, sql`<=`),
  between,
  is_date_before: dated(momentRanges.before),
  is_date_after: dated(momentRanges.after),
  is_date_exact: dated(momentRanges.on),
  semver_eq: versioned(versionRanges.exactly),
  semver_neq: not(versioned(versionRanges.exactly)),
  semver_gt: versioned(versionRanges.after),
  semver_gte: versioned(versionRanges.since),
  semver_lt: versioned(versionRanges.before),
  semver_lte: versioned(versionRanges.through),
  semver_tilde: versioned(versionRanges.patches),
  semver_caret: versioned(versionRanges.compatible),
  semver_wildcard: versioned(versionRanges.among),
  is_set: isSet,
  is_not_set: isNotSet,
}
