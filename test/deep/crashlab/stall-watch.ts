/** No fault keeps the engine away for that long, nor does its supervisor wait as long before it starts it again. */
const longestStallMs = 45_000

/** Notices that a front stores nothing for long although events wait. */
export class StallWatch {
  private settled = -1
  private since = 0
  private wasReported = false

  /**
   * `counts` are those of the product at `now`, in milliseconds; undefined while it does not answer. Returns what is
   * wrong, once for each stall.
   */
  failureAt(now: number, counts: Readonly<Record<string, number>> | undefined): string | undefined {
    const { accepted, pending } = counts ?? {}
    const hasNoneWaiting = accepted === undefined || pending === undefined || pending === 0
    const settled = hasNoneWaiting ? -1 : accepted - pending
    if (hasNoneWaiting || settled !== this.settled) {
      this.settled = settled
      this.since = now
      this.wasReported = false
      return undefined
    }
    const stalledMs = now - this.since
    if (stalledMs < longestStallMs || this.wasReported) return undefined
    this.wasReported = true
    return `nothing was stored for ${Math.round(stalledMs / 1000)} s while ${pending} events waited`
  }
}
