/**
 * A path with names for some of its parts: `/projects/{project}/flags`. With `/*` at its end it stands for itself and for
 * everything below.
 */
export type PathPattern = `/${string}`

/** The named parts of a path, percent-encoded as they arrived. */
export type PathParts = Readonly<Record<string, string>>

/** An entry that fits a path. */
interface PathMatch<Entry> {
  entry: Entry
  /** The path from the part on that the pattern describes. */
  path: string
  prefix: string
  parts: PathParts
}

/** The parts of a path whose pattern names none. */
export const noParts: PathParts = {}

/** Returns a function that finds the parts of a path; undefined where the pattern does not fit. */
export function pathMatcher(pattern: PathPattern): (path: string) => PathParts | undefined {
  if (pattern.endsWith('/*')) {
    const [top, below] = [pattern.slice(0, -2), pattern.slice(0, -1)]
    return (path) => (path === top || path.startsWith(below) ? noParts : undefined)
  }
  if (!hasNames(pattern)) return (path) => (path === pattern ? noParts : undefined)
  const expression = expressionOf(pattern, 0)
  return (path) => expression.exec(path)?.groups
}

interface RoutedEntry {
  path: PathPattern
  /** Whether the values of the names are valid, if only some are. */
  acceptsParts?: ((parts: PathParts) => boolean) | undefined
}

/**
 * Finds entries by their patterns. A prefix of some parts may stand before what a pattern describes, as under the proxies
 * of other sites. It runs for every request, so paths without names are looked up in a map.
 */
export class PathRouter<Entry extends RoutedEntry> {
  private readonly plain: ReadonlyMap<string, readonly Entry[]>
  private readonly named: readonly { entry: Entry; expression: RegExp }[]

  constructor(
    entries: readonly Entry[],
    private readonly mostPrefixParts = 0,
  ) {
    this.plain = Map.groupBy(
      entries.filter(({ path }) => !hasNames(path)),
      ({ path }) => path,
    )
    this.named = entries
      .filter(({ path }) => hasNames(path))
      .map((entry) => ({ entry, expression: expressionOf(entry.path, mostPrefixParts) }))
  }

  /** Finds the accepted entry with the shortest prefix; those with names in their paths come last. */
  find(path: string, accepts: (entry: Entry) => boolean): PathMatch<Entry> | undefined {
    let start = 0
    for (let depth = 0; depth <= this.mostPrefixParts && start >= 0; depth++) {
      const own = path.slice(start)
      const entry = this.plain.get(own)?.find(accepts)
      if (entry) return { entry, path: own, prefix: path.slice(0, start), parts: noParts }
      start = path.indexOf('/', start + 1)
    }
    for (const { entry, expression } of this.named) {
      const match = accepts(entry) ? matchNamed(path, entry, expression) : undefined
      if (match) return match
    }
    return undefined
  }

  /** All entries of a path without a prefix. */
  all(path: string): PathMatch<Entry>[] {
    const plain = this.plain.get(path) ?? []
    return [
      ...plain.map((entry) => ({ entry, path, prefix: '', parts: noParts })),
      ...this.named.flatMap(({ entry, expression }) => matchNamed(path, entry, expression) ?? []),
    ]
  }
}

function matchNamed<Entry extends RoutedEntry>(
  path: string,
  entry: Entry,
  expression: RegExp,
): PathMatch<Entry> | undefined {
  const found = expression.exec(path)
  if (!found) return undefined
  const [, prefix = ''] = found
  const { groups: parts = noParts } = found
  if (entry.acceptsParts?.(parts) === false) return undefined
  return { entry, path: path.slice(prefix.length), prefix, parts }
}

const hasNames = (pattern: PathPattern): boolean => pattern.includes('{')

/** The first group of the expression is the prefix. */
function expressionOf(pattern: PathPattern, mostPrefixParts: number): RegExp {
  const parts = pattern
    .split('/')
    .slice(1)
    .map((part) => (part.startsWith('{') ? `(?<${part.slice(1, -1)}>[^/]*)` : escapeRegExp(part)))
  return new RegExp(`^((?:/[^/]+){0,${mostPrefixParts}})/${parts.join('/')}$`)
}

const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Decodes a part of a path. A name with a wrong escape, such as `%zz`, is taken as it stands. */
export function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
