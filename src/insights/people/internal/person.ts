import { isView } from '#engine/entry-page'
import { namesOfGroups } from '../../compile/internal/group-names'
import { dateTime, identifier, type Sql, sql, uint, uuid } from '#engine/sql'
import { type StandardProperty, standardProperties } from '#events/taxonomy'
import type { Filter } from '#filters/filter'
import type { PersonAliases } from '#persons/person-aliases'
import { Events } from '../../compile/internal/events'
import { allTime, type EventRange } from '../../compile/event-range'
import type { QueryScope } from '../../scope'
import { noSession, withEventOrder } from '../../compile/internal/sessions'
import { labelOf, nameOf } from '../person-label'
import { earliest, profilesOf } from '../person-list'
import type { PersonEvent, PersonFacts } from '../person-records'
import { storyOf } from '../story'
import { type PersonTraces, personTraces } from './person-traces'

interface SummaryRow {
  times: number
  first_seen: string
  last_seen: string
  sessions: number
  ids: string[]
  last_country: string
  last_city: string
  last_browser: string
  last_os: string
  last_device: string
  first_source: string
  first_channel: string
}

/** Whether the person has an event or a profile. */
export async function hasPerson(scope: QueryScope, { personId, numbers }: PersonAliases): Promise<boolean> {
  const seen = await scope.run(sql`select 1 from ${eventsOfPersons(scope, numbers)} limit 1`)
  return seen.length > 0 || (await profilesOf([personId], scope)).size > 0
}

/** Returns undefined if the person is unknown and has no events. */
export async function personFacts(
  scope: QueryScope,
  { personId, numbers }: PersonAliases,
): Promise<PersonFacts | undefined> {
  const [[row], profiles, traces, revenue, groups, flags] = await Promise.all([
    scope.run<SummaryRow>(summaryOf(scope, numbers)),
    profilesOf([personId], scope),
    personTraces([personId], scope, { period: allTime, persons: numbers }),
    scope.run<{ currency: string; sum: number }>(revenueOf(scope, numbers)),
    scope.run<{ type: string; key: string }>(groupsOf(scope, numbers)),
    scope.run<{ flag: string; variant: string; last_seen: string }>(flagsOf(scope, numbers)),
  ])
  const known = profiles.get(personId)
  if (!row || (row.times === 0 && !known)) return undefined
  const wasSeen = row.times > 0
  const properties = known?.properties ?? {}
  return {
    name: nameOf(properties, row.ids[0] ?? personId),
    ...shownAs(personId, known, traces.get(personId)),
    isIdentified: Boolean(known?.is_identified),
    properties,
    distinctIds: row.ids,
    firstSeen: earliest(known?.created_at, wasSeen ? row.first_seen : undefined),
    lastSeen: wasSeen ? row.last_seen : undefined,
    events: row.times,
    sessions: row.sessions,
    lastPlace: {
      country: row.last_country,
      city: row.last_city,
      browser: row.last_browser,
      os: row.last_os,
      device: row.last_device,
    },
    ...(row.first_channel !== '' && {
      firstTouch: { channel: row.first_channel, source: row.first_source },
    }),
    revenue,
    groups: await withNames(groups, scope),
    flags: flags.map(({ flag, variant, last_seen }) => ({ flag, variant, lastSeen: last_seen })),
  }
}

const shownAs = (
  personId: string,
  known: { properties: Record<string, string>; name_id: string } | undefined,
  traces: PersonTraces | undefined,
): Pick<PersonFacts, 'label' | 'story'> => ({
  label: labelOf(known?.properties ?? {}, known?.name_id ?? personId),
  story: traces && storyOf(traces.story),
})

async function withNames(
  groups: readonly { type: string; key: string }[],
  scope: QueryScope,
): Promise<PersonFacts['groups']> {
  const byType = [...Map.groupBy(groups, ({ type }) => type)]
  const named = await Promise.all(
    byType.map(async ([type, own]) => {
      const keys = own.map(({ key }) => key)
      const names = await namesOfGroups(type, keys, scope)
      return keys.map((key) => ({ type, key, name: names.get(key) ?? key }))
    }),
  )
  return named.flat()
}

const anything = { traffic: 'all', withoutTestAccounts: false } as const

const eventsOfPersons = (scope: QueryScope, persons: readonly string[], names?: readonly string[]): Sql =>
  new Events(scope, anything, { period: allTime, persons, names }).rows()

