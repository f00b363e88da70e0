import { setTimeout as delay } from 'node:timers/promises'
import type { ProcessLog } from '../processes/supervise'
import { addressIn } from './address'
import { Client } from './client'
import type {
  Credentials,
  Engine,
  EngineAddress,
  EngineError,
  EngineHealth,
  EngineStatus,
  QueryLimits,
} from './engine'
import { engineError, refusedSignIn, understood } from './failures'
import { bringUpToDate, type Migration } from './migrate'
import type { Sql } from './sql'
import type { Written, WrittenAnswer } from './written'

export interface RemoteSettings {
  form: 'remote'
  /** http(s)://user:password@host[:port]/database */
  url: string
  log: ProcessLog
  /** Only asks: somebody else has made the tables, and may be the only one who could. */
  guest?: boolean
  /** Of an embedded engine: who asks there what people wrote in SQL, and how questions share its cores. */
  asker?: Credentials | undefined
  threadsTogether?: number | undefined
  /** How often to see whether it is still there; shorter in tests. */
  probeEveryMs?: number
}

/**
 * A server has its own limits for everybody; this only keeps one Tilth from crowding out the rest. A guest may well be
 * asking the small engine on its own machine.
 */
const questionsAtOnce = { owner: 8, guest: 2 }

/** A ClickHouse server or cluster somebody else keeps running. */
export class RemoteEngine implements Engine {
  readonly #settings: RemoteSettings
  readonly #history: readonly Migration[]
  readonly #client: Client
  readonly #closing = new AbortController()
  readonly #firstReady = Promise.withResolvers<void>()
  readonly #visiting: Promise<void>
  #health: EngineHealth = { form: 'remote', status: 'starting', since: new Date(), restarts: 0 }
  #wasReady = false

  constructor(settings: RemoteSettings, history: readonly Migration[]) {
    this.#settings = settings
    this.#history = history
    this.#client = new Client({
      address: { ...addressIn(settings.url), threadsTogether: settings.threadsTogether },
      asker: settings.asker,
      questionsAtOnce: questionsAtOnce[settings.guest ? 'guest' : 'owner'],
    })
    this.#firstReady.promise.catch(() => {})
    this.#visiting = this.#keepVisiting()
  }

  health(): EngineHealth {
    return this.#health
  }

  address(): EngineAddress | undefined {
    return this.#wasReady ? this.#client.connection.address : undefined
  }

  ready(): Promise<void> {
    return this.#firstReady.promise
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
    await this.#reach().command(statement, limits)
  }

  async insert(table: string, rows: Uint8Array | string): Promise<void> {
    await this.#reach().insert(table, rows)
  }

  async close(): Promise<void> {
    this.#stop()
    // First the connections, or a server that keeps silent would be waited for.
    await this.#client.close()
    await this.#visiting
  }

  #reach(): Client {
    const { status, trouble } = this.#health
    if (status === 'ready') return this.#client
    throw engineError(
      'unavailable',
      trouble ?? (status === 'stopped' ? 'it was closed.' : 'it is being looked for.'),
    )
  }

  async #keepVisiting(): Promise<void> {
    const { probeEveryMs = 2_000 } = this.#settings
    while (!this.#closing.signal.aborted) {
      await this.#visit()
      await delay(probeEveryMs, undefined, { signal: this.#closing.signal }).catch(() => {})
    }
  }

  async #visit(): Promise<void> {
    try {
      const problem = await this.#client.probe()
      if (problem) return this.#become('unreachable', this.#inWords(problem))
      if (this.#health.status !== 'ready') await this.#prepare()
    } catch (problem) {
      this.#become('unreachable', this.#inWords(understood(problem)))
    }
  }

  /** Whenever it has been away, for it may have come back from a backup. */
  async #prepare(): Promise<void> {
    const outcome = this.#settings.guest ? undefined : await bringUpToDate(this.#client, this.#history)
    if (outcome && 'refused' in outcome) return this.#stop(outcome.refused)
    this.#health = { ...this.#health, version: await this.#client.version() }
    this.#become('ready')
    this.#wasReady = true
    this.#firstReady.resolve()
  }

  #become(status: EngineStatus, trouble?: string): void {
    if (this.#closing.signal.aborted) return
    const { status: before, since } = this.#health
    this.#health = { ...this.#health, status, since: status === before ? since : new Date(), trouble }
    if (status === before) return
    if (trouble) this.#settings.log.warn({}, trouble)
    else this.#settings.log.info({}, `The engine at ${this.#place()} is ready.`)
  }

  #stop(refusal?: string): void {
    this.#become('stopped', refusal)
    this.#closing.abort()
    this.#firstReady.reject(engineError('unavailable', refusal ?? 'it was closed before it was ready.'))
  }

  #inWords({ failure, code, message }: EngineError): string {
    const { username } = this.#client.connection.address
    if (code && refusedSignIn.has(code)) {
      return `${this.#place()} refuses the user "${username}" with this password. Check both in TILTH_ENGINE.`
    }
    if (code || failure === 'rejected') return `${this.#place()} is no use: ${message}`
    return `Nothing answers as ClickHouse at ${this.#place()}. Check TILTH_ENGINE, and that the server runs. (${message})`
  }

  #place(): string {
    return this.#client.connection.address.url
  }
}
