import type { Store } from '../store/store'
import type { World } from '../world/world'
import { release, take } from './jobs/store'

/** Something that has to be done now and then beside answering. */
export interface Job {
  name: string
  everyMs: number
  /** Done by one of the fronts that share a store; otherwise each does its own. */
  isShared?: true
  /** Jobs of one queue are never under way at the same time. */
  queue?: string
  run: () => unknown
}

/** What became of a job in this front since the start. */
export interface JobCount {
  name: string
  runs: number
  failures: number
}

interface JobsGround {
  store: Store
  world: World
  onTrouble: (problem: unknown, job: string) => void
}

/** A front that died in the middle of a job keeps the others from it for so long. */
const holdMs = 15 * 60_000

/** Everything that is done by the clock. What fails is told, and tried again when it is due the next time. */
export class Jobs {
  private readonly holder: string
  private readonly timers: NodeJS.Timeout[] = []
  private readonly counted = new Map<string, JobCount>()
  private readonly queues = new Map<string, Promise<void>>()
  private readonly waiting = new Set<string>()
  private readonly underWay = new Set<string>()
  private hasStopped = false

  constructor(
    private readonly jobs: readonly Job[],
    private readonly ground: JobsGround,
  ) {
    this.holder = Buffer.from(ground.world.random(8)).toString('hex')
  }

  begin(): void {
    for (const { name, everyMs } of this.jobs)
      this.timers.push(setInterval(() => void this.tick(name), everyMs).unref())
  }

  /** Begins nothing any more; what is under way may fail, and nobody needs to hear of it. */
  stop(): void {
    this.hasStopped = true
    for (const timer of this.timers) clearInterval(timer)
  }

  /** Its time may have come; a shared one is done only if nobody else did it. */
  async tick(name: string): Promise<void> {
    await this.enqueue(this.named(name), false)
  }

  /** Not when it is due, but now: there is something for it to do. */
  async hurry(name: string): Promise<void> {
    await this.enqueue(this.named(name), true)
  }

  counts(): JobCount[] {
    return this.jobs.map(({ name }) => ({ ...this.countOf(name) }))
  }

  /** A job that waits already is not put behind itself; one that is under way is, if something happened since. */
  private async enqueue(job: Job, isHurried: boolean): Promise<void> {
    const { name, queue = name } = job
    if (this.waiting.has(name) || (this.underWay.has(name) && !isHurried)) return
    this.waiting.add(name)
    const turn = (this.queues.get(queue) ?? Promise.resolve()).then(() => this.takeTurn(job, isHurried))
    this.queues.set(queue, turn)
    await turn
  }

  private async takeTurn(job: Job, isHurried: boolean): Promise<void> {
    this.waiting.delete(job.name)
    this.underWay.add(job.name)
    await this.attempt(job, isHurried)
    this.underWay.delete(job.name)
  }

  private async attempt(job: Job, isHurried: boolean): Promise<void> {
    if (this.hasStopped) return
    try {
      if (job.isShared) await this.runShared(job, isHurried)
      else await this.run(job)
    } catch (problem) {
      this.countOf(job.name).failures++
      if (!this.hasStopped) this.ground.onTrouble(problem, job.name)
    }
  }

  private async run(job: Job): Promise<void> {
    this.countOf(job.name).runs++
    await job.run()
  }

  private async runShared(job: Job, isHurried: boolean): Promise<void> {
    const { store, world } = this.ground
    const now = world.now()
    const lease = {
      name: job.name,
      holder: this.holder,
      now,
      heldUntil: after(now, holdMs),
      // timers are never quite on time, and a job missed by a hair would be done half as often
      dueAt: after(now, job.everyMs * 0.9),
    }
    if (!(await take(store, lease, isHurried))) return
    try {
      await this.run(job)
    } finally {
      await release(store, lease, world.now())
    }
  }

  private named(name: string): Job {
    const job = this.jobs.find((one) => one.name === name)
    if (!job) throw new Error(`There is no job "${name}".`)
    return job
  }

  private countOf(name: string): JobCount {
    const known = this.counted.get(name) ?? { name, runs: 0, failures: 0 }
    this.counted.set(name, known)
    return known
  }
}

const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms)
