/** Does one slice of the work. Returns whether it was the last one. */
type WorkSlice = () => boolean

interface ScheduledWork {
  runSlice: WorkSlice
  refuse: () => void
  waitingSince: number
}

/**
 * The work of one sender. Work in progress and waiting work take turns, so that a large batch does not block single
 * events.
 */
interface SenderQueue {
  begun: ScheduledWork[]
  /** Waiting work in the order of arrival. */
  waiting: ScheduledWork[]
  beganLast: boolean
}

interface FairSchedulerSettings {
  now?: () => number
  /** The time of one turn of the event loop that this work may use before other requests are served. */
  budgetMs?: number
  /** The time of one sender's work before the next sender's turn. */
  sliceMs?: number
  /** Work that has not begun within this time is refused; its sender retries later. */
  longestWaitMs?: number
}

type ScheduledResult<T> = { done: true; value: T } | { done: false }

/** The half-life of a sender's recent time. */
const halfLifeMs = 1000
const mostSenders = 10_000

/**
 * Shares the time of the event loop between senders (projects, or networks before a project is known). One turn of the
 * loop uses only a limited time, and the sender that used least recently comes first. Work that has waited too long is
 * refused, so that the queue never grows older than that. The idea is CoDel's, RFC 8289.
 */
export class FairScheduler {
  private readonly queues = new Map<string, SenderQueue>()
  private readonly used = new Map<string, { ms: number; at: number }>()
  private readonly now: () => number
  private readonly budgetMs: number
  private readonly sliceMs: number
  private readonly longestWaitMs: number
  private usedThisTurn = 0
  private isScheduled = false
  /** The number of refused tasks since the start. */
  refused = 0

  constructor(settings: FairSchedulerSettings = {}) {
    this.now = settings.now ?? (() => performance.now())
    this.budgetMs = settings.budgetMs ?? 8
    this.sliceMs = settings.sliceMs ?? 2
    this.longestWaitMs = settings.longestWaitMs ?? 150
  }

  /** The time that the oldest work that has not begun has waited. */
  get waitMs(): number {
    const now = this.now()
    let longest = 0
    for (const { waiting } of this.queues.values())
      longest = Math.max(longest, now - (waiting[0]?.waitingSince ?? now))
    return longest
  }

  /** Runs work to its end, at once where there is time, else in slices when it is the sender's turn. */
  run<T>(sender: string, work: Generator<unknown, T>): Promise<ScheduledResult<T>> {
    return new Promise((resolve, reject) => {
      const step = (): boolean => {
        try {
          const result = work.next()
          if (result.done) resolve({ done: true, value: result.value })
          return result.done === true
        } catch (problem) {
          reject(problem instanceof Error ? problem : new Error(String(problem)))
          return true
        }
      }
      const refuse = (): void => {
        this.refused++
        resolve({ done: false })
      }
      this.add(sender, { runSlice: step, refuse, waitingSince: this.now() })
    })
  }

  private add(sender: string, work: ScheduledWork): void {
    const hasTime = this.queues.size === 0 && this.usedThisTurn < this.budgetMs
    if (hasTime && this.runSlice(sender, work)) return
    const queue = this.queues.get(sender) ?? { begun: [], waiting: [], beganLast: false }
    this.queues.set(sender, queue)
    if (hasTime) queue.begun.push(work)
    else queue.waiting.push(work)
    this.schedule()
  }

  /** Runs one slice of a job; true where that was the last. */
  private runSlice(sender: string, work: ScheduledWork): boolean {
    const began = this.now()
    let isDone = work.runSlice()
    let spent = this.now() - began
    while (!isDone && spent < this.sliceMs) {
      isDone = work.runSlice()
      spent = this.now() - began
    }
    this.recordUse(sender, spent)
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
    this.usedThisTurn = 0
    this.refuseOverdue()
    while (this.queues.size > 0 && this.usedThisTurn < this.budgetMs) this.runNext()
    if (this.queues.size > 0) this.schedule()
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

  private refuseOverdue(): void {
    const latest = this.now() - this.longestWaitMs
    for (const [sender, queue] of this.queues) {
      const overdue = queue.waiting.findIndex(({ waitingSince }) => waitingSince > latest)
      for (const work of queue.waiting.splice(0, overdue < 0 ? queue.waiting.length : overdue)) work.refuse()
      this.forgetIfEmpty(sender, queue)
    }
  }
}
