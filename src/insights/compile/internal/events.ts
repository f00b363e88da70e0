import { identifier, type Sql, sql, string, strings, uint, uuids } from '#engine/sql'
import {
  type FilterColumn,
  type CohortCondition,
  type Filter,
  type ColumnResolver,
  type PropertyCondition,
  where,
} from '#filters/filter'
import { type DistinctCount, distinctIn } from './distinct'
import {
  firstTouchColumn,
  firstTouchColumns,
  firstTouches,
  type FirstTouchKey,
  isFirstTouchKey,
} from './first-touch'
import {
  isLastKnownKey,
  lastKnownColumn,
  lastKnownColumns,
  type LastKnownKey,
  lastKnownValues,
} from '../last-known'
import { amongProperties, columnOfItsOwn, inMap } from './properties'
import { allTime, ofTraffic, type EventRange, roughlyWithinPeriod, withinPeriod } from '../event-range'
import type { BaseQuery, QueryScope } from '../../scope'
import {
  isSessionKey,
  sessionColumn,
  sessionColumns,
  type SessionKey,
  sessionsAround,
  withEventOrder,
} from './sessions'

/** The person id of no person. */
export const nobody = sql`toUUID('00000000-0000-0000-0000-000000000000')`

/**
 * The events that a query reads, as the source of a `from`. It is the only place that puts the project's number into
 * a statement, resolves merged persons, and separates people from robots. Persons, groups and sessions are joined only
 * if the statement needs them: call `property` for everything you need before `rows`; within one template that is the
 * order of the text.
 */
export class Events implements ColumnResolver {
  /** Counts the persons of these events. */
  readonly distinct: DistinctCount
  private readonly joins = new Map<string, EventJoin>()
  private readonly selected = new Map<string, SelectedProperty>()
  private readonly groupTypes: string[] = []
  private readonly sessionKeys = new Set<SessionKey>()
  private readonly lastKnownKeys = new Set<LastKnownKey>()

  constructor(
    private readonly scope: QueryScope,
    private readonly query: Pick<BaseQuery, 'filter' | 'traffic' | 'withoutTestAccounts'>,
    private readonly range: EventRange,
  ) {
    this.distinct = distinctIn(scope)
  }

  /** Selects the columns of the table and `person`, the current person; one row for each event. */
  rows(only?: Filter): Sql {
    const conditions = [...this.conditions(), ...(only ? [this.holds(only)] : [])]
    return sql`(
      select events.*, ${this.person()} as person${this.furtherColumns()}
      from events
      ${sql.join([...this.mergedPersons(), ...[...this.joins.values()].map(({ join }) => join)], sql` `)}
      where ${sql.join(conditions, sql` and `)}
    )`
  }

  /** Selects each value of a column in these events, as `value`; it may include values of other events. */
  valuesOf(column: Sql): Sql {
    const conditions = [
      sql`project_id = ${uint(this.scope.projectId)}`,
      ...roughlyWithinPeriod(this.range.period),
    ]
    return sql`(select ${column} as value from events where ${sql.join(conditions, sql` and `)} group by value)`
  }

  /** Whether a filter holds for an event; also of use outside `rows`, on its columns. */
  holds(filter: Filter): Sql {
    return where(filter, this, this.scope.calendar.now)
  }

  property({ type, key, group }: Pick<PropertyCondition, 'type' | 'key' | 'group'>): FilterColumn {
    if (type === 'event') return columnOfItsOwn(key) ?? this.ofEvent(key)
    if (type === 'person') return this.ofPerson(key)
    return type === 'group' ? this.ofGroup(group ?? '', key) : this.ofSession(key)
  }

  cohort({ cohort }: CohortCondition): Sql {
    const members = this.scope.cohort(cohort)
    // by name, so that it also resolves outside of `rows`, where persons are not merged yet
    return members ? sql`(person in (${members}))` : sql`false`
  }

  private conditions(): Sql[] {
    const { query, scope, range } = this
    return [
      sql`events.project_id = ${uint(scope.projectId)}`,
      ...withinPeriod(range.period),
      ...(range.names ? [sql`event in ${strings(range.names)}`] : []),
      ...(range.persons ? [sql`events.person_id in ${uuids(range.persons)}`] : []),
      ...ofTraffic(query.traffic),
      ...(query.withoutTestAccounts && scope.testAccounts
        ? [sql`not ${this.holds(scope.testAccounts)}`]
        : []),
      ...(query.filter ? [this.holds(query.filter)] : []),
      ...this.withoutRemovedSubmissions(),
    ]
  }

  /** Events of old SDKs have no submission: each is one of its own, by its id. */
  private withoutRemovedSubmissions(): Sql[] {
    const { removedSubmissions: removed = [] } = this.scope
    const asksForSurveys = this.range.names?.some((name) => surveyEventNames.has(name))
    if (removed.length === 0 || !asksForSurveys) return []
    const id = sql`events.properties['$survey_submission_id']`
    const submission = sql`if(${id} != '', ${id}, concat('event:', toString(events.uuid)))`
    return [sql`not (event in ${strings([...surveyEventNames])} and ${submission} in ${strings(removed)})`]
  }

