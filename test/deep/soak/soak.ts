import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { NumberedClients, numberOfUuid } from '../crashlab/product-clients'
import { ProductProcess, type ProcessName } from '../crashlab/product-process'
import { askedByApi, numberedByApi } from '../crashlab/stored-by-api'
import { historyOf } from '../loads/live-beside-history'
import { emptyReport, sendSteadily, type SteadyReport } from '../loads/small-requests'
import { type NamedTurn, namedTurn, watchLines } from './long-turns'
import { growthOf } from './memory-growth'
import { readInTurn } from './readers'
import { SurveyAnswers } from './survey-answers'

/** This file runs from `test/deep/soak` in tests and from `dist/deep/soak` as a program, which is as deep. */
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..')

const listedTurnMs = 50
/** A look at the turns and the heap holds the event loop itself. */
const lookEveryMs = 15_000
const toldEveryMs = 5 * 60_000
const processNames = ['front', 'pages', 'engine'] as const

interface SoakSettings {
  seed: number
  seconds: number
  print?: (line: string) => void
}

interface SoakReport {
  failures: string[]
  acknowledged: number
  stored: number
  small: SteadyReport
  surveyAnswers: number
  /** The pages of the studio and the queries that were answered. */
  read: number
  commands: number
  readiness: { p50Ms: number; p99Ms: number; longestMs: number }
  /** Of each process, at five moments of the run. */
  megabytes: Record<string, number[]>
  turns: number
  /** Those that took the processor for 50 ms and more, the longest first. */
  longTurns: NamedTurn[]
}

