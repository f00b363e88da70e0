import type { Filter } from '#filters/filter'

/**
 * Groups of pages whose paths differ by ids, each as a pattern: `/boards/:id` stands for one part of a path, `*` for any
 * characters. The first pattern that fits a path is its name.
 */
export type PageGroups = readonly string[]

/** Returns a pattern as a regular expression for both JavaScript and RE2. */
export const expressionOf = (pattern: string): string =>
  `^${pattern
    .split('/')
    .map((part) => (isPlaceholder(part) ? '[^/]+' : part.split('*').map(escaped).join('.*')))
    .join('/')}/?$`

const isPlaceholder = (part: string): boolean => /^:\w+$/.test(part)

const escaped = (text: string): string => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)

/** Returns the name of a path: of its group, or its own. */
export const groupedPath = (path: string, groups: PageGroups): string => namesIn(groups)(path)

/** Compiles the patterns once for many paths. */
function namesIn(groups: PageGroups): (path: string) => string {
  const expressions = groups.map((pattern) => ({ pattern, fits: new RegExp(expressionOf(pattern), 's') }))
  return (path) => expressions.find(({ fits }) => fits.test(path))?.pattern ?? path
}

/** Whether a property is a path that is grouped in web analytics. */
export const isOfPath = (key: string): boolean => pathKeys.has(key)
const pathKeys: ReadonlySet<string> = new Set(['$pathname', '$entry_pathname', '$exit_pathname'])

/** Returns the filter for the paths of a group, or for all others; undefined if it is the name of no group. */
export function filterOfGroup(
  subject: { type: 'event' | 'session'; key: string },
  group: string,
  isNot: boolean,
  groups: PageGroups,
): Filter | undefined {
  const index = groups.indexOf(group)
  if (index === -1) return undefined
  const fits = (pattern: string, fitting: boolean): Filter => ({
    ...subject,
    operator: fitting ? 'regex' : 'not_regex',
    value: expressionOf(pattern),
  })
  const earlier = groups.slice(0, index)
  return isNot
    ? { any: [fits(group, false), ...earlier.map((pattern) => fits(pattern, true))] }
    : { all: [fits(group, true), ...earlier.map((pattern) => fits(pattern, false))] }
}

/** Parts of paths that differ from one object to the next. A date comes before digits, because it contains some. */
const idParts: readonly { part: RegExp; placeholder: string }[] = [
  { part: /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i, placeholder: ':uuid' },
  { part: /^[^@]+@[^@]+\.[^@]+$/, placeholder: ':email' },
  { part: /^(?:19|20)\d{2}-\d{2}(?:-\d{2})?$/, placeholder: ':date' },
  { part: /^\d+$/, placeholder: ':id' },
  { part: /^[\da-f]{16,}$/i, placeholder: ':hash' },
  { part: /^(?=.*\d)[\da-z_-]{20,}$/i, placeholder: ':token' },
]

/** The fewest pages for which a group is suggested. */
const fewest = 3

/** Returns patterns for pages that differ only by ids, those with the most pages first. */
export function suggestedGroups(
  paths: readonly string[],
  groups: PageGroups,
): { pattern: string; pages: number }[] {
  const nameOf = namesIn(groups)
  const ungrouped = paths.filter((path) => nameOf(path) === path)
  const byPattern = Map.groupBy(ungrouped, patternOf)
  return [...byPattern]
    .map(([pattern, own]) => ({ pattern, pages: own.length }))
    .filter(({ pattern, pages }) => pages >= fewest && pattern.includes('/:'))
    .toSorted((one, other) => other.pages - one.pages || (one.pattern < other.pattern ? -1 : 1))
}

const patternOf = (path: string): string =>
  path
    .split('/')
    .map((part) => idParts.find((kind) => kind.part.test(part))?.placeholder ?? part)
    .join('/')
