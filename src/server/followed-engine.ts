import { urlOf } from '../engine/address'
import type { Engine, EngineAddress, EngineHealth, QueryLimits } from '../engine/engine'
import { engineError } from '../engine/failures'
import { RemoteEngine } from '../engine/remote'
import type { Sql } from '../engine/sql'
import type { Written, WrittenAnswer } from '../engine/written'
import type { ProcessLog } from '../processes/supervise'

/** The engine as the pages know it: the front starts it, says where it is, and says so again when it has moved. */
export class FollowedEngine implements Engine {
  readonly #log: ProcessLog
  readonly #found = Promise.withResolvers<void>()
  readonly #unknown: EngineHealth = { form: 'remote', status: 'starting', since: new Date(), restarts: 0 }
  #engine: RemoteEngine | undefined

  constructor(log: ProcessLog) {
    this.#log = log
  }

  moveTo(address: EngineAddress): void {
    const left = this.#engine
    const { asker, threadsTogether } = address
    this.#engine = new RemoteEngine(
      { form: 'remote', guest: true, url: urlOf(address), asker, threadsTogether, log: this.#log },
      [],
    )
    this.#found.resolve()
    void left?.close()
  }

  health(): EngineHealth {
    return this.#engine?.health() ?? this.#unknown
  }

  address(): EngineAddress | undefined {
    return this.#engine?.address()
  }

  async ready(): Promise<void> {
    await this.#found.promise
    const waitedFor = this.#engine
    try {
      await waitedFor?.ready()
    } catch (problem) {
      if (waitedFor === this.#engine) throw problem
      await this.ready()
    }
  }

  async query<Row>(statement: Sql, limits?: QueryLimits): Promise<Row[]> {
    return await this.#reach().query<Row>(statement, limits)
  }

  async askWritten(written: Written, limits?: Pick<QueryLimits, 'signal'>): Promise<WrittenAnswer> {
    return await this.#reach().askWritten(written, limits)
  }

  async syntaxOf(written: Written): Promise<string[]> {
    return await this.#reach().syntaxOf(written)
  }

  async command(statement: Sql, limits?: QueryLimits): Promise<void> {
    await this.#reach().command(statement, limits)
  }

  async insert(table: string, rows: Uint8Array | string): Promise<void> {
    await this.#reach().insert(table, rows)
  }

  async close(): Promise<void> {
    await this.#engine?.close()
  }

  #reach(): Engine {
    if (this.#engine) return this.#engine
    throw engineError('unavailable', 'it is starting.')
  }
}
