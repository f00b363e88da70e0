import { parse } from 'tldts'
import { memoize } from './memoize'

/** The parts of a host that identify its site. */
interface HostParts {
  /** The registrable domain: `example.co.uk` of `shop.example.co.uk`; the host itself if there is none. */
  domain: string
  /** The host without its public suffix: `shop.example`; '' if nothing remains. */
  withoutSuffix: string
}

/** Private suffixes count: `ann.github.io` and `ben.github.io` belong to different owners. */
const parseHostParts = (host: string): HostParts => {
  const { domain, hostname, publicSuffix } = parse(host, { allowPrivateDomains: true, extractHostname: true })
  const name = hostname ?? host
  if (domain === null || publicSuffix === null) return { domain: name, withoutSuffix: '' }
  return { domain, withoutSuffix: name.slice(0, -publicSuffix.length - 1) }
}

export const hostPartsOf = memoize(10_000, parseHostParts)

export const isSameSite = (one: string, other: string): boolean =>
  one === other || hostPartsOf(one).domain === hostPartsOf(other).domain
