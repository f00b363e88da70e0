import { sql, string, strings } from '#engine/sql'
import { periodOn } from '../../calendar/period'
import { Events } from '../../compile/internal/events'
import { exposure } from '../../compile/exposure'
import type { QueryScope } from '../../scope'

/** Counts the readers of one flag in the last 30 days, and among them those of each of the others; by key. */
export async function readersOf(
  flag: string,
  others: readonly string[],
  scope: QueryScope,
): Promise<ReadonlyMap<string, number>> {
  const events = new Events(
    scope,
    { traffic: 'human', withoutTestAccounts: false },
    { period: periodOn(scope.calendar, '30d'), names: [exposure.event] },
  )
  const key = events.property({ type: 'event', key: exposure.flag }).text
  const rows = await scope.run<{ flag: string; persons: number }>(sql`
    select flag, count() as persons
    from (
      select person, groupUniqArray(${key}) as flags
      from ${events.rows()} as events
      where ${key} in ${strings([flag, ...others])}
      group by person
      having has(flags, ${string(flag)})
    )
    array join flags as flag
    group by flag`)
  return new Map(rows.map((row) => [row.flag, row.persons]))
}
