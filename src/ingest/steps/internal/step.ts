import type {
  EventDraft,
  PreparedEvent,
  DropReason,
  Envelope,
  IncomingEvent,
  Json,
  Properties,
} from '#events/event'
import type { World } from '#world/world'
import type { Counts } from '../../counts'
import type { PlaceLookup } from '../../places'
import type { EventQuota } from '../../quota'
import type { Salts } from '../../salts'
import type { SessionCache } from '../../sessions'
import type { IngestRules } from '../../settings'
import type { PageAddress } from './addresses'
import type { Referrer } from './referrer'

/** Dependencies of the steps: everything with a clock, a cache or a file behind it. */
export interface IngestContext {
  world: World
  places: PlaceLookup
  salts: Salts
  sessions: SessionCache
  counts: Counts
  quota: EventQuota
  surveys: SurveyEventRules
  rulesOf(projectId: number): IngestRules
}

/** Judges events about surveys, whose definitions another module keeps. */
interface SurveyEventRules {
  objectionTo(event: {
    projectId: number
    name: string
    at: Date
    receivedAt: Date
    properties: Properties
    isHistorical: boolean
    isTrusted: boolean
  }): DropReason | undefined
  /** Resolves once what follows from the events that were kept is stored; absent where nothing does. */
  saved?(answers: readonly PreparedEvent[]): Promise<void>
}

/** A draft with values that one step passes to a later one. They are not stored. */
export interface PipelineDraft extends EventDraft {
  /** The visitor's address, also if a server sends the event; '' if unknown. */
  address: string
  userAgent: string
  /** Whether a server sent this event for the visitor. */
  fromServer: boolean
  page: PageAddress | undefined
  referrer: Referrer
  /** Properties that a step adds. */
  notes: Record<string, string>
  /** The properties to store beside the columns. */
  properties: Record<string, string>
}

/** Creates a draft that contains only the client's event. */
export const createPipelineDraft = (
  event: IncomingEvent,
  { receivedAt, fromServer }: Envelope,
): PipelineDraft => ({
  event,
  at: receivedAt,
  distinctId: '',
  isCookieless: false,
  sessionId: '',
  columns: {},
  address: '',
  userAgent: '',
  fromServer: event.fromServer ?? fromServer,
  page: undefined,
  referrer: { from: 'nowhere' },
  notes: {},
  properties: {},
})

/** The context of a step: the request and the rules. */
export interface StepContext {
  envelope: Envelope
  rules: IngestRules
  ingest: IngestContext
}

/** Adds facts to the draft, or returns the reason why the event is dropped. */
export type IngestStep = (draft: PipelineDraft, arrival: StepContext) => DropReason | void

/** Returns a property as text; '' if it is missing or not a text. */
export function textOf(properties: Properties, key: string): string {
  const value: Json | undefined = properties[key]
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' ? String(value) : ''
}

/** Returns the first non-empty text of these properties. */
export function firstTextOf(properties: Properties, keys: readonly string[]): string {
  for (const key of keys) {
    const text = textOf(properties, key)
    if (text !== '') return text
  }
  return ''
}

/** Returns a number, also from a text; undefined for anything else. */
export function numberOf(properties: Properties, key: string): number | undefined {
  const value: Json | undefined = properties[key]
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Cuts a text to so many characters, never within a surrogate pair. */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  const isHalf = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, isHalf ? most - 1 : most)
}
