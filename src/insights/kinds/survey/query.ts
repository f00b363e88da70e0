import { type Sql, sql, strings, uint } from '#engine/sql'
import { expandedKey, indexOfKey, rangeColumns } from '../../compile/breakdowns'
import { bucketColumn } from '../../compile/bucket-column'
import type { Buckets } from '../../calendar/period'
import { answeredCode, stoppedAfter, submissionCodes } from './codes'
import {
  breakdownsOf,
  fulfilsConditions,
  isCounted,
  keyIn,
  type MergedStatement,
  mergedSubmissions,
} from './merged-submissions'
import type { SurveyQuestion } from './question'
import type { ReadingPlan } from './reading-plan'
import {
  completesColumn,
  isEvent,
  iterationColumn,
  numberedFrom1,
  submissionColumn,
  surveyEvents,
  surveyEventsIn,
} from './submissions'

/** What a statement about a survey needs. */
export interface SurveyStatement extends MergedStatement {
  question: SurveyQuestion
  /** The values of the breakdown that are told apart; a place counts from 1, and 0 is that of all others. */
  keys: readonly string[]
}

/** How many submissions have a code of a question; question 0 is the submission itself. */
export interface CellRow {
  place: number
  bucket: number
  question: number
  code: number
  submissions: number
}

export interface PeopleRow {
  place: number
  shown: number
  reached: number
  answered: number
  completed: number
  dismissed: number
}

/** From where to where the numbers go that a breakdown puts into bins. */
export function rangesOf({ question, scope, period }: SurveyStatement): Sql | undefined {
  const events = surveyEventsIn(question, scope, period)
  const columns = rangeColumns(breakdownsOf(question), events)
  return columns && sql`select ${columns} from ${events.rows()} as events`
}

/** The values with most submissions. */
export function largestKeys(statement: SurveyStatement): Sql {
  const { question, scope, period } = statement
  const events = surveyEventsIn(question, scope, period, [surveyEvents.sent])
  const key = expandedKey(keyIn(statement, events))
  const submission = submissionColumn(events)
  return sql`
    select key, uniqExact(cityHash64(submission)) as submissions, count() over () as in_all
    from (
      select ${key} as key, ${submission} as submission
      from ${events.rows()} as events
    )
    where ${isCounted(question, scope, period)}
    group by key
    order by submissions desc, key
    limit ${uint(question.limit)}`
}

/** Counts submissions by their answers, in one scan: each is merged from its events, then listed under its codes. */
export function cells(statement: SurveyStatement, buckets: Buckets | undefined): Sql {
  const bucket = buckets
    ? bucketColumn(sql`fromUnixTimestamp64Milli(if(responded, answered_at, last_at))`, buckets)
    : sql`toUInt64(0)`
  return sql`
    select place, bucket, cell.1 as question, cell.2 as code, count() as submissions
    from (
      select ${placeOf(statement)} as place, ${bucket} as bucket, arrayJoin(${cellsOf(statement.plan)}) as cell
      from (${mergedSubmissions(statement)})
      where ${fulfilsConditions(statement)}
    )
    group by place, bucket, question, code`
}

function placeOf({ question, keys }: SurveyStatement): Sql {
  if (!question.breakdown) return sql`toUInt64(1)`
  return indexOfKey({ key: sql`key`, isList: question.breakdown.type === 'cohort' }, keys)
}

const started = sql`(responded or furthest > 0)`

/** What a submission is counted under: pairs of a question, from 1, and a code; 0 is the submission itself. */
function cellsOf({ questions }: ReadingPlan): Sql {
  const { sent, ...endings } = surveyEvents
  const isOver = (event: string) =>
    sql`(${started} and not completed and last_event = ${strings([event])}[1])`
  const ofItself = (code: number, isSo: Sql) => sql`if(${isSo}, [(toUInt64(0), ${uint(code)})], [])`
  const ofQuestions = questions.map((_, i) => {
    const code = sql`latest[${numberedFrom1(i)}]`
    return sql`
      if(
        ${code} != '',
        arrayPushFront(
          arrayMap(one -> (${numberedFrom1(i)}, toUInt64(one)), splitByChar(',', ${code})),
          (${numberedFrom1(i)}, ${uint(answeredCode)})
        ),
        []
      )`
  })
  return sql`arrayConcat(${sql.join([
    ofItself(submissionCodes.started, started),
    ofItself(submissionCodes.responded, sql`responded`),
    ofItself(submissionCodes.completed, sql`completed`),
    ofItself(submissionCodes.dismissed, isOver(endings.dismissed)),
    ofItself(submissionCodes.abandoned, isOver(endings.abandoned)),
    sql`if(${started} and not completed, [(toUInt64(0), ${uint(stoppedAfter(0))} + furthest)], [])`,
    ...ofQuestions,
  ])})`
}

/**
 * Counts persons, once in each run of the survey. A person who answered was shown it, even where no event says so: some pages
 * send an answer before or without it.
 */
export function people(statement: SurveyStatement): Sql {
  const { question, scope, period, keys } = statement
  const events = surveyEventsIn(question, scope, period)
  const place = question.breakdown ? indexOfKey(keyIn(statement, events), keys) : sql`toUInt64(1)`
  const iteration = iterationColumn(events)
  const submission = submissionColumn(events)
  const completes = completesColumn(events)
  return sql`
    select
      place,
      countIf(${isEvent('shown')}) as shown,
      uniqExact(who) as reached,
      uniqExactIf(who, ${isEvent('sent')}) as answered,
      uniqExactIf(who, completes) as completed,
      countIf(${isEvent('dismissed')} and submission = '') as dismissed
    from (
      select
        event,
        ${place} as place,
        cityHash64(person, ${iteration}) as who,
        ${submission} as submission,
        ${completes} as completes
      from ${events.rows()} as events
    )
    where ${isCounted(question, scope, period)}
    group by place`
}
