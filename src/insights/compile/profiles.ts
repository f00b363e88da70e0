import { type Sql, sql, string, uint } from '#engine/sql'
import {
  type FilterColumn,
  type CohortCondition,
  type Filter,
  type ColumnResolver,
  type PropertyCondition,
  where,
} from '#filters/filter'
import { inMap } from './properties'
import type { QuestionScope } from '../scope'

const never: FilterColumn = { text: sql`''`, isSet: sql`false` }

/**
 * Person profiles as the source of a `from`. Besides `Events` this is the only place that puts the project's number
 * into a statement. Anonymous visitors have no profile.
 */
export class PersonProfiles implements ColumnResolver {
  constructor(private readonly scope: QuestionScope) {}

  /** One row a person: `person_id`, `properties`, `is_identified`, `created_at`. */
  rows(only: Sql = sql`true`): Sql {
    return sql`(
      select person_id, properties, is_identified, created_at
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
    return type === 'person' ? inMap(sql`properties`, key) : never
  }

  cohort({ cohort }: CohortCondition): Sql {
    const members = this.scope.cohort(cohort)
    return members ? sql`(person_id in (${members}))` : sql`false`
  }
}

/** The groups of a project, one row each: `type`, `key`, `properties`, `created_at`. */
export function groupRows({ projectId }: QuestionScope, type?: string): Sql {
  return sql`(
    select type, key, properties, created_at
    from groups final
    where project_id = ${uint(projectId)}
      and ${type === undefined ? sql`true` : sql`type = ${string(type)}`}
  )`
}
