import { type Sql, sql, uint } from '#engine/sql'
import { expandedKey, indexOfKey, rangeColumns } from '#insights/compile/internal/breakdowns'
import { bucketColumn } from '#insights/compile/internal/bucket-column'
import type { Buckets } from '#insights/calendar/period'
import { answeredCode, stoppedAfter, submissionCodes } from './codes'
import { answerForm, codesIn } from './internal/answer-code'
import {
  breakdownsOf,
  fulfilsConditions,
  isCounted,
  keyIn,
  lastEvents,
  latestAnswer,
  type MergedStatement,
  mergedSubmissions,
} from './internal/merged-submissions'
import type { SurveyQuery } from './schema'
import type { PlannedQuestion, ReadingPlan } from './internal/reading-plan'
import {
  completesColumn,
  isEvent,
  iterationColumn,
  submissionColumn,
  surveyEvents,
  surveyEventsIn,
} from './internal/submissions'

/** The input of a statement about a survey. */
export interface SurveyStatement extends MergedStatement {
  question: SurveyQuery
  /** The values of the breakdown that are told apart; a place counts from 1, and 0 is that of all others. */
  keys: readonly string[]
}

/** The number of submissions with a code of a question; question 0 is the submission itself. */
export interface CellRow {
  place: number
  bucket: number
  question: number
  code: number
  submissions: number
}

/** A cell as the engine returns it: several codes of an answer are one value. */
export interface CountedCell extends Omit<CellRow, 'code'> {
  value: number
}

export interface PeopleRow {
  place: number
  shown: number
  reached: number
  answered: number
  completed: number
  dismissed: number
}

/** Selects the ranges of the numbers that a breakdown puts into bins. */
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

/**
 * Counts submissions by their answers, in one scan: each is merged from its events, then listed once under what it is and
 * once under each of its answers.
 */
export function cells(statement: SurveyStatement, buckets: Buckets | undefined): Sql {
  const bucket = buckets
    ? bucketColumn(sql`fromUnixTimestamp64Milli(if(responded, answered_at, last_at))`, buckets)
    : undefined
  const place = statement.question.breakdown ? placeOf(statement) : undefined
  // grouping by one number is twice as fast as by three of which two never change
  const keys = [...(place ? [sql`place`] : []), ...(bucket ? [sql`bucket`] : []), sql`cell`]
  return sql`
    select
      ${place ? sql`place` : sql`toUInt64(1) as place`},
      ${bucket ? sql`bucket` : sql`toUInt64(0) as bucket`},
      intDiv(cell, ${uint(cellFactor)}) as question,
      cell % ${uint(cellFactor)} as value,
      count() as submissions
    from (
      select
        ${sql.join([
          ...(place ? [sql`${place} as place`] : []),
          ...(bucket ? [sql`${bucket} as bucket`] : []),
          sql`arrayJoin(${cellsOf(statement.plan)}) as cell`,
        ])}
      from (${mergedSubmissions(statement, { withTimes: Boolean(buckets) })})
      where ${fulfilsConditions(statement)}
    )
    where cell > 0
    group by ${sql.join(keys)}`
}

function placeOf({ question, keys }: SurveyStatement): Sql {
  return indexOfKey({ key: sql`key`, isList: question.breakdown?.type === 'cohort' }, keys)
}

/** A cell is the number of a question, or 0 for the submission itself, and a value as one number. */
const cellFactor = 2 ** 47

const started = sql`(responded or furthest > 0)`

/** The states of a submission, each a bit; the number of the last question that it answers is above them. */
const stateBits = { started: 1, responded: 2, completed: 4, dismissed: 8, abandoned: 16 } as const
const lastAnswerFactor = 32

