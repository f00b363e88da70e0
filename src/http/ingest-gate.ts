import { setTimeout as pause } from 'node:timers/promises'
import type { FairScheduler } from '#ingest/fair-scheduler'

/** The timer lag in milliseconds above which events are refused unread: flags and pages wait as long. */
const maxLagMs = 60
/**
 * The time that the lag must last to count as overload. A single pause, of garbage collection or of the machine, ends
 * before. Some trackers never retry refused events.
 */
const overloadAfterMs = 250
const everyMs = 20
/** Refusals are delayed, because clients that retry at once would cost more than their events. */
const answerAfterMs = 100
/** The limit of event requests that begin in one turn of the event loop: some milliseconds of work. */
const maxPerTurn = 64
/** Requests that wait longer are refused. With the delay of the answer this stays below a quarter of a second. */
const maxWaitMs = 120
/** The limit of delayed refusals; further ones are sent at once, which costs less. */
const maxHeldRefusals = 5000

interface Waiter {
  since: number
  resume: (mayEnter: boolean) => void
}

/**
 * Admits requests with events. In each turn of the event loop a limited number begins, so that flags and pages never
 * wait for hundreds of them. A request that waits too long is refused before its body is read; so are all requests
 * while the event loop lags nevertheless.
 */
export class IngestGate {
  private lagMs = 0
  private lateSince: number | undefined
  private heldRefusals = 0
  private startedThisTurn = 0
  private isScheduled = false
  private waiting: Waiter[] = []
  private readonly timer: NodeJS.Timeout
  /** The number of refusals since the start. */
  refused = 0

  constructor(private readonly now: () => number = () => performance.now()) {
    let expected = this.now() + everyMs
    this.timer = setInterval(() => {
      const late = Math.max(0, this.now() - expected)
      expected = this.now() + everyMs
      this.noteLag(late)
    }, everyMs).unref()
  }

  /** Smooths the lag: a single long pause counts half, then a quarter; a constant lag counts in full. */
  noteLag(lateMs: number): void {
    this.lagMs = (this.lagMs + lateMs) / 2
    if (this.lagMs <= maxLagMs) this.lateSince = undefined
    else this.lateSince ??= this.now()
  }

  isOverloaded(shares: Pick<FairScheduler, 'waitMs'> | undefined): boolean {
    const isLate = this.lateSince !== undefined && this.now() - this.lateSince >= overloadAfterMs
    return isLate || (shares?.waitMs ?? 0) > maxLagMs * 4
  }

  /** Returns whether a request may begin now, or a promise for its turn. */
  enter(shares: Pick<FairScheduler, 'waitMs'> | undefined): boolean | Promise<boolean> {
    if (this.isOverloaded(shares)) return false
    this.schedule()
    if (this.startedThisTurn < maxPerTurn && this.waiting.length === 0) {
      this.startedThisTurn++
      return true
    }
    if (this.waiting.length >= maxHeldRefusals) return false
    return new Promise((begin) => this.waiting.push({ since: this.now(), resume: begin }))
  }

  /** Resolves when the refusal is to be sent; the delay slows down clients that retry at once. */
  async refuse(): Promise<void> {
    this.refused++
    if (this.heldRefusals >= maxHeldRefusals) return
    this.heldRefusals++
    await pause(answerAfterMs)
    this.heldRefusals--
  }

  close(): void {
    clearInterval(this.timer)
  }

  private schedule(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    setImmediate(() => this.takeTurn())
  }

  private takeTurn(): void {
    this.isScheduled = false
    const latest = this.now() - maxWaitMs
    const overdue = this.waiting.findIndex(({ since }) => since > latest)
    const refused = this.waiting.splice(0, overdue < 0 ? this.waiting.length : overdue)
    for (const { resume } of refused) resume(false)
    const next = this.waiting.splice(0, maxPerTurn)
    this.startedThisTurn = next.length
    for (const { resume } of next) resume(true)
    if (next.length > 0) this.schedule()
  }
}
