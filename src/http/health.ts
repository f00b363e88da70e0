import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describeConfinement } from '#engine/confinement'
import type { EngineHealth } from '#engine/engine'
import type { DeliveryTrouble } from '#dispatch/delivery-troubles'
import type { ChildHealth } from '#processes/supervise'
import { type CollectionState, describeTrouble } from '#ingest/collection-state'
import { answerJson } from './json-response'
import { refuse } from './refusals'
import type { Exchange, TrustedRequest } from './trusted-request'
import type { DiskSpace } from '#server/start/disk-space'
import { isLoopback } from './trusted-proxies'

/** A part of readiness; `status` is public, the rest is for operators. */
export interface ReadinessPart {
  ok: boolean
  status: string
  trouble?: string
  restarts?: number
  version?: string
  /** The confinement of the engine's process. */
  confinement?: string
  /** The capabilities that the engine refuses, with their consequences. */
  doneWithout?: readonly string[]
  since?: Date
  /** The number of events on disk that are not stored yet. */
  backlog?: number
}

interface Readiness {
  /** Whether events are accepted, queries answered and pages served. */
  ready: boolean
  parts: Record<string, ReadinessPart>
}

/** The parts of readiness; absent parts are still starting. */
export interface HealthProbes {
  engine?: { health: () => EngineHealth }
  store?: {
    ping: () => Promise<void>
    /** The time for which each copy in memory could not be read again after a change. */
    staleMs?: () => Readonly<Record<string, number>>
  }
  disk?: () => Promise<DiskSpace>
  pages?: { health: () => ChildHealth }
  collection?: () => CollectionState
  deliveries?: () => Promise<readonly DeliveryTrouble[]>
  /** Set while a front that was told to stop still answers, so that a load balancer sends no more. */
  stopping?: true | undefined
}

const storeAnswersWithinMs = 2000
/** More than there are statements in line before the query: each is a turn of the event loop. */
const turnsToRead = 30
/** Reading again after a change takes less, even with many posts. */
const mostStaleMs = 10_000

const alive = '{"status":"alive"}\n'
const aliveHeaders = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'content-length': String(alive.length),
}

/** Monitors request this every second, so it has no rules, no id and no log. */
export function answerHealth(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, aliveHeaders)
  response.end(request.method === 'HEAD' ? undefined : alive)
}

export async function answerReadiness(
  { request, response, trustedRequest }: Exchange,
  probes: HealthProbes,
  token: string | undefined,
): Promise<void> {
  const all = await readiness(probes)
  const shownReadiness = maySeeDetail(request, trustedRequest, token) ? all : withoutDetail(all)
  if (!all.ready) response.setHeader('retry-after', '1')
  answerJson(response, all.ready ? 200 : 503, shownReadiness)
}

export async function answerMetrics(
  { request, response, trustedRequest }: Exchange,
  metrics: { text: () => Promise<string>; contentType: string },
  token: string | undefined,
): Promise<void> {
  if (!maySeeDetail(request, trustedRequest, token)) return refuse(request, response, 'no-access', 'line')
  const text = await metrics.text()
  response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' })
  response.end(request.method === 'HEAD' ? undefined : text)
}

/** Computes readiness. Pages are a part of it, because load balancers also send visitors of the site. */
export async function readiness(probes: HealthProbes): Promise<Readiness> {
  const [store, disk, deliveries] = await Promise.all([
    storePart(probes.store),
    diskPart(probes),
    probes.deliveries && deliveriesPart(probes.deliveries),
  ])
  const parts = {
    store,
    engine: enginePart(probes.engine),
    disk,
    pages: pagesPart(probes.pages),
    ...(probes.collection && { collection: collectionPart(probes.collection()) }),
    ...(deliveries && { deliveries }),
    ...(probes.stopping && { front: { ok: false, status: 'stopping' } }),
  }
  return { ready: Object.values(parts).every((part) => part.ok), parts }
}

const starting: ReadinessPart = { ok: false, status: 'starting' }

