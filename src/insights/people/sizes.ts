import { type Sql, sql } from '../../engine/sql'
import { Events } from '../events'
import { periodOn } from '../period'
import type { Scope } from '../scope'
import { people } from './seen'
import type { Matching } from '../people-found'

export async function countMatching(members: Sql, scope: Scope): Promise<Matching> {
  const events = new Events(scope, people, { period: periodOn(scope.calendar, '30d') })
  const [row] = await scope.run<{ matching: number; everybody: number }>(sql`
    select
      uniqExactIf(person, person in (${members})) as matching,
      uniqExact(person) as everybody
    from ${events.rows()}`)
  return { matching: row?.matching ?? 0, of: row?.everybody ?? 0 }
}

export async function sizeOf(members: Sql, scope: Scope): Promise<number> {
  const [row] = await scope.run<{ size: number }>(sql`
    select uniqExact(person_id) as size
    from (${members})`)
  return row?.size ?? 0
}
