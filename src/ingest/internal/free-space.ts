/** The state of the disk. `trouble` says why writing has stopped, in words for an operator. */
export interface FreeSpaceReport {
  trouble: string | undefined
}

/** A measurement expires after this time, or after this many written bytes. */
const remeasureAfter = { ms: 1000, bytes: 2 * 1024 ** 2 } as const

/**
 * Checks before every append that the disk has room, with a measurement from time to time. A full disk fails
 * unpredictably, so writing stops while there is still some space left for cleaning up.
 */
export class FreeSpace {
  /** The reason why there is no room. */
  shortage: string | undefined
  private measuredAt = -Infinity
  private writtenSince = 0
  private measuring: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(
    private readonly measure: () => Promise<FreeSpaceReport>,
    /** The pause between two measurements of a full disk, which are made without any append. */
    private readonly recheckMs: number,
    /** A monotonic clock in milliseconds. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
  }

  isAvailable(): boolean {
    const isStale =
      this.now() - this.measuredAt > remeasureAfter.ms || this.writtenSince > remeasureAfter.bytes
    if (isStale) void this.refresh()
    return this.shortage === undefined
  }

  recordWrite(bytes: number): void {
    this.writtenSince += bytes
  }

  async refresh(): Promise<void> {
    this.measuring ??= this.remeasure().finally(() => (this.measuring = undefined))
    await this.measuring
  }

  private async remeasure(): Promise<void> {
    this.writtenSince = 0
    try {
      this.shortage = (await this.measure()).trouble
    } catch (problem) {
      this.shortage = `The disk does not say how much room it has: ${problem instanceof Error ? problem.message : String(problem)}`
    }
    this.measuredAt = this.now()
    clearTimeout(this.timer)
    // a balancer sends no event before readiness says that there is room
    if (this.shortage !== undefined && !this.isClosed)
      this.timer = setTimeout(() => void this.refresh().catch(() => {}), this.recheckMs).unref()
  }
}
