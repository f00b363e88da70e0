import type { Store } from '#store/store'
import { allBreakers, type DeliveryBreaker, forgetBreaker, forgetBreakersBefore, saveBreaker } from './store'
import { type Lane, isSameLane, mailServer } from './lane'

const minute = 60_000

/** After so many failures in a row, an address gets one attempt at a time, and pauses in between. */
const opensAfter = 3

/** The pauses of an open breaker. */
const pausesMs = [minute / 2, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute]

const forgottenAfterMs = 30 * 24 * 60 * minute

/** The mail server is one for all projects, so what one of them met counts for all. */
const breakerLane = ({ projectId, address }: Lane): Lane => ({
  projectId: address === mailServer ? 0 : projectId,
  address,
})

const isOpen = ({ failures }: Pick<DeliveryBreaker, 'failures'>): boolean => failures >= opensAfter

/**
 * The addresses that did not answer. They stand in the store, so that a restart and another front know them, and pages
 * can say why a delivery waits.
 */
export class Breakers {
  private breakers: readonly DeliveryBreaker[] = []
  private writesBegun = 0
  private writesDone = 0
  /** One write waits for another: two at once may end in another order, and the older state would stay. */
  private lastWrite: Promise<unknown> = Promise.resolve()

  constructor(private readonly store: Store) {}

  static async read(store: Store): Promise<Breakers> {
    const breakers = new Breakers(store)
    await breakers.load()
    return breakers
  }

  /** Reads them anew, unless one was changed here meanwhile: the store may not have had that. */
  async load(): Promise<void> {
    const { writesBegun: begun, writesDone: done } = this
    const stored = await allBreakers(this.store)
    if (begun === done && begun === this.writesBegun) this.breakers = stored
  }

  /** The failures of an address in a row: 0 once it has answered. */
  failuresOf(lane: Lane): number {
    return this.find(lane)?.failures ?? 0
  }

  /** The open breaker of an address. */
  openAt(lane: Lane): DeliveryBreaker | undefined {
    const found = this.find(lane)
    return found && isOpen(found) ? found : undefined
  }

  isPaused(lane: Lane, now: Date): boolean {
    const breaker = this.openAt(lane)
    return breaker !== undefined && now < breaker.pausedUntil
  }

  /** The open breakers of addresses that have not answered since then or longer, the longest first. */
  openSince(at: Date): DeliveryBreaker[] {
    return this.breakers
      .filter((one) => isOpen(one) && one.failingSince <= at)
      .toSorted((one, other) => one.failingSince.getTime() - other.failingSince.getTime())
  }

  countOpen(): number {
    return this.breakers.filter(isOpen).length
  }

  /** Notes that an address did not answer. */
  async fail(lane: Lane, now: Date): Promise<void> {
    const before = this.find(lane)
    const failures = (before?.failures ?? 0) + 1
    const pauseMs = isOpen({ failures }) ? (pausesMs[failures - opensAfter] ?? pausesMs.at(-1) ?? 0) : 0
    const breaker = {
      ...breakerLane(lane),
      failures,
      failingSince: before?.failingSince ?? now,
      pausedUntil: new Date(now.getTime() + pauseMs),
    }
    this.breakers = [...this.others(lane), breaker]
    await this.write(() => saveBreaker(this.store, breaker))
  }

  /** Notes that an address answered. */
  async close(lane: Lane): Promise<void> {
    if (!this.find(lane)) return
    this.breakers = this.others(lane)
    await this.write(() => forgetBreaker(this.store, breakerLane(lane)))
  }

  /** Forgets addresses to which nothing was sent for long. */
  async tidy(now: Date): Promise<void> {
    await forgetBreakersBefore(this.store, new Date(now.getTime() - forgottenAfterMs))
  }

  private async write(change: () => Promise<void>): Promise<void> {
    this.writesBegun++
    const writing = this.lastWrite.then(change)
    this.lastWrite = writing.catch(() => {})
    try {
      await writing
    } finally {
      this.writesDone++
    }
  }

  private find(lane: Lane): DeliveryBreaker | undefined {
    const known = breakerLane(lane)
    return this.breakers.find((one) => isSameLane(one, known))
  }

  private others(lane: Lane): DeliveryBreaker[] {
    const known = breakerLane(lane)
    return this.breakers.filter((one) => !isSameLane(one, known))
  }
}

type ShownDelivery = Lane & { state: 'waiting' | 'sent' | 'failed'; outcome: string | undefined }

/** The outcome of a delivery for members. One that waits says since when its address has not answered. */
export function shownOutcome(
  breakers: Pick<Breakers, 'openAt'>,
  { state, outcome, ...lane }: ShownDelivery,
): string | undefined {
  const breaker = state === 'waiting' ? breakers.openAt(lane) : undefined
  if (!breaker) return outcome
  const { failingSince, pausedUntil } = breaker
  const name = lane.address === mailServer ? 'The mail server' : lane.address
  const since = `${name} has not answered since ${inUtc(failingSince)}.`
  const next = `The next attempt is at ${inUtc(pausedUntil)}.`
  return [...(outcome === undefined ? [] : [outcome]), since, next].join(' ')
}

export const inUtc = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
