import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { supervise, type ChildPlan, type ProcessLog, type SupervisedChild } from '../processes/supervise'
import { budgetFrom, type Budget } from './budget'
import type { Report } from './child'
import { Client } from './client'
import { definer, embeddedDatabase, layout, newUsers, writeConfiguration } from './configuration'
import { type Engine, type EngineAddress, EngineError, type EngineHealth, type QueryLimits } from './engine'
import { engineError } from './failures'
import { bringUpToDate, type Migration } from './migrate'
import { viewStatements } from './project-views'
import { foundLocked, startServer, type ServerProcess } from './server-process'
import type { Sql } from './sql'
import type { Written, WrittenAnswer } from './written'

export interface EmbeddedSettings {
  form: 'embedded'
  /** Everything of the engine's is in here: its data, its configuration. */
  folder: string
  /** For the whole of Tilth; the engine takes its share. */
  memoryBytes: number
  cores: number
  /** The bundled child.ts. */
  childEntry: string
  log: ProcessLog
  /** What to leave free on the disk; by default a twentieth of it, 256 MB at most. */
  keepFreeBytes?: number
  /** How long the engine may be silent; shorter in tests. */
  patience?: { probeEveryMs: number; deafAfterMs: number }
}

/** A Tilth that was just killed may hold the folder for a moment longer. */
const lockPatienceMs = 2_000

const startWithinMs = 60_000
const usualPatience = { probeEveryMs: 2_000, deafAfterMs: 15_000 }

/** An engine that answers and takes nothing is of no use: after this long it counts as deaf. */
const uselessAfterMs = 20_000

/** Rows it will not have are the rows' fault. */
const isOwnTrouble = (problem: unknown): boolean =>
  problem instanceof EngineError && ['memory', 'unavailable', 'deadline'].includes(problem.failure)

/** ClickHouse in a child process of ours. */
export class EmbeddedEngine implements Engine {
  readonly #settings: EmbeddedSettings
  readonly #history: readonly Migration[]
  /** New at every start: if somebody else took the port meanwhile, what he hears opens nothing. */
  #users = newUsers()
  readonly #budget: Budget
  readonly #child: SupervisedChild
  readonly #ready: Promise<void>
  #client: Client | undefined
  /** Where it listened last, to be kept as long as nobody takes it. */
  #port: number | undefined
  #address: EngineAddress | undefined
  #version: string | undefined
  #server: ServerProcess | undefined
  #lockedSince: number | undefined
  /** Since when every insert has failed; undefined where the last one has not. */
  #takesNothingSince: number | undefined
  /** Why it was ended although it still answered. */
  #distrust: string | undefined
  /** Why there is no use in starting it again. */
  #refusal: string | undefined

