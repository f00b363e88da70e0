import { BlockList, isIP } from 'node:net'
import { z } from 'zod'
import type { TrafficKind } from '#events/event'
import { type CapturedKind, capturedKindNames, capturedKinds } from './captured-kinds'
import { channelTables, type ChannelTable } from './steps/internal/channels'

const addressShape = z
  .string()
  .trim()
  .refine((text) => parseNetworkRange(text) !== undefined, {
    error: 'Write an address such as "203.0.113.7" or a network such as "203.0.113.0/24".',
  })

const countryShape = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'Write the two letters of the country, such as "DE".')

const pageShape = z
  .string()
  .trim()
  .max(500, 'Use at most 500 characters for a page.')
  .startsWith('/', 'Begin a page with "/", such as "/admin*".')

const hostShape = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(\*\.)?[^\s/*]+$/, 'Write a host such as "example.com", or "*.example.com" for all below it.')

const wholeDays = 'Write a whole number of days, or nothing to keep them for ever.'

const days = (most: number) => z.int(wholeDays).min(1, wholeDays).max(most, wholeDays).optional()

const wholeEvents = 'Write a whole number of events, or nothing for no bound.'

/** The settings that a project's owners choose for incoming events. Every part has a default. */
export const projectIngestSettings = z.object({
  /** The hosts of the project's pages; events of other hosts are dropped. Empty allows every host. */
  hosts: z.array(hostShape).max(500).default([]),
  shields: z
    .object({
      /** Addresses and networks (CIDR) that are not counted, such as the office. */
      addresses: z.array(addressShape).max(500).default([]),
      countries: z.array(countryShape).max(250).default([]),
      /** Paths; `*` stands for any characters. */
      pages: z.array(pageShape).max(500).default([]),
    })
    .prefault({}),
  /** Kinds of traffic that are dropped and counted as dropped. The others are stored apart from people. */
  dropTraffic: z.array(z.enum(['ai', 'bot', 'feed'])).default([]),
  spamReferrers: z.enum(['drop', 'keep']).default('drop'),
  /** The kinds of events that PostHog's browser SDK captures by itself; kinds that are not listed are off. */
  capture: z
    .array(z.enum(capturedKindNames))
    .default(capturedKindNames.filter((kind) => capturedKinds[kind].isDefault)),
  /** The effect of a visitor's DNT or GPC signal: none, no persistent id, or no event. */
  optOut: z.enum(['ignore', 'cookieless', 'drop']).default('cookieless'),
  /** Whether the site distinguishes pages by the part after `#`. */
  hashRouting: z.boolean().default(false),
  /** The table by which channels are named: Google Analytics' default channel group, or PostHog's channel types. */
  channels: z.enum(channelTables).default('google'),
  /** The limit of events in a month. Further ones are dropped and counted as dropped. No limit if absent. */
  monthlyEvents: z.int(wholeEvents).min(1, wholeEvents).max(1e12, wholeEvents).optional(),
  /** The days after which data is deleted, including today. Kept forever if absent. */
  keep: z.object({ eventDays: days(36_500), auditDays: days(36_500) }).prefault({}),
})
export type ProjectIngestSettings = z.infer<typeof projectIngestSettings>

export const defaultIngestSettings: ProjectIngestSettings = projectIngestSettings.parse({})

/** The settings prepared for a check of every event. */
export interface IngestRules {
  isShieldedAddress(address: string): boolean
  isShieldedCountry(country: string): boolean
  isShieldedPage(path: string): boolean
  /** Always true if the project names no hosts. */
  isOwnHost(host: string): boolean
  /** Whether the project names its hosts. */
  namesHosts: boolean
  drops(traffic: TrafficKind): boolean
  dropsSpamReferrers: boolean
  captures(kind: CapturedKind): boolean
  optOut: ProjectIngestSettings['optOut']
  hashRouting: boolean
  channelTable: ChannelTable
  monthlyEvents: number | undefined
}

export function compileIngestRules(settings: ProjectIngestSettings): IngestRules {
  const { addresses, countries, pages } = settings.shields
  const dropped = new Set<TrafficKind>(settings.dropTraffic)
  const shieldedCountries = new Set(countries)
  return {
    isShieldedAddress: matchesAnyNetwork(addresses),
    isShieldedCountry: (country) => shieldedCountries.has(country),
    isShieldedPage: (path) => pages.some((pattern) => matchesPattern(path, pattern)),
    isOwnHost: matchesOwnHost(settings.hosts),
    namesHosts: settings.hosts.length > 0,
    drops: (traffic) => dropped.has(traffic),
    dropsSpamReferrers: settings.spamReferrers === 'drop',
    captures: (kind) => settings.capture.includes(kind),
    optOut: settings.optOut,
    hashRouting: settings.hashRouting,
    channelTable: settings.channels,
    monthlyEvents: settings.monthlyEvents,
  }
}

interface NetworkRange {
  address: string
  bits: number
  family: 'ipv4' | 'ipv6'
}

function parseNetworkRange(text: string): NetworkRange | undefined {
  const [address = '', prefix] = text.split('/')
  const version = isIP(address)
  if (version === 0) return undefined
  const most = version === 6 ? 128 : 32
  const bits = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  return bits <= most ? { address, bits, family: version === 6 ? 'ipv6' : 'ipv4' } : undefined
}

function matchesAnyNetwork(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => false
  const networks = new BlockList()
  for (const network of ranges.flatMap((range) => parseNetworkRange(range) ?? []))
    networks.addSubnet(network.address, network.bits, network.family)
  return (address) => {
    const version = isIP(address)
    return version !== 0 && networks.check(address, version === 6 ? 'ipv6' : 'ipv4')
  }
}

function matchesOwnHost(patterns: readonly string[]): (host: string) => boolean {
  if (patterns.length === 0) return () => true
  const exact = new Set(patterns.filter((pattern) => !pattern.startsWith('*.')))
  const endings = patterns.filter((pattern) => pattern.startsWith('*.')).map((pattern) => pattern.slice(1))
  return (host) => {
    const name = host.replace(/:\d+$/, '')
    return exact.has(host) || exact.has(name) || endings.some((ending) => name.endsWith(ending))
  }
}

/** Matches piece by piece from the left instead of with a regular expression, so that no pattern can make it slow. */
export function matchesPattern(text: string, pattern: string): boolean {
  const [start = '', ...rest] = pattern.split('*')
  const end = rest.pop()
  if (end === undefined) return text === pattern
  if (!text.startsWith(start)) return false
  let from = start.length
  for (const piece of rest) {
    const found = text.indexOf(piece, from)
    if (found === -1) return false
    from = found + piece.length
  }
  return text.length - end.length >= from && text.endsWith(end)
}
