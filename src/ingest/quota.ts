import type { Engine } from '#engine/engine'
import { dateTime, sql } from '#engine/sql'
import type { World } from '#world/world'

/**
 * Counts the events of every project this month, for projects with a limit. Months are in UTC, by arrival time, so
 * old events that clients send count too; those of imports do not. The counts are in memory. The engine recounts them from time to time, because it knows
 * the events of other fronts and the duplicates.
 */
export class EventQuota {
  private month = 0
  private nextMonth = 0
  private counts = new Map<number, number>()
  /** Events that arrived while the engine was counting; its count may or may not include them. */
  private countedMeanwhile: Map<number, number> | undefined

  constructor(private readonly world: Pick<World, 'now'>) {}

  /** Counts one more event of the project, unless the limit is reached. */
  admit(projectId: number, most = Number.POSITIVE_INFINITY): boolean {
    this.resetOnNewMonth()
    if ((this.counts.get(projectId) ?? 0) >= most) return false
    this.add(projectId, 1)
    return true
  }

  /** Subtracts events that were counted but could not be written: the client will send them again. */
  giveBack(projectId: number, amount: number): void {
    this.add(projectId, -amount)
  }

  /** Counts anew what the engine has. `importedSince` tells how many events of each project imports brought. */
  async recount(
    engine: Pick<Engine, 'query'>,
    importedSince?: (month: Date) => Promise<ReadonlyMap<number, number>>,
  ): Promise<void> {
    this.resetOnNewMonth()
    const month = this.month
    this.countedMeanwhile = new Map()
    try {
      const counted = await countedSince(engine, new Date(month))
      const imported = await importedSince?.(new Date(month))
      for (const [projectId, amount] of imported ?? [])
        counted.set(projectId, Math.max(0, (counted.get(projectId) ?? 0) - amount))
      if (month === this.month) this.counts = sumByProject(counted, this.countedMeanwhile)
    } finally {
      this.countedMeanwhile = undefined
    }
  }

  private add(projectId: number, amount: number): void {
    for (const counts of [this.counts, this.countedMeanwhile])
      counts?.set(projectId, (counts.get(projectId) ?? 0) + amount)
  }

  private resetOnNewMonth(): void {
    const now = this.world.now()
    if (now.getTime() >= this.month && now.getTime() < this.nextMonth) return
    this.month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth())
    this.nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)
    this.counts = new Map()
  }
}

async function countedSince(engine: Pick<Engine, 'query'>, month: Date): Promise<Map<number, number>> {
  const rows = await engine.query<{ projectId: number; events: string }>(
    sql`
      select project_id as projectId, toString(count()) as events
      from events
      where received_at >= ${dateTime(month)}
      group by project_id`,
    { lane: 'ingest' },
  )
  return new Map(rows.map(({ projectId, events }) => [projectId, Number(events)]))
}

function sumByProject(
  counts: ReadonlyMap<number, number>,
  more: ReadonlyMap<number, number>,
): Map<number, number> {
  const sum = new Map(counts)
  for (const [projectId, amount] of more) sum.set(projectId, (sum.get(projectId) ?? 0) + amount)
  return sum
}
