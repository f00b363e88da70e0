import { dateTime, type Sql, sql, string, strings, uint, uuid } from '#engine/sql'
import type { Period } from '../../calendar/period'
import { PersonProfiles } from '../../compile/internal/profiles'
import { queryPeriod } from '../../query-fields'
import type { QueryScope } from '../../scope'
import { textsIn } from './internal/answer-kinds'
import { isCounted } from './internal/merged-submissions'
import {
  completesColumn,
  type SubmissionsQuery,
  submissionColumn,
  surveyEventNames,
  surveyEvents,
  surveyEventsIn,
} from './internal/submissions'

/** An event of a submission, as it was stored. */
export interface SubmissionEvent {
  submission: string
  person: string
  distinctId: string
  event: string
  at: string
  completes: boolean
  /** The properties whose names begin with `$survey_`, and hidden fields. */
  properties: Record<string, string>
  path: string
  country: string
  browser: string
  device: string
}

/** The position in a list of submissions: after the one that was answered at this time. */
interface SubmissionCursor {
  atMs: number
  submission: string
}

/** Submissions to list, with the hidden fields of the survey. */
export interface ListedSubmissionsQuery extends SubmissionsQuery {
  fields: readonly string[]
}

const answering = surveyEventNames.filter((name) => name !== surveyEvents.shown)

/** Returns the submissions with an answer that was sent, those answered last first. */
export async function latestSubmissions(
  query: SubmissionsQuery,
  scope: QueryScope,
  { limit, after, person }: { limit: number; after?: SubmissionCursor | undefined; person?: string },
): Promise<SubmissionCursor[]> {
  const period = await queryPeriod(query, scope)
  const events = surveyEventsIn(query, scope, period, [surveyEvents.sent])
  const submission = submissionColumn(events)
  const isAfter = after
    ? sql`(answered_at, submission) < (${uint(after.atMs)}, ${string(after.submission)})`
    : sql`true`
  const rows = await scope.run<{ submission: string; answered_at: number }>(sql`
    select submission, max(moment) as answered_at
    from (
      select ${submission} as submission, toUInt64(toUnixTimestamp64Milli(timestamp)) as moment
      from ${events.rows()} as events
      where ${person === undefined ? sql`true` : sql`person = ${uuid(person)}`}
    )
    where ${isCounted(query, scope, period)}
    group by submission
    having ${isAfter}
    order by answered_at desc, submission desc
    limit ${uint(limit)}`)
  return rows.map(({ submission: id, answered_at }) => ({ submission: id, atMs: answered_at }))
}

/** Returns all events of some submissions, by time. */
export async function eventsOfSubmissions(
  query: ListedSubmissionsQuery,
  scope: QueryScope,
  submissions: readonly string[],
): Promise<SubmissionEvent[]> {
  if (submissions.length === 0) return []
  const period = await queryPeriod(query, scope)
  // a filter chooses submissions by one of their events; their other events belong to them all the same
  const { filter: _, ...unfiltered } = query
  return await eventsWhere(
    { ...unfiltered, answers: [], search: undefined },
    scope,
    period,
    sql`submission in ${strings(submissions)}`,
  )
}

const sliceMs = 600_000

/** Divides the period so that each part has at most so many events, unless they are of the same ten minutes. */
export async function submissionSlices(
  query: SubmissionsQuery,
  scope: QueryScope,
  mostEvents: number,
): Promise<{ slices: Period[]; spanning: string[] }> {
  const period = await queryPeriod(query, scope)
  const events = surveyEventsIn(query, scope, period, answering)
  const slot = sql`toUInt64(intDiv(toUnixTimestamp64Milli(timestamp), ${uint(sliceMs)}))`
  const counts = await scope.run<{ slot: number; events: number }>(sql`
    select ${slot} as slot, count() as events
    from ${events.rows()} as events
    group by slot
    order by slot`)
  const slices = slicesOf(counts, period, mostEvents)
  return { slices, spanning: await spanningSubmissions(query, scope, period, slices) }
}

function slicesOf(
  counts: readonly { slot: number; events: number }[],
  { from, until }: Period,
  mostEvents: number,
): Period[] {
  const starts = [from]
  let size = 0
  for (const { slot, events } of counts) {
    if (size > 0 && size + events > mostEvents) {
      starts.push(new Date(slot * sliceMs))
      size = 0
    }
    size += events
  }
  return starts.map((start, i) => ({ from: start, until: starts[i + 1] ?? until }))
}

/** Submissions that were begun in one slice and went on in another. */
async function spanningSubmissions(
  query: SubmissionsQuery,
  scope: QueryScope,
  period: Period,
  slices: readonly Period[],
): Promise<string[]> {
  if (slices.length < 2) return []
  const events = surveyEventsIn({ ...query, filter: undefined }, scope, period, answering)
  const submission = submissionColumn(events)
  const later = slices.slice(1).map(({ from }) => sql`timestamp >= ${dateTime(from)}`)
  const rows = await scope.run<{ submission: string }>(sql`
    select submission
    from (
      select ${submission} as submission, ${sql.join(later, sql` + `)} as slice
      from ${events.rows()} as events
    )
    where submission != '' and ${isCounted(query, scope, period)}
    group by submission
    having min(slice) != max(slice)
    order by submission`)
  return rows.map((row) => row.submission)
}

