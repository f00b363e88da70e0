import { type Sql, sql, string, strings, uint, uints } from '#engine/sql'
import type { Filter } from '#filters/filter'
import { Events } from '#insights/compile/internal/events'
import type { Period } from '#insights/calendar/period'
import { bothFilters } from '#insights/query-fields'
import type { BaseQuery, QueryScope } from '#insights/scope'
import { answerCode, answerForm, noAnswer } from './answer-code'
import type { SurveyQuery } from '../schema'
import type { PlannedQuestion, ReadingPlan } from './reading-plan'

/** The events of surveys, as posthog-js names them. */
export const surveyEvents = {
  shown: 'survey shown',
  sent: 'survey sent',
  dismissed: 'survey dismissed',
  abandoned: 'survey abandoned',
} as const
export const surveyEventNames = Object.values(surveyEvents)

/** The fields of a question that decide which submissions count. */
export interface SubmissionsQuery
  extends
    BaseQuery,
    Pick<
      SurveyQuery,
      'survey' | 'removed' | 'onlyRemoved' | 'among' | 'withTests' | 'versions' | 'answers' | 'search'
    > {}

export const isEvent = (name: keyof typeof surveyEvents): Sql => sql`event = ${string(surveyEvents[name])}`

/** The events of one survey; call `property` of it before `rows`. */
export const surveyEventsIn = (
  { survey, ...question }: Omit<SubmissionsQuery, 'versions' | 'answers' | 'search'>,
  scope: QueryScope,
  period: Period,
  names: readonly string[] = surveyEventNames,
): Events => surveysEventsIn([survey], question, scope, period, names)

/** Selects the events of several surveys. */
export function surveysEventsIn(
  surveys: readonly string[],
  { withTests = false, ...question }: BaseQuery & { withTests?: boolean },
  scope: QueryScope,
  period: Period,
  names: readonly string[] = surveyEventNames,
): Events {
  const ofSurvey: Filter = { type: 'event', key: '$survey_id', operator: 'exact', value: [...surveys] }
  const noTest: Filter = { type: 'event', key: '$survey_test', operator: 'is_not', value: ['true'] }
  const own = withTests ? ofSurvey : { all: [ofSurvey, noTest] }
  // the question itself decides which submissions count
  const unlimited = { ...scope, removedSubmissions: [] }
  return new Events(unlimited, { ...question, filter: bothFilters(own, question.filter) }, { period, names })
}

const textOf = (key: string, events: Events): Sql => events.property({ type: 'event', key }).text

export const surveyColumn = (events: Events): Sql => textOf('$survey_id', events)

/** The id of a submission. Old SDKs send none: then each event that sends answers is one; other events are none. */
export function submissionColumn(events: Events): Sql {
  const id = textOf('$survey_submission_id', events)
  return sql`multiIf(${id} != '', ${id}, ${isEvent('sent')}, concat('event:', toString(uuid)), '')`
}

/** The run of a recurring survey; empty for others. */
export const iterationColumn = (events: Events): Sql => textOf('$survey_iteration', events)

/** Hand-written events do not say that they complete a submission, and do. */
export const completesColumn = (events: Events): Sql =>
  sql`(${isEvent('sent')} and ${textOf('$survey_completed', events)} != 'false')`

export const languageColumn = (events: Events): Sql => sql`lower(${textOf('$survey_language', events)})`

/** The version that the event names, or the one in force at its time; counted from 1. */
export function versionColumn({ versions }: Pick<ReadingPlan, 'versions'>, events: Events): Sql {
  if (versions.length < 2) return sql`toUInt64(1)`
  const named = sql`toUInt64OrZero(${textOf('$survey_version', events)})`
  const index = sql`indexOf(${uints(versions.map(({ version }) => version))}, ${named})`
  const starts = uints(versions.map(({ from }) => Date.parse(from)))
  const statement = sql`arrayCount(start -> start <= toUInt64(toUnixTimestamp64Milli(timestamp)), ${starts})`
  return sql`if(${index} > 0, ${index}, greatest(1, ${statement}))`
}

/** The index of the language among those of the plan, by the whole tag or without the region; 0 for others. */
export function languageIndex({ languages }: Pick<ReadingPlan, 'languages'>, language: Sql): Sql {
  if (languages.length === 0) return sql`toUInt64(0)`
  const whole = sql`indexOf(${strings(languages)}, ${language})`
  return sql`if(${whole} > 0, ${whole}, indexOf(${strings(languages)}, splitByChar('-', ${language})[1]))`
}

/** The answer as sent: under the question's id, or in its position in that version, as old SDKs do. */
export function rawAnswer(
  planned: PlannedQuestion,
  { questions, versions }: ReadingPlan,
  events: Events,
): Sql {
  const own = textOf(`$survey_response_${planned.id}`, events)
  const ids = new Set(questions.map(({ id }) => `$survey_response_${id}`))
  const byName = Map.groupBy(planned.positions, ([, position]) => positionName(position))
  const parts = [...byName]
    .filter(([name]) => !ids.has(name))
    .flatMap(([name, places]) => [
      isOfVersion(
        places.map(([version]) => version),
        versions.length,
      ),
      textOf(name, events),
    ])
  if (parts.length === 0) return own
  return sql`if(${own} != '', ${own}, multiIf(${sql.join(parts)}, ''))`
}

export const isOfVersion = (wanted: readonly number[], versionCount: number): Sql =>
  wanted.length === versionCount ? sql`true` : sql`has(${uints(wanted)}, version)`

const positionName = (position: number): string =>
  position === 0 ? '$survey_response' : `$survey_response_${position}`

/** The answers of an event, each in the form of its question, in the order of the plan. */
export const answerColumns = (plan: ReadingPlan, events: Events): Sql[] =>
  plan.questions.map((planned) => {
    const code = answerCode(planned, rawAnswer(planned, plan, events))
    const isAsked = isOfVersion(planned.versions, plan.versions.length)
    return sql`if(${isAsked}, ${code}, ${noAnswer[answerForm(planned)]})`
  })

/**
 * Orders the events of a submission, by their milliseconds. At the same instant the one that completes it is later, then
 * the one with more answers: events with partial answers hold all that were given before.
 */
export const eventOrder = (answers: Sql): Sql =>
  sql`(moment * 512 + if(completes, 256, 0) + least(255, ${answers}))`

/** Leaves out submissions that were removed from the results, or all others, and those that are not asked for. */
export function isKept({
  removed,
  onlyRemoved,
  among,
}: Pick<SubmissionsQuery, 'removed' | 'onlyRemoved' | 'among'>): Sql {
  const statement = among && sql`submission in ${strings(among)}`
  const kept = isRemovedOrNot(removed, onlyRemoved)
  return statement ? sql`(${kept} and ${statement})` : kept
}

function isRemovedOrNot(removed: readonly string[], onlyRemoved: boolean): Sql {
  if (removed.length === 0) return onlyRemoved ? sql`false` : sql`true`
  const isRemoved = sql`has(${strings(removed)}, submission)`
  return onlyRemoved ? isRemoved : sql`not ${isRemoved}`
}

export const numberedFrom1 = (index: number): Sql => uint(index + 1)
