import type { DropReason, IncomingEvent } from '#events/event'
import type { ErasedPersons } from '#persons/erased-persons'
import type { IdentityResolver } from '#persons/identity-resolver'
import type { ExportedGroup, ExportedPerson } from '#persons/profile'
import type { PipelineCounts } from './internal/batches'
import type { FairScheduler } from './fair-scheduler'
import {
  historyContext,
  type HistoryOrigin,
  type PreparedHistory,
  prepareHistory,
} from './history-preparation'
import type { Journal } from './internal/journal'
import { JournalDraft } from './internal/journal-draft'
import type { IngestContext } from './prepare'

interface HistoryWriterDependencies {
  context: IngestContext
  journal: Pick<Journal, 'appendDraft'>
  shares: Pick<FairScheduler, 'runInBackground'>
  counts: () => PipelineCounts
  people: Pick<IdentityResolver, 'restore'>
  forgotten: Pick<ErasedPersons, 'includes'>
}

/** The outcome of a portion of an import. `dropped` has the reason of each event that was not kept. */
export type HistoryReceipt =
  | { taken: true; dropped: DropReason[]; firstAt: Date | undefined; lastAt: Date | undefined }
  | HistoryRefusal

interface HistoryRefusal {
  taken: false
  retryAfterSeconds: number
}

/** Events of clients wait behind those in the journal, so an import pauses while there are many. */
const mostPending = 30_000
const busySeconds = 1

/**
 * Writes events of imports by the same steps as those of clients, and nothing follows from them: no webhooks, no quota,
 * no sessions of visitors who are here now.
 */
export class HistoryWriter {
  private readonly contexts = new Map<string, IngestContext>()

  constructor(private readonly dependencies: HistoryWriterDependencies) {}

  /** The refusal of events while so many wait to be stored that an import pauses. */
  refusal(): HistoryRefusal | undefined {
    const isBusy = this.dependencies.counts().pending > mostPending
    return isBusy ? { taken: false, retryAfterSeconds: busySeconds } : undefined
  }

  async write(events: readonly IncomingEvent[], origin: HistoryOrigin): Promise<HistoryReceipt> {
    const refusal = this.refusal()
    if (refusal) return refusal
    const prepared = await this.dependencies.shares.runInBackground(
      prepareHistory(events, origin, this.contextOf(origin), this.dependencies.context.world.now()),
    )
    return await this.writePrepared(prepared, origin)
  }

  /** Writes events that were prepared beside the event loop. */
  async writePrepared(
    { records, events, dropped, firstAt, lastAt }: PreparedHistory,
    { projectId }: HistoryOrigin,
  ): Promise<HistoryReceipt> {
    const draft = JournalDraft.ofRecords(records, { projectId, events })
    const appended = events > 0 ? await this.dependencies.journal.appendDraft(draft) : 'written'
    if (appended !== 'written') return { taken: false, retryAfterSeconds: appended.retryAfterSeconds }
    return { taken: true, dropped, firstAt, lastAt }
  }

  /** Restores persons and groups of an export. Returns how many were not, because they were erased. */
  async restore(
    profiles: readonly (ExportedPerson | ExportedGroup)[],
    origin: HistoryOrigin,
  ): Promise<number> {
    const { people, context, forgotten } = this.dependencies
    const receivedAt = context.world.now()
    const isErased = ({ distinctIds, createdAt: at }: ExportedPerson): boolean =>
      distinctIds.some((distinctId) => forgotten.includes({ ...origin, distinctId, at, receivedAt }))
    const persons = profiles.filter((one) => one.kind === 'person')
    const kept = persons.filter((person) => !isErased(person))
    const groups = profiles.filter((one) => one.kind === 'group')
    await people.restore({ persons: kept, groups }, origin)
    return persons.length - kept.length
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
    const created = historyContext(this.dependencies.context)
    this.contexts.set(importId, created)
    return created
  }
}

const pollMs = 50
