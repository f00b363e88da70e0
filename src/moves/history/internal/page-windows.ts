import type { Properties } from '#events/event'
import { AnswerTooLargeError } from '../../posthog-client'
import {
  begins,
  type HistoryCursor,
  type HistoryRequest,
  type HistoryRow,
  type HistoryWindow,
} from '../history'

type PageCursor = Extract<HistoryCursor, { way: 'sql' }>

/** Rows of one answer; fewer where they are large. PostHog allows 50,000 (https://posthog.com/docs/api/queries). */
const usualRows = 5000
const mostDaysAtOnce = 7

/**
 * Reads a history by PostHog's SQL, in the order of time. A query is limited to days with a few thousand events, because
 * PostHog reads all of its days for each page.
 */
export async function* pageWindows(
  request: HistoryRequest,
  cursor: PageCursor,
): AsyncGenerator<HistoryWindow> {
  const persons = begins('sql', 'persons')
  if (cursor.model === 'events') {
    const spans = spansOf(await daysWithEvents(request, cursor), request.rowsAtOnce)
    let after = cursor.after
    for (const [index, span] of spans.entries()) {
      const isLast = index + 1 === spans.length
      yield {
        label: `events of ${span.from}${span.until === undefined ? '' : ` until ${span.until}`}`,
        rows: eventsOf(request, span, after),
        next: isLast ? persons : { way: 'sql', model: 'events', after: [`${span.until} 00:00:00`, ''] },
      }
      after = undefined
    }
  }
  const after = cursor.model === 'persons' ? cursor.after : undefined
  yield {
    label: 'persons',
    rows: personsOf(request, after),
    next: { way: 'sql', model: 'persons', after: lastOfAll },
  }
}

/** Behind every distinct id: what was read to its end is not read again. */
const lastOfAll: [string, string] = ['\u{10FFFF}', '']

interface DayCount {
  day: string
  events: number
}

async function daysWithEvents(
  { client, until, begunAt }: HistoryRequest,
  { after }: PageCursor,
): Promise<DayCount[]> {
  const rows = await client.query(
    `select toString(toDate(timestamp)) as day, count() as events
     from events
     where timestamp < toDateTime({until})${after ? ' and timestamp >= toDateTime({from})' : ''}
     group by day
     order by day
     limit 50000`,
    { until: (until ?? begunAt).toISOString(), ...(after && { from: after[0] }) },
  )
  return rows.map(({ day, events }) => ({ day: String(day), events: Number(events) }))
}

/** Days from and until, in PostHog's time zone of the project; the last span has no end but that of the import. */
interface Span {
  from: string
  until: string | undefined
}

/** Joins days up to a week, as long as they have no more events than one answer. */
export function spansOf(days: readonly DayCount[], most = usualRows): Span[] {
  const spans: { from: string; events: number }[] = []
  for (const { day, events } of days) {
    const last = spans.at(-1)
    const isNear = last !== undefined && daysBetween(last.from, day) < mostDaysAtOnce
    if (last && isNear && last.events + events <= most) last.events += events
    else spans.push({ from: day, events })
  }
  return spans.map(({ from }, index) => ({ from, until: spans[index + 1]?.from }))
}

const daysBetween = (from: string, until: string): number =>
  (Date.parse(until) - Date.parse(from)) / 86_400_000

async function* eventsOf(
  { client, until, begunAt, rowsAtOnce = usualRows }: HistoryRequest,
  span: Span,
  begin: [string, string] | undefined,
): AsyncGenerator<HistoryRow> {
  const end = span.until === undefined ? (until ?? begunAt).toISOString() : `${span.until} 00:00:00`
  let after: [string, string] = begin ?? [`${span.from} 00:00:00`, '']
  for (let size = rowsAtOnce; ;) {
    const page = await smallerIfTooLarge(size, (limit) =>
      client.query(
        `select uuid, event, distinct_id, toString(toTimeZone(timestamp, 'UTC')) as at, properties, elements_chain
         from events
         where timestamp < toDateTime({until})
           and (timestamp > toDateTime({at}) or (timestamp = toDateTime({at}) and toString(uuid) > {uuid}))
         order by timestamp, toString(uuid)
         limit ${limit}`,
        { until: end, at: after[0], uuid: after[1] },
      ),
    )
    size = page.size
    for (const { at, ...row } of page.rows) {
      after = [`${String(at)}Z`, String(row['uuid'])]
      yield {
        one: rowOf({ ...row, timestamp: after[0] }, 'events'),
        cursor: { way: 'sql', model: 'events', after },
      }
    }
    if (page.rows.length < size) return
  }
}

async function* personsOf(
  { client, rowsAtOnce = usualRows }: HistoryRequest,
  begin: [string, string] | undefined,
): AsyncGenerator<HistoryRow> {
  let after = begin?.[0] ?? ''
  if (after === lastOfAll[0]) return
  for (let size = rowsAtOnce; ;) {
    const page = await smallerIfTooLarge(size, (limit) =>
      client.query(
        `select distinct_id, toString(person_id) as person_id, person.properties as properties,
                person.created_at as created_at
         from person_distinct_ids
         where distinct_id > {after}
         order by distinct_id
         limit ${limit}`,
        { after },
      ),
    )
    size = page.size
    for (const row of page.rows) {
      after = String(row['distinct_id'])
      yield { one: rowOf(row, 'persons'), cursor: { way: 'sql', model: 'persons', after: [after, ''] } }
    }
    if (page.rows.length < size) return
  }
}

/** Asks for fewer rows where they are large, down to one. */
async function smallerIfTooLarge(
  size: number,
  ask: (limit: number) => Promise<Record<string, unknown>[]>,
): Promise<{ rows: Record<string, unknown>[]; size: number }> {
  for (let limit = size; ; limit = Math.ceil(limit / 4)) {
    try {
      return { rows: await ask(limit), size: limit }
    } catch (problem) {
      if (!(problem instanceof AnswerTooLargeError) || limit === 1) throw problem
    }
  }
}

// JSON.parse returns nothing but Json.
const rowOf = (row: Record<string, unknown>, file: string) => ({ row: row as Properties, file })
