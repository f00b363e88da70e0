import type { Dialect, Route } from './dialect'

/** A route that a request fits, and what stood around and in it. */
export interface Match {
  dialect: string
  route: Route
  path: string
  prefix: string
  parts: Readonly<Record<string, string>>
}

interface Entry {
  dialect: string
  route: Route
}

/** A site may put our addresses below a few of its own, not below a whole library of them. */
const deepestPrefix = 4

/** Where people are: whatever an address ends in, here it is a page or the management API. */
const notOurs = /^\/(?:studio|_next|api\/v1)(?:\/|$)/

/**
 * Finds a dialect's route by the end of a path, since any prefix may stand before it. Asked for every request there is,
 * so the usual ones are a look into a map.
 */
export function openMatching(
  dialects: readonly Dialect[],
): (method: string, path: string, search?: string) => Match | undefined {
  const entries = dialects.flatMap(({ name, routes }) => routes.map((route) => ({ dialect: name, route })))
  const plain: ReadonlyMap<string, readonly Entry[]> = Map.groupBy(
    entries.filter(({ route }) => !route.path.includes(':')),
    ({ route }) => route.path,
  )
  const patterns = entries
    .filter(({ route }) => route.path.includes(':'))
    .map((entry) => ({ entry, fits: patternOf(entry.route) }))

  return (method, path, search = '') => {
    const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
    if (notOurs.test(trimmed)) return undefined
    for (const start of beginnings(trimmed)) {
      const entry = plain.get(trimmed.slice(start))?.find(({ route }) => takes(route, method, search))
      if (entry) return { ...entry, path: trimmed.slice(start), prefix: trimmed.slice(0, start), parts: {} }
    }
    for (const { entry, fits } of patterns) {
      const match = takes(entry.route, method, search) ? namesIn(trimmed, fits, entry.route) : undefined
      if (match) return matched(entry, trimmed, match)
    }
    return undefined
  }
}

/** A preflight asks for what a later request may do, a HEAD for what a GET would. */
function takes({ methods, when }: Route, method: string, search: string): boolean {
  if (method === 'OPTIONS') return true
  if (when && !when(new URLSearchParams(search))) return false
  return methods.some((one) => one === (method === 'HEAD' ? 'GET' : method))
}

/** 0, and behind each of the first few parts: where the vendor's own path may begin. */
function* beginnings(path: string): Generator<number> {
  let start = 0
  for (let depth = 0; depth <= deepestPrefix && start >= 0; depth++) {
    yield start
    start = path.indexOf('/', start + 1)
  }
}

/** `/array/:token/config.js` as an expression whose `prefix` is what stands before it. */
function patternOf({ path }: Route): RegExp {
  const parts = path
    .split('/')
    .slice(1)
    .map((part) => (part.startsWith(':') ? `(?<${part.slice(1)}>[^/]+)` : quoted(part)))
  return new RegExp(`^(?<prefix>(?:/[^/]+){0,${deepestPrefix}})/${parts.join('/')}$`)
}

/** What stands in and before a path of this form; a name that the vendor does not know makes it the site's own. */
function namesIn(path: string, fits: RegExp, { knows }: Route): Record<string, string> | undefined {
  const names = fits.exec(path)?.groups
  return names && (knows?.(names) ?? true) ? names : undefined
}

const quoted = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

function matched(entry: Entry, path: string, { prefix = '', ...parts }: Record<string, string>): Match {
  const decoded = Object.entries(parts).map(([name, value]) => [name, decodeURIComponent(value)])
  return { ...entry, path: path.slice(prefix.length), prefix, parts: Object.fromEntries(decoded) }
}
