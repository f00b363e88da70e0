import type { DropReason, IncomingEvent } from '#events/event'
import type { PipelineCounts } from './internal/batches'
import { Counts } from './counts'
import type { FairScheduler } from './fair-scheduler'
import type { Journal } from './internal/journal'
import { JournalDraft } from './internal/journal-draft'
import { type IngestContext, prepare } from './prepare'
import { EventQuota } from './quota'
import { SessionCache } from './sessions'

interface HistoryWriterDependencies {
  context: IngestContext
  journal: Pick<Journal, 'appendDraft'>
  shares: Pick<FairScheduler, 'runInBackground'>
  counts: () => PipelineCounts
}

/** The import that events belong to. */
interface HistoryOrigin {
  projectId: number
  importId: string
  source: string
}

/** The outcome of a portion of an import. `dropped` has the reason of each event that was not kept. */
type HistoryReceipt =
  | { taken: true; dropped: DropReason[]; firstAt: Date | undefined; lastAt: Date | undefined }
  | { taken: false; retryAfterSeconds: number }

/** Events of clients wait behind those in the journal, so an import pauses while there are many. */
const mostPending = 30_000
const eventsPerSlice = 16
const busySeconds = 1

/**
 * Writes events of imports by the same steps as those of clients, and nothing follows from them: no webhooks, no quota,
 * no sessions of visitors who are here now.
 */
export class HistoryWriter {
  private readonly contexts = new Map<string, IngestContext>()

  constructor(private readonly dependencies: HistoryWriterDependencies) {}

  async write(events: readonly IncomingEvent[], origin: HistoryOrigin): Promise<HistoryReceipt> {
    const { journal, shares, counts } = this.dependencies
    if (counts().pending > mostPending) return { taken: false, retryAfterSeconds: busySeconds }
    const { draft, dropped, times } = await shares.runInBackground(
      prepareHistory(events, origin, this.contextOf(origin)),
    )
    const appended = draft.events > 0 ? await journal.appendDraft(draft) : 'written'
    if (appended !== 'written') return { taken: false, retryAfterSeconds: appended.retryAfterSeconds }
    return { taken: true, dropped, ...spanOf(times) }
  }

  /** Waits until everything that was taken until now is stored. Returns whether it is. */
  async settle(withinMs: number): Promise<boolean> {
    const { accepted } = this.dependencies.counts()
    const endsAt = performance.now() + withinMs
    for (;;) {
      const { accepted: now, pending } = this.dependencies.counts()
      if (now - pending >= accepted) return true
      if (performance.now() >= endsAt) return false
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  }

  /** Forgets the sessions of an import that ended. */
  forget(importId: string): void {
    this.contexts.delete(importId)
  }

  private contextOf({ importId }: HistoryOrigin): IngestContext {
    const known = this.contexts.get(importId)
    if (known) return known
    const { context } = this.dependencies
    const created: IngestContext = {
      ...context,
      sessions: new SessionCache(mostVisitors),
      counts: new Counts(),
      quota: new EventQuota(context.world),
      surveys: { objectionTo: () => undefined },
      rulesOf: (projectId) => ({
        ...context.rulesOf(projectId),
        captures: () => true,
        monthlyEvents: undefined,
      }),
    }
    this.contexts.set(importId, created)
    return created
  }
}

const pollMs = 50
/** An export names visitors of months. Those who come back after this many others begin a new session. */
const mostVisitors = 20_000

function* prepareHistory(
  events: readonly IncomingEvent[],
  { projectId, importId, source }: HistoryOrigin,
  context: IngestContext,
): Generator<void, { draft: JournalDraft; dropped: DropReason[]; times: number[] }> {
  const draft = new JournalDraft()
  const dropped: DropReason[] = []
  const times: number[] = []
  const envelope = {
    projectId,
    importId,
    dialect: source,
    receivedAt: context.world.now(),
    sentAt: undefined,
    address: '',
    userAgent: '',
    language: undefined,
    optedOut: false,
    fromServer: true,
    isHistorical: true,
  }
  let done = 0
  for (const event of events) {
    const prepared = prepare(event, envelope, context)
    if (prepared.kept) {
      draft.add(prepared.event)
      times.push(prepared.event.at.getTime())
    } else dropped.push(prepared.reason)
    if (++done % eventsPerSlice === 0) yield
  }
  return { draft, dropped, times }
}

function spanOf(times: readonly number[]): { firstAt: Date | undefined; lastAt: Date | undefined } {
  if (times.length === 0) return { firstAt: undefined, lastAt: undefined }
  const [first, last] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))]
  return { firstAt: new Date(first), lastAt: new Date(last) }
}
