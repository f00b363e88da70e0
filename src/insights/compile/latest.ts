import { z } from 'zod'
import type { Engine } from '#engine/engine'
import { dateTime, sql, string, uint, type Sql } from '#engine/sql'
import { requireRight, type Viewer } from '#projects/access'
import { type Outcome, parseInput } from '#projects/problems'

/** A stored event with its current person. */
interface LatestEvent {
  uuid: string
  event: string
  timestamp: string
  distinct_id: string
  person_id: string
  session_id: string
  properties: Record<string, string>
}

export const latestQuery = z.object({
  event: z.string().max(200).optional().meta({ description: 'Only events of this name' }),
  distinct_id: z.string().max(200).optional().meta({ description: 'Only events of this id' }),
  after: z.iso
    .datetime()
    .optional()
    .meta({ description: 'Only events since this instant; the last 30 days otherwise' }),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
})
type LatestQuery = z.infer<typeof latestQuery>

const usualDays = 30

/** "Did it arrive?": the latest events of a project, newest first. */
export class LatestEvents {
  private readonly projectsWithEvents = new Set<number>()

  constructor(private readonly engine: Pick<Engine, 'query'>) {}

  async list(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<{ events: LatestEvent[] }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(latestQuery, input)
    if (!parsed.done) return parsed
    const events = await this.engine.query<LatestEvent>(query(projectId, parsed.value), { lane: 'dashboard' })
    return { done: true, events }
  }

  /** Whether the project ever stored an event, which distinguishes a new project from a quiet one. */
  async hasAny(projectId: number, viewer: Viewer): Promise<boolean> {
    requireRight('events:read', projectId, viewer)
    if (this.projectsWithEvents.has(projectId)) return true
    const found = await this.engine.query(
      sql`select 1 from events where project_id = ${uint(projectId)} limit 1`,
    )
    if (found.length > 0) this.projectsWithEvents.add(projectId)
    return found.length > 0
  }
}

/** The time range is bounded because events are not sorted by time: without a bound, all events would be read. */
const query = (projectId: number, { event, distinct_id, after, limit }: LatestQuery): Sql => sql`
  with merged as (
    select from_person_id, argMax(to_person_id, version) as to_person_id
    from person_overrides
    where project_id = ${uint(projectId)}
    group by from_person_id
  )
  select
    uuid,
    event,
    timestamp,
    distinct_id,
    if(merged.to_person_id = toUUID('00000000-0000-0000-0000-000000000000'), person_id, merged.to_person_id) as person_id,
    session_id,
    properties
  from events
  left join merged on merged.from_person_id = events.person_id
  where project_id = ${uint(projectId)}
    and timestamp >= ${since(after)}
    ${event === undefined ? sql`` : sql`and event = ${string(event)}`}
    ${distinct_id === undefined ? sql`` : sql`and distinct_id = ${string(distinct_id)}`}
  order by timestamp desc, uuid desc
  limit ${uint(limit)}`

const since = (after: string | undefined): Sql =>
  after === undefined ? sql`now() - interval ${uint(usualDays)} day` : dateTime(new Date(after))
