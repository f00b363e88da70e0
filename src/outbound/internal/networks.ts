import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6
export type Network = [IpAddress, number]

/** Parses "10.0.0.0/8" or a single address; undefined for every other notation. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', bits] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%')) return undefined
  const most = version === 6 ? 128 : 32
  const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
  return length >= 0 && length <= most ? [ipaddr.parse(address), length] : undefined
}

/** Whether an address is in one of the networks; an IPv6 address that embeds an IPv4 one counts as that. */
export function isInNetworks(networks: readonly Network[], address: IpAddress): boolean {
  return networks.some(
    ([network, length]) => network.kind() === address.kind() && address.match([network, length] as never), // the kinds are the same
  )
}

const networksOf = (texts: readonly string[]): Network[] =>
  texts.flatMap((text) => {
    const network = parseNetwork(text)
    return network ? [network] : []
  })

/** Networks that are not globally reachable. https://www.iana.org/assignments/iana-ipv4-special-registry */
export const closedNetworks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
  '::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
] as const

const closedRanges = networksOf(closedNetworks)

/** IPv6 networks whose addresses embed an IPv4 address, and the byte at which it begins. */
const embeddedIpv4Networks: readonly { network: Network; from: number }[] = [
  ['::ffff:0:0/96', 12],
  ['64:ff9b::/96', 12],
  ['2002::/16', 2],
].flatMap(([text, from]) => {
  const network = parseNetwork(String(text))
  return network ? [{ network, from: Number(from) }] : []
})

/** Returns the address that a packet finally reaches, with embedded IPv4 addresses unwrapped. */
export function effectiveAddress(text: string): IpAddress | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined
  const address = ipaddr.parse(text)
  const wrapper = embeddedIpv4Networks.find(({ network }) => isInNetworks([network], address))
  if (!wrapper) return address
  return new ipaddr.IPv4(address.toByteArray().slice(wrapper.from, wrapper.from + 4))
}

/** Whether this is a globally reachable address. */
export function isPublicAddress(text: string): boolean {
  const address = effectiveAddress(text)
  return address !== undefined && !isInNetworks(closedRanges, address)
}
