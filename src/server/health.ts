import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { EngineHealth } from '../engine/engine'
import type { ChildHealth } from '../processes/supervise'
import type { Arrival } from './arrival'
import type { DiskRoom } from './disk-room'
import { isLoopback } from './trusted-proxies'

/** One of the things that must be well; `status` is for anybody, the rest for whoever looks after this Tilth. */
interface Part {
  ok: boolean
  status: string
  trouble?: string
  restarts?: number
  version?: string
  since?: Date
}

export interface Readiness {
  /** Events are accepted and questions answered. */
  ready: boolean
  parts: Record<string, Part>
}

/** What readiness is made of; absent parts are still starting. */
export interface Vitals {
  engine?: { health: () => EngineHealth }
  store?: { ping: () => Promise<void> }
  disk?: () => Promise<DiskRoom>
  pages?: { health: () => ChildHealth }
}

const storeAnswersWithinMs = 2000

/** Pages are told of, but people who look at them are not why events are collected: they may be away. */
export async function readiness(vitals: Vitals): Promise<Readiness> {
  const needed = {
    store: await storePart(vitals.store),
    engine: enginePart(vitals.engine),
    disk: await diskPart(vitals),
  }
  return {
    ready: Object.values(needed).every((part) => part.ok),
    parts: { ...needed, pages: pagesPart(vitals.pages) },
  }
}

const starting: Part = { ok: false, status: 'starting' }

async function storePart(store: Vitals['store']): Promise<Part> {
  if (!store) return starting
  const answer = await Promise.race([
    store.ping().then(() => 'ready', reasonOf),
    giveUp(storeAnswersWithinMs),
  ])
  return answer === 'ready'
    ? { ok: true, status: 'ready' }
    : { ok: false, status: 'unreachable', trouble: answer }
}

const reasonOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem))

const giveUp = (ms: number): Promise<string> =>
  new Promise((resolve) => setTimeout(() => resolve(`The store did not answer within ${ms} ms.`), ms).unref())

function enginePart(engine: Vitals['engine']): Part {
  if (!engine) return starting
  const { status, trouble, restarts, version, since } = engine.health()
  return { ok: status === 'ready', status, trouble, restarts, version, since }
}

async function diskPart({ disk }: Vitals): Promise<Part> {
  if (!disk) return starting
  const { trouble } = await disk()
  return trouble ? { ok: false, status: 'full', trouble } : { ok: true, status: 'ready' }
}

function pagesPart(pages: Vitals['pages']): Part {
  if (!pages) return starting
  const { status, trouble, restarts, since } = pages.health()
  return { ok: status === 'ready', status, trouble, restarts, since }
}

/** The answer for anybody: which part is not well, but not why. */
export const withoutDetail = ({ ready, parts }: Readiness): Readiness => ({
  ready,
  parts: Object.fromEntries(Object.entries(parts).map(([name, { ok, status }]) => [name, { ok, status }])),
})

/**
 * Who may read metrics and detail: with a token set, whoever sends it; without one, somebody on this machine. A proxy
 * on this machine is not somebody, so a request that went through one is not believed to come from here.
 */
export function maySeeDetail(request: IncomingMessage, arrival: Arrival, token: string | undefined): boolean {
  if (token !== undefined) return isToken(request.headers.authorization, token)
  return (
    isLoopback(request.socket.remoteAddress ?? '') && !arrival.isForwarded && namesThisMachine(arrival.host)
  )
}

/** Compared as digests, so that neither length nor content can be felt out by the clock. */
function isToken(authorization: string | undefined, token: string): boolean {
  const [, sent = ''] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  return timingSafeEqual(hash('sha256', sent, 'buffer'), hash('sha256', token, 'buffer'))
}

const namesThisMachine = (host: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i.test(host)
