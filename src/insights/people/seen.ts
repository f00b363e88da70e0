import { type Sql, sql, string, uint, uuids } from '../../engine/sql'
import { Events } from '../events'
import type { Period } from '../period'
import { Profiles } from '../profiles'
import { periodAsked } from '../question'
import type { Scope } from '../scope'
import type { PersonSeen } from '../people-found'

export const sortsOfPersons = ['last', 'first', 'events'] as const

interface Wanted {
  period: string
  search: string
  sort: (typeof sortsOfPersons)[number]
  descending: boolean
  page: number
}

interface SeenRow {
  person: string
  first_seen: string
  last_seen: string
  times: number
  latest_id: string
  total: number
}

interface Known {
  properties: Record<string, string>
  is_identified: boolean
  created_at: string
}

export const people = { traffic: 'human', withoutTestAccounts: false } as const
export const ever: Period = { from: new Date(0), until: new Date('2105-01-01T00:00:00Z') }

/** Those of whom something happened in a period, a page of them. */
export async function personsSeen(
  wanted: Wanted,
  scope: Scope,
  among: Sql | undefined,
  size: number,
): Promise<{ persons: PersonSeen[]; total: number }> {
  const period = await periodAsked(wanted, scope)
  const events = new Events(scope, people, { period })
  const rows = await scope.run<SeenRow>(sql`
    select *, count() over () as total
    from (
      select ${summary}
      from ${events.rows()}
      where ${among ? sql`person in (${among})` : sql`true`}
      group by person
      having ${fits(wanted.search, scope)}
    ) as seen
    ${wanted.sort === 'first' ? withBeginning(scope) : sql``}
    order by ${orders[wanted.sort]} ${wanted.descending ? sql`desc` : sql`asc`}, person
    limit ${uint(size)}
    offset ${uint((wanted.page - 1) * size)}`)
  return { persons: await described(rows, scope), total: rows[0]?.total ?? 0 }
}

const summary = sql`
  person,
  min(timestamp) as first_seen,
  max(timestamp) as last_seen,
  count() as times,
  argMax(distinct_id, timestamp) as latest_id`

/** Who was known before the period began was first seen then. */
const withBeginning = (scope: Scope): Sql => sql`
  left any join (
    select person_id as known_person, created_at as known_since
    from ${new Profiles(scope).rows()}
  ) as known on known_person = person`

const orders = {
  last: sql`last_seen`,
  first: sql`if(known_since = toDateTime64(0, 3, 'UTC'), first_seen, least(known_since, first_seen))`,
  events: sql`times`,
} as const

function fits(search: string, scope: Scope): Sql {
  if (search === '') return sql`true`
  const has = (text: Sql) => sql`positionCaseInsensitiveUTF8(${text}, ${string(search)}) > 0`
  const profiles = new Profiles(scope).rows(sql`arrayExists(one -> ${has(sql`one`)}, mapValues(properties))`)
  return sql`(
    countIf(${has(sql`distinct_id`)}) > 0
    or toString(person) = ${string(search.toLowerCase())}
    or person in (select person_id from ${profiles})
  )`
}

/** A page of the persons that a statement selects, each once, as `person`. */
export async function personsIn(
  statement: Sql,
  scope: Scope,
  page: number,
  size: number,
): Promise<{ persons: PersonSeen[]; total: number }> {
  const chosen = await scope.run<{ id: string; total: number }>(sql`
    select person as id, count() over () as total
    from (${statement})
    order by id
    limit ${uint(size)}
    offset ${uint((page - 1) * size)}`)
  const ids = chosen.map(({ id }) => id)
  const rows = await scope.run<SeenRow>(sql`
    select ${summary}
    from ${new Events(scope, people, { period: ever }).rows()}
    where person in ${uuids(ids)}
    group by person`)
  const seen = new Map(rows.map((row) => [row.person, row]))
  const persons = await described(
    ids.map((id) => seen.get(id) ?? neverSeen(id)),
    scope,
  )
  return { persons, total: chosen[0]?.total ?? 0 }
}

const neverSeen = (person: string): SeenRow => ({
  person,
  first_seen: '',
  last_seen: '',
  times: 0,
  latest_id: '',
  total: 0,
})

export async function idsIn(statement: Sql, scope: Scope, most: number): Promise<string[]> {
  const rows = await scope.run<{ id: string }>(sql`
    select person as id
    from (${statement})
    limit ${uint(most)}`)
  return rows.map(({ id }) => id)
}

async function described(rows: readonly SeenRow[], scope: Scope): Promise<PersonSeen[]> {
  const profiles = await profilesOf(
    rows.map(({ person }) => person),
    scope,
  )
  return rows.map((row) => personFrom(row, profiles.get(row.person)))
}

export async function profilesOf(ids: readonly string[], scope: Scope): Promise<Map<string, Known>> {
  const rows = await scope.run<Known & { person_id: string }>(sql`
    select *
    from ${new Profiles(scope).rows(sql`person_id in ${uuids(ids)}`)}`)
  return new Map(rows.map((row) => [row.person_id, row]))
}

function personFrom(row: SeenRow, known: Known | undefined): PersonSeen {
  const properties = known?.properties ?? {}
  return {
    id: row.person,
    name: nameOf(properties, row.latest_id || row.person),
    distinctId: row.latest_id,
    isIdentified: Boolean(known?.is_identified),
    properties,
    firstSeen: earliest(known?.created_at, row.first_seen || undefined),
    lastSeen: row.last_seen || undefined,
    events: row.times,
  }
}

const naming = ['name', '$name', 'email', '$email', 'username']

/** By what a person is called, where one of the usual properties says so. */
export function nameOf(properties: Readonly<Record<string, string>>, otherwise: string): string {
  return naming.map((key) => properties[key]?.trim()).find(Boolean) ?? otherwise
}

/** Both as the engine tells them, in UTC. */
export const earliest = (one: string | undefined, other: string | undefined): string | undefined =>
  one !== undefined && other !== undefined && other < one ? other : (one ?? other)
