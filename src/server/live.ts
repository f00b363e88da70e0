import type { IncomingMessage, ServerResponse } from 'node:http'
import { may, type Viewer } from '../projects/access'
import type { Project } from '../projects/project'
import type { Sighting } from '../events/sighting'
import type { Sighted } from './intake'

/** So many of the latest are told to whoever begins to watch. */
const remembered = 200
/** A page can show so many a second; of more it hears how many there were. */
export const mostPerSecond = 40
const heartbeatMs = 15_000

/** Remembers what came in of late, and tells those who watch. Held in memory alone: what counts is in the engine. */
export class Live {
  private readonly recent = new Map<number, Sighting[]>()
  /** Requests that named no project of ours: whoever may change a project sees them, or nobody would learn of a mistyped key. */
  private readonly homeless: Sighting[] = []
  private readonly watchers = new Set<Watcher>()

  see({ projectId, sighting, unsaid = 0 }: Sighted): void {
    if (projectId === undefined) return this.seeHomeless(sighting)
    this.remember(projectId, sighting)
    for (const watcher of this.watchers) if (watcher.projectId === projectId) watcher.tell(sighting, unsaid)
  }

  /** Answers with a stream that ends when the other side goes. */
  watch(project: Project, viewer: Viewer, request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, streamHeaders)
    const watcher = new Watcher(response, project.id, may('project:write', project.id, viewer))
    const homeless = watcher.seesHomeless ? this.homeless : []
    watcher.begin([...(this.recent.get(project.id) ?? []), ...homeless])
    this.watchers.add(watcher)
    request.once('close', () => this.leave(watcher))
    response.once('close', () => this.leave(watcher))
  }

  close(): void {
    for (const watcher of this.watchers) this.leave(watcher)
  }

  private remember(projectId: number, sighting: Sighting): void {
    const known = this.recent.get(projectId)
    if (!known) return void this.recent.set(projectId, [sighting])
    known.push(sighting)
    if (known.length > remembered) known.shift()
  }

  private seeHomeless(sighting: Sighting): void {
    this.homeless.push(sighting)
    if (this.homeless.length > remembered) this.homeless.shift()
    for (const watcher of this.watchers) if (watcher.seesHomeless) watcher.tell(sighting)
  }

  private leave(watcher: Watcher): void {
    watcher.end()
    this.watchers.delete(watcher)
  }
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // proxies that gather an answer before they pass it on would show nothing for minutes
  'x-accel-buffering': 'no',
}

/** One page that watches. */
class Watcher {
  private told = 0
  private skipped = 0
  private readonly second = setInterval(() => this.nextSecond(), 1000).unref()
  private readonly heart = setInterval(() => this.response.write(': still here\n\n'), heartbeatMs).unref()

  constructor(
    private readonly response: ServerResponse,
    readonly projectId: number,
    /** Who looks after the project may learn which keys are sent here in vain. */
    readonly seesHomeless: boolean,
  ) {}

  begin(recent: readonly Sighting[]): void {
    this.say('recent', recent.toSorted((a, b) => (a.at < b.at ? -1 : 1)).slice(-remembered))
  }

  tell(sighting: Sighting, unsaid = 0): void {
    this.skipped += unsaid
    // a page that reads slower than events come must not fill our memory
    if (this.told >= mostPerSecond || this.response.writableNeedDrain) this.skipped++
    else this.say('sighting', sighting)
    this.told++
  }

  end(): void {
    clearInterval(this.second)
    clearInterval(this.heart)
    this.response.end()
  }

  private nextSecond(): void {
    if (this.skipped > 0) this.say('skipped', { count: this.skipped })
    this.told = 0
    this.skipped = 0
  }

  private say(event: string, data: unknown): void {
    this.response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }
}
