import type { Draft, DropReason, Envelope, IncomingEvent, Json, Properties } from '../../events/event'
import type { World } from '../../world/world'
import type { Counts } from '../counts'
import type { Places } from '../places'
import type { Quota } from '../quota'
import type { Salts } from '../salts'
import type { SessionMemory } from '../sessions'
import type { IngestRules } from '../settings'
import type { PageAddress } from './addresses'
import type { Referrer } from './referrer'

/** What the steps borrow of the house: everything with a clock, a memory or a file behind it. */
export interface House {
  world: World
  places: Places
  salts: Salts
  sessions: SessionMemory
  counts: Counts
  quota: Quota
  rulesOf(projectId: number): IngestRules
}

/** A draft with what the steps tell one another; nobody after them hears of it. */
export interface Underway extends Draft {
  /** Of the visitor, even where a server speaks for one. '' when nobody said. */
  address: string
  userAgent: string
  page: PageAddress | undefined
  referrer: Referrer
  /** Properties that a step adds because something is worth knowing. */
  notes: Record<string, string>
  /** What is kept beside the columns. */
  properties: Record<string, string>
}

/** An event of which nothing is known yet but what its sender said. */
export const underway = (event: IncomingEvent, { receivedAt }: Envelope): Underway => ({
  event,
  at: receivedAt,
  distinctId: '',
  isCookieless: false,
  sessionId: '',
  columns: {},
  address: '',
  userAgent: '',
  page: undefined,
  referrer: { from: 'nowhere' },
  notes: {},
  properties: {},
})

/** How the event came, and what is asked on its way. */
export interface Arrival {
  envelope: Envelope
  rules: IngestRules
  house: House
}

/** Adds what it knows to the draft, or says why the event is not kept. */
export type Step = (draft: Underway, arrival: Arrival) => DropReason | void

/** What a sender said, as text: '' where it said nothing, or something that is no text. */
export function textOf(properties: Properties, key: string): string {
  const said: Json | undefined = properties[key]
  if (typeof said === 'string') return said.trim()
  return typeof said === 'number' ? String(said) : ''
}

/** The first of these properties with something in it. */
export function firstTextOf(properties: Properties, keys: readonly string[]): string {
  for (const key of keys) {
    const text = textOf(properties, key)
    if (text !== '') return text
  }
  return ''
}

/** A number, also where it was sent as text; undefined for everything else. */
export function numberOf(properties: Properties, key: string): number | undefined {
  const said: Json | undefined = properties[key]
  const number = typeof said === 'string' && said.trim() !== '' ? Number(said) : said
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** At most so many characters, and never half of one. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  const isHalf = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, isHalf ? most - 1 : most)
}
