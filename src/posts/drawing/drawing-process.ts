import type { ChildProcess } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { forkProgram } from '#processes/fork-program'
import type { DiagramPrograms } from './draw'
import type { Drawing } from './drawing'

interface DrawingSettings {
  /** The compiled `drawing-program.ts`. */
  program: string
  programs: DiagramPrograms
  deadlineMs?: number
  /** How much longer the first diagram may take: the process and its programs are loaded meanwhile. */
  startMs?: number
  /** How long the process stays without work. */
  idleMs?: number
}

interface DrawingJob {
  code: string
  language: string
  finish: (drawing: Drawing | undefined) => void
}

const usualDeadlineMs = 8000
/** A busy machine takes ten times the usual second. */
const usualStartMs = 12_000
const usualIdleMs = 20_000
const maxHeapMegabytes = 256
/** More wait only where a site is published at once; the rest is drawn when it is requested. */
const maxQueued = 500

const response = z.object({
  id: z.number(),
  drawing: z.discriminatedUnion('done', [
    z.object({ done: z.literal(true), svg: z.string(), width: z.number(), height: z.number() }),
    z.object({ done: z.literal(false), message: z.string() }),
  ]),
})

/**
 * Draws diagrams in a process of its own, one after the other. It starts with the first diagram and ends when there is
 * nothing to draw. It reads no files but the diagram programs, writes none, and starts no other process.
 */
export class DrawingProcess {
  private child: ChildProcess | undefined
  private current: (DrawingJob & { id: number }) | undefined
  private readonly queue: DrawingJob[] = []
  private deadline: NodeJS.Timeout | undefined
  private idleTimer: NodeJS.Timeout | undefined
  private lastId = 0
  private isClosed = false

  constructor(private readonly settings: DrawingSettings) {}

  /** Undefined where it cannot be drawn now: too many others wait, or Tilth is stopping. */
  draw(code: string, language: string): Promise<Drawing | undefined> {
    if (this.isClosed || this.queue.length >= maxQueued) return Promise.resolve(undefined)
    const { promise, resolve } = Promise.withResolvers<Drawing | undefined>()
    this.queue.push({ code, language, finish: resolve })
    this.next()
    return promise
  }

  close(): void {
    this.isClosed = true
    const waiting = [...(this.current ? [this.current] : []), ...this.queue.splice(0)]
    this.current = undefined
    this.end()
    for (const { finish } of waiting) finish({ done: false, message: 'Tilth is stopping.' })
  }

  private next(): void {
    if (this.current) return
    clearTimeout(this.idleTimer)
    const job = this.queue.shift()
    if (!job) {
      this.idleTimer = setTimeout(() => this.end(), this.settings.idleMs ?? usualIdleMs).unref()
      return
    }
    const deadlineMs = this.deadlineOfNext()
    const current = (this.current = { ...job, id: ++this.lastId })
    this.deadline = setTimeout(
      () => this.fail(`It took longer than ${deadlineMs / 1000} seconds.`),
      deadlineMs,
    )
    this.child ??= this.start()
    this.child.send({ id: current.id, code: job.code, language: job.language }, () => {})
  }

  private deadlineOfNext(): number {
    const { deadlineMs = usualDeadlineMs, startMs = usualStartMs } = this.settings
    return this.child ? deadlineMs : deadlineMs + startMs
  }

  private start(): ChildProcess {
    const { program, programs } = this.settings
    const folders = [program, programs.mermaid, fileURLToPath(programs.graphviz)].map((path) => dirname(path))
    const child = forkProgram(program, [programs.mermaid, programs.graphviz], {
      execArgv: [
        '--permission',
        ...folders.map((folder) => `--allow-fs-read=${folder}`),
        `--max-old-space-size=${maxHeapMegabytes}`,
        '--disable-warning=SecurityWarning',
      ],
      env: { NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child.on('message', (message) => this.child === child && this.receive(message))
    child.once('error', () => {
      if (this.child !== child) return
      // what could not be started says nothing about the diagram
      if (child.pid === undefined) this.giveUp()
      else this.fail(endedMessage)
    })
    child.once('exit', (_code, signal) => {
      // Node aborts where its heap is full
      if (this.child === child) this.fail(signal === 'SIGABRT' ? memoryMessage : endedMessage)
    })
    // a process without work keeps no other process alive
    child.unref()
    child.channel?.unref()
    return child
  }

  private receive(message: unknown): void {
    const read = response.safeParse(message)
    if (read.success && read.data.id === this.current?.id) this.finish(read.data.drawing)
  }

  /** Ends the process: it is blocked, or gone already. */
  private fail(message: string): void {
    this.end()
    this.finish({ done: false, message: `${message} Make two diagrams of it, or a simpler one.` })
  }

  /** Answers all jobs without a drawing; the next one tries to start the process again. */
  private giveUp(): void {
    this.end()
    for (const { finish } of this.queue.splice(0)) finish(undefined)
    this.finish(undefined)
  }

  private finish(drawing: Drawing | undefined): void {
    clearTimeout(this.deadline)
    const job = this.current
    this.current = undefined
    job?.finish(drawing)
    if (!this.isClosed) this.next()
  }

  private end(): void {
    clearTimeout(this.deadline)
    clearTimeout(this.idleTimer)
    const { child } = this
    this.child = undefined
    child?.removeAllListeners()
    child?.on('error', () => {})
    child?.kill('SIGKILL')
  }
}

const memoryMessage = 'It needed too much memory.'
const endedMessage = 'The program that draws diagrams ended.'
