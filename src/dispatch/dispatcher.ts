import { setImmediate as aTurn } from 'node:timers/promises'
import type { JobTurn } from '#jobs/jobs'
import { nextAttemptAt } from '#outbound/retry-schedule'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { Breakers } from './breakers'
import { isSameLane, type Lane, mailServer, reachesOut } from './lane'
import { dueInLane, dueLanes, type WaitingTable } from './waiting'

/** A delivery as the dispatcher knows it. */
export interface WaitingDelivery extends Lane {
  id: string
  state: 'waiting' | 'sent' | 'failed'
  dueAt: Date
  attempts: number
  /** The outcome of the last attempt. */
  outcome: string | undefined
}

export type DeliveryProgress = Pick<WaitingDelivery, 'state' | 'dueAt' | 'attempts' | 'outcome'>

export type DeliveryAttempt =
  | { sent: true; outcome: string }
  | {
      sent: false
      isFinal: boolean
      outcome: string
      atLeastSeconds?: number | undefined
      /** Whether the address answered; absent where it was not tried. */
      hasAnswered?: boolean
    }

/** A kind of deliveries: where they wait, and how one is sent. */
export interface DispatchQueue<Delivery extends WaitingDelivery> {
  table: WaitingTable
  /** The topic of the change feed that says that one more waits. */
  topic: string
  find(id: string): Promise<Delivery | undefined>
  /** Makes one attempt. Returns undefined where it saved the delivery itself. */
  send(delivery: Delivery): Promise<DeliveryAttempt | undefined>
  save(delivery: Delivery, progress: DeliveryProgress): Promise<void>
  /** Forgets what was sent or given up long ago. */
  tidy(): Promise<void>
}

/** Attempts at the same time. What is only prepared is not counted. */
const most = { inAll: 12, ofProject: 4, toAddress: 4, ofLane: 2 }

/** Addresses that did not answer the last time have at most half of all attempts among them. */
const mostUnanswered = most.inAll / 2

/** A failure that took as long counts as none to answer. */
const slowMs = 5000
/** Every so many attempts, the delivery that has waited for the longest has its turn before the newest. */
const turnsPerOldest = 4
/** Deliveries to an address that has not answered for this long are given up, if they wait as long. */
const keptWaitingMs = 7 * 24 * 60 * 60_000
const mostGivenUpAtOnce = 500

const listedForMs = 1000
/** Far less than the lease of a job, so that no other front begins it meanwhile. */
const extendedEveryMs = 5 * 60_000

interface RunningAttempt {
  lane: Lane
  isUnanswered: boolean
}

const alone: JobTurn = { extend: async () => true }

/**
 * Sends what waits in a table of the store. Lanes take turns, and a free slot goes to the next lane at once: nothing waits
 * for the end of a round. Within a lane the newest goes first. An address that does not answer gets one attempt at a
 * time, further and further apart, while its deliveries stay in the store.
 */
export class Dispatcher<Delivery extends WaitingDelivery> {
  private readonly running = new Map<string, RunningAttempt>()
  /** Those in which something is due; the first has its turn next. */
  private lanes: Lane[] = []
  private readonly turns = new Map<string, number>()
  private readonly breakers: Breakers
  private listedAt: Date | undefined
  private problems: unknown[] = []
  private readonly lanesInTrouble: Lane[] = []
  private change = Promise.withResolvers<void>()
  private isClosed = false

  constructor(
    private readonly queue: DispatchQueue<Delivery>,
    private readonly dependencies: { store: Store; world: World },
  ) {
    this.breakers = new Breakers(dependencies.store)
  }

  /** Sends until nothing more is due, also what is added meanwhile. In one front at a time, by the lease of its job. */
  async run(turn: JobTurn = alone): Promise<void> {
    const stopListening = this.dependencies.store.onChange((topic) => {
      if (topic === this.queue.topic) this.noteAdded()
    })
    this.listedAt = undefined
    try {
      await this.tidy()
      await this.sendAll(turn)
    } finally {
      stopListening()
      while (this.running.size > 0) await this.nextChange()
    }
    this.throwProblem()
  }

