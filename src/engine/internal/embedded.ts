import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { supervise, type ChildPlan, type ProcessLog, type SupervisedChild } from '#processes/supervise'
import { engineBudgetFor, type EngineBudget } from '../budget'
import type { EngineProcessReport } from './child'
import { BrokenParts } from '../broken-parts'
import { EngineClient } from '../client'
import {
  viewDefiner,
  embeddedDatabase,
  engineLayout,
  createEngineUsers,
  writeConfiguration,
} from './configuration'
import {
  type Engine,
  type EngineAddress,
  EngineError,
  type EngineFile,
  type EngineHealth,
  type FileFormat,
  type QueryLimits,
} from '../engine'
import type { Confinement } from '../confinement'
import { engineError } from '../failures'
import { createAndMigrate, type Migration } from '../migrate'
import { viewStatements } from '../project-views'
import { isLockedMessage, startServer, type ServerProcess } from './server-process'
import { linkBeforeUpgrade } from '../part-links'
import type { Sql } from '../sql'
import type { UserQuery, UserQueryResult } from '../user-query'

export interface EmbeddedSettings {
  form: 'embedded'
  /** The engine's folder: its data and its configuration. */
  folder: string
  /** The memory of the whole of Tilth; the engine takes its share. */
  memoryBytes: number
  cores: number
  /** The bundled child.ts. */
  childEntry: string
  log: ProcessLog
  /** The folder for links to the parts before a migration changes the tables. */
  upgradesFolder?: string
  /** The space to leave free on the disk; by default a twentieth of it, 256 MB at most. */
  keepFreeBytes?: number
  /** The interval of probes, and the time that the engine may not respond; shorter in tests. */
  probeTimings?: { probeEveryMs: number; deafAfterMs: number }
}

/**
 * Each start writes the definitions of views anew, a few hundred kB. With less room the engine would cut them short
 * without an error, and never start again.
 */
const leastFreeBytes = 1024 ** 2

function refuseFullDisk(folder: string): void {
  if (!existsSync(folder)) return
  const { bsize, bavail } = statfsSync(folder)
  if (bsize * bavail < leastFreeBytes) throw new Error('its disk is full, make room')
}

/** A Tilth that was just killed may hold the lock for a moment longer. */
const lockTimeoutMs = 2_000

const startWithinMs = 60_000
const defaultProbeTimings = { probeEveryMs: 2_000, deafAfterMs: 15_000 }
const busyAfterMs = 120_000

/** If inserts fail for this long, the engine counts as unresponsive. */
const insertFailureLimitMs = 20_000

/** Whether a failed insert is the engine's fault; a rejection is the rows' fault. */
const isEngineTrouble = (problem: unknown): boolean =>
  problem instanceof EngineError && ['memory', 'unavailable', 'deadline'].includes(problem.failure)

