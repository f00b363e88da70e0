import { LRUCache } from 'lru-cache'

/** Whether somebody may pass once more. */
export type Turnstile = (who: string) => boolean

interface TurnstileSettings {
  /** So many within the span; then nobody of that name passes until it is over. */
  most: number
  perMs: number
  now?: () => number
}

/** As many are remembered; whoever is forgotten begins anew. */
const remembered = 10_000

/** Counts who passes. It is in memory: after a start, everybody begins anew. */
export function openTurnstile({ most, perMs, now = Date.now }: TurnstileSettings): Turnstile {
  const spans = new LRUCache<string, { beganAt: number; passed: number }>({ max: remembered })
  return (who) => {
    const known = spans.get(who)
    if (!known || now() - known.beganAt >= perMs) {
      spans.set(who, { beganAt: now(), passed: 1 })
      return true
    }
    known.passed++
    return known.passed <= most
  }
}
