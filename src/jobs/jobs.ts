import type { Store } from '#store/store'
import type { World } from '#world/world'
import { acquireLease, extendLease, releaseLease } from './store'

/**
 * Work on a schedule.
 *
 * @example
 * const job: Job = { name: 'send reports', everyMs: 60_000, isShared: true, run: () => reports.run() }
 */
export interface Job {
  name: string
  everyMs: number
  /** Whether only one of the fronts that share a store runs it; otherwise every front does. */
  isShared?: true
  /** Jobs of one queue never run at the same time. */
  queue?: string
  run: (turn: JobTurn) => unknown
}

/** One run of a job. */
export interface JobTurn {
  /** Returns false if another front may have begun the job, because this one did nothing for too long. */
  extend(): Promise<boolean>
}

/** A module as a process runs it. */
export interface OpenedModule<Services> {
  services: Services
  jobs: readonly Job[]
  /** For how long copies in memory could not be read again after a change, by their names. */
  staleMs?(): Readonly<Record<string, number>>
  /** Resolves once what pages show of it has every change that was announced. */
  caughtUp?(): Promise<void>
  close(): void | Promise<void>
}

/** Counts of a job's outcomes in this front since the start. */
export interface JobCount {
  name: string
  runs: number
  failures: number
}

interface JobsDependencies {
  store: Store
  world: World
  onTrouble: (problem: unknown, job: string) => void
}

/** If a front dies during a job, the job is blocked for this long; one that lives extends its lease in time. */
const leaseMs = 60_000
const extendEveryMs = 15_000

/** Runs jobs on a schedule. A failed job is reported, and runs again at its next time. */
export class Jobs {
  private readonly holder: string
  private readonly timers: NodeJS.Timeout[] = []
  private readonly counted = new Map<string, JobCount>()
  private readonly queues = new Map<string, Promise<void>>()
  private readonly waiting = new Set<string>()
  private readonly running = new Set<string>()
  private hasStopped = false

  constructor(
    private readonly jobs: readonly Job[],
    private readonly dependencies: JobsDependencies,
  ) {
    this.holder = Buffer.from(dependencies.world.random(8)).toString('hex')
  }

  begin(): void {
    for (const { name, everyMs } of this.jobs)
      this.timers.push(
        setInterval(
          () => void this.tick(name).catch((problem) => this.dependencies.onTrouble(problem, name)),
          everyMs,
        ).unref(),
      )
  }

  /** Starts no more jobs. Failures of running jobs are not reported. */
  stop(): void {
    this.hasStopped = true
    for (const timer of this.timers) clearInterval(timer)
  }

  /** Runs the job if it is due; a shared one only if no other front holds its lease. */
  async tick(name: string): Promise<void> {
    await this.enqueue(this.named(name), false)
  }

  /** Runs a job before it is due, because there is work for it. */
  async hurry(name: string): Promise<void> {
    await this.enqueue(this.named(name), true)
  }

  counts(): JobCount[] {
    return this.jobs.map(({ name }) => ({ ...this.countOf(name) }))
  }

  /** Queues a job. A waiting job is not queued twice; a running one is, if there is new work. */
  private async enqueue(job: Job, isHurried: boolean): Promise<void> {
    const { name, queue = name } = job
    if (this.waiting.has(name) || (this.running.has(name) && !isHurried)) return
    this.waiting.add(name)
    const turn = (this.queues.get(queue) ?? Promise.resolve()).then(() => this.takeTurn(job, isHurried))
    this.queues.set(queue, turn)
    await turn
  }

  private async takeTurn(job: Job, isHurried: boolean): Promise<void> {
    this.waiting.delete(job.name)
    this.running.add(job.name)
    await this.attempt(job, isHurried)
    this.running.delete(job.name)
  }

  private async attempt(job: Job, isHurried: boolean): Promise<void> {
    if (this.hasStopped) return
    try {
      if (job.isShared) await this.runShared(job, isHurried)
      else await this.run(job, { extend: async () => true })
    } catch (problem) {
      this.countOf(job.name).failures++
      if (!this.hasStopped) this.dependencies.onTrouble(problem, job.name)
    }
  }

  private async run(job: Job, turn: JobTurn): Promise<void> {
    this.countOf(job.name).runs++
    await job.run(turn)
  }

  private async runShared(job: Job, isHurried: boolean): Promise<void> {
    const { store, world, onTrouble } = this.dependencies
    const now = world.now()
    const lease = {
      name: job.name,
      holder: this.holder,
      now,
      heldUntil: after(now, leaseMs),
      // timers are inexact, and a job that is early by a little would otherwise run half as often
      dueAt: after(now, job.everyMs * 0.9),
    }
    if (!(await acquireLease(store, lease, isHurried))) return
    const extend = async (): Promise<boolean> => {
      const at = world.now()
      return await extendLease(store, { ...lease, now: at, heldUntil: after(at, leaseMs) })
    }
    const timer = setInterval(
      () => void extend().catch((problem: unknown) => onTrouble(problem, job.name)),
      extendEveryMs,
    ).unref()
    try {
      await this.run(job, { extend })
    } finally {
      clearInterval(timer)
      await releaseLease(store, lease, world.now())
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
