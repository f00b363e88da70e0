import { setTimeout as delay } from 'node:timers/promises'

const defaultRetryMs = { first: 100, most: 5000 }

/** Ends everything that waits in a loop when it is closed. */
export class RetryLoopClosedError extends Error {
  constructor() {
    super('It was closed.')
    this.name = 'RetryLoopClosedError'
  }
}

/** Waits for work, for pauses and for failures to pass, in a loop that must never give up. */
export class RetryLoop {
  /** The message of the last failure; reset by a success. */
  trouble: string | undefined
  /** The time since when every attempt has failed. */
  troubledSince: Date | undefined
  private failures = 0
  private isAwake = false
  private skipsPauses = false
  private isWaiting = false
  /** Ends the current wait. */
  private interrupt = (): void => {}
  private readonly closing = new AbortController()

  constructor(
    private readonly retryMs = defaultRetryMs,
    private readonly onTrouble: (problem: unknown) => void = () => {},
  ) {}

  get isClosed(): boolean {
    return this.closing.signal.aborted
  }

  /** Signals that there is work. The journal calls it with every write; a pause continues nevertheless. */
  wake(): void {
    this.isAwake = true
    if (this.isWaiting) this.interrupt()
  }

  /** Skips pauses until there is no work left. */
  skipPauses(): void {
    this.skipsPauses = true
    this.isAwake = true
    this.interrupt()
  }

  close(): void {
    this.closing.abort()
    this.interrupt()
  }

  /** Waits for `wake`; returns at once if it was called since the last wait. */
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

  /** Retries until the work succeeds. */
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

  /** Waits longer after each consecutive failure. */
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
    if (this.isClosed) throw new RetryLoopClosedError()
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
