import { sql } from 'kysely'
import type { TableSource } from '#store/store'
import { openTables } from '#store/tables'
import type { Lane } from './lane'

/** The tables in which deliveries wait. Each has the columns `id`, `project_id`, `address`, `state` and `due_at`. */
export type WaitingTable = 'survey_deliveries' | 'outgoing'

const open = openTables<unknown>()

/** The end of a lane to take from: the delivery that was due last, or the one that has been due for the longest. */
export type LaneEnd = 'newest' | 'oldest'

/**
 * Returns the lanes in which a delivery is due. It goes from lane to lane in the index, and past everything that waits in
 * each: a hundred thousand deliveries to one address cost no more than one.
 */
export async function dueLanes(store: TableSource, table: WaitingTable, now: Date): Promise<Lane[]> {
  const waiting = sql.table(table)
  const { rows } = await sql<Lane>`
    with recursive lanes (project_id, address) as (
      select project_id, address
      from (
        select project_id, address
        from ${waiting}
        where state = 'waiting'
        order by project_id, address
        limit 1
      ) as first_lane
      union all
      select ${inNextLane('project_id', table)}, ${inNextLane('address', table)}
      from lanes
      where project_id is not null
    )
    select project_id, address
    from lanes
    where project_id is not null
      and exists (
        select 1
        from ${waiting}
        where state = 'waiting'
          and project_id = lanes.project_id
          and address = lanes.address
          and due_at <= ${now}
      )`.execute(open(store))
  return rows
}

/** The next address of the project, otherwise the first of the next project: SQLite reads on where both are compared as one. */
const inNextLane = (column: 'project_id' | 'address', table: WaitingTable) => sql`
  coalesce(
    (
      select ${sql.ref(column)}
      from ${sql.table(table)}
      where state = 'waiting'
        and project_id = lanes.project_id
        and address > lanes.address
      order by address
      limit 1
    ),
    (
      select ${sql.ref(column)}
      from ${sql.table(table)}
      where state = 'waiting'
        and project_id > lanes.project_id
      order by project_id, address
      limit 1
    )
  )`

/** Returns the ids of deliveries of a lane that are due, without those in `except`. */
export async function dueInLane(
  store: TableSource,
  table: WaitingTable,
  {
    lane: { projectId, address },
    now,
    end,
    limit,
    except = [],
  }: { lane: Lane; now: Date; end: LaneEnd; limit: number; except?: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id
    from ${sql.table(table)}
    where state = 'waiting'
      and project_id = ${projectId}
      and address = ${address}
      and due_at <= ${now}
      ${except.length > 0 ? sql`and id not in (${sql.join(except)})` : sql``}
    order by due_at ${end === 'newest' ? sql`desc` : sql`asc`}
    limit ${limit}`.execute(open(store))
  return rows.map(({ id }) => id)
}

/** Counts what waits for a project, up to a limit, which is what the count may cost. */
export async function countWaiting(
  store: TableSource,
  table: WaitingTable,
  projectId: number,
  upTo: number,
): Promise<number> {
  const { rows } = await sql<{ waiting: number | string }>`
    select count(*) as waiting
    from (
      select 1
      from ${sql.table(table)}
      where state = 'waiting'
        and project_id = ${projectId}
      limit ${upTo}
    ) as counted`.execute(open(store))
  return Number(rows[0]?.waiting ?? 0)
}

/** Counts the deliveries in a state, since an instant where one is given. */
export async function countInState(
  store: TableSource,
  table: WaitingTable,
  state: 'waiting' | 'failed',
  since = new Date(0),
): Promise<number> {
  const { rows } = await sql<{ found: number | string }>`
    select count(*) as found
    from ${sql.table(table)}
    where state = ${state}
      and due_at >= ${since}`.execute(open(store))
  return Number(rows[0]?.found ?? 0)
}
