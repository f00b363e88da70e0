import type { ChildProcess, Serializable } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { BackOff } from './back-off'

/** Structurally a pino logger. */
export interface ProcessLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface ChildHealth {
  status: 'starting' | 'ready' | 'restarting' | 'stopped'
  /** Since when it has been in this status. */
  since: Date
  restarts: number
  /** In words a person can act on; absent while all is well. */
  trouble?: string
  pid?: number
}

/** What to keep alive, and by which signs to tell that it is. */
export interface ChildPlan {
  /** As sentences call it: 'engine', 'pages'. */
  name: string
  /** Called for every start. */
  spawn: () => ChildProcess
  /** The probe: asked in quick succession until the child is ready, then every `probeEveryMs`. */
  isAlive: () => Promise<boolean>
  startWithinMs: number
  probeEveryMs: number
  /** Without one good probe for this long the child is wedged: it is killed and started again. */
  deafAfterMs: number
  stop: { signal: NodeJS.Signals; withinMs: number }
  backOffMs: { first: number; most: number }
  /** What must be done before a child that answers counts as ready; if it fails, the start has failed. */
  onReady?: () => void | Promise<void>
  onLost?: (why: string) => void
  log: ProcessLog
  /** The tail of the child's stderr, for the sentence about its trouble. */
  lastWords?: () => string
}

/** One child process that is started again whenever it is lost. */
export interface SupervisedChild {
  health(): ChildHealth
  /** Resolves at the first readiness; rejects if the child is stopped before. */
  ready(): Promise<void>
  /** Dropped while there is no child to hear it. */
  send(message: unknown): void
  stop(): Promise<void>
  /** For tests and the watchdog. */
  kill(signal?: NodeJS.Signals): void
}

export function supervise(plan: ChildPlan): SupervisedChild {
  const supervisor = new Supervisor(plan)
  supervisor.start()
  return supervisor
}

const probeWhileStartingMs = 25
const lastWordsWithinMs = 200

/** One run of the child process, from its start to `over`. */
interface Life {
  process: ChildProcess
  /** Aborted when the process is gone, with a reason that follows its name in a sentence. */
  over: AbortSignal
}

class Supervisor implements SupervisedChild {
  readonly #plan: ChildPlan
  readonly #backOff: BackOff
  readonly #stopping = new AbortController()
  readonly #firstReady = Promise.withResolvers<void>()
  #keeping: Promise<void> = Promise.resolve()
  #health: ChildHealth = { status: 'starting', since: new Date(), restarts: 0 }
  #life: Life | undefined

  constructor(plan: ChildPlan) {
    this.#plan = plan
    this.#backOff = new BackOff(plan.backOffMs)
    // Nobody has to wait for readiness; without a listener a stop before it would look like an unhandled rejection.
    this.#firstReady.promise.catch(() => {})
  }

  start(): void {
    this.#keeping = this.#keep()
  }

