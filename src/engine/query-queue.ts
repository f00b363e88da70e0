/** The project id of a query; undefined for Tilth's own queries. */
type QueueOwner = number | undefined

/**
 * A queue for a few slots. Projects take turns: a free slot goes to the project that holds the fewest, and among those
 * to the one that was served longest ago. A project may hold only some of the slots, so that one with many slow queries
 * never holds all of them, even if no other project was active before.
 */
export class QueryQueue {
  readonly #slots: number
  readonly #mostForOneProject: number
  #free: number
  readonly #waiting = new Map<QueueOwner, (() => void)[]>()
  readonly #held = new Map<QueueOwner, number>()
  /** The owners in the order of service, the latest at the end: a number for each project. */
  readonly #served = new Set<QueueOwner>()

  /** `mostForOneProject` is the number of slots that one project may hold; Tilth's own queries count as one. */
  constructor(slots: number, mostForOneProject: number) {
    this.#slots = slots
    this.#mostForOneProject = mostForOneProject
    this.#free = slots
  }

  /** Whether more than one query is running or waiting. */
  get isBusy(): boolean {
    const waiting = [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0)
    return this.#slots - this.#free + waiting > 1
  }

  /**
   * Waits for a slot. Resolves with a function that releases it. Aborting leaves the queue: then it throws the reason.
   */
  async enter(signal: AbortSignal, owner?: QueueOwner): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#free > 0 && this.#mayTake(owner)) this.#take(owner)
    else await this.#waitForTurn(signal, owner)
    return () => this.#leave(owner)
  }

  #waitForTurn(signal: AbortSignal, owner: QueueOwner): Promise<void> {
    return new Promise((resolve, reject) => {
      const admit = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        this.#remove(owner, admit)
        reject(signal.reason)
      }
      signal.addEventListener('abort', giveUp, { once: true })
      this.#waiting.set(owner, [...(this.#waiting.get(owner) ?? []), admit])
    })
  }

  #remove(owner: QueueOwner, one: () => void): void {
    const left = (this.#waiting.get(owner) ?? []).filter((waiting) => waiting !== one)
    if (left.length > 0) this.#waiting.set(owner, left)
    else this.#waiting.delete(owner)
  }

  #mayTake(owner: QueueOwner): boolean {
    return (this.#held.get(owner) ?? 0) < this.#mostForOneProject
  }

  #take(owner: QueueOwner): void {
    this.#free -= 1
    this.#held.set(owner, (this.#held.get(owner) ?? 0) + 1)
    this.#served.delete(owner)
    this.#served.add(owner)
  }

  #leave(owner: QueueOwner): void {
    this.#free += 1
    const held = (this.#held.get(owner) ?? 1) - 1
    if (held > 0) this.#held.set(owner, held)
    else this.#held.delete(owner)
    this.#admitNext()
  }

  #admitNext(): void {
    const order = [...this.#served]
    const [next] = [...this.#waiting.keys()]
      .filter((owner) => this.#mayTake(owner))
      .toSorted(
        (one, another) =>
          (this.#held.get(one) ?? 0) - (this.#held.get(another) ?? 0) ||
          order.indexOf(one) - order.indexOf(another),
      )
      .map((owner) => ({ owner, called: this.#waiting.get(owner)?.[0] }))
    if (!next?.called) return
    this.#remove(next.owner, next.called)
    this.#take(next.owner)
    next.called()
  }
}
