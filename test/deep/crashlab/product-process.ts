import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { MemoryGroup } from './memory-group'

/** This file runs from `test/deep/crashlab` in tests and from `dist/deep/crashlab` as a program, which is as deep. */
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..')

export const writeKey = 'phc_crashlab_key'
export const secretKey = 'a-secret-key-of-the-crashlab'

const owned = {
  TILTH_OWNER_EMAIL: 'ana@example.com',
  TILTH_OWNER_PASSWORD: 'five unrelated words do well',
  TILTH_PROJECT: 'Acme',
  TILTH_PROJECT_KEY: writeKey,
  TILTH_PROJECT_SECRET: secretKey,
}

export type ProcessName = 'front' | 'pages' | 'engine'

/** The product's own event counts; `accepted` is the sum of all others. */
type EventCounts = Readonly<Record<string, number>>

/** Far longer than anything takes on a busy machine; only a program that hangs is waited for that long. */
const longestWaitMs = 240_000

/** One front with its children, through as many lives as the lab gives it. */
export class ProductProcess {
  readonly clockFile: string
  /** Whether the front has said that it is ready, and nothing was done to the front itself since. */
  isUp = false
  /** The number of times that the front was taken down: an answer that began before and ended after proves nothing. */
  interruptions = 0
  peakBytes = 0
  private port = 0
  private child: ChildProcess | undefined
  private isExpectedToEnd = false
  private output = ''

  constructor(
    readonly folder: string,
    private readonly environment: Record<string, string>,
    private readonly onFailure: (failure: string) => void,
    private readonly memoryGroup?: MemoryGroup,
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.clockFile = `${folder}.clock`
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** The end of what it wrote since its last start. */
  get lastOutput(): string {
    return this.output.slice(-1500)
  }

  get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null
  }

  async start(): Promise<void> {
    await this.begin()
    await this.ready()
  }

  /** Until it says where it listens. */
  async begin(): Promise<void> {
    this.isExpectedToEnd = false
    this.output = ''
    const args = [join(root, 'bin/tilth.js'), 'start']
    const [program, words] = this.memoryGroup?.commandFor(process.execPath, args) ?? [process.execPath, args]
    const child = spawn(program, words, {
      cwd: root,
      env: this.completeEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child = child
    const note = (text: unknown) => {
      this.output = (this.output + String(text)).slice(-30_000)
      if (process.env['CRASHLAB_LOUD']) process.stderr.write(String(text))
    }
    child.stdout.on('data', note)
    child.stderr.on('data', note)
    child.once('exit', (code, signal) => {
      this.takeAway()
      if (!this.isExpectedToEnd)
        this.onFailure(`the front ended by itself (${code ?? signal}): ${this.output.slice(-1500)}`)
    })
    await this.until('it says where it listens', async () => {
      if (this.output.includes('Building the'))
        throw new Error(
          'The sources changed since the lab began: this start builds them again. Run the lab again.',
        )
      const found = /^Tilth is (?:starting|ready) at (\S+)/m.exec(this.output)
      if (found) this.port = Number(new URL(found[1] ?? '').port)
      return found !== null
    })
  }

  /** Until events are accepted, queries answered and pages shown. */
  async ready(): Promise<void> {
    await this.until('it is ready', async () => (await this.statusOf('/_tilth/ready')) === 200)
    this.isUp = true
  }

  /** Waits for as long as the front lives. */
  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const endsAt = performance.now() + longestWaitMs
    while (!(await holds())) {
      if (!this.isRunning) throw new Error(`The front ended before ${what}: ${this.output.slice(-1500)}`)
      if (performance.now() > endsAt)
        throw new Error(`It was waited in vain until ${what}: ${this.output.slice(-3000)}`)
      await delay(50)
    }
  }

  /** From now on, requests to the front may stay without an answer. */
  takeAway(): void {
    this.isUp = false
    this.interruptions += 1
  }

  async killFront(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    this.isExpectedToEnd = true
    this.takeAway()
    if (!this.isRunning || !this.child) return
    const gone = once(this.child, 'exit')
    this.child.kill(signal)
    await gone
  }

  signal(name: ProcessName, signal: NodeJS.Signals): void {
    if (name === 'front' && signal === 'SIGSTOP') this.takeAway()
    try {
      process.kill(this.pidOf(name), signal)
    } catch (problem) {
      // the process ended between the look and the signal, which is the purpose of a kill
      if (!(problem instanceof Error && 'code' in problem && problem.code === 'ESRCH')) throw problem
    }
  }

  pidOf(name: ProcessName): number {
    if (name === 'front') return this.child?.pid ?? 0
    return this.children().find(({ runs }) => runs.includes(programs[name]))?.pid ?? 0
  }

  /** Until the child stands there: its supervisor may just have started it again. */
  async pidOnceRunning(name: ProcessName): Promise<number> {
    await this.until(`its ${name} process runs`, async () => this.pidOf(name) !== 0)
    return this.pidOf(name)
  }

  private metrics(): Promise<string | undefined> {
    return fetch(`${this.address}/_tilth/metrics`, { signal: AbortSignal.timeout(30_000) })
      .then((answer) => answer.text())
      .catch(() => undefined)
  }

  async metric(name: string): Promise<number> {
    const text = await this.metrics()
    return Number(
      text
        ?.split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length) ?? 0,
    )
  }

