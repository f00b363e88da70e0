import type { IncomingMessage, ServerResponse } from 'node:http'
import { may } from '#projects/access'
import type { LiveEvent } from '#events/live-event'
import { mostPerSecond, type ProjectLiveEvent } from '#ingest/live-events'
import type { Product } from '#server/product'
import { refuse } from './refusals'
import type { Exchange } from './trusted-request'
import { authenticateMember, type ProjectSession } from './watched-session'

/** The number of latest events that a new watcher receives. */
const maxRemembered = 200
const heartbeatMs = 15_000
/** After these changes, the access of every watcher is checked again. */
const topicsOfAccess: ReadonlySet<string> = new Set(['members', 'sessions', 'projects'])

/** A watcher's session, and how to check it again later. */
interface WatchRequest extends ProjectSession {
  reauthenticate: () => Promise<ProjectSession | undefined>
}

/** Keeps the latest events in memory and sends new ones to watchers. The stored events are in the engine. */
export class LiveFeed {
  private readonly recent = new Map<number, LiveEvent[]>()
  /** Requests with an unknown key. Members who may change a project see them, so that a mistyped key is noticed. */
  private readonly unassigned: LiveEvent[] = []
  private readonly watchers = new Set<Watcher>()
  /** Sessions also expire, which is not announced as a change. */
  private readonly accessTimer = setInterval(
    () => void this.endForbidden().catch(this.onTrouble),
    heartbeatMs,
  ).unref()

  constructor(private readonly onTrouble: (problem: unknown) => void) {}

  publish({ projectId, liveEvent, omittedCount = 0 }: ProjectLiveEvent): void {
    if (projectId === undefined) return this.publishUnassigned(liveEvent)
    this.remember(projectId, liveEvent)
    for (const watcher of this.watchers)
      if (watcher.projectId === projectId) watcher.send(liveEvent, omittedCount)
  }

  /** Answers with a stream that ends when the client disconnects. */
  addWatcher(watchRequest: WatchRequest, request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, streamHeaders)
    const watcher = new Watcher(response, watchRequest)
    const unassigned = watcher.seesUnassigned ? this.unassigned : []
    watcher.begin([...(this.recent.get(watcher.projectId) ?? []), ...unassigned])
    this.watchers.add(watcher)
    request.once('close', () => this.removeWatcher(watcher))
    response.once('close', () => this.removeWatcher(watcher))
  }

  /** Called after a change in any process. */
  onChange(topic: string): void {
    if (topicsOfAccess.has(topic)) void this.endForbidden().catch(this.onTrouble)
  }

  /** Ends the streams of watchers without a valid session and membership, or where these cannot be checked. */
  async endForbidden(): Promise<void> {
    await Promise.all(
      Array.from(this.watchers, async (watcher) => {
        if (!(await watcher.isStillAllowed())) this.removeWatcher(watcher)
      }),
    )
  }

  close(): void {
    clearInterval(this.accessTimer)
    for (const watcher of this.watchers) this.removeWatcher(watcher)
  }

  private remember(projectId: number, liveEvent: LiveEvent): void {
    const known = this.recent.get(projectId)
    if (!known) return void this.recent.set(projectId, [liveEvent])
    known.push(liveEvent)
    if (known.length > maxRemembered) known.shift()
  }

  private publishUnassigned(liveEvent: LiveEvent): void {
    this.unassigned.push(liveEvent)
    if (this.unassigned.length > maxRemembered) this.unassigned.shift()
    for (const watcher of this.watchers) if (watcher.seesUnassigned) watcher.send(liveEvent)
  }

  private removeWatcher(watcher: Watcher): void {
    watcher.end()
    this.watchers.delete(watcher)
  }
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // proxies that buffer responses would hold events back for minutes
  'x-accel-buffering': 'no',
}

const managesProject = ({ project, viewer }: ProjectSession): boolean =>
  may('project:write', project.id, viewer)

/** A page that shows the live feed. */
class Watcher {
  private sentThisSecond = 0
  private skipped = 0
  private readonly secondTimer = setInterval(() => this.nextSecond(), 1000).unref()
  private readonly heartbeat = setInterval(() => this.response.write(': still here\n\n'), heartbeatMs).unref()

  readonly projectId: number
  /** Members who may change the project see requests with unknown keys. */
  seesUnassigned: boolean

  constructor(
    private readonly response: ServerResponse,
    private readonly watchRequest: WatchRequest,
  ) {
    this.projectId = watchRequest.project.id
    this.seesUnassigned = managesProject(watchRequest)
  }

  async isStillAllowed(): Promise<boolean> {
    const now = await this.watchRequest.reauthenticate().catch(() => undefined)
    if (now?.project.id !== this.projectId) return false
    this.seesUnassigned = managesProject(now)
    return true
  }

  begin(recent: readonly LiveEvent[]): void {
    this.writeEvent('recent', recent.toSorted((a, b) => (a.at < b.at ? -1 : 1)).slice(-maxRemembered))
  }

  send(liveEvent: LiveEvent, omittedCount = 0): void {
    this.skipped += omittedCount
    // a page that reads too slowly must not fill the memory
    if (this.sentThisSecond >= mostPerSecond || this.response.writableNeedDrain) this.skipped++
    else this.writeEvent('sighting', liveEvent)
    this.sentThisSecond++
  }

  end(): void {
    clearInterval(this.secondTimer)
    clearInterval(this.heartbeat)
    this.response.end()
  }

  private nextSecond(): void {
    if (this.skipped > 0) this.writeEvent('skipped', { count: this.skipped })
    this.sentThisSecond = 0
    this.skipped = 0
  }

  private writeEvent(event: string, data: unknown): void {
    this.response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }
}

/** Streams the events of the project that the address names to a member of it. */
export async function answerLive(
  { request, response, trustedRequest }: Exchange,
  { product, live }: { product: Pick<Product, 'signIn' | 'projects'>; live: LiveFeed },
): Promise<void> {
  const session = await authenticateMember(request, trustedRequest, product)
  const again = () => authenticateMember(request, trustedRequest, product, { isUse: false })
  if (session) live.addWatcher({ ...session, reauthenticate: again }, request, response)
  else refuse(request, response, 'no-access', 'api')
}
