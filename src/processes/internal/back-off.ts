interface BackOffPlan {
  first: number
  most: number
}

/** A child that lived this long was well: its next failure counts as the first. */
const healthyMs = 60_000
const restartsPerMinute = 5

/** Delays the restart of a lost child: twice as long per quick failure, and never more than five a minute. */
export class BackOff {
  #quickFailures = 0
  #starts: number[] = []

  constructor(
    readonly plan: BackOffPlan,
    /** Milliseconds of a clock that only ever goes forward. */
    readonly now: () => number = () => performance.now(),
  ) {}

  /** `livedMs`: how long the child had been well when it was lost, 0 if it never was. */
  pauseAfter(livedMs: number): number {
    this.#quickFailures = livedMs >= healthyMs ? 0 : this.#quickFailures + 1
    const doubled = this.plan.first * 2 ** Math.max(0, this.#quickFailures - 1)
    const pause = Math.max(Math.min(doubled, this.plan.most), this.#untilAllowed())
    this.#starts.push(this.now() + pause)
    return pause
  }

  #untilAllowed(): number {
    const fifthLast = this.#starts.slice(-restartsPerMinute)
    const [oldest] = fifthLast
    if (oldest === undefined || fifthLast.length < restartsPerMinute) return 0
    return Math.max(0, oldest + 60_000 - this.now())
  }
}
