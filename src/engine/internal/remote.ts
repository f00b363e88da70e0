import { setTimeout as delay } from 'node:timers/promises'
import type { ProcessLog } from '#processes/supervise'
import { parseEngineUrl } from '../address'
import { BrokenParts } from '../broken-parts'
import { EngineClient } from '../client'
import type {
  Credentials,
  Engine,
  EngineAddress,
  EngineError,
  EngineFile,
  EngineHealth,
  EngineStatus,
  FileFormat,
  QueryLimits,
} from '../engine'
import { engineError, signInErrorCodes, toEngineError } from '../failures'
import { createAndMigrate, type Migration } from '../migrate'
import type { Sql } from '../sql'
import { refusedAtCreation } from './alternatives'
import { missingRights } from './owner-rights'
import { findReplicas, missingClusterMessage, replicatedEngines } from './replicas'
import { createSqlUser } from './sql-user'
import { cloneBeforeUpgrade } from '../upgrade-copies'
import type { UserQuery, UserQueryResult } from '../user-query'

export interface RemoteSettings {
  form: 'remote'
  /** http(s)://user:password@host[:port]/database */
  url: string
  log: ProcessLog
  /** Whether it only reads: another process creates the tables, and may be the only one with the right to. */
  guest?: boolean
  /** Whether the caller is the move that fills this database; everyone else is refused until it has finished. */
  isBeingRestored?: boolean
  /** Set for a child's embedded engine: the user for users' SQL, and how queries share the cores. */
  sqlUser?: Credentials | undefined
  threadsTogether?: number | undefined
  /** The interval of probes while the server is away or busy; shorter in tests. */
  probeEveryMs?: number
}

/** A server that has nothing to do is left alone for so many intervals, and twice as long each time, so that it may sleep. */
const restIntervals = { least: 30, most: 1800 }
/** So many requests since the last look for damaged parts make another one worth it. */
const requestsPerCheck = 10

/**
 * A server has its own limits for all clients; these keep one Tilth from crowding out the others. A guest may use the
 * small engine on its own machine.
 */
const queriesAtOnce = { owner: 8, guest: 2 }

/** A ClickHouse server or cluster that the operator runs. */
export class RemoteEngine implements Engine {
  readonly #settings: RemoteSettings
  readonly #history: readonly Migration[]
  readonly #client: EngineClient
  readonly #closing = new AbortController()
  readonly #firstReady = Promise.withResolvers<void>()
  readonly #polling: Promise<void>
  #health: EngineHealth = { form: 'remote', status: 'starting', since: new Date(), restarts: 0 }
  #sqlUser: Credentials | undefined
  #wasReady = false
  readonly #brokenParts: BrokenParts

