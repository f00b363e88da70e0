import { identifier, type Sql, sql } from './sql'

/** What people who write SQL see of one project, and nothing else of the engine. docs/sql.md is held to this. */
export interface ProjectView {
  about: string
  columns: Readonly<Record<string, ViewColumn>>
  /** Rows of one project as this view shows them. */
  select: (from: Tables) => Sql
}

export interface ViewColumn {
  /** As the engine names it. */
  type: string
  about: string
}

/** The engine's own tables under a view: already narrowed to one project, or to be narrowed by a condition. */
export interface Tables {
  table: (name: BaseTable) => Sql
  /** Stands in every `where`. */
  only: Sql
  /** Whether persons were merged whose events still say who they were before. */
  hasMerged: boolean
}

export const baseTables = ['events', 'persons', 'groups', 'person_overrides'] as const
export type BaseTable = (typeof baseTables)[number]

const word = (about: string): ViewColumn => ({ type: 'LowCardinality(String)', about })
const text = (about: string): ViewColumn => ({ type: 'String', about })
const map = (about: string): ViewColumn => ({ type: 'Map(LowCardinality(String), String)', about })
const id = (about: string): ViewColumn => ({ type: 'UUID', about })
const moment = (about: string): ViewColumn => ({ type: "DateTime64(3, 'UTC')", about })
const bool = (about: string): ViewColumn => ({ type: 'Bool', about })

const eventColumns = {
  uuid: id('Tells one event from every other.'),
  event: word('Its name, such as `$pageview`.'),
  timestamp: moment('When it happened, in UTC.'),
  received_at: { type: "DateTime('UTC')", about: 'When it arrived, in UTC.' },
  distinct_id: text('What the device called its visitor.'),
  person_id: id('Who it was, as of now: whoever was merged has one id.'),
  session_id: id('The session it belongs to; all zeros when it belongs to none.'),
  has_person: bool('False when no person is made of it.'),
  is_cookieless: bool('True when the visitor is told by a hash that lasts a day.'),
  traffic: word('Who came: `human`, `ai`, `bot` or `feed`. The numbers of the studio count `human`.'),
  host: word('The site’s host.'),
  path: word('The page’s path.'),
  title: word('The page’s title.'),
  referrer: text('The address the visitor came from.'),
  referrer_host: word('The host the visitor came from.'),
  source: word('Where the visit came from, in a word: Google, newsletter, …'),
  channel: word('The kind of source: Organic Search, Paid Social, Direct, …'),
  utm_source: word('The campaign’s source, out of the address.'),
  utm_medium: word('The campaign’s medium, out of the address.'),
  utm_campaign: word('The campaign’s name, out of the address.'),
  utm_content: word('The campaign’s content, out of the address.'),
  utm_term: word('The campaign’s term, out of the address.'),
  click_id: word('The name of the click id in the address, such as gclid; never its value.'),
  country: word('Two letters, such as DE.'),
  region: word('State or province.'),
  city: word('City.'),
  browser: word('Browser.'),
  browser_version: word('Its version.'),
  os: word('Operating system.'),
  os_version: word('Its version.'),
  device: word('Desktop, Mobile, Tablet, …'),
  screen: word('Width and height of the screen.'),
  language: word('The browser’s language.'),
  lib: word('The library that sent it.'),
  lib_version: word('Its version.'),
  revenue: { type: 'Float64', about: 'What was earned with it.' },
  currency: word('In which currency.'),
  engaged_ms: { type: 'UInt32', about: 'For how long the page was looked at, in milliseconds.' },
  scroll_depth: { type: 'UInt8', about: 'How far the page was scrolled, in percent.' },
  elements: text('What was clicked, as a chain of elements.'),
  groups: map('The groups the visitor acted for: type → key.'),
  properties: map("Every other property: `properties['plan']`. Numbers are text: `toFloat64OrNull(…)`."),
} as const satisfies Record<string, ViewColumn>

const personColumns = {
  person_id: id('Who it is; the same as in `events`.'),
  properties: map("What is known of them: `properties['email']`."),
  is_identified: bool('Whether they ever told who they are.'),
  created_at: moment('When they were first seen, in UTC.'),
} as const satisfies Record<string, ViewColumn>

