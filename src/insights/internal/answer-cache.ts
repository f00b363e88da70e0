import { LRUCache } from 'lru-cache'
import { cacheClock } from '#world/world'

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
  private readonly answers: LRUCache<string, CachedAnswer<Value>, () => Promise<Value>>

  constructor(private readonly now: () => Date) {
    this.answers = new LRUCache({
      max: mostAnswers,
      // replaced by that of each answer
      ttl: longestMs,
      ttlResolution: 0,
      perf: cacheClock({ now }),
      fetchMethod: async (_key, _last, { context: find, options }) => {
        const answer = await this.measure(find)
        options.ttl = Math.max(1, Math.floor(Math.min(answer.tookMs * 20, longestMs)))
        return answer
      },
      // one that is replaced meanwhile still answers those who wait
      ignoreFetchAbort: true,
    })
  }

  async find(key: string, find: () => Promise<Value>, isFresh: boolean): Promise<CachedAnswer<Value>> {
    // A computation that began before a request for a fresh answer may miss the change behind that request.
    if (isFresh) this.answers.delete(key)
    let isOwn = false
    const findOwn = () => {
      isOwn = true
      return find()
    }
    try {
      return await this.answers.forceFetch(key, { context: findOwn })
    } catch (problem) {
      // the caller whose computation this one waited for may have cancelled it
      if (isOwn) throw problem
      return await this.find(key, find, false)
    }
  }

  private async measure(find: () => Promise<Value>): Promise<CachedAnswer<Value>> {
    const [at, beganAt] = [this.now(), performance.now()]
    return { value: await find(), at, tookMs: performance.now() - beganAt }
  }
}
