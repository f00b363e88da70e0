import { entryPage, exitPage, isView } from './entry-page'
import { identifier, type Sql, sql } from './sql'

/**
 * The views of one project that users' SQL sees, and nothing else of the engine. A test compares docs/sql.md with them.
 */
interface ProjectView {
  about: string
  columns: Readonly<Record<string, ViewColumn>>
  /** Rows of one project as this view shows them. */
  select: (from: ViewSource) => Sql
}

interface ViewColumn {
  /** The engine's name for the type. */
  type: string
  about: string
}

/** The tables that a view reads: already restricted to one project, or to be restricted by a condition. */
interface ViewSource {
  table: (name: BaseTable) => Sql
  /** A condition of every `where`. */
  projectFilter: Sql
  /** Whether events of merged persons still have the old person id. */
  hasMerged: boolean
}

export const baseTables = ['events', 'persons', 'groups', 'person_overrides'] as const
export type BaseTable = (typeof baseTables)[number]

const lowCardinalityColumn = (about: string): ViewColumn => ({ type: 'LowCardinality(String)', about })
const stringColumn = (about: string): ViewColumn => ({ type: 'String', about })
const mapColumn = (about: string): ViewColumn => ({ type: 'Map(LowCardinality(String), String)', about })
const uuidColumn = (about: string): ViewColumn => ({ type: 'UUID', about })
const timeColumn = (about: string): ViewColumn => ({ type: "DateTime64(3, 'UTC')", about })
const boolColumn = (about: string): ViewColumn => ({ type: 'Bool', about })

const eventColumns = {
  uuid: uuidColumn('Tells one event from every other.'),
  event: lowCardinalityColumn('Its name, such as `$pageview`.'),
  timestamp: timeColumn('When it happened, in UTC.'),
  received_at: { type: "DateTime('UTC')", about: 'When it arrived, in UTC.' },
  distinct_id: stringColumn('What the device called its visitor.'),
  person_id: uuidColumn('The person, as of now: merged persons have one id.'),
  session_id: uuidColumn('The session it belongs to; all zeros when it belongs to none.'),
  has_person: boolColumn('False when no person is made of it.'),
  is_cookieless: boolColumn('True when the visitor is told by a hash that lasts a day.'),
  traffic: lowCardinalityColumn(
    'Who came: `human`, `ai`, `bot` or `feed`. The numbers of the studio count `human`.',
  ),
  host: lowCardinalityColumn('The site’s host.'),
  path: lowCardinalityColumn('The page’s path.'),
  title: lowCardinalityColumn('The page’s title.'),
  referrer: stringColumn('The address the visitor came from.'),
  referrer_host: lowCardinalityColumn('The host the visitor came from.'),
  source: lowCardinalityColumn('Where the visit came from, in a word: Google, newsletter, …'),
  channel: lowCardinalityColumn('The kind of source: Organic Search, Paid Social, Direct, …'),
  utm_source: lowCardinalityColumn('The campaign’s source, out of the address.'),
  utm_medium: lowCardinalityColumn('The campaign’s medium, out of the address.'),
  utm_campaign: lowCardinalityColumn('The campaign’s name, out of the address.'),
  utm_content: lowCardinalityColumn('The campaign’s content, out of the address.'),
  utm_term: lowCardinalityColumn('The campaign’s term, out of the address.'),
  click_id: lowCardinalityColumn('The name of the click id in the address, such as gclid; never its value.'),
  country: lowCardinalityColumn('Two letters, such as DE.'),
  region: lowCardinalityColumn('State or province.'),
  city: lowCardinalityColumn('City.'),
  browser: lowCardinalityColumn('Browser.'),
  browser_version: lowCardinalityColumn('Its version.'),
  os: lowCardinalityColumn('Operating system.'),
  os_version: lowCardinalityColumn('Its version.'),
  device: lowCardinalityColumn('Desktop, Mobile, Tablet, …'),
  screen: lowCardinalityColumn('Width and height of the screen.'),
  language: lowCardinalityColumn('The browser’s language.'),
  lib: lowCardinalityColumn('The library that sent it.'),
  lib_version: lowCardinalityColumn('Its version.'),
  revenue: { type: 'Float64', about: 'What was earned with it.' },
  currency: lowCardinalityColumn('In which currency.'),
  engaged_ms: { type: 'UInt32', about: 'For how long the page was looked at, in milliseconds.' },
  scroll_depth: { type: 'UInt8', about: 'How far the page was scrolled, in percent.' },
  elements: stringColumn('What was clicked, as a chain of elements.'),
  groups: mapColumn('The groups the visitor acted for: type → key.'),
  properties: mapColumn(
    "Every other property: `properties['plan']`. Numbers are text: `toFloat64OrNull(…)`.",
  ),
  string_keys: lowCardinalityColumn(
    'The names of properties that were sent as a text and read as another value, as a list in JSON.',
  ),
} as const satisfies Record<string, ViewColumn>