/** The events of the submissions of a slice, without those that span several. */
export async function eventsInSlice(
  query: ListedSubmissionsQuery,
  scope: QueryScope,
  slice: Period,
  spanning: readonly string[],
): Promise<SubmissionEvent[]> {
  const others = spanning.length > 0 ? sql`submission not in ${strings(spanning)}` : sql`true`
  return await eventsWhere(query, scope, slice, others)
}

async function eventsWhere(
  query: ListedSubmissionsQuery,
  scope: QueryScope,
  period: Period,
  which: Sql,
): Promise<SubmissionEvent[]> {
  const events = surveyEventsIn(query, scope, period, answering)
  const submission = submissionColumn(events)
  const completes = completesColumn(events)
  const rows = await scope.run<Omit<SubmissionEvent, 'completes'> & { completes: number }>(sql`
    select
      submission,
      toString(person) as person,
      distinct_id as distinctId,
      event,
      timestamp as at,
      completes,
      mapFilter((name, value) -> startsWith(name, '$survey_') or has(${strings(query.fields)}, name), properties)
        as properties,
      path,
      country,
      browser,
      device
    from (
      select *, ${submission} as submission, ${completes} as completes
      from ${events.rows()} as events
    )
    where submission != '' and ${isCounted(query, scope, period)} and ${which}
    order by timestamp, completes, submission`)
  return rows.map((row) => ({ ...row, completes: Boolean(row.completes) }))
}

/** Selects each `person` who sent a counted answer. */
export function respondents(query: SubmissionsQuery, scope: QueryScope, period: Period): Sql {
  const events = surveyEventsIn(query, scope, period, [surveyEvents.sent])
  const submission = submissionColumn(events)
  return sql`
    select person
    from (select person, ${submission} as submission from ${events.rows()} as events)
    where ${isCounted(query, scope, period)}
    group by person`
}

/** Returns the properties of the persons who answered that most of them have; those that SDKs set begin with `$`. */
export async function respondentProperties(
  query: SubmissionsQuery,
  scope: QueryScope,
  limit: number,
): Promise<string[]> {
  const period = await queryPeriod(query, scope)
  const rows = await scope.run<{ name: string }>(sql`
    select name
    from (
      select arrayJoin(mapKeys(properties)) as name
      from ${new PersonProfiles(scope).rows(sql`person_id in (${respondents(query, scope, period)})`)}
    )
    where not startsWith(name, '$')
    group by name
    order by count() desc, name
    limit ${uint(limit)}`)
  return rows.map(({ name }) => name)
}

/** The properties that hold a question's texts, and the texts that are choices rather than typed. */
export interface TextsOfQuestion {
  /** The names of the properties that hold the answer. */
  names: readonly string[]
  /** The texts of a question's choices: only other texts count. */
  choices?: readonly string[]
}

/** Returns the latest texts that were typed as the answer to a question, the last first. */
export async function latestTexts(
  query: SubmissionsQuery,
  scope: QueryScope,
  { names, choices }: TextsOfQuestion,
  limit: number,
): Promise<{ submission: string; text: string; atMs: number }[]> {
  const period = await queryPeriod(query, scope)
  const source = (): { submission: Sql; text: Sql; rows: Sql } => {
    const events = surveyEventsIn(query, scope, period, [surveyEvents.sent])
    const submission = submissionColumn(events)
    const texts = names.map((key) => events.property({ type: 'event', key }).text)
    const raw = texts.reduceRight((rest, one) => sql`if(${one} != '', ${one}, ${rest})`, sql`''`)
    return { submission, text: choices ? typedIn(raw, choices) : raw, rows: events.rows() }
  }
  const [sizes, whole] = [source(), source()]
  const moment = sql`toUInt64(toUnixTimestamp64Milli(timestamp))`
  // the latest submissions are found without holding a text of each
  const rows = await scope.run<{ submission: string; latest: string; answered_at: number }>(sql`
    with (
      select if(count() < ${uint(limit)}, 0, min(answered_at))
      from (
        select max(moment) as answered_at
        from (
          select ${sizes.submission} as submission, ${sizes.text} != '' as has_text, ${moment} as moment
          from ${sizes.rows} as events
        )
        where has_text and ${isCounted(query, scope, period)}
        group by cityHash64(submission)
        order by answered_at desc
        limit ${uint(limit)}
      )
    ) as earliest
    select submission, argMax(text, moment) as latest, max(moment) as answered_at
    from (
      select ${whole.submission} as submission, ${whole.text} as text, ${moment} as moment
      from ${whole.rows} as events
    )
    where moment >= earliest and text != '' and ${isCounted(query, scope, period)}
    group by submission
    order by answered_at desc, submission
    limit ${uint(limit)}`)
  return rows.map(({ submission: id, latest, answered_at }) => ({
    submission: id,
    text: latest,
    atMs: answered_at,
  }))
}

/** The texts of an answer that are no choice's. */
const typedIn = (raw: Sql, choices: readonly string[]): Sql => sql`
  arrayStringConcat(arrayFilter(text -> not has(${strings(choices)}, text), ${textsIn(raw)}), ', ')`
