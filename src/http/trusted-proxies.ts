import { BlockList, isIP } from 'node:net'

/** Proxies that are trusted to report a visitor's address: by their number, or by their networks. */
export type TrustedProxies =
  | { by: 'hops'; hops: number }
  | { by: 'network'; networks: BlockList }
  | { by: 'nobody' }

const named: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'],
}

/** Parses "1", "loopback" or "10.0.0.0/8, 192.168.1.7"; undefined for anything else. */
export function readTrustedProxies(text: string): TrustedProxies | undefined {
  if (/^\d+$/.test(text)) return hops(Number(text))
  const networks = new BlockList()
  const ranges = text.split(/[\s,]+/).flatMap((range) => named[range.toLowerCase()] ?? [range])
  return ranges.every((range) => addRange(range, networks)) ? { by: 'network', networks } : undefined
}

function hops(number: number): TrustedProxies | undefined {
  if (number > 10) return undefined
  return number === 0 ? { by: 'nobody' } : { by: 'hops', hops: number }
}

function addRange(range: string, networks: BlockList): boolean {
  const [address = '', prefix] = range.split('/')
  const version = isIP(address)
  if (version === 0) return false
  const most = version === 6 ? 128 : 32
  const bits = prefix === undefined ? most : /^\d+$/.test(prefix) ? Number(prefix) : Number.NaN
  if (!(bits >= 0 && bits <= most)) return false
  networks.addSubnet(address, bits, version === 6 ? 'ipv6' : 'ipv4')
  return true
}

/**
 * Finds the visitor's address in `X-Forwarded-For`, read from the right: entries of trusted proxies are believed, and
 * the first address that is not a trusted proxy's is the visitor's. Entries left of it may be forged by the visitor.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | undefined,
  trusted: TrustedProxies,
): string {
  if (trusted.by === 'nobody' || !forwardedFor) return plainAddress(peer)
  const chain = [
    ...forwardedFor.split(',').map((address) => plainAddress(address.trim())),
    plainAddress(peer),
  ]
  const known = chain.slice(chain.findLastIndex((address) => isIP(address) === 0) + 1)
  if (trusted.by === 'hops') return known.at(-1 - trusted.hops) ?? known[0] ?? plainAddress(peer)
  return known.findLast((address) => !isWithin(address, trusted.networks)) ?? known[0] ?? plainAddress(peer)
}

/** Whether the peer of the connection is a trusted proxy. */
export function isTrusted(peer: string, trusted: TrustedProxies): boolean {
  if (trusted.by === 'nobody') return false
  return trusted.by === 'hops' || isWithin(plainAddress(peer), trusted.networks)
}

const isWithin = (address: string, networks: BlockList): boolean => {
  const version = isIP(address)
  return version !== 0 && networks.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

const loopback = new BlockList()
for (const range of named['loopback'] ?? []) addRange(range, loopback)

export const isLoopback = (address: string): boolean => isWithin(plainAddress(address), loopback)

const privateNetworks = new BlockList()
for (const range of [...(named['loopback'] ?? []), ...(named['private'] ?? [])])
  addRange(range, privateNetworks)

/** Whether an address is on this machine or in a private network. */
export const isInsideNetwork = (address: string): boolean => isWithin(plainAddress(address), privateNetworks)

/** `::ffff:1.2.3.4` is an IPv4 address on an IPv6 socket; some proxies add a port or brackets. */
function plainAddress(address: string): string {
  if (!address.includes(':')) return address
  const bare = address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^::ffff:(?=\d+\.)/i, '')
  return bare.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
}
