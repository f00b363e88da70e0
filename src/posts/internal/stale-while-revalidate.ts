import { LRUCache } from 'lru-cache'
import { cacheClock, type World } from '#world/world'

export interface CachedLookup<Value> {
  /** The time for which a value is fresh. */
  freshForMs: number
  /** The time for which a stale value may be returned if loading is slow or fails. */
  staleForMs: number
  load: () => Promise<Value>
  /** The value if nothing is cached and loading fails. */
  fallback: Value
}

const maxEntries = 1000

/** The limit of a page's wait for a value that is optional. */
const usualTimeoutMs = 1000
/** No new attempt is made for this long after a failure. */
const backOffMs = 5000

/**
 * Caches values that any reader of a page may request. Concurrent readers share one load, and a page waits for it
 * only briefly: after a timeout or failure, readers get the stale value or the fallback.
 */
export class StaleWhileRevalidate<Value extends object> {
  private readonly cached: LRUCache<string, Value, () => Promise<Value>>
  private readonly failed: LRUCache<string, true>

  constructor(
    world: Pick<World, 'now'>,
    private readonly timeoutMs = usualTimeoutMs,
  ) {
    const bounds = { max: maxEntries, ttlResolution: 0, perf: cacheClock(world) }
    this.failed = new LRUCache({ ...bounds, ttl: backOffMs })
    this.cached = new LRUCache({
      ...bounds,
      // replaced by that of each look-up
      ttl: 1,
      fetchMethod: async (key, _last, { context: load }) => {
        try {
          return await load()
        } catch (problem) {
          this.failed.set(key, true)
          throw problem
        }
      },
      ignoreFetchAbort: true,
      noDeleteOnFetchRejection: true,
      noDeleteOnStaleGet: true,
    })
  }

  async read(key: string, { load, freshForMs, staleForMs, fallback }: CachedLookup<Value>): Promise<Value> {
    const reading = this.failed.has(key)
      ? undefined
      : this.cached.forceFetch(key, { ttl: freshForMs, context: load })
    const fresh = reading && (await this.withinTimeout(reading))
    if (fresh) return fresh
    const isTooOld = this.cached.getRemainingTTL(key) < freshForMs - staleForMs
    return (isTooOld ? undefined : this.cached.get(key, { allowStale: true })) ?? fallback
  }

  /** Undefined on failure or timeout. A slow load continues and fills the cache for later calls. */
  private async withinTimeout(reading: Promise<Value>): Promise<Value | undefined> {
    const { promise: isOver, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => resolve(undefined), this.timeoutMs)
    try {
      return await Promise.race([reading.catch(() => undefined), isOver])
    } finally {
      clearTimeout(timer)
    }
  }
}
