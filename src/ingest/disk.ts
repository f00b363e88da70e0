/** What is known of the disk; `trouble` says why nothing more may be written, in words for people. */
export interface RoomReport {
  trouble: string | undefined
}

/** A measurement is too old after this time, or when this much was written since. */
const stale = { ms: 1000, bytes: 2 * 1024 ** 2 } as const

/**
 * Whether the disk has room, asked before every append and measured now and then: a full disk fails where it likes, so
 * writing ends while there is still some left for those who tidy up.
 */
export class Room {
  /** Why there is none. */
  lack: string | undefined
  private measuredAt = -Infinity
  private writtenSince = 0
  private measuring: Promise<void> | undefined

  constructor(
    private readonly measure: () => Promise<RoomReport>,
    /** Milliseconds of a clock that only ever goes forward. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  isThere(): boolean {
    const isStale = this.now() - this.measuredAt > stale.ms || this.writtenSince > stale.bytes
    if (isStale) void this.look()
    return this.lack === undefined
  }

  wrote(bytes: number): void {
    this.writtenSince += bytes
  }

  async look(): Promise<void> {
    this.measuring ??= this.measureAnew().finally(() => (this.measuring = undefined))
    await this.measuring
  }

  private async measureAnew(): Promise<void> {
    this.writtenSince = 0
    try {
      this.lack = (await this.measure()).trouble
    } catch (problem) {
      this.lack = `The disk does not say how much room it has: ${problem instanceof Error ? problem.message : String(problem)}`
    }
    this.measuredAt = this.now()
  }
}
