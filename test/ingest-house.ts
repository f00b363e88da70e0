import { createHash } from 'node:crypto'
import type { Envelope, IncomingEvent, Prepared, PreparedEvent, Properties } from '../src/events/event'
import { Counts } from '../src/ingest/counts'
import type { Place, Places } from '../src/ingest/places'
import { type House, prepare } from '../src/ingest/prepare'
import { Quota } from '../src/ingest/quota'
import { Salts, type SaltKeeper } from '../src/ingest/salts'
import { SessionMemory } from '../src/ingest/sessions'
import { projectIngestSettings, rulesOf } from '../src/ingest/settings'
import type { World } from '../src/world/world'

/** A world whose clock is set by hand, forwards and back. */
export interface SetWorld extends World {
  set(time: string): void
}

export const noon = '2026-03-02T12:00:00.000Z'

/** Its chance comes from the seed alone. */
export function aSetWorld(time: string = noon, seed = 'tilth'): SetWorld {
  let now = new Date(time)
  let drawn = 0
  return {
    now: () => now,
    random: (bytes) => createHash('shake256', { outputLength: bytes }).update(`${seed} ${drawn++}`).digest(),
    set: (other) => (now = new Date(other)),
  }
}

/** Salts kept nowhere: what the last save wrote can be looked at. */
export function aSaltKeeper(text?: string): SaltKeeper & { kept: string | undefined } {
  return {
    kept: text,
    async load() {
      return this.kept
    },
    async save(next) {
      this.kept = next
    },
  }
}

/** Places by their address, all known from the start. */
export const somePlaces = (known: Readonly<Record<string, Place>> = {}): Places => ({
  at: (address) => (Object.hasOwn(known, address) ? known[address] : undefined),
  readyFor: () => undefined,
})

export const berlin: Place = { country: 'DE', region: 'Berlin', city: 'Berlin' }

/** Settings as somebody would write them: only what differs. */
export type IngestChoices = Parameters<typeof projectIngestSettings.parse>[0]

export async function aHouse(world: World = aSetWorld(), settings: IngestChoices = {}): Promise<House> {
  const rules = rulesOf(projectIngestSettings.parse(settings))
  const fail = (error: unknown) => {
    throw error
  }
  return {
    world,
    places: somePlaces({ '198.51.100.23': berlin }),
    salts: await Salts.open(world, aSaltKeeper(), fail),
    sessions: new SessionMemory(1000),
    counts: new Counts(),
    quota: new Quota(world),
    rulesOf: () => rules,
  }
}

export const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

export function anEvent(changes: Partial<IncomingEvent> = {}): IncomingEvent {
  return {
    uuid: undefined,
    name: '$pageview',
    distinctId: 'ana',
    timestamp: undefined,
    ageMs: undefined,
    properties: { $current_url: 'https://example.com/pricing' },
    hasPerson: true,
    person: { set: {}, setOnce: {}, unset: [], add: {} },
    identity: undefined,
    groups: {},
    group: undefined,
    ...changes,
  }
}

export const withProperties = (properties: Properties): IncomingEvent => anEvent({ properties })

export function anEnvelope(changes: Partial<Envelope> = {}): Envelope {
  return {
    projectId: 1,
    dialect: 'posthog',
    receivedAt: new Date(noon),
    sentAt: undefined,
    address: '198.51.100.23',
    userAgent: chrome,
    language: undefined,
    optedOut: false,
    fromServer: false,
    isHistorical: false,
    ...changes,
  }
}

/** Through all of prepare; fails where the event is dropped. */
export function kept(event: IncomingEvent, envelope: Envelope, house: House): PreparedEvent {
  const prepared: Prepared = prepare(event, envelope, house)
  if (!prepared.kept) throw new Error(`The event was dropped: ${prepared.reason}.`)
  return prepared.event
}

/** Why it was dropped; undefined when it was kept. */
export function dropped(event: IncomingEvent, envelope: Envelope, house: House): string | undefined {
  const prepared = prepare(event, envelope, house)
  return prepared.kept ? undefined : prepared.reason
}
