import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { FlagRequestCounts } from '#flags/request-counts/request-counts'
import type { FlagDecider, DecisionRequest, Decisions } from '#flags/flag-decider'
import type { FlagDefinitions } from '#flags/definitions'
import type { Environments } from '#flags/environments'
import { type Flag, mainEnvironment } from '#flags/flag'
import { definitionsFor } from '#flags/posthog-form'
import type { Seal } from '#flags/seal'
import { secretValue } from '#flags/secret-values'
import {
  type RequestVisitor,
  isCrawler,
  visitorPropertiesOf,
  cookielessVisitorId,
} from '#ingest/request-visitor'
import type { IngestContext } from '#ingest/prepare'
import type { Keys } from '#projects/keys'
import type { Projects } from '#projects/projects'
import type { Store } from '#store/store'
import { originalOf } from '../internal/originals'
import { type RequestNeeds, requestNeedsOf } from '../internal/request-needs'
import type {
  FlagRequest,
  WireServices,
  FlagListener,
  ForcedFlags,
  ResolvedProject,
  SerializedDefinitions,
} from '#wire/dialect'
import { beginRemoteVisit } from './internal/remote-visits'
import { FlagListeners } from './internal/flag-listeners'
import { SecretKeyCache } from './internal/secret-key-cache'
import type { OverrideLinks } from '#flags/override-links'

/** The flag services that this module builds on. */
interface FlagServicesParts {
  definitions: FlagDefinitions
  deciding: Pick<FlagDecider, 'decide'>
  environments: Pick<Environments, 'environmentNamed'>
  seal: Seal
  overrideLinks: Pick<OverrideLinks, 'read'>
  requestCounts: Pick<FlagRequestCounts, 'note'>
}

interface Dependencies {
  flags: FlagServicesParts
  projects: Pick<Projects, 'named' | 'numbered'>
  keys: Pick<Keys, 'viewer'>
  store: Pick<Store, 'onChange'>
}

export interface FlagWireServices {
  services: Pick<
    WireServices,
    | 'findProject'
    | 'findProjectBySecret'
    | 'flagsOf'
    | 'decide'
    | 'beginRemoteVisit'
    | 'flagDefinitions'
    | 'openPayload'
    | 'listenForFlagChanges'
    | 'findForcedFlags'
  >
  close: () => void
}

/** Opens the wire services that answer flag requests and check their keys. */
export function openFlagWireServices(dependencies: Dependencies, context: IngestContext): FlagWireServices {
  const { flags } = dependencies
  const { definitions, seal, overrideLinks } = flags
  const written = definitionsWriter(definitions)
  const secretHolders = new SecretKeyCache(dependencies)
  const listeners = new FlagListeners(written, context.world)
  const stopListening = definitions.onChange((projectId) => listeners.notify(projectId))
  // keys are reloaded some time after a change is announced, and there is no event to wait for
  const checking = setInterval(
    () => listeners.endRevoked((one) => stillNamesProject(one, dependencies)),
    keysCheckedMs,
  ).unref()
  const countAndDecide = (request: FlagRequest): Decisions | Promise<Decisions> => {
    countRequest(request, flags)
    return decide(request, flags, context)
  }
  const findForcedFlags = (token: string): ForcedFlags | undefined => overrideLinks.read(token)
  return {
    services: {
      findProject: (name) => projectNamed(name, dependencies),
      findProjectBySecret: (secret) => secretHolders.projectOf(secret),
      flagsOf: (projectId) => unarchivedFlags(definitions.flagsOf(projectId)),
      decide: countAndDecide,
      beginRemoteVisit: (request) =>
        beginRemoteVisit(request, { decide: countAndDecide, findForcedFlags, context }),
      flagDefinitions: written,
      openPayload: (flag, payload) => {
        countPayloadRequest(flag, flags, context)
        return secretValue(flag, payload, seal)
      },
      listenForFlagChanges: (listener) => listeners.add(listener),
      findForcedFlags,
    },
    close: () => {
      clearInterval(checking)
      stopListening()
      secretHolders.close()
    },
  }
}

/** Finds a project by its own key or an environment's key, which selects that environment. */
function projectNamed(name: string, { projects, flags }: Dependencies): ResolvedProject | undefined {
  const project = projects.named(name)
  if (project) return project
  const environment = flags.environments.environmentNamed(name)
  const whole = environment && projects.numbered(environment.projectId)
  return whole && { ...whole, environment: environment.name, environmentKey: name }
}

const keysCheckedMs = 2000

function stillNamesProject(
  { key, projectId, environment }: FlagListener,
  dependencies: Dependencies,
): boolean {
  const named = projectNamed(key, dependencies)
  return named?.id === projectId && (named.environment ?? mainEnvironment) === environment
}

