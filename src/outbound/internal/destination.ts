import { isIP } from 'node:net'
import { type OutboundAllowlist, allowsAddress, allowsPort, normalizeHost } from '../allowlist'
import { isPublicAddress } from './networks'

/** A destination that may be requested, judging by the URL alone. */
export interface Destination {
  url: URL
  /** A host name, or an IP address without brackets. */
  host: string
  port: number
}

type DestinationResult =
  | { isFit: true; destination: Destination }
  /** A sentence with the reason and the remedy. */
  | { isFit: false; why: string }

const refuseDestination = (why: string): DestinationResult => ({ isFit: false, why })

/** Parses a URL that a member typed or a response redirected to. Every such URL passes through here. */
export function parseDestination(text: string, allowlist: OutboundAllowlist): DestinationResult {
  const url = URL.parse(text)
  if (!url || text.length > 2000)
    return refuseDestination('This is not an address. Write one such as https://example.com/path.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refuseDestination('Only addresses that begin with https:// or http:// are reached.')
  if (url.username || url.password)
    return refuseDestination('Leave the name and password out of the address: Tilth never sends them.')
  const destination = { url, host: normalizeHost(url.hostname), port: portOf(url) }
  return refusalOf(destination, allowlist) ?? { isFit: true, destination }
}

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)

function refusalOf({ host, port }: Destination, allowlist: OutboundAllowlist): DestinationResult | undefined {
  if (!allowsPort(allowlist, host, port))
    return refuseDestination(
      `Port ${port} is not one that requests are sent to: use 80, 443, or one from 8000 up. ` +
        'TILTH_OUTBOUND_ALLOW can allow more.',
    )
  if (isIP(host) !== 0 && !isReachable(host, { host, port }, allowlist))
    return refuseDestination(notPublicMessage(host))
  return undefined
}

export const isReachable = (
  address: string,
  { host, port }: Pick<Destination, 'host' | 'port'>,
  allowlist: OutboundAllowlist,
): boolean => isPublicAddress(address) || allowsAddress(allowlist, host, port, address)

export const notPublicMessage = (host: string): string =>
  `${host} is not on the open internet, and Tilth does not reach into the network it stands in. ` +
  'The operator can allow it with TILTH_OUTBOUND_ALLOW.'

/** Parses a redirect; never from https to http. */
export function parseRedirect(from: URL, location: string, allowlist: OutboundAllowlist): DestinationResult {
  const url = URL.parse(location, from)
  if (!url) return refuseDestination('It leads on to something that is not an address.')
  if (from.protocol === 'https:' && url.protocol !== 'https:')
    return refuseDestination('It leads from https on to an address without it.')
  return parseDestination(url.href, allowlist)
}
