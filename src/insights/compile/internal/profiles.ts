import { type Sql, sql, string, uint } from '#engine/sql'
import {
  type FilterColumn,
  type CohortCondition,
  type Filter,
  type ColumnResolver,
  type PropertyCondition,
  where,
} from '#filters/filter'
import { allTime } from '../event-range'
import { Events, humansOnly, nobody } from './events'
import {
  isLastKnownKey,
  lastKnownColumn,
  lastKnownColumns,
  type LastKnownKey,
  lastKnownValues,
} from '../last-known'
import { inMap } from './properties'
import type { QueryScope } from '../../scope'

const never: FilterColumn = { text: sql`''`, isSet: sql`false` }

/**
 * Person profiles as the source of a `from`. Besides `Events` this is the only place that puts the project's number
 * into a statement. Anonymous visitors have no profile; they are among the rows if a last known place or device was
 * asked for: call `property` or `holds` before `rows`.
 */
export class PersonProfiles implements ColumnResolver {
  private readonly lastKnown = new Set<LastKnownKey>()

  constructor(
    private readonly scope: QueryScope,
    /** The persons whose events tell the last known place and device; all if absent. */
    private readonly persons?: readonly string[],
  ) {}

  /** Selects one row a person: `person_id`, `properties`, `is_identified`, `created_at`; also `name_id`, unless visitors are among them. */
  rows(only: Sql = sql`true`): Sql {
    if (this.lastKnown.size > 0) return this.rowsWithVisitors([...this.lastKnown], only)
    return sql`(
      select person_id, properties, is_identified, created_at, name_id
      from persons final
      where project_id = ${uint(this.scope.projectId)}
        and ${only}
    )`
  }

  /** Whether a filter holds for a person, on the columns of `rows`. */
  holds(filter: Filter): Sql {
    return where(filter, this, this.scope.calendar.now)
  }

  /** Resolves person properties; all others are never set. */
  property({ type, key }: Pick<PropertyCondition, 'type' | 'key'>): FilterColumn {
    if (type !== 'person') return never
    if (!isLastKnownKey(key)) return inMap(sql`properties`, key)
    this.lastKnown.add(key)
    return lastKnownColumn(key, sql`properties`)
  }

  cohort({ cohort }: CohortCondition): Sql {
    const members = this.scope.cohort(cohort)
    return members ? sql`(person_id in (${members}))` : sql`false`
  }

  private rowsWithVisitors(keys: readonly LastKnownKey[], only: Sql): Sql {
    const events = new Events(this.scope, humansOnly, { period: allTime, persons: this.persons })
    return sql`(
      select
        if(profile_person = ${nobody}, person_of_last_known, profile_person) as person_id,
        properties,
        is_identified,
        created_at,
        ${lastKnownColumns(keys)}
      from (
        select person_id as profile_person, properties, is_identified, created_at
        from persons final
        where project_id = ${uint(this.scope.projectId)}
      ) as profiles
      full join ${lastKnownValues(events.rows(), keys)} as last_known on person_of_last_known = profile_person
      where ${only}
    )`
  }
}

/** The groups of a project, one row each: `type`, `key`, `properties`, `created_at`. */
export function groupRows({ projectId }: QueryScope, type?: string): Sql {
  return sql`(
    select type, key, properties, created_at
    from groups final
    where project_id = ${uint(projectId)}
      and ${type === undefined ? sql`true` : sql`type = ${string(type)}`}
  )`
}
