import { identifier, type Sql, sql, uint } from '#engine/sql'
import { type BreakdownKey, breakdownKey, type BreakdownRanges } from '#insights/compile/internal/breakdowns'
import type { Events } from '#insights/compile/internal/events'
import type { Period } from '#insights/calendar/period'
import type { QueryScope } from '#insights/scope'
import { answerForm, noAnswer } from './answer-code'
import { findsWords, fulfils, textColumn, textConditions } from './answer-conditions'
import type { SurveyQuery } from '../schema'
import { readingPlan, type ReadingPlan, slotOf } from './reading-plan'
import {
  answerColumns,
  completesColumn,
  eventOrder,
  isEvent,
  isKept,
  languageColumn,
  languageIndex,
  numberedFrom1,
  type SubmissionsQuery,
  submissionColumn,
  surveyEventNames,
  surveyEvents,
  surveyEventsIn,
  versionColumn,
} from './submissions'

/** The input for merging the events of submissions. */
export interface MergedStatement {
  question: SubmissionsQuery & Partial<Pick<SurveyQuery, 'breakdown'>>
  plan: ReadingPlan
  scope: QueryScope
  period: Period
  ranges: BreakdownRanges
}

export const breakdownsOf = ({ breakdown }: MergedStatement['question']) => (breakdown ? [breakdown] : [])

export const keyIn = ({ question, scope, ranges }: MergedStatement, events: Events): BreakdownKey =>
  breakdownKey(breakdownsOf(question), events, scope, ranges)

const columnOf = (name: string): Sql => identifier(name, [name])

/** The latest answer of a merged submission to a question of the plan, by its index, in the form of the question. */
export const latestAnswer = (index: number): Sql => columnOf(`latest_${index}`)

/** The latest text for a condition on texts, by its index. */
const latestText = (index: number): Sql => columnOf(`latest_text_${index}`)

const answerOf = (index: number): Sql => columnOf(`answer_${index}`)
const textOf = (index: number): Sql => columnOf(`text_${index}`)

/**
 * Selects one row for each submission, with the latest answer to each question. A million of them are held at once, so
 * that each has numbers where it can, and its id, its key and its times only where they are asked for.
 */
export function mergedSubmissions(
  statement: MergedStatement,
  { withIds = false, withTimes = false } = {},
): Sql {
  const { plan, question } = statement
  const order = eventOrder(sql`answers`)
  const texts = textConditions(question).map(
    (_, i) =>
      sql`argMaxIf(${textOf(i)}, ${order}, ${isEvent('sent')} and ${textOf(i)} != '') as ${latestText(i)}`,
  )
  const latest = plan.questions.map((planned, i) => {
    const isGiven = sql`${answerOf(i)} != ${noAnswer[answerForm(planned)]}`
    return sql`argMaxIf(${answerOf(i)}, ${order}, ${isEvent('sent')} and ${isGiven}) as ${latestAnswer(i)}`
  })
  return sql`
    select
      ${sql.join([
        ...(withIds ? [sql`any(submission) as id`] : []),
        ...(question.breakdown ? [sql`argMax(key, ${order}) as key`] : []),
        ...latest,
        ...texts,
        sql`max(${isEvent('sent')}) as responded`,
        sql`max(completes) as completed`,
        ...(withTimes
          ? [sql`maxIf(moment, ${isEvent('sent')}) as answered_at`, sql`max(moment) as last_at`]
          : []),
        sql`max(${eventRank}) % 4 as last_event`,
        sql`max(last_answer) as furthest`,
        ...(question.search ? [sql`max(finds) as is_found`] : []),
      ])}
    from (${readEvents(statement)})
    where submission != '' and ${isKept(question)}
    group by cityHash64(submission)`
}

/** Ranks events: at the same instant an answer is later than a dismissal, and that later than an abandonment. */
const eventRank = sql`(moment * 4 + multiIf(${isEvent('sent')}, 3, ${isEvent('dismissed')}, 2, 1))`

/** The values of \`last_event\` in a merged submission. */
export const lastEvents = { dismissed: 2, abandoned: 1 } as const

/** The events of submissions with their answers. */
function readEvents(statement: MergedStatement): Sql {
  const { question, plan, scope, period } = statement
  const names = surveyEventNames.filter((name) => name !== surveyEvents.shown)
  const events = surveyEventsIn(question, scope, period, names)
  const { key } = keyIn(statement, events)
  const language = languageIndex(plan, languageColumn(events))
  const version = versionColumn(plan, events)
  const submission = submissionColumn(events)
  const completes = completesColumn(events)
  const answers = answerColumns(plan, events).map((answer, i) => sql`${answer} as ${answerOf(i)}`)
  const texts = textConditions(question).map(
    (condition, i) => sql`${textColumn(condition, plan, events)} as ${textOf(i)}`,
  )
  const isGiven = plan.questions.map(
    (planned, i) => sql`(${answerOf(i)} != ${noAnswer[answerForm(planned)]})`,
  )
  const lastFirst = isGiven.map((given, i) => sql`${given}, ${numberedFrom1(i)}`).toReversed()
  return sql`
    select
      ${sql.join([
        sql`event`,
        sql`toUInt64(toUnixTimestamp64Milli(timestamp)) as moment`,
        sql`${submission} as submission`,
        sql`${completes} as completes`,
        sql`${key} as key`,
        sql`${version} as version`,
        sql`version * ${uint(slotOf(1, 0, plan))} + ${language} as slot`,
        ...answers,
        ...texts,
        ...(question.search
          ? [sql`(${isEvent('sent')} and ${findsWords(question.search, plan, events)}) as finds`]
          : []),
        sql`${isGiven.length > 0 ? sql.join(isGiven, sql` + `) : sql`0`} as answers`,
        sql`${lastFirst.length > 0 ? sql`multiIf(${sql.join(lastFirst)}, toUInt64(0))` : sql`toUInt64(0)`} as last_answer`,
      ])}
    from ${events.rows()} as events`
}

/** Whether a merged submission gives the answers that the question asks for. */
export const fulfilsConditions = ({ question, plan }: MergedStatement): Sql => {
  const fulfilled = fulfils(question.answers, plan, latestAnswer, latestText)
  return question.search ? sql`(${fulfilled} and is_found)` : fulfilled
}

/** Leaves out submissions that were removed or do not give the answers that the question asks for. */
export function isCounted(query: SubmissionsQuery, scope: QueryScope, period: Period): Sql {
  if (query.answers.length === 0 && !query.search) return isKept(query)
  const statement = { question: query, plan: readingPlan(query.versions), scope, period, ranges: [] }
  const matching = sql`select id from (${mergedSubmissions(statement, { withIds: true })}) where ${fulfilsConditions(statement)}`
  return sql`(${isKept(query)} and submission in (${matching}))`
}
