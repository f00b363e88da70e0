import type { Dialect, WireRoute } from './dialect'

/** A route that matches a request, and the parts of its path. */
export interface RouteMatch {
  dialect: string
  /** Whether pages may read the response with credentials. */
  allowsCredentials: boolean
  /** Whether clients of the dialect send events again that were answered 503. */
  sendsAgain: boolean
  route: WireRoute
  path: string
  prefix: string
  parts: Readonly<Record<string, string>>
}

type RouteEntry = Pick<RouteMatch, 'dialect' | 'allowsCredentials' | 'sendsAgain' | 'route'>

/** The limit of path parts before a vendor's path. */
const deepestPrefix = 4

/** Paths of people's pages and the management API, which no dialect may take. */
const reservedPaths = /^\/(?:studio|_next|api\/v1)(?:\/|$)/

/**
 * Finds a dialect's route by the end of a path, since any prefix may stand before it. It runs for every request, so
 * common paths are looked up in a map.
 */
export function createRouteMatcher(
  dialects: readonly Dialect[],
): (method: string, path: string, search?: string) => RouteMatch | undefined {
  const entries = dialects.flatMap(({ name, allowsCredentials = false, sendsAgain = false, routes }) =>
    routes.map((route): RouteEntry => ({ dialect: name, allowsCredentials, sendsAgain, route })),
  )
  const plain: ReadonlyMap<string, readonly RouteEntry[]> = Map.groupBy(
    entries.filter(({ route }) => !route.path.includes(':')),
    ({ route }) => route.path,
  )
  const patterns = entries
    .filter(({ route }) => route.path.includes(':'))
    .map((entry) => ({ entry, fits: routePattern(entry.route) }))

  return (method, path, search = '') => {
    const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
    if (reservedPaths.test(trimmed)) return undefined
    for (const start of possibleStarts(trimmed)) {
      const entry = plain
        .get(trimmed.slice(start))
        ?.find(({ route }) => acceptsRequest(route, method, search))
      if (entry) return { ...entry, path: trimmed.slice(start), prefix: trimmed.slice(0, start), parts: {} }
    }
    for (const { entry, fits: pattern } of patterns) {
      const match = acceptsRequest(entry.route, method, search)
        ? matchParts(trimmed, pattern, entry.route)
        : undefined
      if (match) return toRouteMatch(entry, trimmed, match)
    }
    return undefined
  }
}

/** A preflight matches the methods of the request it precedes, a HEAD the route of a GET. */
function acceptsRequest({ methods, matchesQuery }: WireRoute, method: string, search: string): boolean {
  if (method === 'OPTIONS') return true
  if (matchesQuery && !matchesQuery(new URLSearchParams(search))) return false
  return methods.some((one) => one === (method === 'HEAD' ? 'GET' : method))
}

/** The possible starts of the vendor's path: 0, and behind each of the first few parts. */
function* possibleStarts(path: string): Generator<number> {
  let start = 0
  for (let depth = 0; depth <= deepestPrefix && start >= 0; depth++) {
    yield start
    start = path.indexOf('/', start + 1)
  }
}

/** Converts `/array/:token/config.js` to an expression. Its group `prefix` is what precedes the route in the path. */
function routePattern({ path }: WireRoute): RegExp {
  const parts = path
    .split('/')
    .slice(1)
    .map((part) => (part.startsWith(':') ? `(?<${part.slice(1)}>[^/]+)` : escapeRegExp(part)))
  return new RegExp(`^(?<prefix>(?:/[^/]+){0,${deepestPrefix}})/${parts.join('/')}$`)
}

/**
 * Returns the prefix and the parts of a path of this form; a name that the vendor does not have belongs to the site.
 */
function matchParts(
  path: string,
  pattern: RegExp,
  { acceptsParts }: WireRoute,
): Record<string, string> | undefined {
  const names = pattern.exec(path)?.groups
  return names && (acceptsParts?.(names) ?? true) ? names : undefined
}

const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

function toRouteMatch(
  entry: RouteEntry,
  path: string,
  { prefix = '', ...parts }: Record<string, string>,
): RouteMatch {
  const decoded = Object.entries(parts).map(([name, value]) => [name, decodeURIComponent(value)])
  return { ...entry, path: path.slice(prefix.length), prefix, parts: Object.fromEntries(decoded) }
}