const sessionColumns = {
  session_id: id('The same as in `events`.'),
  person_id: id('Whose session it was, as of now.'),
  started_at: moment('When its first event was.'),
  ended_at: moment('When its last event was.'),
  duration: { type: 'Float64', about: 'Seconds from the first event to the last.' },
  views: { type: 'UInt64', about: 'Pages and screens looked at.' },
  events: { type: 'UInt64', about: 'Events in it, views among them.' },
  entry_path: text('The first page.'),
  exit_path: text('The last page.'),
  host: text('The host of its first event.'),
  referrer: text('The address the visitor came from.'),
  referrer_host: text('The host the visitor came from.'),
  source: text('Where the visit came from, in a word.'),
  channel: text('The kind of source.'),
  utm_source: text('The campaign’s source.'),
  utm_medium: text('The campaign’s medium.'),
  utm_campaign: text('The campaign’s name.'),
  country: text('Two letters, such as DE.'),
  browser: text('Browser.'),
  os: text('Operating system.'),
  device: text('Desktop, Mobile, Tablet, …'),
  revenue: { type: 'Float64', about: 'What was earned in it, in whichever currencies.' },
} as const satisfies Record<string, ViewColumn>

const groupColumns = {
  type: word('The kind of group, such as `company`.'),
  key: text('Which one, as events name it.'),
  properties: map("What is known of it: `properties['name']`."),
  created_at: moment('When it was first seen, in UTC.'),
} as const satisfies Record<string, ViewColumn>

/** Names written by us, as a list of a `select`. */
const listed = (names: readonly string[]): Sql => sql.join(names.map((name) => identifier(name, names)))

const nobody = sql`toUUID('00000000-0000-0000-0000-000000000000')`
const isView = sql`(told.event in ('$pageview', '$screen'))`

const plainColumns = Object.keys(eventColumns).filter((name) => name !== 'person_id')

function events({ table, only, hasMerged }: Tables): Sql {
  const columns = listed(Object.keys(eventColumns))
  if (!hasMerged) return sql`select ${columns} from ${table('events')} where ${only}`
  return sql`
    select ${columns}
    from (
      select ${listed(plainColumns)}, if(merged.to_person_id = ${nobody}, told.person_id, merged.to_person_id) as person_id
      from (select ${columns} from ${table('events')} where ${only}) as told
      left any join (
        select from_person_id, argMax(to_person_id, version) as to_person_id
        from ${table('person_overrides')}
        where ${only}
        group by from_person_id
      ) as merged on merged.from_person_id = told.person_id
    )`
}

/** Of people alone, as everywhere in the studio. */
const sessions = (from: Tables): Sql => sql`
  select
    session_id,
    argMin(told.person_id, told.timestamp) as person_id,
    min(told.timestamp) as started_at,
    max(told.timestamp) as ended_at,
    (toUnixTimestamp64Milli(max(told.timestamp)) - toUnixTimestamp64Milli(min(told.timestamp))) / 1000 as duration,
    countIf(${isView}) as views,
    count() as events,
    argMinIf(told.path, told.timestamp, ${isView}) as entry_path,
    argMaxIf(told.path, told.timestamp, ${isView}) as exit_path,
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
    select * from (${events(from)}) where traffic = 'human' and session_id != ${nobody}
  ) as told
  group by session_id`

export const projectViews = {
  events: { about: 'Everything that happened, once each.', columns: eventColumns, select: events },
  persons: {
    about: 'Persons of whom something is known. Visitors nobody knows are in `events` alone.',
    columns: personColumns,
    select: ({ table, only }) => sql`
      select ${listed(Object.keys(personColumns))} from ${table('persons')} final where ${only}`,
  },
  sessions: {
    about: 'Runs of one visitor’s events without 30 idle minutes.',
    columns: sessionColumns,
    select: sessions,
  },
  groups: {
    about: 'Companies, teams and other groups that visitors acted for.',
    columns: groupColumns,
    select: ({ table, only }) => sql`
      select ${listed(Object.keys(groupColumns))} from ${table('groups')} final where ${only}`,
  },
} as const satisfies Record<string, ProjectView>

export type ViewName = keyof typeof projectViews
export const viewNames = Object.keys(projectViews).filter(isViewName)

export function isViewName(name: string): name is ViewName {
  return Object.hasOwn(projectViews, name)
}

/** Where the embedded engine keeps the views: apart from its tables, so that a name never means one of those. */
export const viewDatabases = { plain: 'tilth_sql', merged: 'tilth_sql_merged' } as const

/** In this header of a request stands whose rows it may see. No statement can change it: that is why it is not a setting. */
export const projectHeader = 'X-Tilth-Project'

/** The condition on rows that the header makes: without it, none. */
export const ofProjectInHeader = `project_id = toUInt32OrZero(getClientHTTPHeader('${projectHeader}'))`

/**
 * Made anew at every start, so that they are what this version says. They read as `definer`, who sees the rows of the
 * project in the header alone; whoever asks needs, and has, no right to the tables themselves.
 */
export function viewStatements(tablesIn: string, definer: string): Sql[] {
  const name = (called: string) => identifier(called, [called])
  const table = (base: BaseTable) => sql`${name(tablesIn)}.${name(base)}`
  return Object.entries(viewDatabases).flatMap(([form, database]) => {
    const from: Tables = { table, only: sql`true`, hasMerged: form === 'merged' }
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
