import { type Sql, sql, string, strings, uint, uuids } from '#engine/sql'
import { codesNamed } from '#events/value-names'
import type { Period } from '../calendar/period'
import { Events } from '../compile/internal/events'
import { allTime } from '../compile/event-range'
import { PersonProfiles } from '../compile/internal/profiles'
import { queryPeriod } from '../query-fields'
import type { QueryScope } from '../scope'
import { personCoinedAs } from './internal/coined-name-search'
import { type PersonTraces, personTraces } from './internal/person-traces'
import { labelOf, nameOf } from './person-label'
import type { ListedPerson } from './person-records'
import { shortStoryOf } from './story'
import { type PersonSort, sortedProperty } from './internal/person-sort'

interface PersonListQuery {
  period: string
  search: string
  sort: PersonSort
  descending: boolean
  page: number
}

interface PersonRow {
  person: string
  first_seen: string
  last_seen: string
  times: number
  latest_id: string
  total: number
}

interface StoredProfile {
  properties: Record<string, string>
  is_identified: boolean
  created_at: string
  /** The id that their coined name is made of. */
  name_id: string
}

export const peopleOnly = { traffic: 'human', withoutTestAccounts: false } as const

/** Returns a page of the persons with events in a period. */
export async function listPersons(
  query: PersonListQuery,
  scope: QueryScope,
  among: Sql | undefined,
  size: number,
): Promise<{ persons: ListedPerson[]; total: number }> {
  const period = await queryPeriod(query, scope)
  const events = new Events(scope, peopleOnly, { period })
  const rows = await scope.run<PersonRow>(sql`
    select *, count() over () as total
    from (
      select ${summary}
      from ${events.rows()}
      where ${among ? sql`person in (${among})` : sql`true`}
      group by person
      having ${fits(query.search, scope)}
    ) as seen
    ${joinFor(query.sort, scope)}
    order by ${orderFor(query)}, person
    limit ${uint(size)}
    offset ${uint((query.page - 1) * size)}`)
  return { persons: await described(rows, scope, period), total: rows[0]?.total ?? 0 }
}

const summary = sql`
  person,
  min(timestamp) as first_seen,
  max(timestamp) as last_seen,
  count() as times,
  argMax(distinct_id, timestamp) as latest_id`

function joinFor(sort: PersonSort, scope: QueryScope): Sql {
  if (sort === 'first') return withBeginning(scope)
  const property = sortedProperty(sort)
  return property === undefined ? sql`` : withProperty(property, scope)
}

/** Persons without the property come last in both directions. */
function orderFor({ sort, descending }: Pick<PersonListQuery, 'sort' | 'descending'>): Sql {
  const direction = descending ? sql`desc` : sql`asc`
  if (sort === 'last' || sort === 'first' || sort === 'events') return sql`${orders[sort]} ${direction}`
  return sql`
    value_of_property = '',
    toFloat64OrNull(value_of_property) ${direction} nulls last,
    lowerUTF8(value_of_property) ${direction}`
}

/** Person ids are never null, so a person without a profile has an empty value. */
function withProperty(key: string, scope: QueryScope): Sql {
  const profiles = new PersonProfiles(scope)
  const { text } = profiles.property({ type: 'person', key })
  return sql`
  left any join (
    select person_id as known_person, ${text} as value_of_property
    from ${profiles.rows()}
  ) as known on known_person = person`
}

/** A person known before the period was first seen then. */
const withBeginning = (scope: QueryScope): Sql => sql`
  left any join (
    select person_id as known_person, created_at as known_since
    from ${new PersonProfiles(scope).rows()}
  ) as known on known_person = person`

const orders = {
  last: sql`last_seen`,
  first: sql`if(known_since = toDateTime64(0, 3, 'UTC'), first_seen, least(known_since, first_seen))`,
  events: sql`times`,
} as const

