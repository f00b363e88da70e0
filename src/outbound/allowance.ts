import { isIn, meant, type Network, readNetwork } from './networks'

/** What is reached although it is not on the open internet: the operator's own word, TILTH_OUTBOUND_ALLOW. */
export interface Allowance {
  networks: readonly Network[]
  /** Names, each with a port or, without one, with the usual ones. */
  hosts: readonly { host: string; port: number | undefined }[]
}

export const nothingMore: Allowance = { networks: [], hosts: [] }

/** "10.1.0.0/16, hooks.internal:9000"; undefined when part of it is neither a network nor a host. */
export function readAllowance(text: string): Allowance | undefined {
  const parts = text.split(/[\s,]+/).filter(Boolean)
  const read = parts.map((part) => ({ network: readNetwork(part), host: hostIn(part) }))
  if (read.length === 0) return undefined
  if (read.some(({ network, host }) => !network && !host)) return undefined
  return {
    networks: read.flatMap(({ network }) => (network ? [network] : [])),
    hosts: read.flatMap(({ network, host }) => (host && !network ? [host] : [])),
  }
}

function hostIn(part: string): Allowance['hosts'][number] | undefined {
  const [, host, port] = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/i.exec(part) ?? []
  if (!host || Number(port ?? 0) > 65_535) return undefined
  return { host: plainHost(host), port: port === undefined ? undefined : Number(port) }
}

/** As names are compared: without case, brackets, or the dot that ends a full name. */
export const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')

const usualPorts = new Set([80, 443])
/** Below that, other services live whose words could be put into a request. */
const firstFreePort = 8000

export function allowsPort({ hosts }: Allowance, host: string, port: number): boolean {
  if (usualPorts.has(port) || port >= firstFreePort) return true
  return hosts.some((one) => one.host === host && one.port === port)
}

/** Whether an address that is not on the open internet was allowed, by itself or by the name that led to it. */
export function allowsAddress(
  { networks, hosts }: Allowance,
  host: string,
  port: number,
  address: string,
): boolean {
  const reached = meant(address)
  if (reached && isIn(networks, reached)) return true
  return hosts.some((one) => one.host === host && (one.port === undefined || one.port === port))
}
