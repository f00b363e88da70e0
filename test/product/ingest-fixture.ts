import { createHash } from 'node:crypto'
import type { Envelope, IncomingEvent, PreparationOutcome, PreparedEvent, Properties } from '#events/event'
import { Counts } from '#ingest/counts'
import type { Place, PlaceLookup } from '#ingest/places'
import { type IngestContext, prepare } from '#ingest/prepare'
import { EventQuota } from '#ingest/quota'
import { Salts, type SaltStorage } from '#ingest/salts'
import { SessionCache } from '#ingest/sessions'
import { projectIngestSettings, compileIngestRules } from '#ingest/settings'
import type { World } from '#world/world'

/** A world whose clock is set by hand, forwards and back. */
interface SettableWorld extends World {
  set(time: string): void
}

export const noon = '2026-03-02T12:00:00.000Z'

/** Its chance comes from the seed alone. */
export function aSetWorld(time: string = noon, seed = 'tilth'): SettableWorld {
  let now = new Date(time)
  let drawn = 0
  return {
    now: () => now,
    random: (bytes) => createHash('shake256', { outputLength: bytes }).update(`${seed} ${drawn++}`).digest(),
    set: (other) => (now = new Date(other)),
  }
}

/** Salts kept nowhere: what the last save wrote can be looked at. */
export function aSaltKeeper(text?: string): SaltStorage & { kept: string | undefined } {
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

/** Places by their address. */
const somePlaces = (known: Readonly<Record<string, Place>> = {}): PlaceLookup => ({
  find: (address) => (Object.hasOwn(known, address) ? known[address] : undefined),
})

export const berlin: Place = { country: 'DE', region: 'Berlin', city: 'Berlin' }

/** Settings as a member would write them: only the differences from the defaults. */
export type IngestChoices = Parameters<typeof projectIngestSettings.parse>[0]

export async function anIngestContext(
  world: World = aSetWorld(),
  settings: IngestChoices = {},
): Promise<IngestContext> {
  const rules = compileIngestRules(projectIngestSettings.parse(settings))
  const fail = (error: unknown) => {
    throw error
  }
  return {
    world,
    places: somePlaces({ '198.51.100.23': berlin }),
    salts: await Salts.open(world, aSaltKeeper(), fail),
    sessions: new SessionCache(1000),
    counts: new Counts(),
    quota: new EventQuota(world),
    surveys: { objectionTo: () => undefined },
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
export function expectKept(event: IncomingEvent, envelope: Envelope, context: IngestContext): PreparedEvent {
  const prepared: PreparationOutcome = prepare(event, envelope, context)
  if (!prepared.kept) throw new Error(`The event was dropped: ${prepared.reason}.`)
  return prepared.event
}

/** Why it was dropped; undefined when it was kept. */
export function expectDropped(
  event: IncomingEvent,
  envelope: Envelope,
  context: IngestContext,
): string | undefined {
  const prepared = prepare(event, envelope, context)
  return prepared.kept ? undefined : prepared.reason
}