const live = new WeakMap<readonly Flag[], readonly Flag[]>()

/** Cached, because every request needs the same list. */
function unarchivedFlags(flags: readonly Flag[]): readonly Flag[] {
  const known = live.get(flags)
  if (known) return known
  const flagsShown = flags.filter(({ archivedAt }) => !archivedAt)
  live.set(flags, flagsShown)
  return flagsShown
}

/**
 * Serialises definitions once for each change: a hundred servers request them every half minute, and nearly always get
 * "unchanged".
 */
function definitionsWriter(
  definitions: FlagDefinitions,
): (projectId: number, environment: string) => SerializedDefinitions {
  const known = new LRUCache<string, SerializedDefinitions & { of: string }>({ max: 200 })
  return (projectId, environment) => {
    const name = `${projectId} ${environment}`
    const of = definitions.fingerprint(projectId)
    const before = known.get(name)
    if (before?.of === of) return before
    const flags = unarchivedFlags(definitions.flagsOf(projectId))
    const write = (flagsShown: readonly Flag[]) =>
      JSON.stringify(definitionsFor(flagsShown, environment, definitions.cohortsOf(projectId)))
    const text = write(flags)
    const uncounted = write(flags.map((flag) => ({ ...flag, version: 0 })))
    const made = { of, text, etag: tagOf(text), substance: tagOf(uncounted) }
    known.set(name, made)
    return made
  }
}

const tagOf = (text: string): string => hash('sha1', text, 'base64url')

function decide(
  request: FlagRequest,
  { definitions, deciding }: FlagServicesParts,
  context: IngestContext,
): Decisions | Promise<Decisions> {
  const { environment, envelope } = request
  const neededInputs = requestNeedsOf(definitions.compiled(envelope.projectId, environment))
  const visitor = { envelope, properties: request.person, host: request.host }
  const flagRequest = requestOf(request, visitor, neededInputs, context)
  const decisions = deciding.decide(envelope.projectId, environment, flagRequest)
  // a crawler is shown by our own script what it is shown by our own pages
  if (envelope.dialect !== 'tilth' || envelope.fromServer || !isCrawler(visitor)) return decisions
  return decisions instanceof Promise ? decisions.then(withOriginals) : withOriginals(decisions)
}

const withOriginals = ({ decisions, isComplete }: Decisions): Decisions => ({
  decisions: decisions.map(originalOf),
  isComplete,
})

/** Dialects whose clients send no event about their decisions; PostHog's SDKs send one. */
const silentClients: ReadonlyMap<string, string> = new Map([
  ['ofrep', 'OpenFeature'],
  ['tilth', '/_tilth/flags'],
])

function countRequest(
  { keys, environment, envelope }: FlagRequest,
  { requestCounts }: FlagServicesParts,
): void {
  const client = silentClients.get(envelope.dialect)
  if (client === undefined) return
  const { projectId, receivedAt } = envelope
  for (const key of keys ?? [undefined])
    requestCounts.note({ projectId, environment, key, client }, receivedAt)
}

/** Counts the request in the main environment: a secret key names none. */
function countPayloadRequest(
  { projectId, key }: Flag,
  { requestCounts }: FlagServicesParts,
  { world }: IngestContext,
): void {
  const countedRequest = {
    projectId,
    key,
    environment: mainEnvironment,
    client: 'a server with a secret key',
  }
  requestCounts.note(countedRequest, world.now())
}

function requestOf(
  flagRequest: FlagRequest,
  visitor: RequestVisitor,
  neededInputs: RequestNeeds,
  context: IngestContext,
): DecisionRequest {
  const { person, envelope, mayLocate } = flagRequest
  const ofToday = flagRequest.distinctId === undefined ? cookielessVisitorId(visitor, context) : undefined
  const placedVisitor = mayLocate ? visitor : { ...visitor, properties: { ...person, $geoip_disable: true } }
  return {
    distinctId: flagRequest.distinctId ?? ofToday ?? '',
    // a visitor without an id has no device id either
    deviceId: ofToday ?? flagRequest.deviceId,
    anonymousId: flagRequest.anonymousId,
    groups: flagRequest.groups,
    personProperties: person,
    groupProperties: flagRequest.groupProperties,
    ofRequest: neededInputs.circumstances ? visitorPropertiesOf(placedVisitor, context) : undefined,
    flagKeys: flagRequest.keys,
    contexts: flagRequest.contexts,
    asks: flagRequest.asks ?? (envelope.fromServer ? 'server' : 'browser'),
    now: envelope.receivedAt,
  }
}
