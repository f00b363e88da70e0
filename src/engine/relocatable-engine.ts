import { engineUrl } from './address'
import type { Engine, EngineAddress, EngineFile, EngineHealth, FileFormat, QueryLimits } from './engine'
import { engineError } from './failures'
import { RemoteEngine } from './internal/remote'
import type { Sql } from './sql'
import type { UserQuery, UserQueryResult } from './user-query'
import type { ProcessLog } from '#processes/supervise'

/** The engine in the pages process. The front starts it and sends its address, again after each restart. */
export class RelocatableEngine implements Engine {
  readonly #log: ProcessLog
  readonly #firstAddress = Promise.withResolvers<void>()
  readonly #unknown: EngineHealth = { form: 'remote', status: 'starting', since: new Date(), restarts: 0 }
  #engine: RemoteEngine | undefined

  constructor(log: ProcessLog) {
    this.#log = log
  }

  moveTo(address: EngineAddress): void {
    const left = this.#engine
    const { sqlUser, threadsTogether } = address
    this.#engine = new RemoteEngine(
      { form: 'remote', guest: true, url: engineUrl(address), sqlUser, threadsTogether, log: this.#log },
      [],
    )
    this.#firstAddress.resolve()
    void left?.close()
  }

  health(): EngineHealth {
    return this.#engine?.health() ?? this.#unknown
  }

  address(): EngineAddress | undefined {
    return this.#engine?.address()
  }

  async ready(): Promise<void> {
    await this.#firstAddress.promise
    const waitedFor = this.#engine
    try {
      await waitedFor?.ready()
    } catch (problem) {
      if (waitedFor === this.#engine) throw problem
      await this.ready()
    }
  }

  async query<Row>(statement: Sql, limits?: QueryLimits): Promise<Row[]> {
    return await this.#currentEngine().query<Row>(statement, limits)
  }

  async queryFile(statement: Sql, format: FileFormat, limits?: QueryLimits): Promise<EngineFile> {
    return await this.#currentEngine().queryFile(statement, format, limits)
  }

  async runUserQuery(written: UserQuery, limits?: Pick<QueryLimits, 'signal'>): Promise<UserQueryResult> {
    return await this.#currentEngine().runUserQuery(written, limits)
  }

  async explainSyntax(written: UserQuery): Promise<string[]> {
    return await this.#currentEngine().explainSyntax(written)
  }

  async command(statement: Sql, limits?: QueryLimits): Promise<void> {
    await this.#currentEngine().command(statement, limits)
  }

  async insert(table: string, rows: Uint8Array | string): Promise<void> {
    await this.#currentEngine().insert(table, rows)
  }

  async queryNative(statement: Sql, limits?: QueryLimits): Promise<Buffer> {
    return await this.#currentEngine().queryNative(statement, limits)
  }

  async insertNative(table: string, rows: Uint8Array): Promise<void> {
    await this.#currentEngine().insertNative(table, rows)
  }

  async close(): Promise<void> {
    await this.#engine?.close()
  }

  #currentEngine(): Engine {
    if (this.#engine) return this.#engine
    throw engineError('unavailable', 'it is starting.')
  }
}
