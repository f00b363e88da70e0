import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Network = [Address, number]

/** "10.0.0.0/8" or a single address; undefined for anything else, however an inventive parser might read it. */
export function readNetwork(text: string): Network | undefined {
  const [address = '', bits] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%')) return undefined
  const most = version === 6 ? 128 : 32
  const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
  return length >= 0 && length <= most ? [ipaddr.parse(address), length] : undefined
}

/** Whether an address lies in one of the networks; one of IPv6 that only wraps one of IPv4 lies where that does. */
export function isIn(networks: readonly Network[], address: Address): boolean {
  return networks.some(
    ([network, length]) => network.kind() === address.kind() && address.match([network, length] as never), // the kinds are the same
  )
}

const networksOf = (texts: readonly string[]): Network[] =>
  texts.flatMap((text) => {
    const network = readNetwork(text)
    return network ? [network] : []
  })

/** Nothing that is reached from everywhere is in these. https://www.iana.org/assignments/iana-ipv4-special-registry */
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

const closed = networksOf(closedNetworks)

/** Where the four bytes of an address of IPv4 stand in those of IPv6 that carry one. */
const wrappers: readonly { network: Network; from: number }[] = [
  ['::ffff:0:0/96', 12],
  ['64:ff9b::/96', 12],
  ['2002::/16', 2],
].flatMap(([text, from]) => {
  const network = readNetwork(String(text))
  return network ? [{ network, from: Number(from) }] : []
})

/** What a packet to this address would reach in the end. */
export function meant(text: string): Address | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined
  const address = ipaddr.parse(text)
  const wrapper = wrappers.find(({ network }) => isIn([network], address))
  if (!wrapper) return address
  return new ipaddr.IPv4(address.toByteArray().slice(wrapper.from, wrapper.from + 4))
}

/** Whether this is an address of the open internet, the same for everybody. */
export function isOpen(text: string): boolean {
  const address = meant(text)
  return address !== undefined && !isIn(closed, address)
}
