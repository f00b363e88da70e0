import { type Sql, sql, string, uints } from '../engine/sql'
import type { Json } from '../events/event'
import { isWithin, type Range } from './ranges'
import { textOf } from './texts'

type Version = readonly [major: number, minor: number, patch: number]

/**
 * As PostHog reads them, which is not by semver's own rules: 1.2.3-beta is 1.2.3, a fourth part says nothing, what is
 * missing is 0. More than fifteen digits would not be counted exactly.
 */
const part = '(0|[1-9][0-9]{0,14})'
const form =
  `^[ \\t\\r\\n]*[vV]?${part}(?:[.]${part}(?:[.]${part}(?:[.][^ \\t\\r\\n+-]*)?)?)?` +
  '(?:[+-][^\\r\\n]*(?:[\\r\\n][ \\t\\r\\n]*)?|[ \\t\\r\\n]*)$'
const version = new RegExp(form)
const wildcard = new RegExp(`^[ \\t]*[vV]?${part}(?:[.]${part})?(?:[.]${part})?(?:[.][*])*[ \\t]*$`)

export function versionOf(value: Json): Version | undefined {
  return partsOf(version, value)
}

function partsOf(pattern: RegExp, value: Json): Version | undefined {
  const parts = typeof value === 'string' || typeof value === 'number' ? pattern.exec(String(value)) : null
  return parts ? [Number(parts[1]), Number(parts[2] ?? 0), Number(parts[3] ?? 0)] : undefined
}

/** What `versionOf` says, in the engine; empty for what is none. */
const versionIn = (text: Sql): Sql =>
  sql`arrayMap(digits -> toUInt64OrZero(digits), extractGroups(${text}, ${string(form)}))`

function inOrder(one: Version, other: Version): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2]
}

const nextMajor = ([major]: Version): Version => [major + 1, 0, 0]
const nextMinor = ([major, minor]: Version): Version => [major, minor + 1, 0]
const nextPatch = ([major, minor, patch]: Version): Version => [major, minor, patch + 1]

/** 0.x may break in a minor version and 0.0.x in a patch, so they are compatible with less. */
function nextIncompatible(one: Version): Version {
  if (one[0] > 0) return nextMajor(one)
  return one[1] > 0 ? nextMinor(one) : nextPatch(one)
}

/** The range of versions a condition asks for; undefined where the one it names is none. */
export type VersionRange = (wanted: Json) => Range<Version> | undefined

const of =
  (range: (wanted: Version) => Range<Version>): VersionRange =>
  (wanted) => {
    const named = versionOf(wanted)
    return named && range(named)
  }

export const versionRanges = {
  exactly: of((named) => ({ from: named, until: nextPatch(named) })),
  after: of((named) => ({ from: nextPatch(named) })),
  since: of((named) => ({ from: named })),
  before: of((named) => ({ until: named })),
  through: of((named) => ({ until: nextPatch(named) })),
  patches: of((named) => ({ from: named, until: nextMinor(named) })),
  compatible: of((named) => ({ from: named, until: nextIncompatible(named) })),
  among: (wanted) => {
    const from = partsOf(wildcard, wanted)
    const named = textOf(wanted).match(/[0-9]+/g)?.length ?? 0
    return from && { from, until: [nextMajor, nextMinor][named - 1]?.(from) ?? nextPatch(from) }
  },
} as const satisfies Record<string, VersionRange>

export function isVersionWithin(actual: Json, range: Range<Version>): boolean | 'unknown' {
  const found = versionOf(actual)
  return found ? isWithin(found, range, inOrder) : 'unknown'
}

/** Null where the text is no version. */
export function versionWithin(text: Sql, { from, until }: Range<Version>): Sql {
  const bounds = [from && sql`version >= ${uints(from)}`, until && sql`version < ${uints(until)}`]
  const holds = sql.join(
    bounds.filter((bound) => bound !== undefined),
    sql` and `,
  )
  return sql`arrayMap(version -> if(empty(version), null, ${holds}), [${versionIn(text)}])[1]`
}