/** Sends a front what a live site sends, and looks whether it keeps everything, and stays as quick and as small as it was. */
export async function soak(settings: SoakSettings): Promise<SoakReport> {
  const folder = await mkdtemp(join(tmpdir(), 'tilth-soak-'))
  const run = new SoakRun(folder, settings)
  try {
    return await run.report()
  } catch (problem) {
    // a front that ended is heard of a moment after its connections
    await delay(1000)
    // what went wrong before it could not go on is often why
    throw new Error([...run.failures, 'The run ended early.'].join('\n'), { cause: problem })
  } finally {
    await run.end()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

class SoakRun {
  readonly failures: string[] = []
  private readonly tilth: ProductProcess
  private readonly bytes: Record<ProcessName, number[]> = { front: [], pages: [], engine: [] }
  private readonly readinessMs: number[] = []
  private readonly watchFile: string
  private listensSince = Infinity
  private hasEnded = false

  constructor(
    private readonly folder: string,
    private readonly settings: SoakSettings,
  ) {
    this.watchFile = join(folder, 'turns.jsonl')
    const environment = {
      NODE_OPTIONS: `--import ${join(root, 'test/deep/soak/turn-watch.mjs')}`,
      SOAK_WATCH_FILE: this.watchFile,
      SOAK_LONG_TURN_MS: String(listedTurnMs),
      SOAK_LOOK_EVERY_MS: String(Math.min(lookEveryMs, settings.seconds * 250)),
      TILTH_MEMORY: '1g',
    }
    this.tilth = new ProductProcess(join(folder, 'data'), environment, (failure) => this.fail(failure))
  }

  async end(): Promise<void> {
    this.hasEnded = true
    await this.tilth.killFront('SIGTERM')
  }

  async report(): Promise<SoakReport> {
    const { seed, seconds } = this.settings
    await this.tilth.begin()
    this.listensSince = monotonicSeconds()
    await this.tilth.ready()
    const answers = await SurveyAnswers.toANewSurvey(this.tilth)
    const clients = new NumberedClients([this.tilth], seed)
    const small = emptyReport()
    const isOver = (): boolean => this.hasEnded || !this.tilth.isRunning
    const onFailure = (failure: string): void => this.fail(failure)
    clients.setAmount(1)
    const until = delay(seconds * 1000).then(() => (this.hasEnded = true))
    const [read, commands] = await Promise.all([
      readInTurn(this.tilth, { isOver, onFailure }),
      this.runCommands(isOver),
      sendSteadily(this.tilth.address, { perSecond: 15, until }, small),
      answers.sendInTurn(isOver, onFailure),
      this.measure(isOver),
    ])
    await clients.end()
    await this.tilth.allStored()
    const stored = await this.verifyStored(clients, answers)
    this.verifyAnswers(clients, small)
    const { heapBytes, turns, longTurns } = this.watched()
    const bytes = { ...this.bytes, 'heap of the front': heapBytes }
    this.verifyMemory(bytes)
    return {
      failures: this.failures,
      acknowledged: clients.acknowledged.size,
      stored,
      small,
      surveyAnswers: answers.acknowledged,
      read,
      commands,
      readiness: percentilesOf(this.readinessMs),
      megabytes: inMegabytes(bytes),
      turns,
      longTurns,
    }
  }

  private fail(failure: string): void {
    if (this.failures.includes(failure)) return
    this.failures.push(failure)
    this.settings.print?.(`✗ ${failure}`)
  }

  /** An import, an export and a backup, spread over the run. */
  private async runCommands(isOver: () => boolean): Promise<number> {
    const history = join(this.folder, 'history.jsonl')
    await writeFile(history, historyOf(Math.min(20_000, Math.ceil(this.settings.seconds * 100))))
    const commands: readonly string[][] = [
      ['import', 'posthog', history, '--json'],
      ['export', join(this.folder, 'export'), '--project', 'acme', '--again', '--json'],
      ['backup', '--to', join(this.folder, 'backup'), '--json'],
    ]
    const pauseMs = Math.min(60_000, (this.settings.seconds * 1000) / 6)
    for (let done = 0; ; done++) {
      const beganAt = performance.now()
      while (!isOver() && performance.now() - beganAt < pauseMs) await delay(100)
      if (isOver()) return done
      const words = commands[done % commands.length] ?? []
      await this.tilth.command(...words).catch((problem: unknown) => {
        this.fail(`tilth ${words[0]} failed: ${String(problem)}`)
      })
      this.settings.print?.(`${words[0]}: ${Math.round((performance.now() - beganAt - pauseMs) / 1000)} s`)
    }
  }

  private async measure(isOver: () => boolean): Promise<void> {
    let toldAt = performance.now()
    while (!isOver()) {
      const beganAt = performance.now()
      const trouble = await this.unreadiness()
      if (trouble) this.fail(`it was not ready: ${trouble}`)
      this.readinessMs.push(performance.now() - beganAt)
      for (const name of processNames) this.bytes[name].push(this.tilth.bytesOf(name))
      if (performance.now() - toldAt > toldEveryMs) {
        toldAt = performance.now()
        this.tellMemory()
      }
      await delay(1000)
    }
  }

  private tellMemory(): void {
    const now = processNames.map((name) => `${name} ${megabytes(this.bytes[name].at(-1) ?? 0)} MB`)
    this.settings.print?.(`after ${this.readinessMs.length} looks: ${now.join(', ')}`)
  }

  /** Returns undefined while it is ready. */
  private async unreadiness(): Promise<string | undefined> {
    return await fetch(`${this.tilth.address}/_tilth/ready`)
      .then(async (answer) => (answer.ok ? void (await answer.arrayBuffer()) : await answer.text()))
      .catch((problem: unknown) => String(problem))
  }

  private async verifyStored(clients: NumberedClients, answers: SurveyAnswers): Promise<number> {
    const stored = await numberedByApi(this.tilth)
    const numbers = new Set(stored.map(({ uuid }) => numberOfUuid(uuid)))
    const lost = [...clients.acknowledged].filter((n) => !numbers.has(n))
    const twice = stored.filter(({ times }) => times > 1)
    if (lost.length > 0)
      this.fail(`${lost.length} acknowledged events are lost: ${lost.slice(0, 20).join(', ')}`)
    if (twice.length > 0) this.fail(`${twice.length} events are stored twice`)
    const [[found] = []] = await askedByApi(
      this.tilth,
      `select count() as answers from events where event = 'survey sent'`,
    )
    if (Number(found) !== answers.acknowledged)
      this.fail(`${answers.acknowledged} answers to a survey were acknowledged, ${String(found)} are stored`)
    for (const difference of await this.tilth.eventDifferences())
      this.fail(`it says that events are missing or too many: ${difference}`)
    return stored.length
  }

  private verifyAnswers(clients: NumberedClients, small: SteadyReport): void {
    for (const [status, times] of clients.statuses)
      if (status !== 200) this.fail(`${times} requests of SDKs were answered ${status || 'nothing'}`)
    for (const [answer, times] of Object.entries(small.answers))
      if (!/ 2\d\d$/.test(answer)) this.fail(`${times} times ${answer}`)
  }

  private verifyMemory(bytes: Readonly<Record<string, readonly number[]>>): void {
    for (const [name, samples] of Object.entries(bytes)) {
      const growth = growthOf(samples)
      if (growth > 0) this.fail(`memory (${name}) still grows, by ${megabytes(growth)} MB`)
    }
  }

  private watched(): { heapBytes: number[]; turns: number; longTurns: NamedTurn[] } {
    const lines = watchLines(this.watchFile)
    const long = lines
      .flatMap((line) => ('turn' in line ? [line.turn] : []))
      .filter(({ at }) => at > this.listensSince)
    const heaps = lines.flatMap((line) => ('heapBytes' in line ? [line] : []))
    if (heaps.length === 0) this.fail('the turns of the front were not watched')
    return {
      heapBytes: heaps.map(({ heapBytes }) => heapBytes),
      turns: heaps.at(-1)?.turns ?? 0,
      longTurns: long.map(namedTurn).toSorted((one, other) => other.ms - one.ms),
    }
  }
}

/** The clock of `turn-watch.mjs`, which is the machine's. */
const monotonicSeconds = (): number => Number(process.hrtime.bigint()) / 1e9

const megabytes = (bytes: number): number => Math.round(bytes / 1024 ** 2)

const inMegabytes = (bytes: Readonly<Record<string, readonly number[]>>): Record<string, number[]> =>
  Object.fromEntries(
    Object.entries(bytes).map(([name, samples]) => {
      const moments = [0, 1, 2, 3, 4].map((n) => samples[Math.round((n * (samples.length - 1)) / 4)] ?? 0)
      return [name, moments.map(megabytes)]
    }),
  )

function percentilesOf(ms: readonly number[]): SoakReport['readiness'] {
  const sorted = ms.toSorted((one, other) => one - other)
  const at = (share: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return { p50Ms: at(0.5), p99Ms: at(0.99), longestMs: at(1) }
}
