import { LRUCache } from 'lru-cache'
import type { World } from '../../world/world'

/** One page asks several times; who comes back later is looked up anew. */
const freshForMs = 1000
const remembered = 20_000
/** For whoever cannot wait and takes what was true a while ago. */
const rememberedForMs = 3_600_000

/** Answers of just now, so that several who ask the same wait for one of them. */
export class Recent<Value> {
  private readonly answers = new LRUCache<string, { at: number; answer: Promise<Value> }>({ max: remembered })
  private readonly last = new LRUCache<string, { value: Value }>({ max: remembered, ttl: rememberedForMs })

  constructor(private readonly world: World) {}

  async ask(name: string, look: () => Promise<Value>): Promise<Value> {
    const at = this.world.now().getTime()
    const known = this.answers.get(name)
    if (known && Math.abs(at - known.at) < freshForMs) return await known.answer
    const answer = look()
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

  /** The last answer there was, however it came about. */
  remembered(name: string): Value | undefined {
    return this.last.get(name)?.value
  }

  forget(name: string): void {
    this.answers.delete(name)
    this.last.delete(name)
  }
}
