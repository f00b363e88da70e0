import { NetworkCounts } from './network-counts'

export interface ConcurrencyRules {
  /** The limit of requests in progress. */
  maxConcurrent: number
  /** The limit of requests in progress for one client network: less than all, so that one client never has all slots. */
  maxConcurrentPerNetwork: number
  /** The limit of further requests that wait for a slot. */
  maxWaiting: number
  /** The limit of requests in progress and waiting for one client network. */
  maxPerNetwork: number
  maxWaitMs: number
}

type Release = () => void

interface Waiter {
  network: string
  resume: () => void
}

/** Limits how many costly requests are in progress; a short queue absorbs bursts. */
export class ConcurrencyLimit {
  private running = 0
  private readonly waiting = new Set<Waiter>()
  /** The requests of each network, in progress and waiting. */
  private readonly byNetwork = new NetworkCounts()
  private readonly runningByNetwork = new NetworkCounts()

  constructor(private readonly rules: ConcurrencyRules) {}

  /** Resolves with a function that releases the slot; with undefined if none is free in time. */
  async acquire(network: string): Promise<Release | undefined> {
    if (this.byNetwork.of(network) >= this.rules.maxPerNetwork) return undefined
    const isFree = this.isFreeFor(network)
    if (!isFree && this.waiting.size >= this.rules.maxWaiting) return undefined
    this.byNetwork.add(network, 1)
    if (isFree) this.begin(network)
    else if (!(await this.waitForSlot(network))) {
      this.byNetwork.add(network, -1)
      return undefined
    }
    return this.releaseOf(network)
  }

  private isFreeFor(network: string): boolean {
    const { maxConcurrent, maxConcurrentPerNetwork } = this.rules
    return this.running < maxConcurrent && this.runningByNetwork.of(network) < maxConcurrentPerNetwork
  }

  private begin(network: string): void {
    this.running++
    this.runningByNetwork.add(network, 1)
  }

  /** Returns whether a slot became free in time. It is handed over directly, so that no later request takes it. */
  private waitForSlot(network: string): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        network,
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
      this.byNetwork.add(network, -1)
      this.running--
      this.runningByNetwork.add(network, -1)
      this.resumeNext()
    }
  }

  /** Hands the slot to the first that may have it: its network may have its share already. */
  private resumeNext(): void {
    for (const waiter of this.waiting) {
      if (!this.isFreeFor(waiter.network)) continue
      this.waiting.delete(waiter)
      this.begin(waiter.network)
      return waiter.resume()
    }
  }
}
