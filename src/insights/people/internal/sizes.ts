import { type Sql, sql } from '#engine/sql'
import { Events } from '../../compile/internal/events'
import { periodOn } from '../../calendar/period'
import type { QueryScope } from '../../scope'
import { peopleOnly } from '../person-list'
import type { MatchingPersons } from '../person-records'

export async function countMatching(members: Sql, scope: QueryScope): Promise<MatchingPersons> {
  const events = new Events(scope, peopleOnly, { period: periodOn(scope.calendar, '30d') })
  const [row] = await scope.run<{ matching: number; everyone: number }>(sql`
    select
      uniqExactIf(person, person in (${members})) as matching,
      uniqExact(person) as everyone
    from ${events.rows()}`)
  return { matching: row?.matching ?? 0, of: row?.everyone ?? 0 }
}

export async function sizeOf(members: Sql, scope: QueryScope): Promise<number> {
  const [row] = await scope.run<{ size: number }>(sql`
    select uniqExact(person_id) as size
    from (${members})`)
  return row?.size ?? 0
}