  constructor(settings: EmbeddedSettings, history: readonly Migration[]) {
    this.#settings = settings
    this.#history = history
    this.#budget = budgetFrom(settings.memoryBytes, settings.cores)
    this.#child = supervise(this.#plan())
    this.#ready = this.#child.ready().catch((cause) => {
      throw engineError('unavailable', this.#refusal ?? 'it was closed before it was ready.', cause)
    })
    // Nobody has to wait for readiness, and whoever does not finds its failure in `health`.
    this.#ready.catch(() => {})
  }

  health(): EngineHealth {
    const { status, since, restarts, trouble } = this.#child.health()
    return {
      form: 'embedded',
      status,
      since,
      restarts,
      version: this.#version,
      trouble: this.#refusal ?? trouble,
    }
  }

  /** As the reader: who only asks questions needs no more, and then cannot do more. */
  address(): EngineAddress | undefined {
    return this.#address
  }

  ready(): Promise<void> {
    return this.#ready
  }

  async query<Row>(statement: Sql, limits?: QueryLimits): Promise<Row[]> {
    return this.#reach().query<Row>(statement, limits)
  }

  async askWritten(written: Written, limits?: Pick<QueryLimits, 'signal'>): Promise<WrittenAnswer> {
    return this.#reach().askWritten(written, limits)
  }

  async syntaxOf(written: Written): Promise<string[]> {
    return this.#reach().syntaxOf(written)
  }

  async command(statement: Sql, limits?: QueryLimits): Promise<void> {
    const client = this.#reach()
    await client.command(statement, limits)
    await this.#verifyWritten(client)
  }

  async insert(table: string, rows: Uint8Array | string): Promise<void> {
    const client = this.#reach()
    try {
      await client.insert(table, rows)
    } catch (problem) {
      if (isOwnTrouble(problem)) this.#takesNothingSince ??= performance.now()
      throw problem
    }
    this.#takesNothingSince = undefined
    await this.#verifyWritten(client)
  }

  async close(): Promise<void> {
    await this.#child.stop()
    await this.#client?.close()
  }

  #reach(): Client {
    const { status, trouble } = this.health()
    if (status === 'ready' && this.#client) return this.#client
    throw engineError('unavailable', trouble ?? (status === 'stopped' ? 'it was closed.' : 'it is starting.'))
  }

  #plan(): ChildPlan {
    return {
      name: 'engine',
      spawn: () => this.#spawn(),
      isAlive: () => this.#isAlive(),
      startWithinMs,
      ...(this.#settings.patience ?? usualPatience),
      stop: { signal: 'SIGKILL', withinMs: 5_000 },
      backOffMs: { first: 250, most: 30_000 },
      onReady: () => this.#prepare(),
      onLost: () => this.#lost(),
      log: this.#settings.log,
      lastWords: () => this.#distrust ?? this.#server?.lastWords() ?? '',
    }
  }

  #spawn(): ChildProcess {
    const { folder, childEntry, keepFreeBytes } = this.#settings
    this.#users = newUsers()
    // Every time: another Tilth may have tried this folder meanwhile, and have left its own passwords.
    writeConfiguration(folder, { users: this.#users, budget: this.#budget, keepFreeBytes })
    this.#distrust = undefined
    this.#server = startServer({ folder, childEntry, port: this.#port }, (report) => this.#hear(report))
    return this.#server.process
  }

  #hear(report: Report): void {
    if ('listensOn' in report) this.#connect(report.listensOn)
    else this.#refuse(unsupported(report.unsupported))
  }

  #connect(port: number): void {
    const { owner, reader, asker } = this.#users
    const { questionsAtOnce, questionBytes, threadsTogether } = this.#budget
    this.#port = port
    this.#client = new Client({
      address: { url: `http://127.0.0.1:${port}`, ...owner, database: embeddedDatabase, threadsTogether },
      reader,
      asker,
      questionsAtOnce,
      mostMemoryBytes: questionBytes,
    })
  }

  /** Nobody is spoken to until the next child says where it listens: on the old port there may be somebody else by then. */
  #lost(): void {
    void this.#client?.close()
    this.#client = undefined
    this.#takesNothingSince = undefined
    if (this.#server && foundLocked(this.#server.lastWords())) this.#giveUpWhenLocked()
  }

  /** After every start, since a start may follow a crash in the middle of it. */
  async #prepare(): Promise<void> {
    const client = this.#client
    if (!client) throw new Error('did not say where it listens')
    const outcome = await bringUpToDate(client, this.#history)
    if ('refused' in outcome) return this.#refuse(outcome.refused)
    for (const statement of viewStatements(embeddedDatabase, definer)) await client.command(statement)
    await this.#verifyWritten(client)
    this.#version = await client.version()
    this.#address = { ...client.connection.address, ...this.#users.reader, asker: this.#users.asker }
    this.#lockedSince = undefined
  }

  async #isAlive(): Promise<boolean> {
    const client = this.#client
    if (!client || this.#takesNothing() || (await client.probe())) return false
    // What it finds it acts upon itself; that it could not look, because the engine is busy, is no sign of death.
    if (this.health().status === 'ready') await this.#verifyWritten(client).catch(() => {})
    return true
  }

  /** It may have just enough memory left to say that it is there. A new one may have more. */
  #takesNothing(): boolean {
    return (
      this.#takesNothingSince !== undefined && performance.now() - this.#takesNothingSince > uselessAfterMs
    )
  }

  /**
   * chDB has taken out what ClickHouse does when a file cannot be written: it goes on as if it had been, commits the
   * part, and answers that all is well (chdb-io/chdb-core@1ef0146 src/IO/WriteBufferFromFileDescriptor.cpp). It still
   * counts such failures. After one, nothing it says is to be trusted: it is ended before anybody relies on it, and at
   * its next start puts aside whatever is not whole, taking what a failed merge was made of instead.
   */
  async #verifyWritten(client: Client): Promise<void> {
    const failures = await client.failedWrites()
    if (client !== this.#client) throw engineError('unavailable', 'it was lost while it was writing.')
    if (failures === 0) return
    this.#distrust = 'A file could not be written: the disk is full, or broken.'
    this.#child.kill('SIGKILL')
    throw engineError('disk-full')
  }

  #giveUpWhenLocked(): void {
    this.#lockedSince ??= performance.now()
    if (endStopped(this.#settings.folder)) return
    if (performance.now() - this.#lockedSince >= lockPatienceMs) this.#refuse(locked(this.#settings.folder))
  }

  #refuse(sentence: string): void {
    this.#refusal = sentence
    this.#settings.log.error({}, sentence)
    void this.#child.stop()
  }
}

function locked(folder: string): string {
  const holder = holderOf(folder)
  return (
    `Another Tilth${holder ? ` (engine process ${holder})` : ''} is using ${folder}. ` +
    'Stop it, or give this one a folder of its own with TILTH_DATA.'
  )
}

/** The process that holds the engine's lock, as it wrote it into the lock file. */
function holderOf(folder: string): string | undefined {
  try {
    return /PID: (\d+)/.exec(readFileSync(path.join(layout(folder).data, 'status'), 'utf8'))?.[1]
  } catch {
    return undefined
  }
}

/**
 * An engine that was stopped (SIGSTOP, a debugger) when its Tilth was killed does not hear of it and keeps the folder.
 * It answers nobody, so nobody misses it.
 */
function endStopped(folder: string): boolean {
  const holder = holderOf(folder)
  if (!holder || !isStoppedEngine(holder, folder)) return false
  process.kill(Number(holder), 'SIGKILL')
  return true
}

/** Known on Linux alone; elsewhere a person has to look. */
function isStoppedEngine(pid: string, folder: string): boolean {
  try {
    const isOurs = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(layout(folder).data)
    const [state] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').slice(-1)[0]?.split(' ') ?? []
    return isOurs && (state === 'T' || state === 't')
  } catch {
    return false
  }
}

function unsupported(because: string): string {
  return (
    `The embedded engine cannot run on this machine (${process.platform} ${process.arch}). It needs Linux with glibc ` +
    'or macOS, on x64 or arm64, and the packages chdb and ffi-rs installed with their optional parts. Or set ' +
    `TILTH_ENGINE=https://user:password@host:8443/database to use a ClickHouse server instead. (${because})`
  )
}