/** The rule of first touches, for one person. */
const isTouch = sql`(${isView} and traffic = 'human' and channel != '')`

const summaryOf = (scope: QueryScope, numbers: readonly string[]): Sql => sql`
  select
    count() as times,
    min(timestamp) as first_seen,
    max(timestamp) as last_seen,
    uniqExactIf(session_id, session_id != ${noSession}) as sessions,
    groupUniqArray(200)(distinct_id) as ids,
    argMaxIf(country, timestamp, country != '') as last_country,
    argMaxIf(city, timestamp, city != '') as last_city,
    argMaxIf(browser, timestamp, browser != '') as last_browser,
    argMaxIf(os, timestamp, os != '') as last_os,
    argMaxIf(device, timestamp, device != '') as last_device,
    argMinIf(source, moment, ${isTouch}) as first_source,
    argMinIf(channel, moment, ${isTouch}) as first_channel
  from ${withEventOrder(eventsOfPersons(scope, numbers))}`

const revenueOf = (scope: QueryScope, numbers: readonly string[]): Sql => sql`
  select toString(currency) as currency, sum(revenue) as sum
  from ${eventsOfPersons(scope, numbers)}
  where revenue != 0
  group by currency
  order by sum desc`

const groupsOf = (scope: QueryScope, numbers: readonly string[]): Sql => sql`
  select distinct toString(type) as type, key
  from ${eventsOfPersons(scope, numbers)}
  array join mapKeys(groups) as type, mapValues(groups) as key
  order by type, key
  limit 100`

const flagsOf = (scope: QueryScope, numbers: readonly string[]): Sql => sql`
  select
    properties['$feature_flag'] as flag,
    argMax(properties['$feature_flag_response'], timestamp) as variant,
    max(timestamp) as last_seen
  from ${eventsOfPersons(scope, numbers, ['$feature_flag_called'])}
  group by flag
  order by last_seen desc
  limit 100`

interface PersonEventRow {
  uuid: string
  name: string
  at: string
  distinct_id: string
  session: string
  groups: Record<string, string>
  properties: Record<string, string>
  facts: string[]
}

/** Returns a page of events, the latest first: those of some persons, or those that match a filter. */
export async function personEvents(
  scope: QueryScope,
  { numbers, filter }: { numbers?: readonly string[]; filter?: Filter },
  asked: { event?: string | undefined; before?: { at: string; uuid: string } | undefined; limit: number },
): Promise<PersonEvent[]> {
  const reach: EventRange = {
    period: allTime,
    names: asked.event === undefined ? undefined : [asked.event],
    persons: numbers,
  }
  const { before } = asked
  const rows = await scope.run<PersonEventRow>(sql`
    select
      toString(uuid) as uuid,
      toString(event) as name,
      timestamp as at,
      distinct_id,
      if(session_id = ${noSession}, '', toString(session_id)) as session,
      groups,
      properties,
      [${sql.join(factColumns)}] as facts
    from ${new Events(scope, { ...anything, ...(filter && { filter }) }, reach).rows()} as happened
    where ${before ? sql`(timestamp, happened.uuid) < (${dateTime(new Date(before.at))}, ${uuid(before.uuid)})` : sql`true`}
    order by timestamp desc, happened.uuid desc
    limit ${uint(asked.limit)}`)
  return rows.map(eventFrom)
}

const eventFrom = (row: PersonEventRow): PersonEvent => ({
  uuid: row.uuid,
  event: row.name,
  at: row.at,
  distinctId: row.distinct_id,
  session: row.session || undefined,
  groups: row.groups,
  properties: { ...factsIn(row.facts), ...row.properties },
})

const names = Object.entries<StandardProperty>(standardProperties).flatMap(([key, { column }]) =>
  column ? [[key, column] as const] : [],
)

/** Names columns as SDKs do. */
const columns = names.map(
  ([key, column]) =>
    [
      key,
      sql`toString(${identifier(
        column,
        names.map(([, one]) => one),
      )})`,
    ] as const,
)

/** The values of columns, as texts. */
export const factColumns: readonly Sql[] = columns.map(([, column]) => column)

export const factsIn = (facts: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    columns.flatMap(([key], i) => {
      const fact = facts[i]
      return fact === undefined || fact === '' || fact === '0' ? [] : [[key, fact]]
    }),
  )
