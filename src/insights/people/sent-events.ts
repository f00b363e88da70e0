import { z } from 'zod'
import { sql, strings, uint, uuid } from '#engine/sql'
import type { Json, Properties } from '#events/event'
import { asSent, valueOfStoredText } from '#events/sent-values'
import { standardProperty } from '#events/taxonomy'
import { filter } from '#filters/filter'
import { Events } from '../compile/internal/events'
import { allTime, type EventRange } from '../compile/event-range'
import { noSession } from '../compile/internal/sessions'
import type { QueryScope } from '../scope'
import { factColumns, factsIn } from './internal/person'

const mostSentEvents = 1001

/** The events to read. Without a beginning, those of the last 30 days are. */
export const sentEventsQuery = z.object({
  event: z.string().max(200).optional(),
  distinctId: z.string().max(1000).optional(),
  person: z.uuid('A person’s id is a UUID.').optional(),
  uuid: z.uuid('An event’s id is a UUID.').optional(),
  filter: filter.optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  limit: z.number().int().min(1).max(mostSentEvents).default(100),
  offset: z.number().int().min(0).default(0),
  oldestFirst: z.boolean().default(false),
})
type SentEventsQuery = z.infer<typeof sentEventsQuery>

/** An event with its values as they were sent. */
export interface SentEvent {
  uuid: string
  event: string
  at: string
  distinctId: string
  /** The current person. */
  person: string
  session: string | undefined
  groups: Record<string, string>
  properties: Properties
}

interface SentEventRow {
  uuid: string
  name: string
  at: string
  distinct_id: string
  who: string
  session: string
  groups: Record<string, string>
  properties: Record<string, string>
  string_keys: string
  facts: string[]
}

const usualDays = 30

/** Reads events, the latest first; `numbers` are all ids of the person they are of. */
export async function sentEvents(
  scope: QueryScope,
  asked: SentEventsQuery,
  numbers: readonly string[] | undefined,
): Promise<SentEvent[]> {
  const { event, distinctId, uuid: id, filter: only, limit, offset } = asked
  const range: EventRange = {
    period: periodOf(asked, scope.calendar.now),
    names: event === undefined ? undefined : [event],
    persons: numbers,
  }
  const events = new Events(
    scope,
    { traffic: 'all', withoutTestAccounts: false, ...(only && { filter: only }) },
    range,
  )
  const direction = asked.oldestFirst ? sql`asc` : sql`desc`
  const rows = await scope.run<SentEventRow>(sql`
    select
      toString(uuid) as uuid,
      toString(event) as name,
      timestamp as at,
      distinct_id,
      toString(person) as who,
      if(session_id = ${noSession}, '', toString(session_id)) as session,
      groups,
      properties,
      toString(string_keys) as string_keys,
      [${sql.join(factColumns)}] as facts
    from ${events.rows()} as happened
    where ${distinctId === undefined ? sql`true` : sql`distinct_id in ${strings([distinctId])}`}
      and ${id === undefined ? sql`true` : sql`happened.uuid = ${uuid(id)}`}
    order by timestamp ${direction}, happened.uuid ${direction}
    limit ${uint(limit)} offset ${uint(offset)}`)
  return rows.map(eventFrom)
}

/** Returns the period of a query. A person's events and a single event are found at any time. */
function periodOf({ from, until, person, uuid: id }: SentEventsQuery, now: Date) {
  if (from === undefined && until === undefined && (person !== undefined || id !== undefined)) return allTime
  const end = until === undefined ? allTime.until : new Date(until)
  const latest = until === undefined ? now : end
  const start = from === undefined ? new Date(latest.getTime() - usualDays * 24 * 3_600_000) : new Date(from)
  return { from: start, until: end }
}

const eventFrom = (row: SentEventRow): SentEvent => ({
  uuid: row.uuid,
  event: row.name,
  at: row.at,
  distinctId: row.distinct_id,
  person: row.who,
  session: row.session || undefined,
  groups: row.groups,
  properties: { ...sentFacts(row.facts), ...asSent(row.properties, row.string_keys) },
})

/** Columns hold texts; the version of a browser is a number, as posthog-js sends it. */
const sentFacts = (facts: readonly string[]): Properties =>
  Object.fromEntries(
    Object.entries(factsIn(facts)).map(([key, text]): [string, Json] => {
      const isNumber = key === '$browser_version' || standardProperty(key)?.type === 'number'
      return [key, (isNumber ? valueOfStoredText(text) : undefined) ?? text]
    }),
  )
