import { isIP } from 'node:net'
import { type Allowance, allowsAddress, allowsPort, plainHost } from './allowance'
import { isOpen } from './networks'

/** Somewhere that may be asked, as far as its address alone can tell. */
export interface Destination {
  url: URL
  /** Without brackets: a name, or an address of IP. */
  host: string
  port: number
}

export type DestinationReading =
  | { isFit: true; destination: Destination }
  /** The sentence says why not, and what would do. */
  | { isFit: false; why: string }

const no = (why: string): DestinationReading => ({ isFit: false, why })

/** Reads an address that somebody typed or that an answer led to. Every one of either goes through here. */
export function readDestination(text: string, allowance: Allowance): DestinationReading {
  const url = URL.parse(text)
  if (!url || text.length > 2000)
    return no('This is not an address. Write one such as https://example.com/hook.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return no('Only addresses that begin with https:// or http:// are reached.')
  if (url.username || url.password)
    return no('Leave the name and password out of the address; what is sent is signed instead.')
  const destination = { url, host: plainHost(url.hostname), port: portOf(url) }
  return objection(destination, allowance) ?? { isFit: true, destination }
}

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)

function objection({ host, port }: Destination, allowance: Allowance): DestinationReading | undefined {
  if (!allowsPort(allowance, host, port))
    return no(
      `Port ${port} is not one that webhooks are sent to: use 80, 443, or one from 8000 up. ` +
        'TILTH_OUTBOUND_ALLOW can allow more.',
    )
  if (isIP(host) !== 0 && !mayReach(host, { host, port }, allowance)) return no(closedWords(host))
  return undefined
}

export const mayReach = (
  address: string,
  { host, port }: Pick<Destination, 'host' | 'port'>,
  allowance: Allowance,
): boolean => isOpen(address) || allowsAddress(allowance, host, port, address)

export const closedWords = (host: string): string =>
  `${host} is not on the open internet, and Tilth does not reach into the network it stands in. ` +
  'Whoever runs Tilth can allow it with TILTH_OUTBOUND_ALLOW.'

/** Where an answer leads on to; from a private conversation never into one that others can listen to. */
export function onwards(from: URL, location: string, allowance: Allowance): DestinationReading {
  const url = URL.parse(location, from)
  if (!url) return no('It leads on to something that is not an address.')
  if (from.protocol === 'https:' && url.protocol !== 'https:')
    return no('It leads from https on to an address without it.')
  return readDestination(url.href, allowance)
}
