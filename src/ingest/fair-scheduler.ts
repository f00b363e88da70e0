/** Does one slice of some work. Returns whether it was the last one. */
type WorkSlice = () => boolean

/**
 * The work of one sender. Work in progress and waiting work take turns, so that a large batch does not block single
 * events.
 */
interface SenderQueue {
  begun: WorkSlice[]
  /** Waiting work in the order of arrival. */
  waiting: WorkSlice[]
  beganLast: boolean
}

/** In this many turns with other work, background work has one. */
const turnsPerBackgroundTurn = 16

interface FairSchedulerSettings {
  now?: () => number
  /** The time of one turn of the event loop that this work may use before other requests are served. */
  budgetMs?: number
  /** The time of one sender's work before the next sender's turn. */
  sliceMs?: number
}

function sliceOf<T>(
  work: Generator<unknown, T>,
  resolve: (value: T) => void,
  reject: (problem: Error) => void,
): WorkSlice {
  return () => {
    try {
      const result = work.next()
      if (result.done) resolve(result.value)
      return result.done === true
    } catch (problem) {
      reject(problem instanceof Error ? problem : new Error(String(problem)))
      return true
    }
  }
}

/** The half-life of a sender's recent time. */
const halfLifeMs = 1000
const mostSenders = 10_000

/**
 * Shares the time of the event loop between senders (projects, or networks before a project is known). One turn of the
 * loop uses only a limited time, and the sender that used least recently comes first. Work waits as long as it takes: who
 * adds it bounds how much there is (`http/ingest-gate.ts`, `wire/body-memory.ts`).
 */
export class FairScheduler {
  private readonly queues = new Map<string, SenderQueue>()
  private readonly used = new Map<string, { ms: number; at: number }>()
  private readonly now: () => number
  private readonly budgetMs: number
  private readonly sliceMs: number
  private readonly background: WorkSlice[] = []
  private usedThisTurn = 0
  private turnsWithoutBackground = 0
  private isScheduled = false

  constructor(settings: FairSchedulerSettings = {}) {
    this.now = settings.now ?? (() => performance.now())
    this.budgetMs = settings.budgetMs ?? 8
    this.sliceMs = settings.sliceMs ?? 2
  }

  /**
   * Runs work to its end: at once where there is time, and then its result is returned without a promise; else in slices
   * when it is the sender's turn.
   */
  run<T>(sender: string, work: Generator<unknown, T>): T | Promise<T> {
    if (this.queues.size > 0 || this.usedThisTurn >= this.budgetMs) return this.wait(sender, 'waiting', work)
    try {
      const result = this.runFirstSlice(sender, work)
      return result.done ? result.value : this.wait(sender, 'begun', work)
    } catch (problem) {
      return Promise.reject(problem)
    }
  }

  private wait<T>(sender: string, list: 'begun' | 'waiting', work: Generator<unknown, T>): Promise<T> {
    const queue = this.queues.get(sender) ?? { begun: [], waiting: [], beganLast: false }
    this.queues.set(sender, queue)
    return new Promise((resolve, reject) => {
      queue[list].push(sliceOf(work, resolve, reject))
      this.schedule()
    })
  }

  /** Runs work for which no visitor waits: a slice in a turn of the event loop without other work. */
  runInBackground<T>(work: Generator<unknown, T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.background.push(sliceOf(work, resolve, reject))
      this.schedule()
    })
  }

  private runFirstSlice<T>(sender: string, work: Generator<unknown, T>): IteratorResult<unknown, T> {
    const began = this.now()
    try {
      let result = work.next()
      while (!result.done && this.now() - began < this.sliceMs) result = work.next()
      return result
    } finally {
      this.recordUse(sender, this.now() - began)
    }
  }

  /** Runs one slice of a job; true where that was the last. */
  private runSlice(sender: string, work: WorkSlice): boolean {
    const began = this.now()
    const isDone = this.runFor(work, began)
    this.recordUse(sender, this.now() - began)
    return isDone
  }

  private runFor(work: WorkSlice, began: number): boolean {
    let isDone = work()
    while (!isDone && this.now() - began < this.sliceMs) isDone = work()
    return isDone
  }

  private recordUse(sender: string, ms: number): void {
    this.usedThisTurn += ms
    const total = this.usedBy(sender) + ms
    this.used.delete(sender)
    this.used.set(sender, { ms: total, at: this.now() })
    if (this.used.size > mostSenders) this.forgetOldest()
    this.schedule()
  }

  private forgetOldest(): void {
    for (const sender of this.used.keys()) {
      this.used.delete(sender)
      return
    }
  }

  private usedBy(sender: string): number {
    const used = this.used.get(sender)
    return used ? used.ms * 0.5 ** ((this.now() - used.at) / halfLifeMs) : 0
  }

  private schedule(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    setImmediate(() => this.runTurn())
  }

  /** Once in each turn of the event loop, as long as there is work. */
  private runTurn(): void {
    this.isScheduled = false
    const isQuiet = this.queues.size === 0 && this.usedThisTurn === 0
    this.usedThisTurn = 0
    while (this.queues.size > 0 && this.usedThisTurn < this.budgetMs) this.runNext()
    this.runBackground(isQuiet)
    if (this.queues.size > 0 || this.background.length > 0) this.schedule()
  }

  private runBackground(isQuiet: boolean): void {
    const [work] = this.background
    if (!work || (!isQuiet && ++this.turnsWithoutBackground < turnsPerBackgroundTurn)) return
    this.turnsWithoutBackground = 0
    this.background.shift()
    if (!this.runFor(work, this.now())) this.background.push(work)
  }

  private runNext(): void {
    const sender = this.senderWithLeastUse()
    const queue = this.queues.get(sender)
    if (!queue) return
    const takesWaiting = queue.waiting.length > 0 && (queue.beganLast || queue.begun.length === 0)
    queue.beganLast = !takesWaiting
    const work = takesWaiting ? queue.waiting.shift() : queue.begun.shift()
    if (work && !this.runSlice(sender, work)) queue.begun.push(work)
    this.forgetIfEmpty(sender, queue)
  }

  private forgetIfEmpty(sender: string, { begun, waiting }: SenderQueue): void {
    if (begun.length === 0 && waiting.length === 0) this.queues.delete(sender)
  }

  private senderWithLeastUse(): string {
    let [least, found] = [Number.POSITIVE_INFINITY, '']
    for (const sender of this.queues.keys()) {
      const used = this.usedBy(sender)
      if (used < least) [least, found] = [used, sender]
    }
    return found
  }
}
