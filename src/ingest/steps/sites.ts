import { parse } from 'tldts'
import { memoize } from './memoize'

/** The parts of a host that identify its site. */
export interface HostParts {
  /** What one registers: `example.co.uk` of `shop.example.co.uk`; the host itself where nothing is registered. */
  domain: string
  /** The host with its public suffix left out: `shop.example`; '' without one. */
  withoutSuffix: string
}

/** Private suffixes count: `ann.github.io` and `ben.github.io` are two people's sites. */
const parseHostParts = (host: string): HostParts => {
  const { domain, hostname, publicSuffix } = parse(host, { allowPrivateDomains: true, extractHostname: true })
  const name = hostname ?? host
  if (domain === null || publicSuffix === null) return { domain: name, withoutSuffix: '' }
  return { domain, withoutSuffix: name.slice(0, -publicSuffix.length - 1) }
}

export const hostPartsOf = memoize(10_000, parseHostParts)

export const isSameSite = (one: string, other: string): boolean =>
  one === other || hostPartsOf(one).domain === hostPartsOf(other).domain
