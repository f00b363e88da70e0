import type { Kysely } from 'kysely'

/** One row a topic, counting up. A row, not a log: it cannot grow, and its lock puts writers of one topic in order. */
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
 * How word of a change reaches every process that shares a store: each asks for the few topic rows four times a second.
 * The pages process is to the front what a second front on another machine is: the same road for all.
 */
export class Changes {
  private readonly listeners = new Set<(topic: string) => void>()
  private known: Map<string, number> | undefined
  private timer: NodeJS.Timeout | undefined
  private asking: Promise<void> | undefined

  constructor(private readonly tables: Kysely<ChangeTables>) {}

  listen(listener: (topic: string) => void): () => void {
    this.listeners.add(listener)
    this.timer ??= setInterval(() => void this.look(), pollEveryMs).unref()
    // what stood before somebody listened is not news
    if (!this.known) void this.look()
    return () => this.listeners.delete(listener)
  }

  /** Looks now; while a look is under way, joins it. */
  look(): Promise<void> {
    this.asking ??= this.compare().finally(() => (this.asking = undefined))
    return this.asking
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    this.listeners.clear()
    await this.asking
  }

  private async compare(): Promise<void> {
    const versions = await this.versions()
    if (!versions) return
    const before = this.known
    this.known = versions
    if (!before) return
    for (const [topic, version] of versions) {
      if (before.get(topic) !== version) this.tell(topic)
    }
  }

  /** A store that cannot answer just now is asked again in a moment; the word is late, not lost. */
  private async versions(): Promise<Map<string, number> | undefined> {
    try {
      const rows = await this.tables.selectFrom('changes').select(['topic', 'version']).execute()
      return new Map(rows.map((row) => [row.topic, row.version]))
    } catch {
      return undefined
    }
  }

  private tell(topic: string): void {
    for (const listener of this.listeners) listener(topic)
  }
}
