import { LRUCache } from 'lru-cache'

/** An answer, and when it was computed. */
interface CachedAnswer<Value> {
  value: Value
  at: Date
  tookMs: number
}

const mostAnswers = 500
const longestMs = 60_000

/**
 * Caches answers in proportion to their cost: one that took half a second is kept for ten, a quick one is not kept.
 * Concurrent callers with the same question wait for the same answer.
 */
export class AnswerCache<Value extends object> {
  private readonly answers = new LRUCache<string, CachedAnswer<Value>>({ max: mostAnswers })
  private readonly running = new Map<string, Promise<CachedAnswer<Value>>>()

  constructor(private readonly now: () => Date) {}

  async find(key: string, find: () => Promise<Value>, isFresh: boolean): Promise<CachedAnswer<Value>> {
    const known = this.answers.get(key)
    if (known && !isFresh && this.isGood(known)) return known
    // A computation that began before a request for a fresh answer may miss the change behind that request.
    const running = isFresh ? undefined : this.running.get(key)
    return await (running ? this.retryUnlessCancelled(running, key, find) : this.run(key, find))
  }

  /** Computes again for the waiting callers if the first caller cancelled. */
  private retryUnlessCancelled(
    running: Promise<CachedAnswer<Value>>,
    key: string,
    find: () => Promise<Value>,
  ): Promise<CachedAnswer<Value>> {
    return running.catch(() => this.running.get(key) ?? this.run(key, find))
  }

  private isGood({ at, tookMs }: CachedAnswer<Value>): boolean {
    return this.now().getTime() - at.getTime() < Math.min(tookMs * 20, longestMs)
  }

  private run(key: string, find: () => Promise<Value>): Promise<CachedAnswer<Value>> {
    const running = this.measure(key, find).finally(() => {
      if (this.running.get(key) === running) this.running.delete(key)
    })
    this.running.set(key, running)
    return running
  }

  private async measure(key: string, find: () => Promise<Value>): Promise<CachedAnswer<Value>> {
    const [at, beganAt] = [this.now(), performance.now()]
    const cached = { value: await find(), at, tookMs: performance.now() - beganAt }
    this.answers.set(key, cached)
    return cached
  }
}
