import { LRUCache } from 'lru-cache'
import type { World } from '#world/world'

export interface CachedLookup<Value> {
  /** How long a value is fresh. */
  freshForMs: number
  /** How long a stale value may be returned if loading is slow or fails. */
  staleForMs: number
  load: () => Promise<Value>
  /** The value if nothing is cached and loading fails. */
  fallback: Value
}

interface CachedValue<Value> {
  value: Value
  at: number
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
  private readonly cached = new LRUCache<string, CachedValue<Value>>({ max: maxEntries })
  private readonly loading = new Map<string, Promise<CachedValue<Value>>>()
  private readonly failed = new LRUCache<string, number>({ max: maxEntries })

  constructor(
    private readonly world: Pick<World, 'now'>,
    private readonly timeoutMs = usualTimeoutMs,
  ) {}

  async read(key: string, lookup: CachedLookup<Value>): Promise<Value> {
    const known = this.cached.get(key)
    if (known && this.isWithin(known.at, lookup.freshForMs)) return known.value
    const fresh = this.isBackingOff(key) ? undefined : await this.withinTimeout(this.loadOrJoin(key, lookup))
    if (fresh) return fresh.value
    return known && this.isWithin(known.at, lookup.staleForMs) ? known.value : lookup.fallback
  }

  private isBackingOff(key: string): boolean {
    const failedAt = this.failed.get(key)
    return failedAt !== undefined && this.isWithin(failedAt, backOffMs)
  }

  private isWithin(at: number, ms: number): boolean {
    return this.world.now().getTime() - at < ms
  }

  private loadOrJoin(key: string, { load }: CachedLookup<Value>): Promise<CachedValue<Value>> {
    const running = this.loading.get(key) ?? this.startLoad(key, load)
    this.loading.set(key, running)
    return running
  }

  private async startLoad(key: string, load: () => Promise<Value>): Promise<CachedValue<Value>> {
    const startedAt = this.world.now().getTime()
    try {
      const loaded = { value: await load(), at: startedAt }
      this.cached.set(key, loaded)
      return loaded
    } catch (problem) {
      this.failed.set(key, startedAt)
      throw problem
    } finally {
      this.loading.delete(key)
    }
  }

  /** Undefined on failure or timeout. A slow load continues and fills the cache for later calls. */
  private async withinTimeout(running: Promise<CachedValue<Value>>): Promise<CachedValue<Value> | undefined> {
    const { promise: isOver, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => resolve(undefined), this.timeoutMs)
    try {
      return await Promise.race([running.catch(() => undefined), isOver])
    } finally {
      clearTimeout(timer)
    }
  }
}
