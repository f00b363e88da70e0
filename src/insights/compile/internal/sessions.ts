import { entryPage, exitPage, isView } from '#engine/entry-page'
import { type Sql, sql, strings, uint } from '#engine/sql'
import type { FilterColumn } from '#filters/filter'
import { bounceConditionOf, type BounceRule, usualBounceRule } from '../../bounce-rule'
import type { Period } from '../../calendar/period'
import { ofTraffic, withinPeriod } from '../event-range'
import type { QueryScope } from '../../scope'
import { isOfPath, type PageGroups } from '../../text/page-groups'
import { grouped } from './page-groups'

/** A session lasts at most 24 hours, so its events lie at most that far outside of a period. */
const longestMs = 24 * 3_600_000

export const noSession = sql`toUUID('00000000-0000-0000-0000-000000000000')`

/**
 * The order of events: by time, and within a millisecond by the rest of their uuids, which in those of SDKs is the
 * order of creation. It is one number, because the engine compares numbers fastest. Every statement that groups events
 * by session reads them through this.
 */
export const withEventOrder = (source: Sql): Sql =>
  sql`(select *, bitShiftLeft(toUInt128(toUnixTimestamp64Milli(timestamp)), 80) + bitShiftLeft(bitAnd(reinterpretAsUInt128(uuid), 65535), 64) + bitShiftRight(reinterpretAsUInt128(uuid), 64) as moment from ${source})`

const durationMs = sql`(toUnixTimestamp64Milli(max(timestamp)) - toUnixTimestamp64Milli(min(timestamp)))`

/** Whether a session is a bounce, over its events. */
function isBounce(rule: BounceRule): Sql {
  const { views, noEvents, below } = bounceConditionOf(rule)
  const counted =
    'named' in noEvents
      ? sql`event in ${strings(noEvents.named)}`
      : sql`event not in ${strings(noEvents.except)}`
  const conditions = [
    sql`countIf(${isView}) = ${uint(views)}`,
    sql`countIf(${counted}) = 0`,
    ...(below ? [sql`${bounceMeasures[below.measure]} < ${uint(below.ms)}`] : []),
  ]
  return sql`toFloat64(${sql.join(conditions, sql` and `)})`
}

const bounceMeasures = { duration: durationMs, engagement: sql`sum(engaged_ms)` }

interface SessionColumn {
  label: string
  /** An aggregate over the events of one session. */
  from: Sql
  /** The column's name in a statement. */
  as: Sql
  type: 'text' | 'number'
}

/** A text of a session that comes from one of its events. */
interface SessionTextSource {
  column: Sql
  /** Only these events. */
  when?: Sql
  /** Uses the last of them instead of the first. */
  isLast?: true
}

type SessionTextColumn = SessionColumn & { source: SessionTextSource }

/** The properties of a session; its source is that of its first event. */
export const sessionColumns = {
  $entry_pathname: text('Entry page', entryPage, sql`session_entry_path`),
  $exit_pathname: text('Exit page', exitPage, sql`session_exit_path`),
  $entry_title: text('Entry page title', { ...entryPage, column: sql`title` }, sql`session_entry_title`),
  $entry_host: text('Entry host', { column: sql`host` }, sql`session_host`),
  $entry_referrer: text('Referrer', { column: sql`referrer` }, sql`session_referrer`),
  $entry_referring_domain: text('Referring host', { column: sql`referrer_host` }, sql`session_referrer_host`),
  $entry_source: text('Source', { column: sql`source` }, sql`session_source`),
  $channel_type: text('Channel', { column: sql`channel` }, sql`session_channel`),
  $entry_utm_source: text('UTM source', { column: sql`utm_source` }, sql`session_utm_source`),
  $entry_utm_medium: text('UTM medium', { column: sql`utm_medium` }, sql`session_utm_medium`),
  $entry_utm_campaign: text('UTM campaign', { column: sql`utm_campaign` }, sql`session_utm_campaign`),
  $entry_utm_content: text('UTM content', { column: sql`utm_content` }, sql`session_utm_content`),
  $entry_utm_term: text('UTM term', { column: sql`utm_term` }, sql`session_utm_term`),
  $entry_click_id: text('Click id', { column: sql`click_id` }, sql`session_click_id`),
  $session_country: text('Country', firstKnown(sql`country`), sql`session_country`),
  $session_region: text('Region', firstKnown(sql`region`), sql`session_region`),
  $session_city: text('City', firstKnown(sql`city`), sql`session_city`),
  $session_browser: text('Browser', firstKnown(sql`browser`), sql`session_browser`),
  $session_os: text('Operating system', firstKnown(sql`os`), sql`session_os`),
  $session_device: text('Device', firstKnown(sql`device`), sql`session_device`),
  $session_language: text('Language', firstKnown(sql`language`), sql`session_language`),
  $session_duration: number('Duration in seconds', sql`${durationMs} / 1000`, sql`session_duration`),
  $pageview_count: number('Views', sql`toFloat64(countIf(${isView}))`, sql`session_views`),
  $is_bounce: number('Bounced', isBounce(usualBounceRule), sql`session_is_bounce`),
} as const satisfies Record<string, SessionColumn>