  health(): ChildHealth {
    return { ...this.#health, pid: this.#life?.process.pid }
  }

  ready(): Promise<void> {
    return this.#firstReady.promise
  }

  send(message: unknown): void {
    const child = this.#life?.process
    // The channel takes what JSON can carry; callers know what they send, and the interface need not.
    if (child?.connected) child.send(message as Serializable, () => {})
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#life?.process.kill(signal)
  }

  async stop(): Promise<void> {
    if (!this.#isStopping()) {
      const { trouble } = this.#health
      this.#stopping.abort()
      this.#become('stopped', trouble)
      this.#firstReady.reject(new Error(trouble ?? `The ${this.#plan.name} was stopped before it was ready.`))
      if (this.#life) await this.#end(this.#life, this.#plan.stop.signal)
    }
    await this.#keeping
  }

  async #keep(): Promise<void> {
    while (!this.#isStopping()) {
      const livedMs = await this.#live()
      if (this.#isStopping()) break
      await pause(this.#backOff.pauseAfter(livedMs), this.#stopping.signal)
      if (!this.#isStopping()) this.#health.restarts += 1
    }
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  /** From one start until the child is lost; answers how long it had been well. */
  async #live(): Promise<number> {
    let life: Life
    try {
      life = begin(this.#plan.spawn())
    } catch (problem) {
      this.#lose(`could not be started: ${wordsOf(problem)}`)
      return 0
    }
    this.#life = life
    const failure = await this.#becomesReady(life)
    const readyAt = performance.now()
    this.#lose(failure ?? (await this.#watch(life)))
    await this.#end(life, 'SIGKILL')
    this.#life = undefined
    return failure ? 0 : performance.now() - readyAt
  }

  /** Undefined once it is ready, else why it will not be. */
  async #becomesReady(life: Life): Promise<string | undefined> {
    const failure = (await this.#untilItAnswers(life)) ?? (await this.#prepare(life))
    if (failure || this.#isStopping()) return failure ?? 'was stopped'
    this.#become('ready')
    this.#firstReady.resolve()
    this.#plan.log.info({ child: this.#plan.name, pid: life.process.pid }, `The ${this.#plan.name} is ready.`)
    return undefined
  }

  async #untilItAnswers(life: Life): Promise<string | undefined> {
    const giveUpAt = performance.now() + this.#plan.startWithinMs
    while (!life.over.aborted && performance.now() < giveUpAt) {
      if (await this.#answers(life, giveUpAt - performance.now())) return undefined
      await pause(probeWhileStartingMs, life.over)
    }
    return reasonOf(life) ?? `did not answer within ${inWords(this.#plan.startWithinMs)}`
  }

  async #prepare(life: Life): Promise<string | undefined> {
    const readying = async () => this.#plan.onReady?.()
    const prepared = readying().then(() => undefined, wordsOf)
    return Promise.race([prepared, untilOver(life)])
  }

  /** Until the ready child is lost or deaf, and why. */
  async #watch(life: Life): Promise<string> {
    const { probeEveryMs, deafAfterMs } = this.#plan
    let deafAt = performance.now() + deafAfterMs
    for (;;) {
      await pause(probeEveryMs, life.over)
      if (await this.#answers(life, deafAt - performance.now())) deafAt = performance.now() + deafAfterMs
      if (life.over.aborted) return reasonOf(life) ?? 'is gone'
      if (performance.now() >= deafAt) return `did not answer for ${inWords(deafAfterMs)}`
    }
  }

  /** One probe. It may hang, so it is given up on when its time is over or the child is. */
  async #answers(life: Life, withinMs: number): Promise<boolean> {
    const enough = new AbortController()
    const giveUp = () => enough.abort()
    life.over.addEventListener('abort', giveUp, { once: true })
    if (life.over.aborted) giveUp()
    const silence = pause(Math.max(1, withinMs), enough.signal).then(() => false)
    try {
      return await Promise.race([this.#plan.isAlive().catch(() => false), silence])
    } finally {
      life.over.removeEventListener('abort', giveUp)
      giveUp()
    }
  }

  async #end(life: Life, signal: NodeJS.Signals): Promise<void> {
    life.process.kill(signal)
    await pause(this.#plan.stop.withinMs, life.over)
    if (life.over.aborted) return
    life.process.kill('SIGKILL')
    await untilOver(life)
  }

  #lose(why: string): void {
    if (this.#isStopping()) return
    const { name, log, lastWords, onLost } = this.#plan
    const words = lastWords?.().trim()
    const trouble = `The ${name} ${why}; it is being started again.${words ? ` Its last words: ${words}` : ''}`
    this.#become('restarting', trouble)
    log.warn({ child: name }, trouble)
    onLost?.(why)
  }

  #become(status: ChildHealth['status'], trouble?: string): void {
    const since = this.#health.status === status ? this.#health.since : new Date()
    this.#health = { ...this.#health, status, since, trouble }
  }
}

function begin(process: ChildProcess): Life {
  const life = new AbortController()
  process.once('exit', (code, signal) => {
    const end = () => life.abort(signal ? `was killed by ${signal}` : `ended with exit code ${code}`)
    // Its last words may still be on their way; but a grandchild that holds its stderr open could keep us waiting.
    process.once('close', end)
    setTimeout(end, lastWordsWithinMs).unref()
  })
  process.on('error', (problem) => {
    // Without a pid it never lived, so no exit will follow; later errors are only failed signals or messages.
    if (process.pid === undefined) life.abort(`could not be started: ${problem.message}`)
  })
  return { process, over: life.signal }
}

function reasonOf(life: Life): string | undefined {
  return life.over.aborted ? String(life.over.reason) : undefined
}

async function untilOver(life: Life): Promise<string> {
  if (!life.over.aborted) await once(life.over, 'abort')
  return String(life.over.reason)
}

/** A wait that ends early, and quietly, when there is nothing left to wait for. */
async function pause(ms: number, until: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: until }).catch(() => {})
}

function wordsOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem)
}

function inWords(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`
}
