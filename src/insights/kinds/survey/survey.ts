import type { Sql } from '#engine/sql'
import { type Outcome, failedOutcome } from '#projects/problems'
import {
  type BreakdownRangeRow,
  type BreakdownValues,
  rangesIn,
  valuesOfKey,
} from '../../compile/internal/breakdowns'
import { type AnswerTable, defineKind } from '../../kind'
import { type Buckets, bucketsOf, type Interval } from '../../calendar/period'
import { queryPeriod } from '../../query-fields'
import type { QueryScope } from '../../scope'
import { answeredCode, stoppedAfter, submissionCodes } from './codes'
import { answerKinds } from './internal/answer-kinds'
import {
  type CellRow,
  cells,
  type CountedCell,
  countedCodes,
  largestKeys,
  people,
  type PeopleRow,
  rangesOf,
  type SurveyStatement,
} from './query'
import { respondents } from './responses'
import {
  type AnswerCondition,
  answerCondition,
  type AnswerKind,
  type SurveyQuery,
  surveyQuery,
} from './schema'
import { type PlannedQuestion, type ReadingPlan, readingPlan } from './internal/reading-plan'

/** The numbers of a survey, of all answers or of one value of a breakdown. */
export interface SurveyNumbers {
  /** The number of times that the survey was shown. */
  shown: number
  /** Persons who saw it, once in each run; persons who answered are among them. */
  reached: number
  /** Persons who sent an answer, and persons who completed it. */
  answered: number
  completedBy: number
  submissions: {
    /** Submissions with an answer, sent or not. */
    started: number
    /** Submissions with an answer that was sent. */
    responded: number
    completed: number
    /** Closed after an answer, and not taken up again. */
    dismissed: number
    /** Left by leaving the page after an answer, and not taken up again. */
    abandoned: number
  }
  /** Closed before any answer. */
  dismissedUnanswered: number
  /** One for each question of the plan. */
  questions: AnswerCounts[]
}

export interface AnswerCounts {
  answered: number
  /** Submissions that were not completed, and end with this question. */
  stopped: number
  /** Codes (`codes.ts`) with the number of submissions, by code. */
  counts: [code: number, submissions: number][]
}

/** The question that counts belong to. */
export interface AnsweredQuestionShape {
  id: string
  kind: AnswerKind
  least?: number
  most?: number
  choices: string[]
  choiceTexts: string[]
  rows: string[]
  columns: string[]
  /** The number of the last version in which it is asked so. */
  version: number
}

export interface SurveyAnswer {
  questions: AnsweredQuestionShape[]
  all: SurveyNumbers
  /** The counts of each bucket and question. Submissions count when they were last answered. */
  course?: {
    interval: Interval
    starts: string[]
    lastIsIncomplete: boolean
    responded: number[]
    questions: AnswerCounts[][]
  }
  breakdown?: {
    values: { value: BreakdownValues; isOthers?: true; numbers: SurveyNumbers }[]
    valuesInAll: number
  }
}

export const surveyKind = defineKind<SurveyQuery, SurveyAnswer, AnswerCondition>({
  about:
    'What was answered to a survey, read against its versions and languages; with `survey` alone those of the stored survey.',
  query: surveyQuery,
  answer,
  table,
  behind: { point: answerCondition, persons },
})

async function answer(question: SurveyQuery, scope: QueryScope): Promise<Outcome<{ answer: SurveyAnswer }>> {
  if (question.versions.length === 0) return failedOutcome('Give the versions of the survey.', 'versions')
  const period = await queryPeriod(question, scope)
  const buckets = question.interval && bucketsOf(period, question.interval, scope.calendar)
  if (question.interval && !buckets)
    return failedOutcome(
      `The date range is too long for intervals of one ${question.interval}. Choose a longer interval.`,
      'interval',
    )
  const plan = readingPlan(question.versions)
  const statement: SurveyStatement = { question, plan, scope, period, ranges: [], keys: [] }
  const breakdown = question.breakdown && (await breakdownOf(statement))
  const whole = { ...statement, ...breakdown }
  const [values, counts] = await Promise.all([
    scope.run<CountedCell>(cells(whole, breakdown ? undefined : buckets)),
    scope.run<PeopleRow>(people(whole)),
  ])
  const counted = countedCodes(plan, values)
  const perPlace = breakdown ? await totalsOf(statement, buckets) : { counted, counts }
  return {
    done: true,
    answer: {
      questions: plan.questions.map((planned) => shapeOf(planned, plan)),
      all: numbersOf(plan, perPlace.counted, perPlace.counts),
      ...(buckets && { course: courseOf(question, plan, perPlace.counted, buckets, scope) }),
      ...(breakdown && { breakdown: partsOf(question, plan, breakdown, counted, counts) }),
    },
  }
}

/** Selects the persons who gave an answer. */
async function persons(
  query: SurveyQuery,
  point: AnswerCondition,
  scope: QueryScope,
): Promise<Outcome<{ statement: Sql }>> {
  const period = await queryPeriod(query, scope)
  const asked = { ...query, answers: [...query.answers, point] }
  return { done: true, statement: respondents(asked, scope, period) }
}

/** Persons and cohorts overlap, so that the whole is not the sum of its parts. */
async function totalsOf({ question, ...statement }: SurveyStatement, buckets: Buckets | undefined) {
  const whole = { ...statement, question: { ...question, breakdown: undefined } }
  const [values, counts] = await Promise.all([
    statement.scope.run<CountedCell>(cells(whole, buckets)),
    statement.scope.run<PeopleRow>(people(whole)),
  ])
  return { counted: countedCodes(statement.plan, values), counts }
}

