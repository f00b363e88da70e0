import { setTimeout as pause } from 'node:timers/promises'
import type { EventDelivery, JointReceipt } from '#wire/dialect'

interface RecorderDependencies {
  ingestTogether(deliveries: readonly EventDelivery[]): Promise<JointReceipt>
  /** Called with the reason why views are not recorded. */
  onTrouble(problem: unknown): void
}

/** The most waiting views: enough for some seconds of a very busy site; more would only be lost later. */
const mostWaiting = 20_000
/** Limits the work between two page requests, so that recording does not delay them. */
const mostPerBatch = 64
const gatherMs = 20

/** Records page views after the pages were served. A refusing journal loses views and never fails a page. */
export class VisitRecorder {
  private waiting: EventDelivery[] = []
  private writing: Promise<void> | undefined
  private isFull = false
  private readonly closing = new AbortController()
  /** The number of events that did not fit into the queue. */
  lost = 0

  constructor(private readonly dependencies: RecorderDependencies) {}

  note(delivered: EventDelivery): void {
    if (this.waiting.length >= mostWaiting) return this.lose(delivered)
    this.waiting.push(delivered)
    this.writing ??= this.write().finally(() => (this.writing = undefined))
  }

  /** Writes the queued views; they are lost if the journal still refuses. */
  async close(): Promise<void> {
    this.closing.abort()
    await this.writing
  }

  /** Reports once each time the queue is full. */
  private lose({ events }: EventDelivery): void {
    if (!this.isFull)
      this.dependencies.onTrouble(new Error(`More than ${mostWaiting} views wait to be written.`))
    this.isFull = true
    this.lost += events.length
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      if (this.waiting.length < mostPerBatch) await this.pause(gatherMs)
      const deliveries = this.waiting.splice(0, mostPerBatch)
      const retryAfterSeconds = await this.ingest(deliveries)
      this.isFull = this.waiting.length + deliveries.length >= mostWaiting && retryAfterSeconds !== undefined
      if (retryAfterSeconds === undefined) continue
      if (this.closing.signal.aborted) return
      this.waiting.unshift(...deliveries)
      await this.pause(retryAfterSeconds * 1000)
    }
  }

  /** Ends early on shutdown. */
  private async pause(ms: number): Promise<void> {
    await pause(ms, undefined, { ref: false, signal: this.closing.signal }).catch(() => {})
  }

  /** Returns the seconds until a retry; undefined if a retry is pointless. */
  private async ingest(deliveries: readonly EventDelivery[]): Promise<number | undefined> {
    try {
      const receipt = await this.dependencies.ingestTogether(deliveries)
      return receipt.taken ? undefined : receipt.retryAfterSeconds
    } catch (problem) {
      this.lost += deliveries.length
      this.dependencies.onTrouble(problem)
      return undefined
    }
  }
}
