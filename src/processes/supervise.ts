import type { ChildProcess, Serializable } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { BackOff } from './internal/back-off'
import { type ProcessStats, readProcessStats } from './internal/process-stats'
import { type Observation, Watchdog } from './internal/watchdog'

/** Structurally a pino logger. */
export interface ProcessLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface ChildHealth {
  status: 'starting' | 'ready' | 'restarting' | 'stopped'
  /** The beginning of this status. */
  since: Date
  restarts: number
  /** The trouble, in words a person can act on; absent while all is well. */
  trouble?: string
  pid?: number
}

/** The child to keep alive, and the signs by which to tell that it is. */
export interface ChildPlan {
  /** The name in sentences: 'engine', 'pages'. */
  name: string
  /** Called for every start. */
  spawn: () => ChildProcess
  /** The probe: asked in quick succession until the child is ready, then every `probeEveryMs`. */
  isAlive: () => Promise<boolean>
  /** A start that gets nowhere is given up on after this; one that makes progress has ten times as long. */
  startWithinMs: number
  probeEveryMs: number
  /** The time after which a child without a good probe and without any progress is dead: it is started again. */
  deafAfterMs: number
  /** The time after which a child without a good probe is started again, whatever it does meanwhile. */
  busyAfterMs: number
  stop: { signal: NodeJS.Signals; withinMs: number }
  backOffMs: { first: number; most: number }
  /** Runs before a child that answers counts as ready; if it fails, the start has failed. */
  onReady?: () => void | Promise<void>
  onLost?: (why: string) => void
  log: ProcessLog
  /** The tail of the child's stderr, for the sentence about its trouble. */
  lastOutput?: () => string
  /** Reads the state of a child that is silent; from the system by default. */
  processStats?: (pid: number | undefined) => ProcessStats
  /** Milliseconds of a clock that only ever goes forward. */
  now?: () => number
}

/** A child process that is started again whenever it is lost. */
export interface SupervisedChild {
  health(): ChildHealth
  /** Resolves at the first readiness; rejects if the child is stopped before. */
  ready(): Promise<void>
  /** Dropped while there is no child to hear it. */
  send(message: unknown): void
  stop(): Promise<void>
  /** Kills the child, for tests and the watchdog. */
  kill(signal?: NodeJS.Signals): void
}

export function supervise(plan: ChildPlan): SupervisedChild {
  const supervisor = new Supervisor(plan)
  supervisor.start()
  return supervisor
}

const probeWhileStartingMs = 25
const outputGraceMs = 200
const maxStartExtension = 10
const probeTimeoutMs = 5_000
/** A child that answered for so long is given no more time than at first. */
const stableAfterMs = 5 * 60_000
const mostDoublings = 4

/** A run of the child process, from its start to `over`. */
interface ChildRun {
  process: ChildProcess
  /** Aborted when the process is gone, with a reason that follows its name in a sentence. */
  ended: AbortSignal
}

class Supervisor implements SupervisedChild {
  readonly #plan: ChildPlan
  readonly #backOff: BackOff
  readonly #stopping = new AbortController()
  readonly #firstReady = Promise.withResolvers<void>()
  #supervision: Promise<void> = Promise.resolve()
  #health: ChildHealth = { status: 'starting', since: new Date(), restarts: 0 }
  #run: ChildRun | undefined
  /** The number of times in a row that it was given up on while it was ready. */
  #giveUps = 0

  constructor(plan: ChildPlan) {
    this.#plan = plan
    this.#backOff = new BackOff(plan.backOffMs)
    // Callers need not await readiness; without a handler, a stop before it would be an unhandled rejection.
    this.#firstReady.promise.catch(() => {})
  }

  start(): void {
    this.#supervision = this.#keepRunning()
  }