  constructor(settings: RemoteSettings, history: readonly Migration[]) {
    this.#settings = settings
    this.#history = history
    this.#client = new EngineClient({
      address: { ...parseEngineUrl(settings.url), threadsTogether: settings.threadsTogether },
      sqlUser: settings.sqlUser,
      queriesAtOnce: queriesAtOnce[settings.guest ? 'guest' : 'owner'],
      insertsOnceMore: settings.isBeingRestored,
      onRefusal: (consequence) => this.#settings.log.warn({}, consequence),
    })
    this.#brokenParts = new BrokenParts({ log: settings.log })
    this.#firstReady.promise.catch(() => {})
    this.#polling = this.#pollRepeatedly()
  }

  health(): EngineHealth {
    const { detached, repairing } = this.#brokenParts
    return { ...this.#health, detached, repairing, doneWithout: this.#client.refusals.consequences }
  }

  address(): EngineAddress | undefined {
    const { sqlUser } = this.#settings
    return this.#wasReady
      ? { ...this.#client.connection.address, sqlUser: sqlUser ?? this.#sqlUser }
      : undefined
  }

  ready(): Promise<void> {
    return this.#firstReady.promise
  }

  async query<Row>(statement: Sql, limits?: QueryLimits): Promise<Row[]> {
    const client = this.#readyClient()
    return await this.#brokenParts.reportingDamage(
      () => client.query<Row>(statement, limits),
      () => this.#checkParts(client),
    )
  }

  async queryFile(statement: Sql, format: FileFormat, limits?: QueryLimits): Promise<EngineFile> {
    const client = this.#readyClient()
    return await this.#brokenParts.reportingDamage(
      () => client.queryFile(statement, format, limits),
      () => this.#checkParts(client),
    )
  }

  async runUserQuery(query: UserQuery, limits?: Pick<QueryLimits, 'signal'>): Promise<UserQueryResult> {
    const client = this.#readyClient()
    return await this.#brokenParts.reportingDamage(
      () => client.runUserQuery(query, limits),
      () => this.#checkParts(client),
    )
  }

  async explainSyntax(query: UserQuery): Promise<string[]> {
    return this.#readyClient().explainSyntax(query)
  }

  async command(statement: Sql, limits?: QueryLimits): Promise<void> {
    const client = this.#readyClient()
    await this.#brokenParts.reportingDamage(
      () => client.command(statement, limits),
      () => this.#checkParts(client),
    )
  }

  async insert(table: string, rows: Uint8Array | string): Promise<void> {
    await this.#readyClient().insert(table, rows)
  }

  async queryNative(statement: Sql, limits?: QueryLimits): Promise<Buffer> {
    const client = this.#readyClient()
    return await this.#brokenParts.reportingDamage(
      () => client.queryNative(statement, limits),
      () => this.#checkParts(client),
    )
  }

  async insertNative(table: string, rows: Uint8Array): Promise<void> {
    await this.#readyClient().insertNative(table, rows)
  }

  async close(): Promise<void> {
    this.#stop()
    // connections first; otherwise an unresponsive server would be waited for
    await this.#client.close()
    await this.#polling
  }

  /** A guest does not check parts: the owner's process finds damage by the server's error counts. */
  async #checkParts(client: EngineClient): Promise<void> {
    if (this.#settings.guest) return
    await this.#brokenParts.check(client).catch((problem: unknown) => this.#warnCannotCheck(problem))
    this.#sentAtCheck = client.exchange.sent
    this.#sentAtProbe = client.exchange.sent
    this.#partsCheckedAt = performance.now()
  }

  /** The server's owner may not grant access to its system tables; then the owner has to watch its parts. */
  #warnCannotCheck(problem: unknown): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    this.#settings.log.warn({ err: problem }, 'damaged parts cannot be looked for on this server')
  }
  #hasWarned = false

  #readyClient(): EngineClient {
    const { status, trouble } = this.#health
    if (status === 'ready') return this.#client
    throw engineError(
      'unavailable',
      trouble ?? (status === 'stopped' ? 'it was closed.' : 'it is being looked for.'),
    )
  }

  async #pollRepeatedly(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      await this.#poll()
      await delay(this.#probeEveryMs(), undefined, { signal: this.#closing.signal }).catch(() => {})
    }
  }

  #probeEveryMs(): number {
    return this.#settings.probeEveryMs ?? 2_000
  }

  async #poll(): Promise<void> {
    if (!this.#isProbeDue()) return this.#checkPartsIfBusy()
    try {
      const problem = await this.#client.probe()
      this.#sentAtProbe = this.#client.exchange.sent
      if (problem) return this.#setStatus('unreachable', this.#describe(problem))
      if (this.#health.status !== 'ready') await this.#prepare()
    } catch (problem) {
      this.#setStatus('unreachable', this.#describe(toEngineError(problem)))
    }
  }

  /**
   * A server is asked whether it is there while it is not, while an answer does not come, or after one failed. An answer
   * to anything else says as much. Of a guest's server, its owner asks.
   */
  #isProbeDue(): boolean {
    const { sent, answeredAt, unansweredSince, isDoubtful } = this.#client.exchange
    const isSilent = performance.now() - unansweredSince >= this.#probeEveryMs()
    if (this.#health.status !== 'ready' || isDoubtful || isSilent) return true
    if (this.#settings.guest) return false
    if (sent !== this.#sentAtProbe) this.#restIntervals = restIntervals.least
    const isDue = performance.now() - answeredAt >= this.#restIntervals * this.#probeEveryMs()
    if (isDue) this.#restIntervals = Math.min(2 * this.#restIntervals, restIntervals.most)
    return isDue
  }
  #sentAtProbe = 0
  #restIntervals = restIntervals.least

  /** The server's counts of errors show damage that merges have met: no statement of ours need have failed. */
  #checkPartsIfBusy(): void {
    const { sent } = this.#client.exchange
    const isTime = performance.now() - this.#partsCheckedAt >= restIntervals.least * this.#probeEveryMs()
    if (this.#health.status !== 'ready' || sent - this.#sentAtCheck < requestsPerCheck || !isTime) return
    void this.#checkParts(this.#client)
  }
  #sentAtCheck = 0
  #partsCheckedAt = -Infinity

  /** Prepares the server again after each outage, because it may have been restored from a backup. */
  async #prepare(): Promise<void> {
    if (!(await this.#findReplicas())) return
    const outcome = this.#settings.guest
      ? undefined
      : await createAndMigrate(
          this.#client,
          this.#history,
          (step) => cloneBeforeUpgrade(this.#client, step),
          this.#settings.isBeingRestored,
        )
    if (outcome && 'refused' in outcome) return this.#stop(outcome.refused)
    this.#health = { ...this.#health, version: await this.#client.version() }
    if (!this.#settings.guest) {
      for (const name of await refusedAtCreation(this.#client)) this.#client.refusals.note(name)
      await this.#brokenParts
        .restarted(this.#client, { lostWrites: false })
        .catch((problem: unknown) => this.#warnCannotCheck(problem))
      this.#partsCheckedAt = performance.now()
      await this.#createSqlUser()
    }
    this.#setStatus('ready')
    this.#wasReady = true
    this.#firstReady.resolve()
  }

  /** Finds the other servers with the same tables. Returns whether the account has the rights for what follows. */
  async #findReplicas(): Promise<boolean> {
    const { address } = this.#client.connection
    // the server rejects every request of a client that names a missing database
    const server = new EngineClient({
      ...this.#client.connection,
      address: { ...address, database: 'system' },
    })
    try {
      const sharedEngines = await replicatedEngines(server, address.database)
      const lacking = this.#settings.guest ? undefined : await missingRights(address, sharedEngines)
      if (lacking !== undefined) {
        this.#setStatus('unreachable', `${this.#place()} is no use yet: ${lacking}`)
        return false
      }
      const replicas = await findReplicas(server, address.database, sharedEngines)
      this.#client.replicas = replicas
      if (replicas && replicas.cluster === undefined) this.#settings.log.warn({}, missingClusterMessage)
      return true
    } finally {
      await server.close()
    }
  }

  async #createSqlUser(): Promise<void> {
    const outcome = await createSqlUser(this.#client)
    this.#sqlUser = 'user' in outcome ? outcome.user : undefined
    this.#client.setUserQueryCredentials(this.#sqlUser)
    const warning = 'absent' in outcome ? outcome.absent : undefined
    this.#health = { ...this.#health, warning }
    if (warning) this.#settings.log.warn({}, warning)
  }

  #setStatus(status: EngineStatus, trouble?: string): void {
    if (this.#closing.signal.aborted) return
    const { status: before, since } = this.#health
    this.#health = { ...this.#health, status, since: status === before ? since : new Date(), trouble }
    if (status === before) return
    if (trouble) return this.#settings.log.warn({}, trouble)
    // the owner's process logs the engine's start; a guest logs only that it is back
    const isFirst = before === 'starting' && this.#settings.guest
    if (!isFirst) this.#settings.log.info({}, `The engine at ${this.#place()} is ready.`)
  }

  #stop(refusal?: string): void {
    this.#setStatus('stopped', refusal)
    this.#closing.abort()
    this.#firstReady.reject(engineError('unavailable', refusal ?? 'it was closed before it was ready.'))
  }

  #describe(problem: EngineError): string {
    return describeServerProblem(this.#client.connection.address, problem)
  }

  #place(): string {
    return this.#client.connection.address.url
  }
}

/** Says what is wrong with the server at this address, and what to check. */
export function describeServerProblem(
  { url, username }: EngineAddress,
  { failure, code, message }: EngineError,
): string {
  if (code && signInErrorCodes.has(code))
    return `${url} refuses the user "${username}" with this password. Check both in TILTH_ENGINE.`
  if (code || failure === 'rejected') return `${url} is no use: ${message}`
  return `Nothing answers as ClickHouse at ${url}. Check TILTH_ENGINE, and that the server runs. (${message})`
}