export type SessionKey = keyof typeof sessionColumns

export const isSessionKey = (key: string): key is SessionKey => Object.hasOwn(sessionColumns, key)

/** Takes the value of the first event that has one, such as the country or browser. */
function firstKnown(column: Sql): SessionTextSource {
  return { column, when: sql`${column} != ''` }
}

function text(label: string, source: SessionTextSource, as: Sql): SessionTextColumn {
  const { column, when, isLast } = source
  const of = when ? sql`If(${column}, moment, ${when})` : sql`(${column}, moment)`
  return { label, from: isLast ? sql`argMax${of}` : sql`argMin${of}`, as, type: 'text', source }
}

function number(label: string, from: Sql, as: Sql): SessionColumn {
  return { label, from, as, type: 'number' }
}

/** Every session that overlaps a period, as a source to be joined; events without a session are in none. */
export function sessionsAround(scope: QueryScope, { from, until }: Period, keys: Iterable<SessionKey>): Sql {
  const around = {
    from: new Date(from.getTime() - longestMs),
    until: new Date(until.getTime() + longestMs),
  }
  const conditions = [
    sql`project_id = ${uint(scope.projectId)}`,
    ...withinPeriod(around),
    ...ofTraffic('human'),
    sql`session_id != ${noSession}`,
  ]
  const events = sql`(select * from events where ${sql.join(conditions, sql` and `)})`
  return sql`(
    select session_id as id_of_session${columnsOf(keys, scope)}
    from ${withEventOrder(events)}
    group by session_id
  )`
}

/** Formats columns for a statement that groups the events of `withEventOrder` by session. */
export function columnsOf(keys: Iterable<SessionKey>, { bounceRule }: Pick<QueryScope, 'bounceRule'>): Sql {
  const from = (key: SessionKey) => (key === '$is_bounce' ? isBounce(bounceRule) : sessionColumns[key].from)
  const columns = [...keys].map((key) => sql`, ${from(key)} as ${sessionColumns[key].as}`)
  return sql.join(columns, sql``)
}

/** A key whose value is a text. */
export type SessionTextKey = {
  [Key in SessionKey]: (typeof sessionColumns)[Key] extends SessionTextColumn ? Key : never
}[SessionKey]

export const isSessionTextKey = (key: SessionKey): key is SessionTextKey => 'source' in sessionColumns[key]

/** Returns the column of events from which a session key is computed; a path is that of its group. */
export const textColumnOf = (key: SessionTextKey, groups: PageGroups): Sql => {
  const { column } = sessionColumns[key].source
  return isOfPath(key) ? grouped(column, groups) : column
}

export const idOf = (key: SessionTextKey): Sql => sql`${sessionColumns[key].as}_id`

/** Returns a hash of a text; zero for an empty one. */
export const idOfText = (value: Sql): Sql => sql`bitXor(cityHash64(${value}), cityHash64(''))`

/**
 * Does the same as `columnsOf` with a number instead of the text. The minimum of whole numbers that combine time and
 * value takes less than half the time and memory of keeping a text with the least time.
 */
export function idsOf(keys: Iterable<SessionTextKey>, groups: PageGroups): Sql {
  const columns = [...keys].map((key) => sql`, ${idFrom(key, groups)} as ${idOf(key)}`)
  return sql.join(columns, sql``)
}

function idFrom(key: SessionTextKey, groups: PageGroups): Sql {
  const { when, isLast }: SessionTextSource = sessionColumns[key].source
  const told = sql`bitShiftLeft(toUInt256(moment), 64) + ${idOfText(textColumnOf(key, groups))}`
  const of = when ? sql`If(${told}, ${when})` : sql`(${told})`
  return isLast ? sql`toUInt64(max${of})` : sql`toUInt64(min${of})`
}

/** Resolves a session property on the joined sessions; an unknown one is never set. */
export function sessionColumn(key: string): FilterColumn {
  if (!isSessionKey(key)) return { text: sql`''`, isSet: sql`false` }
  const { as, type } = sessionColumns[key]
  return type === 'number'
    ? { text: sql`toString(${as})`, isSet: sql`true`, number: as }
    : { text: sql`toString(${as})`, isSet: sql`(${as} != '')` }
}