  health(): ChildHealth {
    return { ...this.#health, pid: this.#run?.process.pid }
  }

  ready(): Promise<void> {
    return this.#firstReady.promise
  }

  send(message: unknown): void {
    const child = this.#run?.process
    // The channel takes what JSON can carry; callers know what they send, and the interface need not.
    if (child?.connected) child.send(message as Serializable, () => {})
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#run?.process.kill(signal)
  }

  async stop(): Promise<void> {
    if (!this.#isStopping()) {
      const { trouble } = this.#health
      this.#stopping.abort()
      this.#setStatus('stopped', trouble)
      this.#firstReady.reject(new Error(trouble ?? `The ${this.#plan.name} was stopped before it was ready.`))
      if (this.#run) await this.#end(this.#run, this.#plan.stop.signal)
    }
    await this.#supervision
  }

  async #keepRunning(): Promise<void> {
    while (!this.#isStopping()) {
      const livedMs = await this.#runOnce()
      if (this.#isStopping()) break
      await pause(this.#backOff.pauseAfter(livedMs), this.#stopping.signal)
      if (!this.#isStopping()) this.#health.restarts += 1
    }
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  /** Runs the child once until it is lost; returns how long it had been well. */
  async #runOnce(): Promise<number> {
    let run: ChildRun
    try {
      run = trackRun(this.#plan.spawn())
    } catch (problem) {
      this.#reportLost(`could not be started: ${messageOf(problem)}`)
      return 0
    }
    this.#run = run
    const failure = await this.#becomesReady(run)
    const readyAt = performance.now()
    this.#reportLost(failure ?? (await this.#watch(run)))
    await this.#end(run, 'SIGKILL')
    this.#run = undefined
    return failure ? 0 : performance.now() - readyAt
  }

  /** Undefined once it is ready, else why it will not be. */
  async #becomesReady(run: ChildRun): Promise<string | undefined> {
    const failure = (await this.#waitForFirstAnswer(run)) ?? (await this.#prepare(run))
    if (failure || this.#isStopping()) return failure ?? 'was stopped'
    this.#setStatus('ready')
    this.#firstReady.resolve()
    this.#plan.log.info({ child: this.#plan.name, pid: run.process.pid }, `The ${this.#plan.name} is ready.`)
    return undefined
  }

  async #waitForFirstAnswer(run: ChildRun): Promise<string | undefined> {
    const { startWithinMs } = this.#plan
    const watchdog = this.#watchdogWith({
      silentMs: startWithinMs,
      busyMs: startWithinMs * maxStartExtension,
      everyMs: probeWhileStartingMs,
    })
    const probe = this.#startProbing(run)
    for (;;) {
      await pause(probeWhileStartingMs, run.ended)
      if (run.ended.aborted) return endReasonOf(run)
      const verdict = watchdog.observe(this.#observe(run, probe.answered()))
      if (verdict === 'alive') return undefined
      if (verdict === 'dead') return `did not answer within ${formatDuration(startWithinMs)}`
      if (verdict === 'endless')
        return `did not answer within ${formatDuration(startWithinMs * maxStartExtension)}`
    }
  }

  async #prepare(run: ChildRun): Promise<string | undefined> {
    const readying = async () => this.#plan.onReady?.()
    const prepared = readying().then(() => undefined, messageOf)
    return Promise.race([prepared, waitForEnd(run)])
  }

  /** Watches the ready child until it is lost or given up on; returns the reason. */
  async #watch(run: ChildRun): Promise<string> {
    const { probeEveryMs, deafAfterMs, busyAfterMs } = this.#plan
    // A child that was dead a moment ago and is again may only be slow in a way that cannot be seen: it gets longer.
    const silentMs = Math.min(deafAfterMs * 2 ** this.#giveUps, busyAfterMs)
    const watchdog = this.#watchdogWith({ silentMs, busyMs: busyAfterMs, everyMs: probeEveryMs })
    const readyAt = this.#now()
    const probe = this.#startProbing(run)
    for (;;) {
      await pause(probeEveryMs, run.ended)
      if (run.ended.aborted) return endReasonOf(run) ?? 'is gone'
      const verdict = watchdog.observe(this.#observe(run, probe.answered()))
      if (verdict === 'alive' && this.#now() - readyAt > stableAfterMs) this.#giveUps = 0
      if (verdict === 'alive' || verdict === 'slow') continue
      this.#giveUps = Math.min(this.#giveUps + 1, mostDoublings)
      if (verdict === 'dead') return `did not answer for ${formatDuration(silentMs)}`
      return `was busy and did not answer for ${formatDuration(busyAfterMs)}`
    }
  }

  #watchdogWith(limits: { silentMs: number; busyMs: number; everyMs: number }): Watchdog {
    return new Watchdog(limits, { now: this.#now() })
  }

  #observe(run: ChildRun, answered: boolean): Observation {
    const stats = answered ? {} : (this.#plan.processStats ?? readProcessStats)(run.process.pid)
    return { now: this.#now(), answered, ...stats }
  }

  #now(): number {
    return this.#plan.now?.() ?? performance.now()
  }

  /** Asks again as soon as it was answered or has waited for long; a late answer is an answer, too. */
  #startProbing(run: ChildRun): { answered: () => boolean } {
    let hasAnswered = false
    let askedAt: number | undefined
    const ask = async () => {
      const at = (askedAt = performance.now())
      const answered = await this.#plan.isAlive().catch(() => false)
      if (answered) hasAnswered = true
      if (askedAt === at) askedAt = undefined
    }
    void ask()
    return {
      answered: () => {
        const wasAnswered = hasAnswered
        hasAnswered = false
        const isWaiting = askedAt !== undefined && performance.now() - askedAt < probeTimeoutMs
        if (!isWaiting && !run.ended.aborted) void ask()
        return wasAnswered
      },
    }
  }

  async #end(run: ChildRun, signal: NodeJS.Signals): Promise<void> {
    run.process.kill(signal)
    await pause(this.#plan.stop.withinMs, run.ended)
    if (run.ended.aborted) return
    run.process.kill('SIGKILL')
    await waitForEnd(run)
  }

  #reportLost(why: string): void {
    if (this.#isStopping()) return
    const { name, log, lastOutput, onLost } = this.#plan
    const lastOutputText = lastOutput?.().trim()
    const trouble = `The ${name} ${why}; it is being started again.${lastOutputText ? ` Its last words: ${lastOutputText}` : ''}`
    this.#setStatus('restarting', trouble)
    log.warn({ child: name }, trouble)
    onLost?.(why)
  }

  #setStatus(status: ChildHealth['status'], trouble?: string): void {
    const since = this.#health.status === status ? this.#health.since : new Date()
    this.#health = { ...this.#health, status, since, trouble }
  }
}

function trackRun(process: ChildProcess): ChildRun {
  const life = new AbortController()
  process.once('exit', (code, signal) => {
    const end = () => life.abort(signal ? `was killed by ${signal}` : `ended with exit code ${code}`)
    // The child's last words may still be on their way; a grandchild that holds its stderr open could keep us waiting.
    process.once('close', end)
    setTimeout(end, outputGraceMs).unref()
  })
  process.on('error', (problem) => {
    // A child without a pid never lived, so no exit will follow; later errors are only failed signals or messages.
    if (process.pid === undefined) life.abort(`could not be started: ${problem.message}`)
  })
  return { process, ended: life.signal }
}

function endReasonOf(run: ChildRun): string | undefined {
  return run.ended.aborted ? String(run.ended.reason) : undefined
}

async function waitForEnd(run: ChildRun): Promise<string> {
  if (!run.ended.aborted) await once(run.ended, 'abort')
  return String(run.ended.reason)
}

/** A wait that ends early, and quietly, when there is nothing left to wait for. */
async function pause(ms: number, until: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: until }).catch(() => {})
}

function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem)
}

function formatDuration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`
}
