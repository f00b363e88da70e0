import { LRUCache } from 'lru-cache'
import { cacheClock, type World } from '#world/world'

/** Shares a look-up between the requests of one page; a later visit looks up again. */
const freshForMs = 1000
const mostRemembered = 20_000
/** The time for which `remembered` may return an old answer to callers that cannot wait. */
const rememberedForMs = 3_600_000

/** Caches recent answers, so that concurrent requests for the same key share one look-up. */
export class CoalescingCache<Value extends object> {
  private readonly answers: LRUCache<string, Value, () => Promise<Value>>

  constructor(world: World) {
    this.answers = new LRUCache({
      maxSize: mostRemembered,
      sizeCalculation: () => 1,
      ttl: freshForMs,
      ttlResolution: 0,
      perf: cacheClock(world),
      fetchMethod: (_name, _last, { context: find }) => find(),
      // one that is forgotten or displaced meanwhile still answers those who wait
      ignoreFetchAbort: true,
      noDeleteOnStaleGet: true,
      noDeleteOnFetchRejection: true,
    })
  }

  async ask(name: string, find: () => Promise<Value>): Promise<Value> {
    return await this.answers.forceFetch(name, { context: find })
  }

  /** The latest value, however old it is. */
  remembered(name: string): Value | undefined {
    const isForgotten = this.answers.getRemainingTTL(name) < freshForMs - rememberedForMs
    return isForgotten ? undefined : this.answers.get(name, { allowStale: true })
  }

  forget(name: string): void {
    this.answers.delete(name)
  }
}