const personColumns = {
  person_id: uuidColumn('Who it is; the same as in `events`.'),
  properties: mapColumn("What is known of them: `properties['email']`."),
  is_identified: boolColumn('Whether they ever told who they are.'),
  created_at: timeColumn('When they were first seen, in UTC.'),
} as const satisfies Record<string, ViewColumn>

const sessionColumns = {
  session_id: uuidColumn('The same as in `events`.'),
  person_id: uuidColumn('Whose session it was, as of now.'),
  started_at: timeColumn('When its first event was.'),
  ended_at: timeColumn('When its last event was.'),
  duration: { type: 'Float64', about: 'Seconds from the first event to the last.' },
  views: { type: 'UInt64', about: 'Pages and screens looked at.' },
  events: { type: 'UInt64', about: 'Events in it, views among them.' },
  entry_path: stringColumn('The first page.'),
  exit_path: stringColumn('The last page.'),
  host: stringColumn('The host of its first event.'),
  referrer: stringColumn('The address the visitor came from.'),
  referrer_host: stringColumn('The host the visitor came from.'),
  source: stringColumn('Where the visit came from, in a word.'),
  channel: stringColumn('The kind of source.'),
  utm_source: stringColumn('The campaign’s source.'),
  utm_medium: stringColumn('The campaign’s medium.'),
  utm_campaign: stringColumn('The campaign’s name.'),
  country: stringColumn('Two letters, such as DE.'),
  browser: stringColumn('Browser.'),
  os: stringColumn('Operating system.'),
  device: stringColumn('Desktop, Mobile, Tablet, …'),
  revenue: { type: 'Float64', about: 'What was earned in it, in whichever currencies.' },
} as const satisfies Record<string, ViewColumn>

const groupColumns = {
  type: lowCardinalityColumn('The kind of group, such as `company`.'),
  key: stringColumn('Which one, as events name it.'),
  properties: mapColumn("What is known of it: `properties['name']`."),
  created_at: timeColumn('When it was first seen, in UTC.'),
} as const satisfies Record<string, ViewColumn>

/** Formats known names as the columns of a `select`. */
const columnList = (names: readonly string[]): Sql => sql.join(names.map((name) => identifier(name, names)))

const nilUuid = sql`toUUID('00000000-0000-0000-0000-000000000000')`

const plainColumns = Object.keys(eventColumns).filter((name) => name !== 'person_id')

function events({ table, projectFilter, hasMerged }: ViewSource): Sql {
  const columns = columnList(Object.keys(eventColumns))
  if (!hasMerged) return sql`select ${columns} from ${table('events')} where ${projectFilter}`
  return sql`
    select ${columns}
    from (
      select ${columnList(plainColumns)}, if(merged.to_person_id = ${nilUuid}, told.person_id, merged.to_person_id) as person_id
      from (select ${columns} from ${table('events')} where ${projectFilter}) as told
      left any join (
        select from_person_id, argMax(to_person_id, version) as to_person_id
        from ${table('person_overrides')}
        where ${projectFilter}
        group by from_person_id
      ) as merged on merged.from_person_id = told.person_id
    )`
}