function cellsOf({ questions }: ReadingPlan): Sql {
  const isOver = (event: keyof typeof lastEvents) =>
    sql`(not completed and last_event = ${uint(lastEvents[event])})`
  const bit = (name: keyof typeof stateBits, isSo: Sql) => sql`if(${isSo}, ${uint(stateBits[name])}, 0)`
  const itself = sql`
    if(
      ${started},
      ${sql.join(
        [
          bit('started', sql`true`),
          bit('responded', sql`responded`),
          bit('completed', sql`completed`),
          bit('dismissed', isOver('dismissed')),
          bit('abandoned', isOver('abandoned')),
          sql`furthest * ${uint(lastAnswerFactor)}`,
        ],
        sql` + `,
      )},
      toUInt64(0)
    )`
  const ofForm = (isList: boolean) =>
    questions.flatMap((planned, i) =>
      (answerForm(planned) === 'list') === isList
        ? [{ first: uint((i + 1) * cellFactor), answer: latestAnswer(i) }]
        : [],
    )
  const numbers = ofForm(false).map(
    ({ first, answer }) => sql`if(${answer} > 0, ${first} + ${answer}, toUInt64(0))`,
  )
  const lists = ofForm(true).map(
    ({ first, answer }) => sql`
      if(
        ${answer} != '',
        arrayPushFront(
          arrayMap(code -> ${first} + toUInt64(code), splitByChar(',', ${answer})),
          ${first} + ${uint(answeredCode)}
        ),
        []
      )`,
  )
  const fixed = sql`[${sql.join([itself, ...numbers])}]`
  return lists.length > 0 ? sql`arrayConcat(${sql.join([fixed, ...lists])})` : fixed
}

/** Lists what was counted under each code. */
export function countedCodes({ questions }: ReadingPlan, rows: readonly CountedCell[]): CellRow[] {
  return rows.flatMap(({ value, ...row }) =>
    codesOfValue(questions[row.question - 1], value).map((code) => ({ ...row, code })),
  )
}

function codesOfValue(planned: PlannedQuestion | undefined, value: number): number[] {
  if (!planned) return codesOfState(value)
  const form = answerForm(planned)
  return form === 'list' ? [value] : [answeredCode, ...codesIn(form, value)]
}

function codesOfState(value: number): number[] {
  const states = Object.entries(stateBits).flatMap(([name, bit]) =>
    Math.floor(value / bit) % 2 === 1 ? [submissionCodes[name as keyof typeof stateBits]] : [],
  )
  const isCompleted = states.includes(submissionCodes.completed)
  return isCompleted ? states : [...states, stoppedAfter(Math.floor(value / lastAnswerFactor))]
}

/**
 * Counts persons, once in each run of the survey. A person who answered was shown it, even where no event says so: some pages
 * send an answer before or without it.
 */
export function people(statement: SurveyStatement): Sql {
  const { question, scope, period, keys } = statement
  const events = surveyEventsIn(question, scope, period)
  const place = question.breakdown ? indexOfKey(keyIn(statement, events), keys) : undefined
  const iteration = iterationColumn(events)
  const submission = submissionColumn(events)
  const completes = completesColumn(events)
  // one table of persons, where exact counts of three sets would be three
  return sql`
    select
      ${place ? sql`place` : sql`toUInt64(1) as place`},
      sum(shown_to) as shown,
      count() as reached,
      countIf(has_answered) as answered,
      countIf(has_completed) as completed,
      sum(dismissals) as dismissed
    from (
      select
        ${place ? sql`place,` : sql``}
        countIf(${isEvent('shown')}) as shown_to,
        max(${isEvent('sent')}) as has_answered,
        max(completes) as has_completed,
        countIf(${isEvent('dismissed')} and submission = '') as dismissals
      from (
        select
          event,
          ${place ? sql`${place} as place,` : sql``}
          cityHash64(person, ${iteration}) as who,
          ${submission} as submission,
          ${completes} as completes
        from ${events.rows()} as events
      )
      where ${isCounted(question, scope, period)}
      group by ${place ? sql`place, who` : sql`who`}
    )
    ${place ? sql`group by place` : sql``}`
}
