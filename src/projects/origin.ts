import { isIPv4, isIPv6 } from 'node:net'
import type { RequestOrigin } from './access'

/** The origin of a request, without what may not be stored. */
export function requestOrigin(request: {
  address: string
  userAgent: string
  requestId: string
}): RequestOrigin {
  return {
    address: networkOf(request.address),
    client: clientName(request.userAgent),
    requestId: request.requestId,
  }
}

/** Shortens an address: 203.0.113.7 to 203.0.113.0/24, IPv6 to its /48. Enough to recognise a network, not a person. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIPv4(plain)) return plain.replace(/\.\d+$/, '.0/24')
  return isIPv6(plain) ? `${firstGroups(plain)}::/48` : ''
}

/** Formats a stored network; the loopback networks are shown as this machine. */
export function networkText(network: string): string {
  if (network === networkOf('::1') || network === networkOf('127.0.0.1')) return 'this machine'
  return network || 'an unknown network'
}

/** The network whose guesses are throttled together: a /24, or the /64 of one IPv6 subscriber. */
export function throttledNetworkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIPv6(plain) ? `${firstGroups(plain, 4)}::/64` : networkOf(plain)
}

function firstGroups(address: string, count = 3): string {
  const [head = '', tail = ''] = address.split('%')[0]?.split('::') ?? []
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after]
    .slice(0, count)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** The first match wins. A browser comes before those it imitates: Edge claims to be Chrome, Chrome to be Safari. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
]

const systems: readonly [RegExp, string][] = [
  [/\biPhone|\biPad|\biPod/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X|\bMacintosh/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** "Firefox on Linux", by which people recognise their sessions. */
export function clientName(userAgent: string): string {
  const browser = nameIn(userAgent, browsers)
  const system = nameIn(userAgent, systems)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'an unknown client'
}

const nameIn = (userAgent: string, names: readonly [RegExp, string][]): string | undefined =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1]
