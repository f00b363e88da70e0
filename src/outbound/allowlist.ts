import {
  closedNetworks,
  effectiveAddress,
  isInNetworks,
  type Network,
  parseNetwork,
} from './internal/networks'

/** Private networks and hosts that requests may reach, from TILTH_OUTBOUND_ALLOW. */
export interface OutboundAllowlist {
  networks: readonly Network[]
  /** Host names with a port, or without one for the usual ports. */
  hosts: readonly { host: string; port: number | undefined }[]
}

export const emptyAllowlist: OutboundAllowlist = { networks: [], hosts: [] }

/** "10.1.0.0/16, hooks.internal:9000"; undefined when part of it is neither a network nor a host. */
export function parseAllowlist(text: string): OutboundAllowlist | undefined {
  const parts = text.split(/[\s,]+/).filter(Boolean)
  const read = parts.map((part) => ({ network: parseNetwork(part), host: parseHost(part) }))
  if (read.length === 0) return undefined
  if (read.some(({ network, host }) => !network && !host)) return undefined
  return {
    networks: read.flatMap(({ network }) => (network ? [network] : [])),
    hosts: read.flatMap(({ network, host }) => (host && !network ? [host] : [])),
  }
}

function parseHost(part: string): OutboundAllowlist['hosts'][number] | undefined {
  const [, host, port] = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/i.exec(part) ?? []
  if (!host || Number(port ?? 0) > 65_535) return undefined
  return { host: normalizeHost(host), port: port === undefined ? undefined : Number(port) }
}

/** Normalizes a host for comparison: lower case, no brackets, no trailing dot. */
export const normalizeHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')

const usualPorts = new Set([80, 443])
/** Lower ports belong to other services, whose protocols a request could imitate. */
const firstFreePort = 8000

export function allowsPort({ hosts }: OutboundAllowlist, host: string, port: number): boolean {
  if (usualPorts.has(port) || port >= firstFreePort) return true
  return hosts.some((allowed) => allowed.host === host && allowed.port === port)
}

/** Whether a private address is allowed, by its network or by the host name that resolved to it. */
export function allowsAddress(
  { networks, hosts }: OutboundAllowlist,
  host: string,
  port: number,
  address: string,
): boolean {
  const target = effectiveAddress(address)
  if (target && isInNetworks(networks, target)) return true
  return hosts.some((one) => one.host === host && (one.port === undefined || one.port === port))
}

/** An allowlist as text, for a process that checks its connections itself. */
export interface WrittenAllowlist {
  /** Whether the open internet may be reached, besides what is named. */
  reachesInternet: boolean
  hosts: OutboundAllowlist['hosts']
  networks: readonly string[]
  /** Networks that are not the open internet. */
  closed: readonly string[]
}

/** Their addresses lead to IPv4 addresses, which the other process would have to take out of them. */
const translatedNetworks = ['64:ff9b::/96', '2002::/16']

/** An allowlist that names all there is; without one, the open internet may be reached, and nothing else. */
export function writeAllowlist(allowlist: OutboundAllowlist | undefined): WrittenAllowlist {
  const { hosts, networks } = allowlist ?? emptyAllowlist
  return {
    reachesInternet: allowlist === undefined,
    hosts,
    networks: networks.map(([address, bits]) => `${address.toString()}/${bits}`),
    closed: [...closedNetworks, ...translatedNetworks],
  }
}
