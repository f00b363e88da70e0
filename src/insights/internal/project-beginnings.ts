import type { Engine } from '#engine/engine'
import { dateTime, sql, uint } from '#engine/sql'
import type { World } from '#world/world'

const aDayMs = 24 * 60 * 60_000

/** Tells projects that have just begun to send events, whose figures every event changes, from all others. */
export class ProjectBeginnings {
  private readonly established = new Set<number>()

  constructor(private readonly dependencies: { engine: Pick<Engine, 'query'>; world: Pick<World, 'now'> }) {}

  /** Whether all events of a project are of the last 24 hours. */
  async isFirstDay(projectId: number): Promise<boolean> {
    if (this.established.has(projectId)) return false
    const aDayAgo = new Date(this.dependencies.world.now().getTime() - aDayMs)
    const earlier = await this.dependencies.engine.query(
      sql`
        select 1 from events
        where project_id = ${uint(projectId)} and timestamp < ${dateTime(aDayAgo)}
        limit 1`,
      { lane: 'dashboard', projectId },
    )
    if (earlier.length > 0) this.established.add(projectId)
    return earlier.length === 0
  }
}