  close(): void {
    this.isClosed = true
  }

  private async sendAll(turn: JobTurn): Promise<void> {
    let extendedAt = this.dependencies.world.now()
    while (!this.isClosed) {
      await this.fill()
      if (this.running.size === 0 && this.listedAt) return
      await this.nextChange()
      // what is only prepared waits for no network: without a break, a flood would hold up the whole process
      await aTurn()
      if (msBetween(extendedAt, this.dependencies.world.now()) < extendedEveryMs) continue
      if (!(await turn.extend())) return
      extendedAt = this.dependencies.world.now()
      await this.tidy()
    }
  }

  private noteAdded(): void {
    this.listedAt = undefined
    this.noteChange()
  }

  private noteChange(): void {
    this.change.resolve()
  }

  /** Resolves once an attempt is over, or a delivery was added, since it was called last. */
  private async nextChange(): Promise<void> {
    await this.change.promise
    this.change = Promise.withResolvers<void>()
  }

  /** Gives the free slots to the lanes whose turn it is. */
  private async fill(): Promise<void> {
    const now = this.dependencies.world.now()
    const isListed = this.listedAt && msBetween(this.listedAt, now) < listedForMs
    if (isListed && (await this.startFromList())) return
    await this.list()
    await this.startFromList()
  }

  /** The lanes that were known keep their turns, new ones are the last. */
  private async list(): Promise<void> {
    const { store, world } = this.dependencies
    this.listedAt = world.now()
    await this.breakers.load()
    const due = await dueLanes(store, this.queue.table, this.listedAt)
    const known = this.lanes.filter((lane) => due.some((one) => isSameLane(one, lane)))
    this.lanes = [...known, ...due.filter((lane) => !known.some((one) => isSameLane(one, lane)))]
  }

  private async startFromList(): Promise<boolean> {
    let hasStarted = false
    for (let lane = this.nextLane(); lane; lane = this.nextLane()) {
      const id = await this.nextIn(lane)
      const others = this.lanes.filter((one) => one !== lane)
      this.lanes = id === undefined ? others : [...others, lane]
      if (id === undefined) continue
      hasStarted = true
      this.begin(lane, id)
    }
    return hasStarted
  }

  private nextLane(): Lane | undefined {
    return this.isClosed ? undefined : this.lanes.find((lane) => this.mayBegin(lane))
  }

  private mayBegin(lane: Lane): boolean {
    if (this.lanesInTrouble.some((one) => isSameLane(one, lane))) return false
    const all = [...this.running.values()]
    const count = (isCounted: (attempt: RunningAttempt) => boolean): number => all.filter(isCounted).length
    const ofLane = count((one) => isSameLane(one.lane, lane))
    if (!reachesOut(lane)) return ofLane === 0
    if (count((one) => reachesOut(one.lane)) >= most.inAll) return false
    if (count((one) => reachesOut(one.lane) && one.lane.projectId === lane.projectId) >= most.ofProject)
      return false
    if (count((one) => one.lane.address === lane.address) >= most.toAddress) return false
    if (this.breakers.failuresOf(lane) === 0) return ofLane < most.ofLane
    const isBeingTried =
      lane.address === mailServer ? count((one) => one.lane.address === mailServer) : ofLane
    return (
      isBeingTried === 0 &&
      count((one) => one.isUnanswered) < mostUnanswered &&
      !this.breakers.isPaused(lane, this.dependencies.world.now())
    )
  }

  private async nextIn(lane: Lane): Promise<string | undefined> {
    const { store, world } = this.dependencies
    const key = `${lane.projectId} ${lane.address}`
    const turn = (this.turns.get(key) ?? 0) + 1
    // a delivery that its receiver cannot take does not keep an open breaker open: the next attempt is another
    const turnsPerOther = this.breakers.openAt(lane) ? 2 : turnsPerOldest
    const [id] = await dueInLane(store, this.queue.table, {
      lane,
      now: world.now(),
      end: turn % turnsPerOther === 0 ? 'oldest' : 'newest',
      limit: 1,
      except: [...this.running.keys()],
    })
    if (id === undefined) this.turns.delete(key)
    else this.turns.set(key, turn)
    return id
  }