interface FoundBreakdown extends Pick<SurveyStatement, 'ranges' | 'keys'> {
  valuesInAll: number
}

async function breakdownOf(statement: SurveyStatement): Promise<FoundBreakdown> {
  const { question, scope } = statement
  const condition = rangesOf(statement)
  const rows = condition ? await scope.run<BreakdownRangeRow>(condition) : []
  const ranges = rangesIn(question.breakdown ? [question.breakdown] : [], rows)
  const found = await scope.run<{ key: string; in_all: number }>(largestKeys({ ...statement, ranges }))
  return { ranges, keys: found.map(({ key }) => key), valuesInAll: found[0]?.in_all ?? 0 }
}

function shapeOf(
  { id, kind, least, most, choices, choiceTexts, rows, columns, positions, versions }: PlannedQuestion,
  plan: ReadingPlan,
): AnsweredQuestionShape {
  const last = [...positions.keys()].at(-1) ?? versions.at(-1) ?? 1
  return {
    id,
    kind,
    ...(least !== undefined && { least }),
    ...(most !== undefined && { most }),
    choices,
    choiceTexts,
    rows,
    columns,
    version: plan.versions[last - 1]?.version ?? 1,
  }
}

function numbersOf(
  plan: ReadingPlan,
  counted: readonly CellRow[],
  counts: readonly PeopleRow[],
): SurveyNumbers {
  const itself = totals(counted, 0)
  const of = (code: number) => itself.get(code) ?? 0
  const [row] = counts
  return {
    shown: row?.shown ?? 0,
    reached: row?.reached ?? 0,
    answered: row?.answered ?? 0,
    completedBy: row?.completed ?? 0,
    submissions: {
      started: of(submissionCodes.started),
      responded: of(submissionCodes.responded),
      completed: of(submissionCodes.completed),
      dismissed: of(submissionCodes.dismissed),
      abandoned: of(submissionCodes.abandoned),
    },
    dismissedUnanswered: row?.dismissed ?? 0,
    questions: countsOf(plan, counted),
  }
}

const countsOf = ({ questions }: ReadingPlan, counted: readonly CellRow[]): AnswerCounts[] => {
  const byQuestion = Map.groupBy(counted, ({ question }) => question)
  const itself = totals(byQuestion.get(0) ?? [], 0)
  return questions.map((_, i) => {
    const codes = totals(byQuestion.get(i + 1) ?? [], i + 1)
    const counts = [...codes].filter(([code]) => code !== answeredCode).toSorted(([a], [b]) => a - b)
    return { answered: codes.get(answeredCode) ?? 0, stopped: itself.get(stoppedAfter(i + 1)) ?? 0, counts }
  })
}

function totals(counted: readonly CellRow[], wanted: number): Map<number, number> {
  const byCode = new Map<number, number>()
  for (const { question, code, submissions } of counted)
    if (question === wanted) byCode.set(code, (byCode.get(code) ?? 0) + submissions)
  return byCode
}

function courseOf(
  { interval = 'day' }: SurveyQuery,
  plan: ReadingPlan,
  counted: readonly CellRow[],
  { starts, end }: Buckets,
  { calendar }: QueryScope,
): NonNullable<SurveyAnswer['course']> {
  const byBucket = Map.groupBy(counted, ({ bucket }) => bucket)
  const rows = starts.map((start) => byBucket.get(start.getTime()) ?? [])
  return {
    interval,
    starts: starts.map((start) => start.toISOString()),
    lastIsIncomplete: end > calendar.now,
    responded: rows.map((row) => totals(row, 0).get(submissionCodes.responded) ?? 0),
    questions: rows.map((row) => countsOf(plan, row)),
  }
}

function partsOf(
  { breakdown }: SurveyQuery,
  plan: ReadingPlan,
  { keys, ranges, valuesInAll }: FoundBreakdown,
  counted: readonly CellRow[],
  counts: readonly PeopleRow[],
): NonNullable<SurveyAnswer['breakdown']> {
  const at = (place: number) =>
    numbersOf(
      plan,
      counted.filter((row) => row.place === place),
      counts.filter((row) => row.place === place),
    )
  const breakdowns = breakdown ? [breakdown] : []
  const values = keys.map((key, i) => ({ value: valuesOfKey(key, breakdowns, ranges), numbers: at(i + 1) }))
  const hasOthers = [...counted, ...counts].some(({ place }) => place === 0)
  const rest = hasOthers ? [{ value: [], isOthers: true as const, numbers: at(0) }] : []
  return { values: [...values, ...rest], valuesInAll }
}

/** Makes one row for each code of each question. */
function table({ questions, all }: SurveyAnswer): AnswerTable {
  return {
    columns: [
      { name: 'Question', as: 'text' },
      { name: 'Answer', as: 'text' },
      { name: 'Submissions', as: 'number' },
      { name: 'Share', as: 'percent' },
    ],
    rows: questions.flatMap((question, i) => {
      const { counts = [], answered = 0 } = all.questions[i] ?? {}
      return counts.map(([code, submissions]) => [
        question.id,
        answerKinds[question.kind].inWords?.(code, question) ?? String(code),
        submissions,
        answered > 0 ? submissions / answered : null,
      ])
    }),
  }
}
