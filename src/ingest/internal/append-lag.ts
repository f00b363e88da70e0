/** A disk that takes this long for a write is behind. */
const longMs = 250
/** Fewer pending appends than this are not a queue: a single slow write does not make the disk slow. */
const minPendingAppends = 32

/** Measures how far the disk lags behind the appends to the journal. */
export class AppendLag {
  /** The start time of each append in progress, the oldest first. */
  private readonly inFlight = new Map<symbol, number>()

  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Whether a new append would wait too long. Such an append is refused; the client retries when the disk has caught
   * up.
   */
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
