import { setTimeout as delay } from 'node:timers/promises'

const usualRetryMs = { first: 100, most: 5000 }

/** What everything under way is left by when it is to end. */
export class Ended extends Error {
  constructor() {
    super('It was closed.')
    this.name = 'Ended'
  }
}

/** The waiting of a loop that must never give up: for something to do, for a pause to pass, for a trouble to pass. */
export class Patience {
  /** What failed last, until it works again. */
  trouble: string | undefined
  private failures = 0
  private isAwake = false
  private isHurried = false
  private isResting = false
  /** Ends the waiting under way. */
  private interrupt = (): void => {}
  private readonly ending = new AbortController()

  constructor(
    private readonly retryMs = usualRetryMs,
    private readonly onTrouble: (problem: unknown) => void = () => {},
  ) {}

  get hasEnded(): boolean {
    return this.ending.signal.aborted
  }

  /** There is something to do. Said with every write of the journal; a pause goes on all the same. */
  wake(): void {
    this.isAwake = true
    if (this.isResting) this.interrupt()
  }

  /** No pauses until there is nothing left to do. */
  hurry(): void {
    this.isHurried = true
    this.isAwake = true
    this.interrupt()
  }

  end(): void {
    this.ending.abort()
    this.interrupt()
  }

  /** Rests until it is woken, or at once if it was since the last rest. */
  async rest(): Promise<void> {
    this.isHurried = false
    this.isResting = true
    while (!this.isAwake && !this.hasEnded) await this.interruptible(2 ** 31 - 1)
    this.isResting = false
    this.isAwake = false
    this.goOn()
  }

  async pause(ms: number): Promise<void> {
    const until = performance.now() + ms
    for (let left = ms; left > 0 && !this.isHurried && !this.hasEnded; left = until - performance.now()) {
      await this.interruptible(left)
    }
    this.goOn()
  }

  /** Tries until it works. */
  async until<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      this.goOn()
      try {
        const result = await work()
        this.worked()
        return result
      } catch (problem) {
        await this.after(problem)
      }
    }
  }

  /** Waits longer after each failure in a row. */
  async after(problem: unknown): Promise<void> {
    this.goOn()
    this.trouble = problem instanceof Error ? problem.message : String(problem)
    this.onTrouble(problem)
    const ms = Math.min(this.retryMs.first * 2 ** this.failures, this.retryMs.most)
    this.failures += 1
    await delay(ms, undefined, { signal: this.ending.signal }).catch(() => {})
    this.goOn()
  }

  worked(): void {
    this.failures = 0
    this.trouble = undefined
  }

  private goOn(): void {
    if (this.hasEnded) throw new Ended()
  }

  private interruptible(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.interrupt = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
