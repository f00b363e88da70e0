import { type Sql, sql, uint } from '#engine/sql'
import { type BreakdownKey, breakdownKey, type BreakdownRanges } from '../../compile/breakdowns'
import type { Events } from '../../compile/events'
import type { Period } from '../../calendar/period'
import type { QuestionScope } from '../../scope'
import { fulfils, textColumn, textConditions } from './answer-conditions'
import type { SurveyQuestion } from './question'
import { readingPlan, type ReadingPlan, slotOf } from './reading-plan'
import {
  codesColumn,
  completesColumn,
  eventOrder,
  isEvent,
  isKept,
  languageColumn,
  languageIndex,
  numberedFrom1,
  type SubmissionsQuestion,
  submissionColumn,
  surveyEventNames,
  surveyEvents,
  surveyEventsIn,
  versionColumn,
} from './submissions'

/** What merging the events of submissions needs. */
export interface MergedStatement {
  question: SubmissionsQuestion & Partial<Pick<SurveyQuestion, 'breakdown'>>
  plan: ReadingPlan
  scope: QuestionScope
  period: Period
  ranges: BreakdownRanges
}

export const breakdownsOf = ({ breakdown }: MergedStatement['question']) => (breakdown ? [breakdown] : [])

export const keyIn = ({ question, scope, ranges }: MergedStatement, events: Events): BreakdownKey =>
  breakdownKey(breakdownsOf(question), events, scope, ranges)

/** One row for each submission, with the latest answer to each question. */
export function mergedSubmissions(statement: MergedStatement): Sql {
  const { plan, question } = statement
  const order = eventOrder(sql`answers`)
  const texts = textConditions(question).map((_, i) => {
    const text = sql`texts[${numberedFrom1(i)}]`
    return sql`argMaxIf(${text}, ${order}, ${isEvent('sent')} and ${text} != '')`
  })
  const latest = plan.questions.map((_, i) => {
    const code = sql`codes[${numberedFrom1(i)}]`
    return sql`argMaxIf(${code}, ${order}, ${isEvent('sent')} and ${code} != '')`
  })
  return sql`
    select
      any(submission) as id,
      ${latest.length > 0 ? sql`[${sql.join(latest)}]` : sql`emptyArrayString()`} as latest,
      ${texts.length > 0 ? sql`[${sql.join(texts)}]` : sql`emptyArrayString()`} as latest_texts,
      max(${isEvent('sent')}) as responded,
      max(completes) as completed,
      maxIf(moment, ${isEvent('sent')}) as answered_at,
      max(moment) as last_at,
      argMax(event, ${eventRank}) as last_event,
      argMax(key, ${order}) as key,
      max(arrayMax(arrayPushFront(arrayMap((code, i) -> if(code != '', i, 0), codes, arrayEnumerate(codes)), 0))) as furthest
    from (${readEvents(statement)})
    where submission != '' and ${isKept(question)}
    group by cityHash64(submission)`
}

/** At the same instant an answer is later than a dismissal, and that later than an abandonment. */
const eventRank = sql`(moment * 4 + multiIf(${isEvent('sent')}, 3, ${isEvent('dismissed')}, 2, 1))`

/** The events of submissions with the codes of their answers. */
function readEvents(statement: MergedStatement): Sql {
  const { question, plan, scope, period } = statement
  const names = surveyEventNames.filter((name) => name !== surveyEvents.shown)
  const events = surveyEventsIn(question, scope, period, names)
  const { key } = keyIn(statement, events)
  const language = languageIndex(plan, languageColumn(events))
  const version = versionColumn(plan, events)
  const submission = submissionColumn(events)
  const completes = completesColumn(events)
  const codes = codesColumn(plan, events)
  const texts = textConditions(question).map((condition) => textColumn(condition, plan, events))
  return sql`
    select
      event,
      toUInt64(toUnixTimestamp64Milli(timestamp)) as moment,
      ${submission} as submission,
      ${completes} as completes,
      ${key} as key,
      ${version} as version,
      version * ${uint(slotOf(1, 0, plan))} + ${language} as slot,
      ${codes} as codes,
      ${texts.length > 0 ? sql`[${sql.join(texts)}]` : sql`emptyArrayString()`} as texts,
      arrayCount(code -> code != '', codes) as answers
    from ${events.rows()} as events`
}

/** Whether a merged submission gives the answers that the question asks for. */
export const fulfilsConditions = ({ question, plan }: MergedStatement): Sql =>
  fulfils(question.answers, plan, sql`latest`, sql`latest_texts`)

/** Leaves out submissions that were removed or do not give the answers that the question asks for. */
export function isCounted(question: SubmissionsQuestion, scope: QuestionScope, period: Period): Sql {
  if (question.answers.length === 0) return isKept(question)
  const statement = { question, plan: readingPlan(question.versions), scope, period, ranges: [] }
  const matching = sql`select id from (${mergedSubmissions(statement)}) where ${fulfilsConditions(statement)}`
  return sql`(${isKept(question)} and submission in (${matching}))`
}
