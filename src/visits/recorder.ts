import { setTimeout as pause } from 'node:timers/promises'
import type { Delivered, JointReceipt } from '../wire/dialect'

export interface RecorderGround {
  takeTogether(deliveries: readonly Delivered[]): Promise<JointReceipt>
  /** Hears why views are not written down. */
  onTrouble(problem: unknown): void
}

/** Enough for some seconds of a very busy site; more would only be lost later. */
const mostWaiting = 20_000
/** So many are prepared in one go: it must not be felt by whoever asks for a page meanwhile. */
const mostTogether = 64
const gatherMs = 20

/** Writes down what pages saw, after they were answered. A journal that refuses costs views, and never a page. */
export class Recorder {
  private waiting: Delivered[] = []
  private writing: Promise<void> | undefined
  private isFull = false
  private readonly closing = new AbortController()
  /** What could not be kept waiting. */
  lost = 0

  constructor(private readonly ground: RecorderGround) {}

  note(delivered: Delivered): void {
    if (this.waiting.length >= mostWaiting) return this.lose(delivered)
    this.waiting.push(delivered)
    this.writing ??= this.write().finally(() => (this.writing = undefined))
  }

  /** What was noted is written, or lost where the journal still refuses. */
  async close(): Promise<void> {
    this.closing.abort()
    await this.writing
  }

  /** Told once for each time that there was no more room. */
  private lose({ events }: Delivered): void {
    if (!this.isFull) this.ground.onTrouble(new Error(`More than ${mostWaiting} views wait to be written.`))
    this.isFull = true
    this.lost += events.length
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      if (this.waiting.length < mostTogether) await this.pause(gatherMs)
      const those = this.waiting.splice(0, mostTogether)
      const retryAfterSeconds = await this.take(those)
      this.isFull = this.waiting.length + those.length >= mostWaiting && retryAfterSeconds !== undefined
      if (retryAfterSeconds === undefined) continue
      if (this.closing.signal.aborted) return
      this.waiting.unshift(...those)
      await this.pause(retryAfterSeconds * 1000)
    }
  }

  /** Cut short where all is about to end. */
  private async pause(ms: number): Promise<void> {
    await pause(ms, undefined, { ref: false, signal: this.closing.signal }).catch(() => {})
  }

  /** After how many seconds to try again; undefined where that is of no use. */
  private async take(those: readonly Delivered[]): Promise<number | undefined> {
    try {
      const receipt = await this.ground.takeTogether(those)
      return receipt.taken ? undefined : receipt.retryAfterSeconds
    } catch (problem) {
      this.lost += those.length
      this.ground.onTrouble(problem)
      return undefined
    }
  }
}
