interface SlotRules {
  /** The number of tasks that hold a slot at once. */
  atOnce: number
  /** The slots that one owner may hold: with fewer than all, one with many slow tasks never holds all of them. */
  perOwner?: number
  /** The limit of waiting tasks. */
  maxWaiting?: number
  /** The limit of one owner's tasks, running and waiting. */
  maxOfOwner?: number
  maxWaitMs?: number
}

type Release = () => void

/** An owner with running or waiting tasks. */
interface OwnerState {
  held: number
  /** Each gives its task a slot. */
  waiting: (() => void)[]
  /** The number of the latest turn; 0 before the first. */
  servedAt: number
}

/**
 * A few slots, and a queue for them. Owners take turns: a free slot goes to the owner that holds the fewest, and among
 * those to the one that was served longest ago.
 */
export class Slots<Owner = undefined> {
  private held = 0
  private waiting = 0
  private turns = 0
  private readonly owners = new Map<Owner, OwnerState>()

  constructor(private readonly rules: SlotRules) {}

  /** Whether more than one task is running or waiting. */
  get isBusy(): boolean {
    return this.held + this.waiting > 1
  }

  /**
   * Waits for a slot. Resolves with a function that releases it; with undefined if too many wait, or after too long.
   * Aborting leaves the queue: then it throws the reason.
   */
  async enter(owner: Owner, signal?: AbortSignal): Promise<Release | undefined> {
    signal?.throwIfAborted()
    const { maxWaiting = Infinity, maxOfOwner = Infinity } = this.rules
    const own = this.owners.get(owner) ?? { held: 0, waiting: [], servedAt: 0 }
    if (own.held + own.waiting.length >= maxOfOwner) return undefined
    const isFree = this.mayTake(own)
    if (!isFree && this.waiting >= maxWaiting) return undefined
    this.owners.set(owner, own)
    if (isFree) this.take(own)
    else if (!(await this.waitForTurn(owner, own, signal))) return undefined
    return this.releaseOf(owner, own)
  }

  /** Returns whether a slot became free in time. It is handed over directly, so that no newer task takes it. */
  private waitForTurn(owner: Owner, own: OwnerState, signal: AbortSignal | undefined): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    const leaveQueue = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      this.waiting -= 1
      own.waiting = own.waiting.filter((one) => one !== admit)
      this.forgetIfIdle(owner, own)
    }
    const admit = (): void => {
      this.take(own)
      leaveQueue()
      resolve(true)
    }
    const refuse = (): void => {
      leaveQueue()
      resolve(false)
    }
    const giveUp = (): void => {
      leaveQueue()
      reject(signal?.reason)
    }
    const { maxWaitMs } = this.rules
    const timer = maxWaitMs === undefined ? undefined : setTimeout(refuse, maxWaitMs)
    signal?.addEventListener('abort', giveUp, { once: true })
    this.waiting += 1
    own.waiting.push(admit)
    return promise
  }

  private mayTake({ held }: OwnerState): boolean {
    const { atOnce, perOwner = atOnce } = this.rules
    return this.held < atOnce && held < perOwner
  }

  private take(own: OwnerState): void {
    this.held += 1
    own.held += 1
    own.servedAt = this.turns += 1
  }

  private releaseOf(owner: Owner, own: OwnerState): Release {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.held -= 1
      own.held -= 1
      this.forgetIfIdle(owner, own)
      this.admitNext()
    }
  }

  private admitNext(): void {
    if (this.waiting === 0) return
    const next = [...this.owners.values()]
      .filter((own) => own.waiting.length > 0 && this.mayTake(own))
      .toSorted((one, other) => one.held - other.held || one.servedAt - other.servedAt)
    next[0]?.waiting[0]?.()
  }

  private forgetIfIdle(owner: Owner, { held, waiting }: OwnerState): void {
    if (held === 0 && waiting.length === 0) this.owners.delete(owner)
  }
}

/** Runs up to `atOnce` tasks concurrently; the others wait in order. */
export function createSemaphore(atOnce: number): <Done>(work: () => Promise<Done>) => Promise<Done> {
  const slots = new Slots({ atOnce })
  return async (work) => {
    const release = await slots.enter(undefined)
    try {
      return await work()
    } finally {
      release?.()
    }
  }
}
