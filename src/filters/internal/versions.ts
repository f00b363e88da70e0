import { type Sql, sql, string, uints } from '#engine/sql'
import type { Json } from '#events/event'
import { isWithin, type HalfOpenRange } from './ranges'
import { textOf } from './text-values'

type Version = readonly [major: number, minor: number, patch: number]

/**
 * PostHog's rules, which differ from semver: 1.2.3-beta is 1.2.3, a fourth part is ignored, a missing part is 0. More
 * than fifteen digits would not be exact numbers.
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

/** Returns `versionOf` in SQL; empty if the text is no version. */
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

/** Returns the range of versions for a condition's value; undefined if it is no version. */
export type VersionRangeFinder = (wanted: Json) => HalfOpenRange<Version> | undefined

const of =
  (range: (wanted: Version) => HalfOpenRange<Version>): VersionRangeFinder =>
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
} as const satisfies Record<string, VersionRangeFinder>

export function isVersionWithin(actual: Json, range: HalfOpenRange<Version>): boolean | 'unknown' {
  const found = versionOf(actual)
  return found ? isWithin(found, range, inOrder) : 'unknown'
}

/** Returns null if the text is no version. */
export function versionWithin(text: Sql, { from, until }: HalfOpenRange<Version>): Sql {
  const bounds = [from && sql`version >= ${uints(from)}`, until && sql`version < ${uints(until)}`]
  const holds = sql.join(
    bounds.filter((bound) => bound !== undefined),
    sql` and `,
  )
  return sql`arrayMap(version -> if(empty(version), null, ${holds}), [${versionIn(text)}])[1]`
}
