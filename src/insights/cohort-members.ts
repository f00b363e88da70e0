import { dateTime, type Sql, sql, string, uint, uuids } from '../engine/sql'
import { type Filter, matches, type Subject } from '../filters/filter'
import type { CohortDefinition, Happening, Times, Within } from '../persons/cohort'
import type { Membership } from '../persons/cohorts'
import { Events } from './events'
import { type Period, periodOn } from './period'
import { Profiles } from './profiles'
import type { Scope } from './scope'

/** Some persons, or everybody but them: so that nobody has to be listed in order to leave a few out. */
interface Found {
  /** Selects their `person_id`; one may come twice. */
  persons: Sql
  isRest: boolean
}

/** Says who is in a cohort; undefined where there is none of that number. */
export function cohortReader(membership: Membership): (id: string, scope: Scope) => Sql | undefined {
  return (id, scope) => {
    const known = membership.get(id)
    return known && listed(new Reader(scope, membership, [id]).members(known), scope)
  }
}

/** Who fits a definition, whether or not it was ever saved. */
export const whoFits = (definition: CohortDefinition, membership: Membership, scope: Scope): Sql =>
  listed(new Reader(scope, membership, []).members(definition), scope)

/** In which cohorts somebody is; only what they did themselves is read for it. */
export function cohortsWith(numbers: readonly string[], membership: Membership, scope: Scope): Sql {
  const [personId = ''] = numbers
  const asked = [...membership].map(([id, known]) => {
    const { persons, isRest } = new Reader(scope, membership, [id], numbers).members(known)
    const isIn = sql`toUUID(${string(personId)}) in (${persons})`
    return sql`if(${isRest ? sql`not ${isIn}` : isIn}, ${string(id)}, '')`
  })
  return sql`select arrayJoin(arrayFilter(id -> id != '', [${sql.join(asked)}])) as id`
}

function listed({ persons, isRest }: Found, scope: Scope): Sql {
  return isRest
    ? sql`select person_id from (${everybody(scope)}) where person_id not in (${persons})`
    : persons
}

/** Of the projects' persons, those who are known and those who were only seen. */
const everybody = (scope: Scope): Sql => sql`
  select person as person_id
  from ${happened(scope, { event: null }, ever)}
  group by person
  union distinct
  select person_id
  from ${new Profiles(scope).rows()}`

const ever: Period = { from: new Date(0), until: new Date('2105-01-01T00:00:00Z') }

class Reader {
  private readonly scope: Scope

  constructor(
    scope: Scope,
    private readonly membership: Membership,
    /** The cohorts that are being read: who is in one cannot depend on itself, however the data came to say so. */
    private readonly within: readonly string[],
    /** Whose events are looked at; everybody's when absent. */
    private readonly only?: readonly string[],
  ) {
    this.scope = { ...scope, cohort: (id) => listed(this.cohort(id), this.scope) }
  }

  members(known: CohortDefinition | readonly string[]): Found {
    return isPicked(known) ? some(sql`select arrayJoin(${uuids(known)}) as person_id`) : this.fitting(known)
  }

  private cohort(id: string): Found {
    const known = this.membership.get(id)
    if (!known || this.within.includes(id)) return nobody
    return new Reader(this.scope, this.membership, [...this.within, id], this.only).members(known)
  }

  private fitting(definition: CohortDefinition): Found {
    if ('all' in definition) return all(definition.all.map((one) => this.fitting(one)))
    if ('any' in definition) return not(all(definition.any.map((one) => not(this.fitting(one)))))
    if ('not' in definition) return not(this.fitting(definition.not))
    if ('in' in definition) return this.cohort(definition.in)
    if ('is' in definition) return this.being(definition.is)
    return 'did' in definition ? this.doing(definition) : this.beginning(definition)
  }

  private being(filter: Filter): Found {
    if (!namesCohorts(filter)) return this.known(filter)
    if ('all' in filter) return all(filter.all.map((one) => this.being(one)))
    if ('any' in filter) return not(all(filter.any.map((one) => not(this.being(one)))))
    if (filter.type !== 'cohort') return this.known(filter)
    const members = this.cohort(filter.cohort)
    return filter.operator === 'in' ? members : not(members)
  }

  /** Where it holds for somebody of whom nothing is known, they are among the rest. */
  private known(filter: Filter): Found {
    const profiles = new Profiles(this.scope)
    const holds = profiles.holds(filter)
    const isRest = matches(filter, unknown, this.scope.calendar.now) === true
    const condition = isRest ? sql`not ${holds}` : holds
    return { persons: sql`select person_id from ${profiles.rows(condition)}`, isRest }
  }

  private doing({ did, times = { at: 'least', count: 1 }, within }: Doing): Found {
    const events = happened(this.scope, did, periodOf(within, this.scope), this.only)
    const often = (having: Sql) => sql`
      select person as person_id
      from ${events}
      group by person
      having ${having}`
    const { at, count } = times
    // nothing tells of those who did not, so they are everybody but those who did
    if (at === 'most') return { persons: often(sql`count() > ${uint(count)}`), isRest: true }
    if (count === 0) return at === 'least' ? not(nobody) : { persons: often(sql`true`), isRest: true }
    return some(often(at === 'least' ? sql`count() >= ${uint(count)}` : sql`count() = ${uint(count)}`))
  }

  private beginning({ first, within }: Beginning): Found {
    const { from, until } = periodOf(within, this.scope)
    return some(sql`
      select person as person_id
      from ${happened(this.scope, first, ever, this.only)}
      group by person
      having min(timestamp) >= ${dateTime(from)}
        and min(timestamp) < ${dateTime(until)}`)
  }
}

interface Doing {
  did: Happening
  times?: Times | undefined
  within?: Within | undefined
}

interface Beginning {
  first: Happening
  within: Within
}

const some = (persons: Sql): Found => ({ persons, isRest: false })
const nobody: Found = some(sql`select arrayJoin(${uuids([])}) as person_id`)
const not = ({ persons, isRest }: Found): Found => ({ persons, isRest: !isRest })

/** Those who are in every one of them. */
function all(parts: readonly Found[]): Found {
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

const union = (parts: readonly Found[]): Sql =>
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

const unknown: Subject = { property: () => ({ known: true }), cohort: () => 'unknown' }

const happened = (
  scope: Scope,
  { event, filter }: Happening,
  period: Period,
  persons?: readonly string[],
): Sql =>
  new Events(
    scope,
    { filter, traffic: 'human', withoutTestAccounts: false },
    { period, persons, names: event === null ? undefined : [event] },
  ).rows()

function periodOf(within: Within | undefined, { calendar }: Scope): Period {
  if (!within) return ever
  return periodOn(calendar, 'days' in within ? `${within.days}d` : `${within.from}..${within.to}`)
}
