import { type Sql, sql, string } from '#engine/sql'
import { expressionOf, type PageGroups } from '../../text/page-groups'

/** Marks a name that is found, so that later patterns do not fit it. No path contains it. */
const found = '\u0001'

/**
 * Does the same as `groupedPath` in the engine. Each function has a single column as its argument, so that the engine
 * evaluates it once for each distinct path.
 */
export function grouped(path: Sql, groups: PageGroups): Sql {
  if (groups.length === 0) return path
  const named = groups.reduce(
    (text, pattern) =>
      sql`replaceRegexpOne(${text}, ${string(`(?s)${expressionOf(pattern)}`)}, ${string(replacement(pattern))})`,
    path,
  )
  return sql`replaceAll(${named}, ${string(found)}, '')`
}

/** A backslash has a meaning in replacements. */
const replacement = (pattern: string): string => `${found}${pattern.replaceAll('\\', String.raw`\\`)}`