function fits(search: string, scope: QueryScope): Sql {
  if (search === '') return sql`true`
  const has = (text: Sql) => sql`positionCaseInsensitiveUTF8(${text}, ${string(search)}) > 0`
  const profiles = new PersonProfiles(scope).rows(
    sql`arrayExists(one -> ${has(sql`one`)}, mapValues(properties))`,
  )
  return sql`(
    countIf(${has(sql`distinct_id`)} or ${has(sql`city`)} or country in ${strings(codesNamed('country', search))}) > 0
    or ${personCoinedAs(sql`person`, search, scope)}
    or toString(person) = ${string(search.toLowerCase())}
    or person in (select person_id from ${profiles})
  )`
}

/** Returns a page of the persons that a statement selects, each once, as `person`. */
export async function personsIn(
  statement: Sql,
  scope: QueryScope,
  page: number,
  size: number,
): Promise<{ persons: ListedPerson[]; total: number }> {
  const chosen = await scope.run<{ id: string; total: number }>(sql`
    select person as id, count() over () as total
    from (${statement})
    order by id
    limit ${uint(size)}
    offset ${uint((page - 1) * size)}`)
  const ids = chosen.map(({ id }) => id)
  const rows = await scope.run<PersonRow>(sql`
    select ${summary}
    from ${new Events(scope, peopleOnly, { period: allTime }).rows()}
    where person in ${uuids(ids)}
    group by person`)
  const seen = new Map(rows.map((row) => [row.person, row]))
  const persons = await described(
    ids.map((id) => seen.get(id) ?? rowWithoutEvents(id)),
    scope,
    allTime,
  )
  return { persons, total: chosen[0]?.total ?? 0 }
}

const rowWithoutEvents = (person: string): PersonRow => ({
  person,
  first_seen: '',
  last_seen: '',
  times: 0,
  latest_id: '',
  total: 0,
})

export async function countIn(statement: Sql, scope: QueryScope): Promise<number> {
  const [row] = await scope.run<{ persons: number }>(sql`select count() as persons from (${statement})`)
  return row?.persons ?? 0
}

export async function idsIn(statement: Sql, scope: QueryScope, most: number): Promise<string[]> {
  const rows = await scope.run<{ id: string }>(sql`
    select person as id
    from (${statement})
    limit ${uint(most)}`)
  return rows.map(({ id }) => id)
}

async function described(
  rows: readonly PersonRow[],
  scope: QueryScope,
  period: Period,
): Promise<ListedPerson[]> {
  const ids = rows.map(({ person }) => person)
  const [profiles, traces] = await Promise.all([profilesOf(ids, scope), personTraces(ids, scope, { period })])
  return rows.map((row) => personFrom(row, profiles.get(row.person), traces.get(row.person)))
}

export async function profilesOf(
  ids: readonly string[],
  scope: QueryScope,
): Promise<Map<string, StoredProfile>> {
  const rows = await scope.run<StoredProfile & { person_id: string }>(sql`
    select *
    from ${new PersonProfiles(scope).rows(sql`person_id in ${uuids(ids)}`)}`)
  return new Map(rows.map((row) => [row.person_id, row]))
}

function personFrom(
  row: PersonRow,
  known: StoredProfile | undefined,
  traces: PersonTraces | undefined,
): ListedPerson {
  const properties = { ...known?.properties, ...traces?.lastKnown }
  return {
    id: row.person,
    label: labelOf(properties, known?.name_id ?? row.person),
    name: nameOf(properties, row.latest_id || row.person),
    distinctId: row.latest_id,
    isIdentified: Boolean(known?.is_identified),
    properties,
    firstSeen: earliest(known?.created_at, row.first_seen || undefined),
    lastSeen: row.last_seen || undefined,
    events: row.times,
    ...(traces && tracesOf(traces)),
  }
}

const tracesOf = ({ story }: PersonTraces): Pick<ListedPerson, 'story' | 'source' | 'lastPage'> => ({
  story: shortStoryOf(story) || undefined,
  source: story.channel === '' ? undefined : story.source,
  lastPage: story.pages > 0 ? story.lastPage : undefined,
})

/** Returns the earlier of two times, which are the engine's, in UTC. */
export const earliest = (one: string | undefined, other: string | undefined): string | undefined =>
  one !== undefined && other !== undefined && other < one ? other : (one ?? other)
