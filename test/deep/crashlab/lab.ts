import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { randomBy } from '#bench/busy-site'
import type { EngineSettings } from '#engine/open'
import { temporaryServer, temporarySettings } from '#engine/internal/temporary'
import type { Findings, Orders } from './front'

/** Lives may all be too short for more, by chance or on a slow machine, and then nothing was tried. */
const fewAcknowledged = 50

interface LabSettings {
  seed: number
  /** With each form of engine, in rounds or in seconds. Further rounds follow while few events were acknowledged. */
  rounds?: { remote: number; embedded: number }
  seconds?: { remote: number; embedded: number }
  print?: (line: string) => void
}

/** The findings that must be empty, and the amounts that were checked. */
interface LabReport {
  rounds: number
  acknowledged: number
  stored: number
  engineKills: number
  /** Acknowledged and not stored. */
  lost: number[]
  /** Stored more than once. */
  twice: number[]
  /** Stored and not told to people exactly once, or the other way round. */
  toldWrongly: number[]
  quarantined: number
}

const log = { info: () => {}, warn: () => {}, error: () => {} }

/** Kills a collecting process at random moments, many times over, and looks at what became of the events. */
export async function crash(settings: LabSettings): Promise<LabReport> {
  const chance = randomBy(settings.seed)
  const entry = await bundledFront()
  const remote = await withServer((engine, harm) =>
    new Site(entry, engine, chance, harm).survive('remote', settings),
  )
  const embedded = await withFolder(async (folder) => {
    const engine: EngineSettings = { ...(await temporarySettings()), folder }
    return new Site(entry, engine, chance).survive('embedded', settings)
  })
  return together(remote, embedded)
}

type Harm = () => Promise<void>

async function withServer<Outcome>(
  use: (engine: EngineSettings, harm: Harm) => Promise<Outcome>,
): Promise<Outcome> {
  const server = await temporaryServer()
  const harm = async () => {
    await server.kill()
    await server.start()
  }
  try {
    return await use({ form: 'remote', url: server.url, probeEveryMs: 50, log }, harm)
  } finally {
    await server.remove()
  }
}

async function withFolder<Outcome>(use: (folder: string) => Promise<Outcome>): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'tilth-crashlab-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** One folder of data through many lives of the process that owns it, and clients that note what they were told. */
class Site {
  private readonly beganAt = Date.now()
  private readonly acknowledged = new Set<number>()
  private readonly unsure = new Set<number>()
  private next = 0
  private engineKills = 0
  private readonly agent = new Agent({ keepAlive: true })

  constructor(
    private readonly entry: string,
    private readonly engine: EngineSettings,
    private readonly chance: () => number,
    /** Kills the engine, where it is not a child of the process that is killed anyway, and starts it again. */
    private readonly harm?: Harm,
  ) {}

  async survive(form: 'remote' | 'embedded', { rounds, seconds, print }: LabSettings): Promise<LabReport> {
    const most = rounds?.[form] ?? Infinity
    const endsAt = Date.now() + (seconds?.[form] ?? Infinity) * 1000
    return await withFolder(async (folder) => {
      const orders: Orders = { folder, engine: this.engine, beganAt: this.beganAt }
      let done = 0
      for (; (done < most || this.acknowledged.size < fewAcknowledged) && Date.now() < endsAt; done++) {
        const livedMs = await this.round(orders)
        print?.(`${form} ${done + 1}: lived ${livedMs} ms, ${this.acknowledged.size} acknowledged`)
      }
      const findings = await this.lookAround(orders)
      this.agent.destroy()
      return this.report(done, findings)
    })
  }

  /** Short lives are most of all, so that many end while the process is still starting. */
  private async round(orders: Orders): Promise<number> {
    const livesMs = Math.round(10 + 2990 * this.chance() ** 2.5)
    const engineDiesAfterMs = this.harm && this.chance() < 0.2 ? this.chance() * livesMs : undefined
    const front = this.start(orders)
    const gone = once(front, 'exit')
    const ended = new AbortController()
    const clients = portOf(front).then(
      (port) => this.clients(port, ended.signal),
      () => {},
    )
    const engineBack = engineDiesAfterMs === undefined ? undefined : this.harmIn(engineDiesAfterMs)
    await delay(livesMs)
    if (front.exitCode !== null) throw new Error(`The process ended by itself, with ${front.exitCode}.`)
    front.kill('SIGKILL')
    ended.abort()
    await Promise.all([gone, clients, engineBack])
    return livesMs
  }

