import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { supervise, type ChildPlan, type ProcessLog, type SupervisedChild } from '#processes/supervise'
import { engineBudgetFor, type EngineBudget } from './budget'
import type { EngineProcessReport } from './child'
import { BrokenParts } from './broken-parts'
import { EngineClient } from './client'
import {
  viewDefiner,
  embeddedDatabase,
  engineLayout,
  createEngineUsers,
  writeConfiguration,
} from './configuration'
import { type Engine, type EngineAddress, EngineError, type EngineHealth, type QueryLimits } from './engine'
import type { Confinement } from './confinement'
import { engineError } from './failures'
import { createAndMigrate, type Migration } from './migrate'
import { viewStatements } from './project-views'
import { isLockedMessage, startServer, type ServerProcess } from './server-process'
import { linkBeforeUpgrade } from './part-links'
import type { Sql } from './sql'
import type { UserQuery, UserQueryResult } from './user-query'

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
  /** Where links to the parts are kept before a migration changes the tables. */
  upgradesFolder?: string
  /** What to leave free on the disk; by default a twentieth of it, 256 MB at most. */
  keepFreeBytes?: number
  /** How long the engine may be silent; shorter in tests. */
  probeTimings?: { probeEveryMs: number; deafAfterMs: number }
}

/** A Tilth that was just killed may hold the folder for a moment longer. */
const lockTimeoutMs = 2_000

const startWithinMs = 60_000
const defaultProbeTimings = { probeEveryMs: 2_000, deafAfterMs: 15_000 }
const busyAfterMs = 120_000

/** An engine that answers and takes nothing is of no use: after this long it counts as deaf. */
const insertFailureLimitMs = 20_000

/** Rows it will not have are the rows' fault. */
const isEngineTrouble = (problem: unknown): boolean =>
  problem instanceof EngineError && ['memory', 'unavailable', 'deadline'].includes(problem.failure)

/** ClickHouse in a child process of ours. */
export class EmbeddedEngine implements Engine {
  readonly #settings: EmbeddedSettings
  readonly #history: readonly Migration[]
  /** New at every start: if another process took the port meanwhile, the passwords it receives are useless. */
  #users = createEngineUsers()
  readonly #budget: EngineBudget
  readonly #child: SupervisedChild
  readonly #ready: Promise<void>
  #client: EngineClient | undefined
  /** The last port, kept until another process takes it. */
  #port: number | undefined
  #address: EngineAddress | undefined
  #version: string | undefined
  #confinement: Confinement | undefined
  #server: ServerProcess | undefined
  #lockedSince: number | undefined
  /** Since when every insert has failed; undefined where the last one has not. */
  #insertsFailSince: number | undefined
  /** Why it was ended although it still answered. */
  #killReason: string | undefined
  /** Why there is no use in starting it again. */
  #refusal: string | undefined
  readonly #brokenParts: BrokenParts
  /** A write failed before the last restart: what the engine detaches at its start was never confirmed. */
  #lostWrites = false

