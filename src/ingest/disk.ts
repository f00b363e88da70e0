/** What is known of the disk; `trouble` says why nothing more may be written, in words for people. */
export interface RoomReport {
  trouble: string | undefined
}

const staleAfterMs = 1000

/**
 * Whether the disk has room, asked before every append and measured about once a second: a full disk fails where it
 * likes, so writing ends while there is still some left for those who tidy up.
 */
export class Room {
  /** Why there is none. */
  lack: string | undefined
  private measuredAt = -Infinity
  private measuring: Promise<void> | undefined

  constructor(
    private readonly measure: () => Promise<RoomReport>,
    /** Milliseconds of a clock that only ever goes forward. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  isThere(): boolean {
    if (this.now() - this.measuredAt > staleAfterMs) void this.look()
    return this.lack === undefined
  }

  async look(): Promise<void> {
    this.measuring ??= this.measureAnew().finally(() => (this.measuring = undefined))
    await this.measuring
  }

  private async measureAnew(): Promise<void> {
    try {
      this.lack = (await this.measure()).trouble
    } catch (problem) {
      this.lack = `The disk does not say how much room it has: ${problem instanceof Error ? problem.message : String(problem)}`
    }
    this.measuredAt = this.now()
  }
}
