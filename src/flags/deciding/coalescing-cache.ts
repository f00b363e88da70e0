import { LRUCache } from 'lru-cache'
import type { World } from '#world/world'

/** Shares a look-up between the requests of one page; a later visit looks up again. */
const freshForMs = 1000
const mostRemembered = 20_000
/** How long `remembered` may return an old answer to callers that cannot wait. */
const rememberedForMs = 3_600_000

/** Caches recent answers, so that concurrent requests for the same key share one look-up. */
export class CoalescingCache<Value> {
  private readonly answers = new LRUCache<string, { at: number; answer: Promise<Value> }>({
    maxSize: mostRemembered,
    sizeCalculation: () => 1,
  })
  private readonly last = new LRUCache<string, { value: Value }>({
    maxSize: mostRemembered,
    sizeCalculation: () => 1,
    ttl: rememberedForMs,
  })

  constructor(private readonly world: World) {}

  async ask(name: string, find: () => Promise<Value>): Promise<Value> {
    const at = this.world.now().getTime()
    const known = this.answers.get(name)
    if (known && Math.abs(at - known.at) < freshForMs) return await known.answer
    const answer = find()
    this.answers.set(name, { at, answer })
    try {
      const value = await answer
      this.last.set(name, { value })
      return value
    } catch (error) {
      this.answers.delete(name)
      throw error
    }
  }

  /** The latest value, however old it is. */
  remembered(name: string): Value | undefined {
    return this.last.get(name)?.value
  }

  forget(name: string): void {
    this.answers.delete(name)
    this.last.delete(name)
  }
}
