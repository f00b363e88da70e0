import { setTimeout as delay } from 'node:timers/promises'

const defaultRetryMs = { first: 100, most: 5000 }

/** What everything under way is left by when it is to end. */
export class RetryLoopClosed extends Error {
  constructor() {
    super('It was closed.')
    this.name = 'Ended'
  }
}

/** The waiting of a loop that must never give up: for something to do, for a pause to pass, for a trouble to pass. */
export class RetryLoop {
  /** What failed last, until it works again. */
  trouble: string | undefined
  /** Since when each try has failed. */
  troubledSince: Date | undefined
  private failures = 0
  private isAwake = false
  private skipsPauses = false
  private isWaiting = false
  /** Ends the waiting under way. */
  private interrupt = (): void => {}
  private readonly closing = new AbortController()

  constructor(
    private readonly retryMs = defaultRetryMs,
    private readonly onTrouble: (problem: unknown) => void = () => {},
  ) {}

  get isClosed(): boolean {
    return this.closing.signal.aborted
  }

  /** There is something to do. Said with every write of the journal; a pause goes on all the same. */
  wake(): void {
    this.isAwake = true
    if (this.isWaiting) this.interrupt()
  }

  /** No pauses until there is nothing left to do. */
  skipPauses(): void {
    this.skipsPauses = true
    this.isAwake = true
    this.interrupt()
  }

  close(): void {
    this.closing.abort()
    this.interrupt()
  }

  /** Rests until it is woken, or at once if it was since the last rest. */
  async waitForWork(): Promise<void> {
    this.skipsPauses = false
    this.isWaiting = true
    while (!this.isAwake && !this.isClosed) await this.interruptibleDelay(2 ** 31 - 1)
    this.isWaiting = false
    this.isAwake = false
    this.throwIfEnded()
  }

  async pause(ms: number): Promise<void> {
    const until = performance.now() + ms
    for (let left = ms; left > 0 && !this.skipsPauses && !this.isClosed; left = until - performance.now()) {
      await this.interruptibleDelay(left)
    }
    this.throwIfEnded()
  }

  /** Tries until it works. */
  async retryUntilDone<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      this.throwIfEnded()
      try {
        const result = await work()
        this.succeeded()
        return result
      } catch (problem) {
        await this.backOff(problem)
      }
    }
  }

  /** Waits longer after each failure in a row. */
  async backOff(problem: unknown): Promise<void> {
    this.throwIfEnded()
    this.trouble = problem instanceof Error ? problem.message : String(problem)
    this.troubledSince ??= new Date()
    this.onTrouble(problem)
    const ms = Math.min(this.retryMs.first * 2 ** this.failures, this.retryMs.most)
    this.failures += 1
    await delay(ms, undefined, { signal: this.closing.signal }).catch(() => {})
    this.throwIfEnded()
  }

  succeeded(): void {
    this.failures = 0
    this.trouble = undefined
    this.troubledSince = undefined
  }

  private throwIfEnded(): void {
    if (this.isClosed) throw new RetryLoopClosed()
  }

  private interruptibleDelay(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.interrupt = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
