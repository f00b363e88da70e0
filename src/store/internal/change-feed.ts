import type { Kysely } from 'kysely'

/**
 * A row for each topic, with a counter. A log would grow; a row does not, and its lock puts writers of one topic in
 * order.
 */
export interface ChangeTables {
  changes: { topic: string; version: number }
}

const pollEveryMs = 250

export async function announce(tables: Kysely<ChangeTables>, topic: string): Promise<void> {
  await tables
    .insertInto('changes')
    .values({ topic, version: 1 })
    .onConflict((conflict) =>
      conflict.column('topic').doUpdateSet((row) => ({ version: row('changes.version', '+', 1) })),
    )
    .execute()
}

/**
 * Announces changes to every process that shares a store: each polls the few topic rows four times a second.
 * The pages process learns of changes in the same way as a front on another machine.
 */
export class ChangeFeed {
  private readonly listeners = new Set<(topic: string) => void>()
  private knownVersions: ReadonlyMap<string, number> = new Map()
  private timer: NodeJS.Timeout | undefined
  private polling: Promise<void> | undefined

  constructor(private readonly tables: Kysely<ChangeTables>) {}

  /** Reads the current state, before listeners are added, so that no change is missed. */
  async begin(): Promise<void> {
    this.knownVersions = await this.versions()
  }

  subscribe(listener: (topic: string) => void): () => void {
    this.listeners.add(listener)
    // only a listener can fail, and it has a log of its own
    const report = (problem: unknown): void => process.emitWarning(String(problem), 'ChangeListenerFailed')
    this.timer ??= setInterval(() => void this.poll().catch(report), pollEveryMs).unref()
    return () => this.listeners.delete(listener)
  }

  /** The number of changes known here, of all topics. It only grows. */
  get changeCount(): number {
    return [...this.knownVersions.values()].reduce((sum, version) => sum + version, 0)
  }

  /** Polls if another process knows of more changes. */
  async catchUpTo(changeCount: number): Promise<void> {
    if (this.changeCount < changeCount) await this.pollAgain()
  }

  /**
   * Polls for changes that were just committed. A poll in progress may have read before that, so joining it is not
   * enough.
   */
  async pollAgain(): Promise<void> {
    await this.polling
    await this.poll()
  }

  /** Polls now, or joins the poll in progress. */
  private poll(): Promise<void> {
    this.polling ??= this.compare().finally(() => (this.polling = undefined))
    return this.polling
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    this.listeners.clear()
    await this.polling
  }

  /** Compares the counters. If the store is unavailable, the next poll finds the changes. */
  private async compare(): Promise<void> {
    const versions = await this.versions().catch(() => undefined)
    if (!versions) return
    const before = this.knownVersions
    this.knownVersions = versions
    for (const [topic, version] of versions) {
      if (before.get(topic) !== version) this.notify(topic)
    }
  }

  private async versions(): Promise<Map<string, number>> {
    const rows = await this.tables.selectFrom('changes').select(['topic', 'version']).execute()
    return new Map(rows.map((row) => [row.topic, row.version]))
  }

  private notify(topic: string): void {
    for (const listener of this.listeners) listener(topic)
  }
}
