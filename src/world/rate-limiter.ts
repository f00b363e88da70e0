import { LRUCache } from 'lru-cache'

/** Whether the client `who` may send another request. */
export type RateLimiter = (who: string) => boolean

interface RateLimiterSettings {
  /** Requests per client within the window; further ones are refused until it is over. */
  limit: number
  windowMs: number
  now?: () => number
}

/** The most clients that are tracked; an evicted one starts from zero. */
const maxTracked = 10_000

/** Counts requests per client in memory; a restart resets all counts. */
export function openRateLimiter({ limit, windowMs, now = Date.now }: RateLimiterSettings): RateLimiter {
  const windows = new LRUCache<string, { beganAt: number; passed: number }>({ max: maxTracked })
  return (key) => {
    const current = windows.get(key)
    if (!current || now() - current.beganAt >= windowMs) {
      windows.set(key, { beganAt: now(), passed: 1 })
      return true
    }
    current.passed++
    return current.passed <= limit
  }
}