  constructor(settings: EmbeddedSettings, history: readonly Migration[]) {
    this.#settings = settings
    this.#history = history
    this.#budget = engineBudgetFor(settings.memoryBytes, settings.cores)
    this.#brokenParts = new BrokenParts({
      log: settings.log,
      recordFile: path.join(settings.folder, 'detached.json'),
    })
    this.#child = supervise(this.#plan())
    this.#ready = this.#child.ready().catch((cause) => {
      // Only the start waits for this: its operator reads where the folder is.
      if (this.#refusal) throw new EngineError('unavailable', this.#refusal, { cause })
      throw engineError('unavailable', 'it was closed before it was ready.', cause)
    })
    // Callers need not await readiness: its failure is also in `health`.
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
      confinement: this.#confinement,
      trouble: this.#refusal ?? trouble,
      detached: this.#brokenParts.detached,
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
    const client = this.#readyClient()
    const rows = await this.#noticingDamage(client, () => client.query<Row>(statement, limits))
    // Ingestion stores what an answer does not contain, so an answer that reads a part that was cut short is an error.
    if (limits?.lane === 'ingest') await this.#verifyWrites(client)
    return rows
  }

  async runUserQuery(query: UserQuery, limits?: Pick<QueryLimits, 'signal'>): Promise<UserQueryResult> {
    const client = this.#readyClient()
    return await this.#noticingDamage(client, () => client.runUserQuery(query, limits))
  }

  async explainSyntax(query: UserQuery): Promise<string[]> {
    return this.#readyClient().explainSyntax(query)
  }

  async command(statement: Sql, limits?: QueryLimits): Promise<void> {
    const client = this.#readyClient()
    await this.#noticingDamage(client, () => client.command(statement, limits))
    await this.#verifyWrites(client)
  }

  async insertNative(table: string, rows: Uint8Array): Promise<void> {
    const client = this.#readyClient()
    await client.insertNative(table, rows)
    await this.#verifyWrites(client)
  }

  async insert(table: string, rows: Uint8Array | string): Promise<void> {
    const client = this.#readyClient()
    try {
      await client.insert(table, rows)
    } catch (problem) {
      if (isEngineTrouble(problem)) this.#insertsFailSince ??= performance.now()
      throw problem
    }
    this.#insertsFailSince = undefined
    await this.#verifyWrites(client)
  }

  async close(): Promise<void> {
    await this.#child.stop()
    await this.#client?.close()
  }

  /**
   * Runs a statement. A part that a failed write cut short is no damage: a restart brings back what it was merged from.
   * Then the statement fails as `disk-full`, and no part is detached.
   */
  async #noticingDamage<Answer>(client: EngineClient, work: () => Promise<Answer>): Promise<Answer> {
    const verified = async () => {
      try {
        return await work()
      } catch (problem) {
        if (problem instanceof EngineError && problem.failure === 'corrupted')
          await this.#verifyWrites(client)
        throw problem
      }
    }
    return await this.#brokenParts.reportingDamage(verified, () => this.#checkParts(client))
  }

  /**
   * What could not be looked at now is looked at with the next probe. While a failed write may have cut a part short,
   * none is detached: its place would be taken by an empty part, which the next start may find cut short itself.
   */
  async #checkParts(client: EngineClient): Promise<void> {
    await this.#verifyWrites(client)
      .then(() => this.#brokenParts.check(client))
      .catch((problem: unknown) =>
        this.#settings.log.warn({ err: problem }, 'damaged parts could not be looked for'),
      )
  }

  #readyClient(): EngineClient {
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
      ...(this.#settings.probeTimings ?? defaultProbeTimings),
      busyAfterMs,
      stop: { signal: 'SIGKILL', withinMs: 5_000 },
      backOffMs: { first: 250, most: 30_000 },
      onReady: () => this.#prepare(),
      onLost: () => this.#disconnect(),
      log: this.#settings.log,
      lastOutput: () => this.#killReason ?? this.#server?.lastWords() ?? '',
    }
  }

  #spawn(): ChildProcess {
    const { folder, childEntry, keepFreeBytes } = this.#settings
    this.#users = createEngineUsers()
    // Every time: another Tilth may have tried this folder meanwhile, and have left its own passwords.
    writeConfiguration(folder, { users: this.#users, budget: this.#budget, keepFreeBytes })
    this.#killReason = undefined
    this.#server = startServer({ folder, childEntry, port: this.#port }, (report) =>
      this.#handleReport(report),
    )
    return this.#server.process
  }

  #handleReport(report: EngineProcessReport): void {
    if ('listensOn' in report) this.#handleStart(report)
    else this.#giveUp(unsupportedMessage(report.unsupported))
  }

  #handleStart({ listensOn, confinement }: Extract<EngineProcessReport, { listensOn: number }>): void {
    this.#connect(listensOn)
    const known = new Set(this.#confinement?.weaknesses)
    this.#confinement = confinement
    // Said once and not at every restart.
    for (const weakness of confinement.weaknesses)
      if (!known.has(weakness)) this.#settings.log.warn({ child: 'engine' }, weakness)
  }

  #connect(port: number): void {
    const { owner, reader, asker } = this.#users
    const { questionsAtOnce, questionBytes, threadsTogether } = this.#budget
    this.#port = port
    this.#client = new EngineClient({
      address: { url: `http://127.0.0.1:${port}`, ...owner, database: embeddedDatabase, threadsTogether },
      reader,
      asker,
      questionsAtOnce,
      mostMemoryBytes: questionBytes,
    })
  }

  /** Closes the client until the next child says where it listens: another process may have taken the old port. */
  #disconnect(): void {
    void this.#client?.close()
    this.#client = undefined
    this.#insertsFailSince = undefined
    if (this.#server && isLockedMessage(this.#server.lastWords())) this.#giveUpWhenLocked()
  }

  /** After every start, since a start may follow a crash in the middle of it. */
  async #prepare(): Promise<void> {
    const client = this.#client
    if (!client) throw new Error('did not say where it listens')
    const { folder, upgradesFolder } = this.#settings
    const outcome = await createAndMigrate(client, this.#history, async (step) => {
      if (upgradesFolder) await linkBeforeUpgrade(client, { engineFolder: folder, upgradesFolder, step })
    })
    if ('refused' in outcome) return this.#giveUp(outcome.refused)
    for (const statement of viewStatements(embeddedDatabase, viewDefiner)) await client.command(statement)
    await this.#verifyWrites(client)
    this.#version = await client.version()
    await this.#brokenParts.restarted(client, { lostWrites: this.#lostWrites })
    this.#lostWrites = false
    this.#address = { ...client.connection.address, ...this.#users.reader, asker: this.#users.asker }
    this.#lockedSince = undefined
  }

  async #isAlive(): Promise<boolean> {
    const client = this.#client
    if (!client || this.#cannotInsert() || (await client.probe())) return false
    // Not waited for: a check reads a whole table, and the engine answers meanwhile.
    if (this.health().status === 'ready') void this.#checkParts(client)
    return true
  }

  /** It may have just enough memory left to say that it is there. A new one may have more. */
  #cannotInsert(): boolean {
    return (
      this.#insertsFailSince !== undefined &&
      performance.now() - this.#insertsFailSince > insertFailureLimitMs
    )
  }

  /**
   * chDB has taken out what ClickHouse does when a file cannot be written: it goes on as if it had been, commits the
   * part, and answers that all is well (chdb-io/chdb-core@1ef0146 src/IO/WriteBufferFromFileDescriptor.cpp). It still
   * counts such failures. After one, nothing it says is to be trusted: it is ended before anybody relies on it, and at
   * its next start puts aside whatever is not whole, taking what a failed merge was made of instead.
   */
  async #verifyWrites(client: EngineClient): Promise<void> {
    const failures = await client.failedWrites()
    if (client !== this.#client) throw engineError('unavailable', 'it was lost meanwhile.')
    if (failures === 0) return
    this.#lostWrites = true
    this.#killReason = 'A file could not be written: the disk is full, or broken.'
    this.#child.kill('SIGKILL')
    throw engineError('disk-full')
  }

  #giveUpWhenLocked(): void {
    this.#lockedSince ??= performance.now()
    if (endStopped(this.#settings.folder)) return
    if (performance.now() - this.#lockedSince >= lockTimeoutMs)
      this.#giveUp(lockedMessage(this.#settings.folder))
  }

  #giveUp(sentence: string): void {
    this.#refusal = sentence
    this.#settings.log.error({}, sentence)
    void this.#child.stop()
  }
}

