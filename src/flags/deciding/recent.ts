import { LRUCache } from 'lru-cache'
import type { World } from '../../world/world'

/** One page asks several times; who comes back later is looked up anew. */
const freshForMs = 1000
const remembered = 20_000

/** Answers of just now, so that several who ask the same wait for one of them. */
export class Recent<Value> {
  private readonly answers = new LRUCache<string, { at: number; answer: Promise<Value> }>({ max: remembered })

  constructor(private readonly world: World) {}

  async ask(name: string, look: () => Promise<Value>): Promise<Value> {
    const at = this.world.now().getTime()
    const known = this.answers.get(name)
    if (known && Math.abs(at - known.at) < freshForMs) return await known.answer
    const answer = look()
    this.answers.set(name, { at, answer })
    try {
      return await answer
    } catch (error) {
      this.answers.delete(name)
      throw error
    }
  }

  forget(name: string): void {
    this.answers.delete(name)
  }
}