  private begin(lane: Lane, id: string): void {
    this.running.set(id, { lane, isUnanswered: this.breakers.failuresOf(lane) > 0 })
    void this.attempt(lane, id)
      .catch((problem: unknown) => {
        this.problems.push(problem)
        this.lanesInTrouble.push(lane)
      })
      .finally(() => {
        this.running.delete(id)
        this.noteChange()
      })
  }

  private async attempt(lane: Lane, id: string): Promise<void> {
    const { world } = this.dependencies
    const delivery = await this.queue.find(id)
    if (delivery?.state !== 'waiting') return
    const wasOpen = this.breakers.openAt(lane) !== undefined
    const begunAt = world.now()
    const attempt = await this.queue.send(delivery)
    // it goes on in another lane
    if (!attempt) return void (this.listedAt = undefined)
    const now = world.now()
    const isUnanswered = !attempt.sent && isUnansweredAfter(attempt, msBetween(begunAt, now))
    if (isUnanswered) await this.breakers.fail(lane, now)
    else if (attempt.sent || attempt.hasAnswered) await this.breakers.close(lane)
    const isCounted = !(wasOpen && isUnanswered)
    await this.queue.save(delivery, progressOf(delivery, attempt, { now, isCounted }))
  }

  private async tidy(): Promise<void> {
    const now = this.dependencies.world.now()
    await this.queue.tidy()
    await this.breakers.tidy(now)
    await this.breakers.load()
    for (const lane of await dueLanes(this.dependencies.store, this.queue.table, before(now, keptWaitingMs)))
      await this.giveUp(lane, now)
  }

  /** Gives up what waited as long as its address has not answered. */
  private async giveUp(lane: Lane, now: Date): Promise<void> {
    const longAgo = before(now, keptWaitingMs)
    const breaker = this.breakers.openAt(lane)
    if (!breaker || breaker.failingSince > longAgo) return
    const { queue } = this
    const ids = await dueInLane(this.dependencies.store, queue.table, {
      lane,
      now: longAgo,
      end: 'oldest',
      limit: mostGivenUpAtOnce,
    })
    for (const id of ids) {
      const delivery = await queue.find(id)
      const outcome = `${lane.address} did not answer for seven days.`
      if (delivery) await queue.save(delivery, { ...delivery, state: 'failed', dueAt: now, outcome })
    }
  }

  /** The first problem of a run. The lanes of all others were served. */
  private throwProblem(): void {
    const [problem] = this.problems
    const hasProblem = this.problems.length > 0
    this.problems = []
    this.lanesInTrouble.splice(0)
    if (hasProblem) throw problem
  }
}

const isUnansweredAfter = ({ hasAnswered }: { hasAnswered?: boolean }, tookMs: number): boolean =>
  hasAnswered === false || (hasAnswered === true && tookMs >= slowMs)

/** An attempt on an open breaker that failed is not counted: its delivery waits on, due as it was. */
function progressOf(
  { dueAt, attempts: before }: WaitingDelivery,
  attempt: DeliveryAttempt,
  { now, isCounted }: { now: Date; isCounted: boolean },
): DeliveryProgress {
  const { outcome } = attempt
  const attempts = before + 1
  if (attempt.sent) return { state: 'sent', dueAt: now, attempts, outcome }
  if (!isCounted && !attempt.isFinal) return { state: 'waiting', dueAt, attempts: before, outcome }
  const next = attempt.isFinal ? undefined : nextAttemptAt(attempts, now, attempt.atLeastSeconds)
  return { state: next ? 'waiting' : 'failed', dueAt: next ?? now, attempts, outcome }
}

const msBetween = (from: Date, to: Date): number => to.getTime() - from.getTime()
const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms)
