import { LRUCache } from 'lru-cache'
import type { World } from '../world/world'

export interface Glance<Value> {
  /** What was seen is good for so long. */
  goodForMs: number
  /** And for so long where nothing newer is to be had in time. */
  betterThanNothingMs: number
  look: () => Promise<Value>
  /** What is said where nothing is known. */
  otherwise: Value
}

interface Seen<Value> {
  value: Value
  at: number
}

const mostKept = 1000

/** A page does not wait longer for what merely decorates it. */
const patienceMs = 1000
/** Whoever could not answer is left alone for a moment. */
const restMs = 5000

/**
 * What every reader of a page may ask at any time, and nobody waits for: one look serves all who ask meanwhile and for a
 * while after, and while nobody answers something else is said at once.
 */
export class Glances<Value extends object> {
  private readonly seen = new LRUCache<string, Seen<Value>>({ max: mostKept })
  private readonly underWay = new Map<string, Promise<Seen<Value>>>()
  private readonly failed = new LRUCache<string, number>({ max: mostKept })

  constructor(
    private readonly world: Pick<World, 'now'>,
    private readonly patience = patienceMs,
  ) {}

  async at(key: string, glance: Glance<Value>): Promise<Value> {
    const known = this.seen.get(key)
    if (known && this.isWithin(known.at, glance.goodForMs)) return known.value
    const fresh = this.isResting(key) ? undefined : await this.inTime(this.look(key, glance))
    if (fresh) return fresh.value
    return known && this.isWithin(known.at, glance.betterThanNothingMs) ? known.value : glance.otherwise
  }

  private isResting(key: string): boolean {
    const failedAt = this.failed.get(key)
    return failedAt !== undefined && this.isWithin(failedAt, restMs)
  }

  private isWithin(at: number, ms: number): boolean {
    return this.world.now().getTime() - at < ms
  }

  private look(key: string, { look }: Glance<Value>): Promise<Seen<Value>> {
    const running = this.underWay.get(key) ?? this.begin(key, look)
    this.underWay.set(key, running)
    return running
  }

  private async begin(key: string, look: () => Promise<Value>): Promise<Seen<Value>> {
    const at = this.world.now().getTime()
    try {
      const seen = { value: await look(), at }
      this.seen.set(key, seen)
      return seen
    } catch (problem) {
      this.failed.set(key, at)
      throw problem
    } finally {
      this.underWay.delete(key)
    }
  }

  /** Undefined where it fails or takes too long; a look that takes long is of use to the next one who asks. */
  private async inTime(running: Promise<Seen<Value>>): Promise<Seen<Value> | undefined> {
    const { promise: isOver, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => resolve(undefined), this.patience)
    try {
      return await Promise.race([running.catch(() => undefined), isOver])
    } finally {
      clearTimeout(timer)
    }
  }
}
