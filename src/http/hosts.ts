import type { TrustedRequest } from './trusted-request'
import { sameHost } from './trusted-request'

/** The addresses of this Tilth: those in TILTH_URL, and this machine's own names if one of them is listed. */
export function answeringAddresses(configured: readonly URL[]): readonly URL[] {
  return configured.flatMap((address) =>
    loopbackNames.includes(address.hostname)
      ? loopbackNames.map((name) => withHostName(address, name))
      : [address],
  )
}

/** Three names of this machine: a browser on it may use any of them. */
const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

function withHostName(address: URL, name: string): URL {
  const copy = new URL(address)
  copy.hostname = name
  return copy
}

export const isOurs = (host: string, addresses: readonly URL[]): boolean =>
  addresses.some((address) => sameHost(host, address))

/** Whether the header is one name, maybe with a port. Anything else exploits differences between parsers. */
export const isSingleHost = (host: string): boolean =>
  /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host)

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a request for a change came from a page of Tilth's. Browsers name the sending site. A program names none, but
 * cannot abuse another user's session.
 */
export function isSameOriginChange(
  { method = '', origin, site }: { method?: string; origin?: string; site?: string },
  { host }: TrustedRequest,
): boolean {
  if (safeMethods.has(method)) return true
  if (origin !== undefined) return URL.parse(origin)?.host === hostOf(host, origin)
  return site === undefined || site === 'same-origin' || site === 'none'
}

/** The host as a browser writes it for the origin's protocol: without the default port. */
const hostOf = (host: string, origin: string): string | undefined =>
  URL.parse(`${origin.split(':')[0]}://${host}`)?.host
