import { decodedPart, noParts, type PathParts, PathRouter } from '#http/router'
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
  parts: PathParts
}

/** The limit of path parts before a vendor's path. */
const deepestPrefix = 4

/** Paths of people's pages and the management API, which no dialect may take. */
const reservedPaths = /^\/(?:studio|_next|api\/v1)(?:\/|$)/

/** Finds a dialect's route by the end of a path, since any prefix may stand before it. */
export function createRouteMatcher(
  dialects: readonly Dialect[],
): (method: string, path: string, search?: string) => RouteMatch | undefined {
  const router = new PathRouter(
    dialects.flatMap(({ name, allowsCredentials = false, sendsAgain = false, routes }) =>
      routes.map((route) => ({
        path: route.path,
        acceptsParts: (parts: PathParts) => acceptsParts(route, parts),
        found: { dialect: name, allowsCredentials, sendsAgain, route },
      })),
    ),
    deepestPrefix,
  )
  return (method, path, search = '') => {
    const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
    if (reservedPaths.test(trimmed)) return undefined
    const match = router.find(trimmed, ({ found }) => acceptsRequest(found.route, method, search))
    if (!match) return undefined
    const { prefix, parts } = match
    return { ...match.entry.found, path: match.path, prefix, parts: decodedParts(parts) }
  }
}

/** A preflight matches the methods of the request it precedes, a HEAD the route of a GET. */
function acceptsRequest({ methods, matchesQuery }: WireRoute, method: string, search: string): boolean {
  if (method === 'OPTIONS') return true
  if (matchesQuery && !matchesQuery(new URLSearchParams(search))) return false
  return methods.some((one) => one === (method === 'HEAD' ? 'GET' : method))
}

/** A name that the vendor does not have belongs to the site, as does an address without the name. */
const acceptsParts = (route: WireRoute, parts: PathParts): boolean =>
  Object.values(parts).every((part) => part !== '') && (route.acceptsParts?.(parts) ?? true)

const decodedParts = (parts: PathParts): PathParts =>
  parts === noParts
    ? parts
    : Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, decodedPart(value)]))