/** ClickHouse in a child process. */
export class EmbeddedEngine implements Engine {
  readonly #settings: EmbeddedSettings
  readonly #history: readonly Migration[]
  /** New at every start: if another process takes the port, the passwords it receives are useless. */
  #users = createEngineUsers()
  readonly #budget: EngineBudget
  readonly #child: SupervisedChild
  readonly #ready: Promise<void>
  #client: EngineClient | undefined
  /** The last port, kept unless another process takes it. */
  #port: number | undefined
  #address: EngineAddress | undefined
  #version: string | undefined
  #confinement: Confinement | undefined
  #server: ServerProcess | undefined
  #lockedSince: number | undefined
  /** The time since when every insert has failed; undefined if the last one succeeded. */
  #insertsFailSince: number | undefined
  /** Why it was killed although it responded. */
  #killReason: string | undefined
  /** Why restarting it is useless. */
  #refusal: string | undefined
  readonly #brokenParts: BrokenParts
  /**
   * Whether a write failed before the last restart. If so, the parts that the engine detaches at its start were never
   * acknowledged.
   */
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
      // only the start awaits this; its operator needs to know where the folder is
      if (this.#refusal) throw new EngineError('unavailable', this.#refusal, { cause })
      throw engineError('unavailable', 'it was closed before it was ready.', cause)
    })
    // callers need not await readiness: its failure is also in `health`
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

  /** The address of the reader: processes that only query get no rights to write. */
  address(): EngineAddress | undefined {
    return this.#address
  }

  ready(): Promise<void> {
    return this.#ready
  }

  async query<Row>(statement: Sql, limits?: QueryLimits): Promise<Row[]> {
    const client = this.#readyClient()
    const rows = await this.#noticingDamage(client, () => client.query<Row>(statement, limits))
    // ingestion stores the events that a response does not contain, so reading an incomplete part must fail
    if (limits?.lane === 'ingest') await this.#verifyWrites(client)
    return rows
  }

  async queryFile(statement: Sql, format: FileFormat, limits?: QueryLimits): Promise<EngineFile> {
    const client = this.#readyClient()
    return await this.#noticingDamage(client, () => client.queryFile(statement, format, limits))
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

  async queryNative(statement: Sql, limits?: QueryLimits): Promise<Buffer> {
    const client = this.#readyClient()
    return await this.#noticingDamage(client, () => client.queryNative(statement, limits))
  }

  async insertNative(table: string, rows: Uint8Array): Promise<void> {
    await this.#insertBy((client) => client.insertNative(table, rows))
  }

  async insert(table: string, rows: Uint8Array | string): Promise<void> {
    await this.#insertBy((client) => client.insert(table, rows))
  }

  async #insertBy(insert: (client: EngineClient) => Promise<void>): Promise<void> {
    const client = this.#readyClient()
    try {
      await insert(client)
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
   * Runs a statement. An incomplete part after a failed write is not damage: a restart restores its source parts. Then
   * the statement fails as `disk-full`, and no part is detached.
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
   * Checks parts; what cannot be checked now is checked with the next probe. After a failed write, no part is detached:
   * an empty part would take its place, which might itself be incomplete at the next start.
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
    refuseFullDisk(folder)
    this.#users = createEngineUsers()
    // every time, because another Tilth may have tried this folder and have left its own passwords
    writeConfiguration(folder, { users: this.#users, budget: this.#budget, keepFreeBytes })
    this.#killReason = undefined
    this.#server = startServer({ folder, childEntry, budget: this.#budget, port: this.#port }, (report) =>
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
    // logged once, not at every restart
    for (const weakness of confinement.weaknesses)
      if (!known.has(weakness)) this.#settings.log.warn({ child: 'engine' }, weakness)
  }

  #connect(port: number): void {
    const { owner, reader, sqlUser } = this.#users
    const { queriesAtOnce, queryBytes, threadsTogether } = this.#budget
    this.#port = port
    this.#client = new EngineClient({
      address: { url: `http://127.0.0.1:${port}`, ...owner, database: embeddedDatabase, threadsTogether },
      reader,
      sqlUser,
      queriesAtOnce,
      mostMemoryBytes: queryBytes,
    })
  }

  /** Closes the client until the next child reports its port: another process may have taken the old one. */
  #disconnect(): void {
    void this.#client?.close()
    this.#client = undefined
    this.#insertsFailSince = undefined
    if (this.#server && isLockedMessage(this.#server.lastWords())) this.#giveUpWhenLocked()
  }

  /** Prepares the engine after every start, because the last start may have crashed halfway. */
  async #prepare(): Promise<void> {
    const client = this.#client
    if (!client) throw new Error('did not say where it listens')
    const { folder, upgradesFolder } = this.#settings
    const outcome = await createAndMigrate(client, this.#history, async (step) => {
      if (upgradesFolder) await linkBeforeUpgrade(client, { engineFolder: folder, upgradesFolder, step })
      return undefined
    })
    if ('refused' in outcome) return this.#giveUp(outcome.refused)
    for (const statement of viewStatements(embeddedDatabase, viewDefiner)) await client.command(statement)
    await this.#verifyWrites(client)
    this.#version = await client.version()
    await this.#brokenParts.restarted(client, { lostWrites: this.#lostWrites })
    this.#lostWrites = false
    this.#address = { ...client.connection.address, ...this.#users.reader, sqlUser: this.#users.sqlUser }
    this.#lockedSince = undefined
  }

  async #isAlive(): Promise<boolean> {
    const client = this.#client
    if (!client || this.#cannotInsert() || (await client.probe())) return false
    // not awaited: a check reads a whole table, and the engine serves queries meanwhile
    if (this.health().status === 'ready') void this.#checkParts(client)
    return true
  }

  /**
   * Whether inserts have failed for too long. The engine may have just enough memory to answer probes; a new process
   * has more.
   */
  #cannotInsert(): boolean {
    return (
      this.#insertsFailSince !== undefined &&
      performance.now() - this.#insertsFailSince > insertFailureLimitMs
    )
  }

  /**
   * chDB removed ClickHouse's handling of failed file writes: it continues, commits the part, and reports success
   * (chdb-io/chdb-core@1ef0146 src/IO/WriteBufferFromFileDescriptor.cpp). It still counts such failures. After one, the
   * engine is killed before its response is used. At its next start it sets incomplete parts aside and uses the source
   * parts of failed merges.
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

/** Reads the process id of the lock's holder from the lock file. */
function holderOf(folder: string): string | undefined {
  try {
    return /PID: (\d+)/.exec(readFileSync(path.join(engineLayout(folder).data, 'status'), 'utf8'))?.[1]
  } catch {
    return undefined
  }
}

/**
 * An engine that was stopped (SIGSTOP, a debugger) does not notice that its Tilth was killed, and keeps the lock. It
 * serves no requests, so it can be killed.
 */
function endStopped(folder: string): boolean {
  const holder = holderOf(folder)
  if (!holder || !isStoppedEngine(holder, folder)) return false
  process.kill(Number(holder), 'SIGKILL')
  return true
}

/** This can be found out on Linux only; elsewhere the operator has to look. */
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
