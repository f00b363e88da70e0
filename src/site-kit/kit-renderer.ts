import { type KitManifest, noKit } from './kit-manifest'
import type {
  CalledKit,
  CallInput,
  KitFailure,
  KitSurroundings,
  RenderedKit,
  RenderInput,
  RendererMessage,
  RendererRequest,
} from './protocol'
import { RendererProcess } from './internal/renderer-process'
import type { KitState } from './site-kit'
import type { ListedPages } from './listed-pages'
import type { ThemeFiles } from './theme-files'

type FailedKit = { done: false; failure: KitFailure }
export type KitOutcome = { done: true; rendered: RenderedKit } | FailedKit
export type CallOutcome = { done: true; called: CalledKit } | FailedKit
type JobOutcome = { done: true; rendered?: RenderedKit; called?: CalledKit } | FailedKit

/** Answers a question of the team's modules, such as for posts. */
export type KitQueries = Readonly<Record<string, (input: unknown) => unknown>>

/** The site folder as pages see it. */
export interface PagesKit {
  renderer: KitRenderer
  /** Answers routes and forms, in a process of its own: one that blocks there holds up no page. */
  caller: KitRenderer
  listed: ListedPages
  /** The styles of a theme that comes with Tilth. */
  themes: ThemeFiles
  /** The project whose site the folder is. */
  projectId: () => number | undefined
}

/** A rendering or a call. */
type JobRequest = { kind: 'render'; input: RenderInput } | { kind: 'call'; input: CallInput }

interface Job {
  request: JobRequest
  questions: KitQueries
  finish: (outcome: JobOutcome) => void
  /** Whether it was under way when the renderer blocked: it is then tried alone. */
  isSuspect: boolean
  deadline?: NodeJS.Timeout
}

/** The longest rendering, the longest silence of the renderer, and the time for which a blocked page is refused. */
const timings = { startMs: 30_000, renderMs: 6000, silentMs: 2500, pingEveryMs: 250, refuseBlockedMs: 30_000 }
/** The pause after a rendering until a process is prepared for the next build: a page has several of them. */
const prepareAfterMs = 200

/**
 * Renders modules of the site folder in a process of its own. A rendering that blocks the process is found by trying
 * those that were under way one by one; the others succeed.
 */
export class KitRenderer {
  private state: KitState | undefined
  private process: RendererProcess | undefined
  /** A process of `tilth dev` that has React and waits for the next build. */
  private prepared: RendererProcess | undefined
  private preparing: NodeJS.Timeout | undefined
  private queue: Job[] = []
  private readonly active = new Map<number, Job>()
  private readonly refusedUntil = new Map<string, number>()
  /** The keys of calls that cannot be tried once more, and were under way when the renderer blocked. */
  private readonly suspects = new Set<string>()
  private lastId = 0
  private lastHeard = 0
  private pinging: NodeJS.Timeout | undefined

  constructor(
    private readonly options: {
      surroundings: () => KitSurroundings
      onTrouble: (problem: unknown) => void
      now?: () => number
    },
  ) {}

  /** The latest build of the front. */
  get shown(): Pick<KitState, 'manifest' | 'problems' | 'isDev'> {
    return this.state ?? noKit
  }

  /** The build in use; undefined where there is none. */
  get manifest(): KitManifest | undefined {
    return this.state?.manifest
  }

  /** Uses another build. Renderings that are under way end in the process that began them. */
  use(state: KitState): void {
    const isOther = state.manifest?.id !== this.state?.manifest?.id
    this.state = state
    if (!isOther) return
    this.refusedUntil.clear()
    this.suspects.clear()
    const earlier = [...this.active.values()]
    this.active.clear()
    this.endProcess()
    this.queue.unshift(...this.repeatable(earlier, 'the site folder was built'))
    // browsers ask for the page in a moment
    if (state.isDev && state.manifest && this.prepared) this.process = this.startProcess()
    this.dispatch()
  }

  async render(input: RenderInput, questions: KitQueries = {}): Promise<KitOutcome> {
    const outcome = await this.run({ kind: 'render', input }, questions)
    if (!outcome.done) return outcome
    return outcome.rendered ? { done: true, rendered: outcome.rendered } : unfittingAnswer(input)
  }

