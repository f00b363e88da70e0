import { type Sql, sql, string, uint } from '../engine/sql'
import {
  type Column,
  type CohortCondition,
  type Filter,
  type Look,
  type PropertyCondition,
  where,
} from '../filters/filter'
import { inMap } from './properties'
import type { Scope } from './scope'

const never: Column = { text: sql`''`, isSet: sql`false` }

/**
 * Those of whom something is known, as the source of a `from`; the other place, beside `Events`, where the project's
 * number enters a statement. Somebody who was only ever seen has no profile.
 */
export class Profiles implements Look {
  constructor(private readonly scope: Scope) {}

  /** One row a person: `person_id`, `properties`, `is_identified`, `created_at`. */
  rows(only: Sql = sql`true`): Sql {
    return sql`(
      select person_id, properties, is_identified, created_at
      from persons final
      where project_id = ${uint(this.scope.projectId)}
        and ${only}
    )`
  }

  /** Whether a filter holds for somebody, on the columns of `rows`. */
  holds(filter: Filter): Sql {
    return where(filter, this, this.scope.calendar.now)
  }

  /** What does not belong to a person is never set. */
  property({ type, key }: Pick<PropertyCondition, 'type' | 'key'>): Column {
    return type === 'person' ? inMap(sql`properties`, key) : never
  }

  cohort({ cohort }: CohortCondition): Sql {
    const members = this.scope.cohort(cohort)
    return members ? sql`(person_id in (${members}))` : sql`false`
  }
}

/** The groups of a project, one row each: `type`, `key`, `properties`, `created_at`. */
export function groupRows({ projectId }: Scope, type?: string): Sql {
  return sql`(
    select type, key, properties, created_at
    from groups final
    where project_id = ${uint(projectId)}
      and ${type === undefined ? sql`true` : sql`type = ${string(type)}`}
  )`
}
