/** Active for more of the time, a process has all it can do. */
const busyShare = 0.8

/** The load of another process, by the time for which its event loop was active until each answer. */
export class LoopLoad {
  private answeredAt = performance.now()
  private activeMs = 0
  private share = 0

  /** `silentMs` without an answer mean that it is busy. */
  constructor(private readonly silentMs: number) {}

  note(activeMs: number): void {
    const now = performance.now()
    this.share = (activeMs - this.activeMs) / (now - this.answeredAt)
    this.answeredAt = now
    this.activeMs = activeMs
  }

  readonly isBusy = (): boolean =>
    this.share > busyShare || performance.now() - this.answeredAt > this.silentMs
}