  /** Calls a route or the action of a form. One that may change something is not tried again when the process ends. */
  async call(input: CallInput, questions: KitQueries = {}): Promise<CallOutcome> {
    const outcome = await this.run({ kind: 'call', input }, questions)
    if (!outcome.done) return outcome
    return outcome.called ? { done: true, called: outcome.called } : unfittingAnswer(input)
  }

  private run(request: JobRequest, questions: KitQueries): Promise<JobOutcome> {
    const key = keyOf(request)
    const refusedUntil = this.refusedUntil.get(key) ?? 0
    if (refusedUntil > this.now())
      return Promise.resolve({ done: false, failure: blockedFailure(request.input) })
    const { promise, resolve } = Promise.withResolvers<JobOutcome>()
    this.queue.push({ request, questions, finish: resolve, isSuspect: this.suspects.has(key) })
    this.dispatch()
    return promise
  }

  close(): void {
    this.process?.kill()
    clearTimeout(this.preparing)
    this.prepared?.kill()
    clearInterval(this.pinging)
    this.failAll('Tilth is stopping.')
  }

  private readonly now = (): number => (this.options.now ?? (() => performance.now()))()

  private endProcess(): void {
    this.process?.kill()
    this.process = undefined
  }

  /** Begins with the first rendering: a process that renders other sites' pages only needs none. */
  private startProcess(): RendererProcess | undefined {
    const { state } = this
    if (!state?.manifest) {
      this.failAll('The site folder has no build.')
      return undefined
    }
    const started = state.isDev
      ? this.takePrepared(state.manifest, state.output)
      : RendererProcess.of(state.manifest, state.output, this.options.surroundings())
    started.listen({
      onMessage: (message) => this.process === started && this.receive(message),
      onEnd: (reason) => this.process === started && this.recover(reason),
    })
    // until it is ready only the limit of a start counts: a busy machine may need seconds for it
    this.lastHeard = Number.POSITIVE_INFINITY
    return started
  }

  private takePrepared(manifest: KitManifest, output: string): RendererProcess {
    const started = this.prepared?.isRunning ? this.prepared : RendererProcess.waiting(output)
    this.prepared = undefined
    started.load(manifest, output, this.options.surroundings())
    return started
  }

  private prepareNext(): void {
    const { state } = this
    clearTimeout(this.preparing)
    if (!state?.isDev || this.prepared) return
    this.preparing = setTimeout(
      () => (this.prepared ??= RendererProcess.waiting(state.output)),
      prepareAfterMs,
    )
  }

  /** Suspects run alone, so that the one that blocks is known. */
  private dispatch(): void {
    if (this.queue.length > 0) this.process ??= this.startProcess()
    while (this.queue.length > 0 && this.mayStartNext()) {
      const job = this.queue.shift()
      if (job) this.start(job)
    }
    this.watchSilence()
  }

  private mayStartNext(): boolean {
    if (!this.process) return false
    const someAreSuspect =
      this.queue[0]?.isSuspect || [...this.active.values()].some(({ isSuspect }) => isSuspect)
    return this.active.size === 0 || !someAreSuspect
  }

  private start(job: Job): void {
    const id = ++this.lastId
    if (this.active.size === 0 && Number.isFinite(this.lastHeard)) this.lastHeard = this.now()
    this.active.set(id, job)
    this.limit(id, job, Number.isFinite(this.lastHeard) ? timings.renderMs : timings.startMs)
    this.process?.send(requestFor(job, id))
  }

  private limit(id: number, job: Job, ms: number): void {
    clearTimeout(job.deadline)
    job.deadline = setTimeout(
      () => this.end(id, { done: false, failure: lateFailure(job.request.input) }),
      ms,
    )
  }

  private end(id: number, outcome: JobOutcome): void {
    const job = this.active.get(id)
    if (!job) return
    this.active.delete(id)
    clearTimeout(job.deadline)
    if (job.isSuspect) this.suspects.delete(keyOf(job.request))
    job.finish(outcome)
    this.dispatch()
    if (this.active.size === 0) this.prepareNext()
  }