/** Counts people only, as everywhere in the studio. */
const sessions = (from: ViewSource): Sql => sql`
  select
    session_id,
    argMin(told.person_id, told.timestamp) as person_id,
    min(told.timestamp) as started_at,
    max(told.timestamp) as ended_at,
    (toUnixTimestamp64Milli(max(told.timestamp)) - toUnixTimestamp64Milli(min(told.timestamp))) / 1000 as duration,
    countIf(${isView}) as views,
    count() as events,
    argMinIf(${entryPage.column}, told.timestamp, ${entryPage.when}) as entry_path,
    argMaxIf(${exitPage.column}, told.timestamp, ${exitPage.when}) as exit_path,
    argMin(told.host, told.timestamp) as host,
    argMin(told.referrer, told.timestamp) as referrer,
    argMin(told.referrer_host, told.timestamp) as referrer_host,
    argMin(told.source, told.timestamp) as source,
    argMin(told.channel, told.timestamp) as channel,
    argMin(told.utm_source, told.timestamp) as utm_source,
    argMin(told.utm_medium, told.timestamp) as utm_medium,
    argMin(told.utm_campaign, told.timestamp) as utm_campaign,
    any(told.country) as country,
    any(told.browser) as browser,
    any(told.os) as os,
    any(told.device) as device,
    sum(told.revenue) as revenue
  from (
    select * from (${events(from)}) where traffic = 'human' and session_id != ${nilUuid}
  ) as told
  group by session_id`

export const projectViews = {
  events: { about: 'Everything that happened, once each.', columns: eventColumns, select: events },
  persons: {
    about: 'Persons with a profile. Anonymous visitors are in `events` alone.',
    columns: personColumns,
    select: ({ table, projectFilter }) => sql`
      select ${columnList(Object.keys(personColumns))} from ${table('persons')} final where ${projectFilter}`,
  },
  sessions: {
    about: 'Runs of one visitor’s events without 30 idle minutes.',
    columns: sessionColumns,
    select: sessions,
  },
  groups: {
    about: 'Companies, teams and other groups that visitors acted for.',
    columns: groupColumns,
    select: ({ table, projectFilter }) => sql`
      select ${columnList(Object.keys(groupColumns))} from ${table('groups')} final where ${projectFilter}`,
  },
} as const satisfies Record<string, ProjectView>

type ViewName = keyof typeof projectViews
export const viewNames = Object.keys(projectViews).filter(isViewName)

export function isViewName(name: string): name is ViewName {
  return Object.hasOwn(projectViews, name)
}

/** The databases of the views. They are separate from the tables' database, so that a name never means a table. */
export const viewDatabasesOf = (database: string) => ({
  plain: `${database}_sql`,
  merged: `${database}_sql_merged`,
})

/** The request header that names the project whose rows are visible. Unlike a setting, no statement can change it. */
export const projectHeader = 'X-Tilth-Project'

/** The row condition from the header: without the header no row matches. */
export const projectHeaderCondition = sql`project_id = toUInt32OrZero(getClientHTTPHeader('X-Tilth-Project'))`

/**
 * Statements that replace the views at every start, so that they match this version. The views read as `definer`, which
 * sees only the rows of the project in the header. The user who queries them has no right to the tables.
 */
export function viewStatements(tablesIn: string, definer: string): Sql[] {
  const name = (called: string) => identifier(called, [called])
  const table = (base: BaseTable) => sql`${name(tablesIn)}.${name(base)}`
  return Object.entries(viewDatabasesOf(tablesIn)).flatMap(([form, database]) => {
    const from: ViewSource = { table, projectFilter: sql`true`, hasMerged: form === 'merged' }
    return [
      sql`create database if not exists ${name(database)}`,
      ...viewNames.map(
        (view) => sql`
          create or replace view ${name(database)}.${name(view)}
          definer = ${name(definer)} sql security definer
          as ${projectViews[view].select(from)}`,
      ),
    ]
  })
}
