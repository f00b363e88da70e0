import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { newId } from '#projects/secrets'
import { LiveCopy } from '#store/live-copy'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { statusAt, type Survey, type SurveyStatus } from '../survey'
import {
  addSubmissions,
  type StoredSubmissionCount,
  submissionCounts,
  submissionsBegunSince,
  submissionTopic,
  type SurveyAddress,
} from './stored-submissions'

interface SubmissionCountsDependencies {
  store: Store
  world: World
  onTrouble: (problem: unknown) => void
}

const retryMs = 1000
/** The time that a page may stay open between its first answer and its last. */
export const submissionMemoryMs = 24 * 3600_000
/** The clocks of two fronts may differ by this much. */
const overlapMs = 60_000
/** The acknowledgement of an answer waits no longer for a store that does not answer. */
const longestWaitMs = 1000

/** Uses no `max`, with which the cache would take all its memory at once, in every process that opens a product. */
const rememberedSubmissions = { maxSize: 50_000, sizeCalculation: () => 1 }

const keyOf = ({ projectId, surveyId }: SurveyAddress): string => `${projectId} ${surveyId}`
const addressOf = ({ projectId, id }: Pick<Survey, 'projectId' | 'id'>): SurveyAddress => ({
  projectId,
  surveyId: id,
})

interface PendingSubmissions {
  address: SurveyAddress
  submissions: Set<string>
}

/**
 * Counts the submissions of surveys with a response limit, the same in every process: the store has the count and the
 * submissions that began within a day. What this front has noted and not yet written is added.
 */
export class SubmissionCounts {
  private readonly counts: LiveCopy<ReadonlyMap<string, StoredSubmissionCount>>
  private readonly begun = new LRUCache<string, true>(rememberedSubmissions)
  private readonly pending = new Map<string, PendingSubmissions>()
  private readUntil: Date | undefined
  private writing: Promise<void> | undefined

  private constructor(private readonly dependencies: SubmissionCountsDependencies) {
    this.counts = new LiveCopy<ReadonlyMap<string, StoredSubmissionCount>>({
      ...dependencies,
      topics: [submissionTopic],
      initial: new Map(),
      read: () => this.read(),
    })
  }

  static async open(dependencies: SubmissionCountsDependencies): Promise<SubmissionCounts> {
    const counts = new SubmissionCounts(dependencies)
    await counts.counts.reload()
    return counts
  }

  submissionsOf(survey: Pick<Survey, 'projectId' | 'id'>): number {
    const key = keyOf(addressOf(survey))
    const pending = [...(this.pending.get(key)?.submissions ?? [])]
    const unread = pending.filter((submission) => !this.begun.has(`${key} ${submission}`))
    return (this.counts.value.get(key)?.submissions ?? 0) + unread.length
  }

  /** The status at this moment. A survey with a limit is full once its submissions reach it, in whatever process they came. */
  statusOf(survey: Survey): SurveyStatus {
    return statusAt(survey, this.dependencies.world.now(), this.submissionsOf(survey))
  }

  /** Whether answers of this submission were taken before, by any front. */
  hasBegun(survey: Pick<Survey, 'projectId' | 'id'>, submission: string): boolean {
    const key = keyOf(addressOf(survey))
    const isPending = this.pending.get(key)?.submissions.has(submission) ?? false
    return isPending || this.begun.has(`${key} ${submission}`)
  }

  /** Whether the count contains what was stored before the survey had a limit. */
  isComplete(survey: Pick<Survey, 'projectId' | 'id'>): boolean {
    return this.counts.value.get(keyOf(addressOf(survey)))?.isComplete ?? false
  }

  /** All counts of the store, also those of surveys that no longer have a limit. */
  all(): StoredSubmissionCount[] {
    return [...this.counts.value.values()]
  }

  /** Counts a submission that has just begun. Events of old SDKs have no id: each is a submission of its own. */
  note(survey: Pick<Survey, 'projectId' | 'id' | 'responseLimit'>, submission: string): void {
    if (survey.responseLimit === undefined || this.hasBegun(survey, submission)) return
    const address = addressOf(survey)
    const key = keyOf(address)
    const pending = this.pending.get(key) ?? { address, submissions: new Set<string>() }
    pending.submissions.add(submission || newId(this.dependencies.world))
    this.pending.set(key, pending)
  }

  /** Resolves once the store has every noted submission, or is in trouble: then it is written later. */
  async saved(): Promise<void> {
    if (this.pending.size === 0) return
    this.writing ??= this.write().finally(() => (this.writing = undefined))
    await Promise.race([this.writing, pause(longestWaitMs, undefined, { ref: false })])
  }

  /** Resolves once every change that was announced until now is known here. */
  async caughtUp(): Promise<void> {
    await this.counts.caughtUp()
  }

  async close(): Promise<void> {
    await this.counts.close()
    await this.saved()
  }

  private async write(): Promise<void> {
    const { store, world, onTrouble } = this.dependencies
    try {
      while (this.pending.size > 0) {
        const noted = [...this.pending.values()].map(({ address, submissions }) => ({
          address,
          submissions: [...submissions],
        }))
        await store.transaction(async (transaction) => {
          for (const { address, submissions } of noted)
            await addSubmissions(transaction, address, submissions, world.now())
        })
        await this.counts.reload()
        for (const { address, submissions } of noted) this.forgetPending(address, submissions)
      }
    } catch (problem) {
      onTrouble(problem)
      setTimeout(() => void this.saved().catch(onTrouble), retryMs).unref()
    }
  }

  private forgetPending(address: SurveyAddress, written: readonly string[]): void {
    const key = keyOf(address)
    const pending = this.pending.get(key)
    for (const submission of written) pending?.submissions.delete(submission)
    if (pending?.submissions.size === 0) this.pending.delete(key)
  }

  private async read(): Promise<Map<string, StoredSubmissionCount>> {
    const { store, world } = this.dependencies
    const now = world.now()
    const counts = await submissionCounts(store)
    const from = this.readUntil ? this.readUntil.getTime() - overlapMs : now.getTime() - submissionMemoryMs
    for (const { submission, ...address } of await submissionsBegunSince(store, new Date(from)))
      this.begun.set(`${keyOf(address)} ${submission}`, true)
    this.readUntil = now
    return new Map(counts.map((count) => [keyOf(count), count]))
  }
}