  private async harmIn(ms: number): Promise<void> {
    await delay(ms)
    this.engineKills += 1
    await this.harm?.()
  }

  private start(orders: Orders): ChildProcess {
    const stdio = process.env['CRASHLAB_LOUD'] ? 'inherit' : 'ignore'
    return fork(this.entry, [JSON.stringify(orders)], { stdio: ['ignore', stdio, stdio, 'ipc'] })
  }

  private async clients(port: number, ended: AbortSignal): Promise<void> {
    await Promise.all(Array.from({ length: 6 }, () => this.client(port, ended)))
  }

  private async client(port: number, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      const numbers = this.choose()
      for (const n of numbers) this.unsure.add(n)
      const status = await this.send(port, numbers).catch(() => 0)
      if (status === 200) for (const n of numbers) this.settle(n)
      await delay(this.chance() * 8)
    }
  }

  /** New events mostly, but also such as were sent before: some heard "ok", some heard nothing. */
  private choose(): number[] {
    const kind = this.chance()
    const amount = 1 + Math.floor(40 * this.chance() ** 2)
    if (kind < 0.15 && this.unsure.size > 0) return [...this.unsure].slice(0, amount)
    const from = kind < 0.3 ? Math.floor(this.chance() * this.next) : this.next
    this.next = Math.max(this.next, from + amount)
    return Array.from({ length: amount }, (_, i) => from + i)
  }

  private settle(n: number): void {
    this.acknowledged.add(n)
    this.unsure.delete(n)
  }

  private send(port: number, numbers: readonly number[]): Promise<number> {
    return new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', method: 'POST', agent: this.agent }, (answer) => {
        answer
          .resume()
          .once('end', () => resolve(answer.statusCode ?? 0))
          .once('error', reject)
      })
      sent.once('error', reject).end(JSON.stringify(numbers))
    })
  }

  /** A last run without a kill, until everything is stored. */
  private async lookAround(orders: Orders): Promise<Findings> {
    const front = this.start(orders)
    try {
      const port = await portOf(front)
      const answer = await fetch(`http://127.0.0.1:${port}/findings`)
      // the answer of front.ts
      const findings = (await answer.json()) as Findings | { notYet: string }
      if ('notYet' in findings)
        throw new Error(`Not everything was stored within a minute: ${findings.notYet}`)
      return findings
    } finally {
      front.kill('SIGKILL')
    }
  }

  private report(rounds: number, { stored, applied, quarantined }: Findings): LabReport {
    const times = new Map(stored)
    const told = new Map<number, number>()
    for (const n of applied) told.set(n, (told.get(n) ?? 0) + 1)
    const everything = new Set([...times.keys(), ...told.keys()])
    return {
      rounds,
      acknowledged: this.acknowledged.size,
      stored: stored.length,
      engineKills: this.engineKills,
      lost: [...this.acknowledged].filter((n) => !times.has(n)),
      twice: stored.filter(([, count]) => count > 1).map(([n]) => n),
      toldWrongly: [...everything].filter((n) => told.get(n) !== 1 || !times.has(n)),
      quarantined,
    }
  }
}

/** Rejects when it dies before it listens. */
async function portOf(front: ChildProcess): Promise<number> {
  return await new Promise((resolve, reject) => {
    front.once('message', (message: { port: number }) => resolve(message.port))
    front.once('exit', () => reject(new Error('It died before it listened.')))
  })
}

function together(one: LabReport, other: LabReport): LabReport {
  return {
    rounds: one.rounds + other.rounds,
    acknowledged: one.acknowledged + other.acknowledged,
    stored: one.stored + other.stored,
    engineKills: one.engineKills + other.engineKills,
    lost: [...one.lost, ...other.lost],
    twice: [...one.twice, ...other.twice],
    toldWrongly: [...one.toldWrongly, ...other.toldWrongly],
    quarantined: one.quarantined + other.quarantined,
  }
}

async function bundledFront(): Promise<string> {
  const outfile = inProject(`node_modules/.cache/tilth/crashlab-front-${process.pid}.mjs`)
  const entryPoints = [inProject('test/deep/crashlab/front.ts')]
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' })
  return outfile
}

function inProject(file: string): string {
  return fileURLToPath(new URL(`../../../${file}`, import.meta.url))
}