  async counts(): Promise<EventCounts | undefined> {
    const text = await this.metrics()
    if (text === undefined) return undefined
    const found = text.matchAll(/^tilth_events\{state="(\w+)"\} (\d+)$/gm)
    return Object.fromEntries(Array.from(found, ([, state = '', amount]) => [state, Number(amount)]))
  }

  /** The months of which it says that events are missing, or too many. */
  async eventDifferences(): Promise<string[]> {
    const text = await this.metrics()
    return text?.match(/^tilth_events_(?:missing|unexpected)\{.*$/gm) ?? []
  }

  async allStored(): Promise<void> {
    await this.until('all events are stored', async () => (await this.counts())?.['pending'] === 0)
  }

  /** Runs `tilth …` beside it, until the command ends. */
  async command(...words: string[]): Promise<void> {
    const env = { ...process.env, TILTH_DATA: this.folder, PORT: String(this.port) }
    await promisify(execFile)(process.execPath, [join(root, 'bin/tilth.js'), ...words], { cwd: root, env })
  }

  /** Memory of one of its processes; 0 while it does not run. */
  bytesOf(name: ProcessName): number {
    return proportionalBytes(this.pidOf(name))
  }

  measureMemory(): void {
    if (!this.isRunning) return
    const pids = [this.child?.pid ?? 0, ...this.children().map(({ pid }) => pid)]
    const bytes = pids.reduce((sum, pid) => sum + proportionalBytes(pid), 0)
    this.peakBytes = Math.max(this.peakBytes, bytes)
  }

  async statusOf(path: string): Promise<number> {
    return await fetch(this.address + path, { signal: AbortSignal.timeout(30_000) }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => 0,
    )
  }

  private completeEnvironment(): NodeJS.ProcessEnv {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^TILTH_|^PORT$|^NODE_ENV$|^NODE_OPTIONS$|^VITEST/.test(name),
    )
    return {
      ...Object.fromEntries(inherited),
      ...owned,
      NODE_ENV: 'production',
      NODE_OPTIONS: `--import ${join(root, 'test/deep/crashlab/front-clock.mjs')}`,
      CRASHLAB_CLOCK: this.clockFile,
      PORT: String(this.port),
      TILTH_HOST: '127.0.0.1',
      TILTH_DATA: this.folder,
      TILTH_LOG: 'warn',
      ...this.environment,
    }
  }

  private children(): { pid: number; runs: string }[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const stat = textOf(`/proc/${name}/stat`)
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
        return parent === this.child?.pid
          ? [{ pid: Number(name), runs: textOf(`/proc/${name}/cmdline`) }]
          : []
      })
  }
}

const programs = { pages: 'pages.js', engine: 'engine-child.js' }

/** Memory that several processes share is divided among them. */
function proportionalBytes(pid: number): number {
  const [, kilobytes = '0'] = /^Pss:\s+(\d+)/m.exec(textOf(`/proc/${pid}/smaps_rollup`)) ?? []
  return Number(kilobytes) * 1024
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
