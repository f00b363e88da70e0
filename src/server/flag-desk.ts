import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Askings } from '../flags/askings'
import type { Deciding, DecisionRequest, Decisions } from '../flags/deciding'
import type { Definitions } from '../flags/definitions'
import type { Environments } from '../flags/environments'
import { type Flag, mainEnvironment } from '../flags/flag'
import { definitionsFor } from '../flags/posthog-form'
import type { Seal } from '../flags/sealed'
import { secretValue } from '../flags/secret-values'
import { type Asker, circumstancesOf, cookielessVisitor, placesReadyFor } from '../ingest/asker'
import type { House } from '../ingest/prepare'
import type { Keys } from '../projects/keys'
import type { Projects } from '../projects/projects'
import type { Store } from '../store/store'
import { type Wanted, wantedOf } from '../visits/wanted'
import type { Asking, Desk, NamedProject, WrittenDefinitions } from '../wire/dialect'
import { FlagListeners } from './flag-listeners'
import { SecretHolders } from './secret-holders'
import type { TryingLinks } from './trying-links'

/** What flags need of the house. */
export interface FlagParts {
  definitions: Definitions
  deciding: Pick<Deciding, 'decide'>
  environments: Pick<Environments, 'environmentNamed'>
  seal: Seal
  tryingLinks: Pick<TryingLinks, 'read'>
  askings: Pick<Askings, 'note'>
}

interface Ground {
  flags: FlagParts
  projects: Pick<Projects, 'named' | 'numbered'>
  keys: Pick<Keys, 'viewer'>
  store: Pick<Store, 'onChange'>
}

export interface FlagDesk {
  desk: Pick<
    Desk,
    | 'projectNamed'
    | 'projectOfSecret'
    | 'flagsOf'
    | 'decide'
    | 'definitions'
    | 'opened'
    | 'listen'
    | 'forcedBy'
  >
  close: () => void
}

/** The part of the desk where flags are asked for, and who may ask. */
export function openFlagDesk(ground: Ground, house: House): FlagDesk {
  const { flags } = ground
  const { definitions, seal, tryingLinks } = flags
  const written = writer(definitions)
  const secretHolders = new SecretHolders(ground)
  const listeners = new FlagListeners(written, house.world)
  const deaf = definitions.onChange((projectId) => listeners.changed(projectId))
  return {
    desk: {
      projectNamed: (name) => projectNamed(name, ground),
      projectOfSecret: (secret) => secretHolders.projectOf(secret),
      flagsOf: (projectId) => liveAmong(definitions.flagsOf(projectId)),
      decide: (asking) => {
        noteAsking(asking, flags)
        return decide(asking, flags, house)
      },
      definitions: written,
      opened: (flag, payload) => {
        noteOpening(flag, flags, house)
        return secretValue(flag, payload, seal)
      },
      listen: (listener) => listeners.listen(listener),
      forcedBy: (token) => tryingLinks.read(token),
    },
    close: () => {
      deaf()
      secretHolders.close()
    },
  }
}

/** An environment's key is its project's, and chooses that environment. */
function projectNamed(name: string, { projects, flags }: Ground): NamedProject | undefined {
  const project = projects.named(name)
  if (project) return project
  const environment = flags.environments.environmentNamed(name)
  const whole = environment && projects.numbered(environment.projectId)
  return whole && { ...whole, environment: environment.name, environmentKey: name }
}

const live = new WeakMap<readonly Flag[], readonly Flag[]>()

/** The same list is asked for by every request. */
function liveAmong(flags: readonly Flag[]): readonly Flag[] {
  const known = live.get(flags)
  if (known) return known
  const those = flags.filter(({ archivedAt }) => !archivedAt)
  live.set(flags, those)
  return those
}

/** Written once for each change: a hundred servers ask every half minute, and nearly always hear that it is the same. */
function writer(definitions: Definitions): (projectId: number, environment: string) => WrittenDefinitions {
  const known = new LRUCache<string, WrittenDefinitions & { of: string }>({ max: 200 })
  return (projectId, environment) => {
    const name = `${projectId} ${environment}`
    const of = definitions.fingerprint(projectId)
    const before = known.get(name)
    if (before?.of === of) return before
    const flags = liveAmong(definitions.flagsOf(projectId))
    const write = (those: readonly Flag[]) =>
      JSON.stringify(definitionsFor(those, environment, definitions.cohortsOf(projectId)))
    const text = write(flags)
    const uncounted = write(flags.map((flag) => ({ ...flag, version: 0 })))
    const made = { of, text, etag: tagOf(text), substance: tagOf(uncounted) }
    known.set(name, made)
    return made
  }
}

const tagOf = (text: string): string => hash('sha1', text, 'base64url')

function decide(
  asking: Asking,
  { definitions, deciding }: FlagParts,
  house: House,
): Decisions | Promise<Decisions> {
  const { environment, envelope } = asking
  const wanted = wantedOf(definitions.compiled(envelope.projectId, environment))
  const asker = { envelope, properties: asking.person, host: asking.host }
  const decideNow = () =>
    deciding.decide(envelope.projectId, environment, requestOf(asking, asker, wanted, house))
  // the first who asks waits for the places to be read, which are read by then for all others
  const places = wanted.place && asking.isToBePlaced ? placesReadyFor(asker, house) : undefined
  return places ? places.then(decideNow) : decideNow()
}

/** Those who tell nobody what they got; PostHog's SDKs send an event. */
const silent: ReadonlyMap<string, string> = new Map([
  ['ofrep', 'OpenFeature'],
  ['tilth', '/_tilth/flags'],
])

function noteAsking({ keys, environment, envelope }: Asking, { askings }: FlagParts): void {
  const client = silent.get(envelope.dialect)
  if (client === undefined) return
  const { projectId, receivedAt } = envelope
  for (const key of keys ?? [undefined]) askings.note({ projectId, environment, key, client }, receivedAt)
}

/** In which environment is not told to whoever opens it. */
function noteOpening({ projectId, key }: Flag, { askings }: FlagParts, { world }: House): void {
  const asking = { projectId, key, environment: mainEnvironment, client: 'a server with a secret key' }
  askings.note(asking, world.now())
}

function requestOf(asking: Asking, asker: Asker, wanted: Wanted, house: House): DecisionRequest {
  const { person, envelope, isToBePlaced } = asking
  const ofToday = asking.distinctId === undefined ? cookielessVisitor(asker, house) : undefined
  const seen = isToBePlaced ? asker : { ...asker, properties: { ...person, $geoip_disable: true } }
  return {
    distinctId: asking.distinctId ?? ofToday ?? '',
    // whoever has no id has no device that could be known again either
    deviceId: ofToday ?? asking.deviceId,
    anonymousId: asking.anonymousId,
    groups: asking.groups,
    personProperties: person,
    groupProperties: asking.groupProperties,
    ofRequest: wanted.circumstances ? circumstancesOf(seen, house) : undefined,
    flagKeys: asking.keys,
    contexts: asking.contexts,
    asks: envelope.fromServer ? 'server' : 'browser',
    now: envelope.receivedAt,
  }
}
