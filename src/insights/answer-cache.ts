import { LRUCache } from 'lru-cache'

/** What was answered, and when. */
export interface Kept<Value> {
  value: Value
  at: Date
  tookMs: number
}

const mostAnswers = 500
const longestMs = 60_000

/**
 * Answers are kept for as long as they were dear: what took half a second is good for ten, what was quick is asked
 * again. Whoever asks the same at the same time waits for the same answer.
 */
export class AnswerCache<Value extends object> {
  private readonly kept = new LRUCache<string, Kept<Value>>({ max: mostAnswers })
  private readonly underWay = new Map<string, Promise<Kept<Value>>>()

  constructor(private readonly now: () => Date) {}

  async find(key: string, find: () => Promise<Value>, isFresh: boolean): Promise<Kept<Value>> {
    const known = this.kept.get(key)
    if (known && !isFresh && this.isGood(known)) return known
    // What began before somebody asked for it afresh may have missed why they did.
    const running = isFresh ? undefined : this.underWay.get(key)
    return await (running ? this.orAgain(running, key, find) : this.run(key, find))
  }

  /** Whoever asked first may have gone away and taken the answer along; that is no reason for those who wait. */
  private orAgain(
    running: Promise<Kept<Value>>,
    key: string,
    find: () => Promise<Value>,
  ): Promise<Kept<Value>> {
    return running.catch(() => this.underWay.get(key) ?? this.run(key, find))
  }

  private isGood({ at, tookMs }: Kept<Value>): boolean {
    return this.now().getTime() - at.getTime() < Math.min(tookMs * 20, longestMs)
  }

  private run(key: string, find: () => Promise<Value>): Promise<Kept<Value>> {
    const running = this.measure(key, find).finally(() => {
      if (this.underWay.get(key) === running) this.underWay.delete(key)
    })
    this.underWay.set(key, running)
    return running
  }

  private async measure(key: string, find: () => Promise<Value>): Promise<Kept<Value>> {
    const [at, beganAt] = [this.now(), performance.now()]
    const kept = { value: await find(), at, tookMs: performance.now() - beganAt }
    this.kept.set(key, kept)
    return kept
  }
}
