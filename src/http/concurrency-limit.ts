export interface ConcurrencyRules {
  /** The limit of requests in progress. */
  maxConcurrent: number
  /** The limit of further requests that wait for a slot. */
  maxWaiting: number
  /** The limit of both for one client network, so that one client never has all slots. */
  maxPerNetwork: number
  maxWaitMs: number
}

type Release = () => void

interface Waiter {
  resume: () => void
}

/** Limits how many costly requests are in progress; a short queue absorbs bursts. */
export class ConcurrencyLimit {
  private running = 0
  private readonly waiting = new Set<Waiter>()
  private readonly byNetwork = new Map<string, number>()

  constructor(private readonly rules: ConcurrencyRules) {}

  /** Resolves with a function that releases the slot; with undefined if none is free in time. */
  async acquire(network: string): Promise<Release | undefined> {
    if (this.countOf(network) >= this.rules.maxPerNetwork) return undefined
    if (this.running >= this.rules.maxConcurrent && this.waiting.size >= this.rules.maxWaiting)
      return undefined
    this.adjustCount(network, 1)
    if (this.running < this.rules.maxConcurrent) this.running++
    else if (!(await this.waitForSlot())) {
      this.adjustCount(network, -1)
      return undefined
    }
    return this.releaseOf(network)
  }

  /** Returns whether a slot became free in time. It is handed over directly, so that no later request takes it. */
  private waitForSlot(): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        resume: () => {
          clearTimeout(timer)
          resolve(true)
        },
      }
      const timer = setTimeout(() => {
        this.waiting.delete(waiter)
        resolve(false)
      }, this.rules.maxWaitMs)
      this.waiting.add(waiter)
    })
  }

  private releaseOf(network: string): Release {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.adjustCount(network, -1)
      const [next] = this.waiting
      if (next) {
        this.waiting.delete(next)
        next.resume()
      } else this.running--
    }
  }

  private countOf(network: string): number {
    return this.byNetwork.get(network) ?? 0
  }

  private adjustCount(network: string, change: number): void {
    const count = this.countOf(network) + change
    if (count === 0) this.byNetwork.delete(network)
    else this.byNetwork.set(network, count)
  }
}
