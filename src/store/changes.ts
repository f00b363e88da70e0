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
  private known: ReadonlyMap<string, number> = new Map()
  private timer: NodeJS.Timeout | undefined
  private asking: Promise<void> | undefined

  constructor(private readonly tables: Kysely<ChangeTables>) {}

  /** What stands already is no news. Before anybody can listen, so that nothing falls between the two. */
  async begin(): Promise<void> {
    this.known = await this.versions()
  }

  listen(listener: (topic: string) => void): () => void {
    this.listeners.add(listener)
    this.timer ??= setInterval(() => void this.look(), pollEveryMs).unref()
    return () => this.listeners.delete(listener)
  }

  /** Tells what was committed just now: a look that is under way may have read before that, so it is not enough. */
  async lookAgain(): Promise<void> {
    await this.asking
    await this.look()
  }

  /** Looks now; while a look is under way, joins it. */
  private look(): Promise<void> {
    this.asking ??= this.compare().finally(() => (this.asking = undefined))
    return this.asking
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    this.listeners.clear()
    await this.asking
  }

  /** A store that cannot answer just now is asked again in a moment; the word is late, not lost. */
  private async compare(): Promise<void> {
    const versions = await this.versions().catch(() => undefined)
    if (!versions) return
    const before = this.known
    this.known = versions
    for (const [topic, version] of versions) {
      if (before.get(topic) !== version) this.tell(topic)
    }
  }

  private async versions(): Promise<Map<string, number>> {
    const rows = await this.tables.selectFrom('changes').select(['topic', 'version']).execute()
    return new Map(rows.map((row) => [row.topic, row.version]))
  }

  private tell(topic: string): void {
    for (const listener of this.listeners) listener(topic)
  }
}