  private receive(message: RendererMessage): void {
    if (!Number.isFinite(this.lastHeard))
      for (const [id, job] of this.active) this.limit(id, job, timings.renderMs)
    this.lastHeard = this.now()
    if (message.kind === 'rendered') this.end(message.id, { done: true, rendered: message.rendered })
    else if (message.kind === 'called') this.end(message.id, { done: true, called: message.called })
    else if (message.kind === 'failed') this.end(message.id, { done: false, failure: message.failure })
    else if (message.kind === 'ask') void this.reply(message)
  }

  private async reply({
    id,
    question,
    name,
    input,
  }: Extract<RendererMessage, { kind: 'ask' }>): Promise<void> {
    const questions = this.active.get(id)?.questions ?? {}
    const answer = Object.hasOwn(questions, name) ? questions[name] : undefined
    try {
      this.process?.send({ kind: 'reply', id, question, value: await answer?.(input) })
    } catch (problem) {
      this.options.onTrouble(problem)
      this.process?.send({ kind: 'reply', id, question, value: undefined })
    }
  }

  /** Pings while something is under way: a module in an endless loop does not answer. */
  private watchSilence(): void {
    if (this.active.size === 0) {
      clearInterval(this.pinging)
      this.pinging = undefined
      return
    }
    this.pinging ??= setInterval(() => {
      if (this.now() - this.lastHeard > timings.silentMs) this.recover('blocked')
      else this.process?.send({ kind: 'ping' })
    }, timings.pingEveryMs)
  }

  /** Starts another process, where each is tried alone once more. What blocks again is refused for a while. */
  private recover(reason: string): void {
    const jobs = [...this.active.values()]
    this.active.clear()
    for (const { deadline } of jobs) clearTimeout(deadline)
    const [only, ...others] = jobs
    if (only?.isSuspect && others.length === 0) {
      this.refusedUntil.set(keyOf(only.request), this.now() + timings.refuseBlockedMs)
      only.finish({ done: false, failure: blockedFailure(only.request.input, reason) })
    } else this.queue.unshift(...this.repeatable(jobs, reason).map((job) => ({ ...job, isSuspect: true })))
    this.endProcess()
    this.dispatch()
  }

  /** Ends the jobs that cannot be tried once more, and returns the others. */
  private repeatable(jobs: readonly Job[], reason: string): Job[] {
    return jobs.filter((job) => {
      if (isRepeatable(job.request)) return true
      clearTimeout(job.deadline)
      this.suspects.add(keyOf(job.request))
      job.finish({ done: false, failure: blockedFailure(job.request.input, reason) })
      return false
    })
  }

  private failAll(message: string): void {
    const jobs = [...this.active.values(), ...this.queue]
    this.active.clear()
    this.queue = []
    for (const { deadline, finish } of jobs) {
      clearTimeout(deadline)
      finish({ done: false, failure: { message } })
    }
  }
}

/** The same module may block for one page only. */
const keyOf = ({ kind, input: { file, visit } }: JobRequest): string => `${kind} ${file} ${visit.path}`

const requestFor = ({ request }: Job, id: number): RendererRequest =>
  request.kind === 'call' ? { ...request, id } : { ...request, id }

const repeatableMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A call that may have changed something would change it twice. */
const isRepeatable = (request: JobRequest): boolean =>
  request.kind === 'render' || repeatableMethods.has(request.input.request.method)

const unfittingAnswer = ({ file }: ModuleInput): FailedKit => ({
  done: false,
  failure: { file, message: 'The process that renders it gave another answer.' },
})

type ModuleInput = Pick<RenderInput, 'file'>

const blockedFailure = ({ file }: ModuleInput, reason = 'blocked'): KitFailure => ({
  file,
  message:
    reason === 'blocked'
      ? 'It did not come to an end and was stopped. Look for a loop that never ends.'
      : `The process that renders it ended: ${reason}`,
})

const lateFailure = ({ file }: ModuleInput): KitFailure => ({
  file,
  message: `It took longer than ${timings.renderMs / 1000} seconds. Look for a request that is not answered.`,
})
