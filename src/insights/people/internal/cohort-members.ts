import { dateTime, type Sql, sql, string, uint, uuids } from '#engine/sql'
import { type Filter, matches, type FilterSubject } from '#filters/filter'
import type { CohortDefinition, CohortEvent, CohortEventCount, CohortPeriod } from '#persons/cohort'
import type { CohortMembership } from '#persons/cohorts/cohorts'
import { Events } from '../../compile/internal/events'
import { type Period, periodOn } from '../../calendar/period'
import { PersonProfiles } from '../../compile/internal/profiles'
import type { QueryScope } from '../../scope'

/** A set of persons, or its complement: so that excluding a few does not list all others. */
interface PersonSet {
  /** Selects their `person_id`; one may come twice. */
  persons: Sql
  isRest: boolean
}

/** Returns the members of a cohort; undefined if there is none with that id. */
export function cohortReader(
  membership: CohortMembership,
): (id: string, scope: QueryScope) => Sql | undefined {
  return (id, scope) => {
    const known = membership.get(id)
    return known && personIdsOf(new CohortStatements(scope, membership, [id]).members(known), scope)
  }
}

/** Selects the persons who match a definition, saved or not. */
export const personsFitting = (
  definition: CohortDefinition,
  membership: CohortMembership,
  scope: QueryScope,
): Sql => personIdsOf(new CohortStatements(scope, membership, []).members(definition), scope)

/** Returns the cohorts of persons; reads only the events of these persons. */
export function cohortsOfPersons(
  numbers: readonly string[],
  membership: CohortMembership,
  scope: QueryScope,
): Sql {
  const [personId = ''] = numbers
  const statements = [...membership].map(([id, known]) => {
    const { persons, isRest } = new CohortStatements(scope, membership, [id], numbers).members(known)
    const isIn = sql`toUUID(${string(personId)}) in (${persons})`
    return sql`if(${isRest ? sql`not ${isIn}` : isIn}, ${string(id)}, '')`
  })
  return sql`select arrayJoin(arrayFilter(id -> id != '', [${sql.join(statements)}])) as id`
}

function personIdsOf({ persons, isRest }: PersonSet, scope: QueryScope): Sql {
  return isRest
    ? sql`select person_id from (${everybody(scope)}) where person_id not in (${persons})`
    : persons
}

/** Selects all persons of the project, identified and anonymous. */
const everybody = (scope: QueryScope): Sql => sql`
  select person as person_id
  from ${happened(scope, { event: null }, ever)}
  group by person
  union distinct
  select person_id
  from ${new PersonProfiles(scope).rows()}`

const ever: Period = { from: new Date(0), until: new Date('2105-01-01T00:00:00Z') }

class CohortStatements {
  private readonly scope: QueryScope

  constructor(
    scope: QueryScope,
    private readonly membership: CohortMembership,
    /** The cohorts that are being resolved, which detects cycles. */
    private readonly within: readonly string[],
    /** The persons whose events are read; all if absent. */
    private readonly only?: readonly string[],
  ) {
    this.scope = { ...scope, cohort: (id) => personIdsOf(this.cohort(id), this.scope) }
  }

  members(known: CohortDefinition | readonly string[]): PersonSet {
    return isPicked(known) ? some(sql`select arrayJoin(${uuids(known)}) as person_id`) : this.fitting(known)
  }

  private cohort(id: string): PersonSet {
    const known = this.membership.get(id)
    if (!known || this.within.includes(id)) return nobody
    return new CohortStatements(this.scope, this.membership, [...this.within, id], this.only).members(known)
  }

  private fitting(definition: CohortDefinition): PersonSet {
    if ('all' in definition) return intersection(definition.all.map((one) => this.fitting(one)))
    if ('any' in definition)
      return complement(intersection(definition.any.map((one) => complement(this.fitting(one)))))
    if ('not' in definition) return complement(this.fitting(definition.not))
    if ('in' in definition) return this.cohort(definition.in)
    if ('is' in definition) return this.being(definition.is)
    return 'did' in definition ? this.doing(definition) : this.beginning(definition)
  }