async function storePart(store: HealthProbes['store']): Promise<ReadinessPart> {
  if (!store) return starting
  const answer = await Promise.race([store.ping().then(() => 'ready', reasonOf), storeTimeOut()])
  if (answer !== 'ready') return { ok: false, status: 'unreachable', trouble: answer }
  const stale = Object.entries(store.staleMs?.() ?? {}).filter(([, ms]) => ms > mostStaleMs)
  if (stale.length === 0) return { ok: true, status: 'ready' }
  const since = Math.round(Math.max(...stale.map(([, ms]) => ms)) / 1000)
  const names = stale.map(([name]) => name).join(', ')
  const trouble = `Changes of ${names} could not be read for ${since} seconds; earlier ones are served. The log says why.`
  return { ok: true, status: 'degraded', trouble }
}

const reasonOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem))

/** A process that was stopped meanwhile, or got none of the processor, has yet to read the answer that arrived. */
async function storeTimeOut(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, storeAnswersWithinMs).unref())
  for (let turn = 0; turn < turnsToRead; turn++) await new Promise((resolve) => setImmediate(resolve))
  return `The store did not answer within ${storeAnswersWithinMs} ms.`
}

function enginePart(engine: HealthProbes['engine']): ReadinessPart {
  if (!engine) return starting
  const { status, trouble, restarts, version, since, confinement, doneWithout = [] } = engine.health()
  const walls = confinement && describeConfinement(confinement)
  return {
    ok: status === 'ready',
    status,
    trouble,
    restarts,
    version,
    confinement: walls,
    ...(doneWithout.length > 0 && { doneWithout }),
    since,
  }
}

async function diskPart({ disk }: HealthProbes): Promise<ReadinessPart> {
  if (!disk) return starting
  const { trouble } = await disk()
  return trouble ? { ok: false, status: 'full', trouble } : { ok: true, status: 'ready' }
}

/** Only trouble that keeps events from being stored makes the part unhealthy; other troubles are listed. */
function collectionPart({ backlog, oldestAt, troubles }: CollectionState): ReadinessPart {
  const words = troubles.map(describeTrouble)
  const status = words.some(({ blocks }) => blocks) ? 'stuck' : words.length > 0 ? 'degraded' : 'ready'
  const trouble = troubleText(words)
  return {
    ok: status !== 'stuck',
    status,
    ...(trouble !== '' && { trouble }),
    backlog,
    ...(oldestAt !== undefined && { since: new Date(oldestAt) }),
  }
}

/** Deliveries wait in the store, so no receiver makes the front unready, and neither does a store that says nothing of them. */
async function deliveriesPart(read: NonNullable<HealthProbes['deliveries']>): Promise<ReadinessPart> {
  const troubles = await Promise.race([read().catch(reasonOf), storeTimeOut()])
  if (typeof troubles === 'string') return { ok: true, status: 'unknown', trouble: troubles }
  if (troubles.length === 0) return { ok: true, status: 'ready' }
  return { ok: true, status: 'degraded', trouble: troubleText(troubles) }
}

const troubleText = (troubles: readonly DeliveryTrouble[]): string =>
  troubles.map(({ title, remedy }) => `${title}. ${remedy}`).join(' ')

function pagesPart(pages: HealthProbes['pages']): ReadinessPart {
  if (!pages) return starting
  const { status, trouble, restarts, since } = pages.health()
  return { ok: status === 'ready', status, trouble, restarts, since }
}

/** The public response: the unhealthy parts without their reasons. */
const withoutDetail = ({ ready, parts }: Readiness): Readiness => ({
  ready,
  parts: Object.fromEntries(Object.entries(parts).map(([name, { ok, status }]) => [name, { ok, status }])),
})

/**
 * Whether a client may read metrics and details: with the token if one is set, otherwise only from this machine. A
 * request through a proxy on this machine does not count as local.
 */
function maySeeDetail(
  request: IncomingMessage,
  trustedRequest: TrustedRequest,
  token: string | undefined,
): boolean {
  if (token !== undefined) return isToken(request.headers.authorization, token)
  return (
    isLoopback(request.socket.remoteAddress ?? '') &&
    !trustedRequest.isForwarded &&
    namesThisMachine(trustedRequest.host)
  )
}

/** Compares digests, so that timing reveals neither length nor content. */
function isToken(authorization: string | undefined, token: string): boolean {
  const [, sent = ''] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  return timingSafeEqual(hash('sha256', sent, 'buffer'), hash('sha256', token, 'buffer'))
}

const namesThisMachine = (host: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i.test(host)