function lockedMessage(folder: string): string {
  const holder = holderOf(folder)
  return (
    `Another Tilth${holder ? ` (engine process ${holder})` : ''} is using ${folder}. ` +
    'Stop it, or give this one a folder of its own with TILTH_DATA.'
  )
}

/** The process that holds the engine's lock, as it wrote it into the lock file. */
function holderOf(folder: string): string | undefined {
  try {
    return /PID: (\d+)/.exec(readFileSync(path.join(engineLayout(folder).data, 'status'), 'utf8'))?.[1]
  } catch {
    return undefined
  }
}

/**
 * An engine that was stopped (SIGSTOP, a debugger) when its Tilth was killed does not hear of it and keeps the folder.
 * It answers no request, so it can be killed.
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
    const isOurs = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(engineLayout(folder).data)
    const [state] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').slice(-1)[0]?.split(' ') ?? []
    return isOurs && (state === 'T' || state === 't')
  } catch {
    return false
  }
}

function unsupportedMessage(because: string): string {
  return (
    `The embedded engine cannot run on this machine (${process.platform} ${process.arch}). It needs Linux with glibc ` +
    'or macOS, on x64 or arm64, and the packages chdb and ffi-rs installed with their optional parts. Or set ' +
    `TILTH_ENGINE=https://user:password@host:8443/database to use a ClickHouse server instead. (${because})`
  )
}
