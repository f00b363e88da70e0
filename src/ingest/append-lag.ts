/** A disk that takes this long for a write is behind. */
const longMs = 250
/** A single slow write is no queue. */
const minPendingAppends = 32

/** How far the disk is behind with what was appended to the journal. */
export class AppendLag {
  /** When each append that is under way began, the oldest first. */
  private readonly inFlight = new Map<symbol, number>()

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether what is appended now would wait too long: it is refused, and sent again when the disk has caught up. */
  isLong(): boolean {
    if (this.inFlight.size < minPendingAppends) return false
    const [oldest = this.now()] = this.inFlight.values()
    return this.now() - oldest > longMs
  }

  async during<T>(append: Promise<T>): Promise<T> {
    const one = Symbol('append')
    this.inFlight.set(one, this.now())
    try {
      return await append
    } finally {
      this.inFlight.delete(one)
    }
  }
}