  private person(): Sql {
    return this.scope.hasMerged
      ? sql`if(merged.to_person_id = ${nobody}, events.person_id, merged.to_person_id)`
      : sql`events.person_id`
  }

  private mergedPersons(): Sql[] {
    if (!this.scope.hasMerged) return []
    return [
      sql`left any join (
        select from_person_id, argMax(to_person_id, version) as to_person_id
        from person_overrides
        where project_id = ${uint(this.scope.projectId)}
        group by from_person_id
      ) as merged on merged.from_person_id = events.person_id`,
    ]
  }

  /**
   * Reads a property from the map in the innermost query, under its own name. In an outer query, the engine would read
   * the whole map instead of the key's part: twice the time with three properties, ten times with forty.
   */
  private ofEvent(key: string): FilterColumn {
    const name = `property_${this.selected.size}`
    const taken = this.selected.get(key) ?? {
      from: sql`events.properties[${string(key)}]`,
      as: identifier(name, [name]),
    }
    this.selected.set(key, taken)
    return amongProperties(taken.as, key)
  }

  private ofPerson(key: string): FilterColumn {
    if (isFirstTouchKey(key)) return this.ofFirstTouch(key)
    this.joins.set('persons', {
      join: sql`left any join (
        select person_id as person_of_properties, properties as person_properties
        from persons final
        where project_id = ${uint(this.scope.projectId)}
      ) as persons on persons.person_of_properties = ${this.person()}`,
      columns: sql`person_properties`,
    })
    return isLastKnownKey(key) ? this.ofLastKnown(key) : inMap(sql`person_properties`, key)
  }

  private ofLastKnown(key: LastKnownKey): FilterColumn {
    this.lastKnownKeys.add(key)
    const keys = [...this.lastKnownKeys]
    const events = new Events(this.scope, humansOnly, { period: allTime })
    this.joins.set('last known', {
      join: sql`left any join ${lastKnownValues(events.rows(), keys)} as last_known
          on last_known.person_of_last_known = ${this.person()}`,
      columns: lastKnownColumns(keys),
    })
    return lastKnownColumn(key, sql`person_properties`)
  }

  private ofFirstTouch(key: FirstTouchKey): FilterColumn {
    const views = new Events(this.scope, humansOnly, { period: allTime, names: viewNames })
    this.joins.set('first touch', {
      join: sql`left any join ${firstTouches(withEventOrder(views.rows()))} as first_touches
          on first_touches.person_of_touch = ${this.person()}`,
      columns: firstTouchColumns,
    })
    return firstTouchColumn(key)
  }

  private ofGroup(type: string, key: string): FilterColumn {
    const groupKey = sql`events.groups[${string(type)}]`
    if (key === '$group_key') return { text: groupKey, isSet: sql`(${groupKey} != '')` }
    if (!this.groupTypes.includes(type)) this.groupTypes.push(type)
    const slot = groupSlots[this.groupTypes.indexOf(type)]
    if (!slot) return nothing
    this.joins.set(`group ${type}`, {
      join: sql`left any join (
        select key as ${slot.key}, properties as ${slot.properties}
        from groups final
        where project_id = ${uint(this.scope.projectId)} and type = ${string(type)}
      ) as ${slot.table} on ${slot.key} = ${groupKey}`,
      columns: slot.properties,
    })
    return inMap(slot.properties, key)
  }

  private ofSession(key: string): FilterColumn {
    if (!isSessionKey(key)) return nothing
    this.sessionKeys.add(key)
    const keys = [...this.sessionKeys]
    this.joins.set('sessions', {
      join: sql`left any join ${sessionsAround(this.scope, this.range.period, keys)} as sessions
          on sessions.id_of_session = events.session_id`,
      columns: sql.join(keys.map((one) => sessionColumns[one].as)),
    })
    return sessionColumn(key)
  }

  private furtherColumns(): Sql {
    const joined = [...this.joins.values()].map(({ columns }) => sql`, ${columns}`)
    const taken = [...this.selected.values()].map(({ from, as }) => sql`, ${from} as ${as}`)
    return sql.join([...taken, ...joined], sql``)
  }
}

/** The events of surveys that belong to submissions. */
const surveyEventNames: ReadonlySet<string> = new Set(['survey sent', 'survey dismissed', 'survey abandoned'])

export const humansOnly = { traffic: 'human', withoutTestAccounts: false } as const
const viewNames = ['$pageview', '$screen']

/** A property and its name in outer queries. */
interface SelectedProperty {
  from: Sql
  as: Sql
}

interface EventJoin {
  join: Sql
  /** The columns it needs, so that it can be used outside of the source. */
  columns: Sql
}

const nothing: FilterColumn = { text: sql`''`, isSet: sql`false` }

/** A project has at most five group types, as in PostHog. */
const groupSlots = [
  { table: sql`groups_0`, key: sql`group_key_0`, properties: sql`group_properties_0` },
  { table: sql`groups_1`, key: sql`group_key_1`, properties: sql`group_properties_1` },
  { table: sql`groups_2`, key: sql`group_key_2`, properties: sql`group_properties_2` },
  { table: sql`groups_3`, key: sql`group_key_3`, properties: sql`group_properties_3` },
  { table: sql`groups_4`, key: sql`group_key_4`, properties: sql`group_properties_4` },
] as const
