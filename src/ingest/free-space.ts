/** What is known of the disk; `trouble` says why nothing more may be written, in words for people. */
export interface FreeSpaceReport {
  trouble: string | undefined
}

/** A measurement is too old after this time, or when this much was written since. */
const remeasureAfter = { ms: 1000, bytes: 2 * 1024 ** 2 } as const

/**
 * Whether the disk has room, asked before every append and measured now and then: a full disk fails where it likes, so
 * writing ends while there is still some left for those who tidy up.
 */
export class FreeSpace {
  /** Why there is none. */
  shortage: string | undefined
  private measuredAt = -Infinity
  private writtenSince = 0
  private measuring: Promise<void> | undefined

  constructor(
    private readonly measure: () => Promise<FreeSpaceReport>,
    /** Milliseconds of a clock that only ever goes forward. */
    private readonly now: () => number = () => performance.now(),
  ) {}

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
  }
}