  private being(filter: Filter): PersonSet {
    if (!namesCohorts(filter)) return this.known(filter)
    if ('all' in filter) return intersection(filter.all.map((one) => this.being(one)))
    if ('any' in filter) return complement(intersection(filter.any.map((one) => complement(this.being(one)))))
    if (filter.type !== 'cohort') return this.known(filter)
    const members = this.cohort(filter.cohort)
    return filter.operator === 'in' ? members : complement(members)
  }

  /** A filter that holds for unknown persons gives a complement. */
  private known(filter: Filter): PersonSet {
    const profiles = new PersonProfiles(this.scope, this.only)
    const holds = profiles.holds(filter)
    const isRest = matches(filter, unknown, this.scope.calendar.now) === true
    const condition = isRest ? sql`not ${holds}` : holds
    return { persons: sql`select person_id from ${profiles.rows(condition)}`, isRest }
  }

  private doing({ did, times = { at: 'least', count: 1 }, within }: PerformedRule): PersonSet {
    const events = happened(this.scope, did, periodOf(within, this.scope), this.only)
    const often = (having: Sql) => sql`
      select person as person_id
      from ${events}
      group by person
      having ${having}`
    const { at, count } = times
    // persons without such events are the complement of those with them
    if (at === 'most') return { persons: often(sql`count() > ${uint(count)}`), isRest: true }
    if (count === 0) return at === 'least' ? complement(nobody) : { persons: often(sql`true`), isRest: true }
    return some(often(at === 'least' ? sql`count() >= ${uint(count)}` : sql`count() = ${uint(count)}`))
  }

  private beginning({ first, within }: FirstTimeRule): PersonSet {
    const { from, until } = periodOf(within, this.scope)
    return some(sql`
      select person as person_id
      from ${happened(this.scope, first, ever, this.only)}
      group by person
      having min(timestamp) >= ${dateTime(from)}
        and min(timestamp) < ${dateTime(until)}`)
  }
}

interface PerformedRule {
  did: CohortEvent
  times?: CohortEventCount | undefined
  within?: CohortPeriod | undefined
}

interface FirstTimeRule {
  first: CohortEvent
  within: CohortPeriod
}

const some = (persons: Sql): PersonSet => ({ persons, isRest: false })
const nobody: PersonSet = some(sql`select arrayJoin(${uuids([])}) as person_id`)
const complement = ({ persons, isRest }: PersonSet): PersonSet => ({ persons, isRest: !isRest })

/** Returns the persons in all of the sets. */
function intersection(parts: readonly PersonSet[]): PersonSet {
  const [first, ...others] = parts.filter(({ isRest }) => !isRest)
  const rests = parts.filter(({ isRest }) => isRest)
  if (!first) return { persons: union(rests), isRest: true }
  const conditions = [
    ...others.map(({ persons }) => sql`person_id in (${persons})`),
    ...rests.map(({ persons }) => sql`person_id not in (${persons})`),
  ]
  if (conditions.length === 0) return first
  return some(sql`select person_id from (${first.persons}) where ${sql.join(conditions, sql` and `)}`)
}

const union = (parts: readonly PersonSet[]): Sql =>
  parts.length === 0
    ? nobody.persons
    : sql`select person_id from (${sql.join(
        parts.map(({ persons }) => persons),
        sql` union all `,
      )})`

const isPicked = (known: CohortDefinition | readonly string[]): known is readonly string[] =>
  Array.isArray(known)

function namesCohorts(filter: Filter): boolean {
  if ('all' in filter) return filter.all.some(namesCohorts)
  if ('any' in filter) return filter.any.some(namesCohorts)
  return filter.type === 'cohort'
}

const unknown: FilterSubject = { property: () => ({ known: true }), cohort: () => 'unknown' }

const happened = (
  scope: QueryScope,
  { event, filter }: CohortEvent,
  period: Period,
  persons?: readonly string[],
): Sql =>
  new Events(
    scope,
    { filter, traffic: 'human', withoutTestAccounts: false },
    { period, persons, names: event === null ? undefined : [event] },
  ).rows()

function periodOf(within: CohortPeriod | undefined, { calendar }: QueryScope): Period {
  if (!within) return ever
  return periodOn(calendar, 'days' in within ? `${within.days}d` : `${within.from}..${within.to}`)
}
