import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { EngineAddress } from '#engine/engine'
import type { UnavailableReason } from '#http/error-page'
import type { RenderRequest, RenderResponse } from '#http/forward'
import type { CollectionState } from '#ingest/collection-state'
import type { ChildHealth } from '#processes/supervise'
import type { KitState } from '#site-kit/site-kit'
import type { PagesMessage } from './pages-channel'
import {
  type ForwardOptions,
  type PagesSettings,
  type PagesWorker,
  startPagesWorker,
} from './internal/pages-worker'

/** The processes that render pages, as the front server sees them. Requests get a response in every state of them. */
export interface PagesProcess {
  serve(request: IncomingMessage, response: ServerResponse, passing?: ForwardOptions): void
  /** Renders a page that can be shared, or calls a route; returns why it cannot. */
  render(request: RenderRequest): Promise<RenderResponse | UnavailableReason>
  /** A restarted engine may listen on another port. */
  setEngineAddress(address: EngineAddress): void
  /** Sends how far storing lags, for pages with figures. */
  setCollectionState(state: CollectionState): void
  /** Sends the latest build of the site folder. */
  setKit(state: KitState): void
  /** The state of the process that serves the studio. */
  health(): ChildHealth
  ready(): Promise<void>
  stop(): Promise<void>
}

export function startPagesProcess({
  workers: count = 1,
  ...settings
}: PagesSettings & { workers?: number }): PagesProcess {
  const workers = Array.from({ length: count }, (_, index) => startPagesWorker(settings, index))
  return pagesOf(workers)
}

/** Longer than a restart takes, and shorter than visitors wait. */
const maxRestartMs = 8000
const askAgainMs = 50
const noticedMs = 200

/**
 * The first process serves the studio, whose state is in its memory; the site is rendered by the others, if there are any.
 * A rendering that was lost with its process is made once more: by another process, or after the restart. A call is not,
 * because it may have changed something.
 */
export function pagesOf(workers: readonly PagesWorker[]): PagesProcess {
  const [first] = workers
  if (!first) throw new Error('At least one process renders pages.')
  const send = (message: PagesMessage): void => {
    for (const worker of workers) worker.send(message)
  }

  return {
    serve(request, response, passing) {
      const worker = isReady(first) ? first : workers.find(isReady)
      if (worker) return worker.serve(request, response, passing)
      first.serve(request, response, passing)
    },
    async render(request) {
      const rendered = await (await siteWorker(first, workers)).render(request)
      if (rendered !== 'lost' || request.body) return rendered
      // the end of a process is noticed a moment after that of its connections
      await pause(noticedMs)
      return await (await siteWorker(first, workers)).render(request)
    },
    setEngineAddress: (engine) => send({ engine }),
    setCollectionState: (collection) => send({ collection }),
    setKit: (kit) => send({ kit }),
    health: () => first.health(),
    ready: () => first.ready(),
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}

const isReady = (worker: PagesWorker): boolean => worker.health().status === 'ready'

/** Returns the least busy of the ready processes, and the studio's only without another. Waits while all restart. */
async function siteWorker(first: PagesWorker, workers: readonly PagesWorker[]): Promise<PagesWorker> {
  const endsAt = performance.now() + maxRestartMs
  for (;;) {
    const [best] = workers.filter(isReady).toSorted((one, other) => loadOf(one) - loadOf(other))
    if (best) return best
    const isRestarting = workers.some((worker) => worker.health().status === 'restarting')
    if (!isRestarting || performance.now() > endsAt) return first
    await pause(askAgainMs)
  }

  function loadOf(worker: PagesWorker): number {
    return worker === first ? Number.POSITIVE_INFINITY : worker.activeCount()
  }
}
