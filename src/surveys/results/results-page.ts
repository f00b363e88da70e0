import type { Interval } from '#insights/calendar/period'
import type { SurveyAnswer, SurveyNumbers } from '#insights/kinds/survey/survey'
import { ratingResults } from '../kinds/rating/answers'
import type { SurveyVersion } from '../survey'
import { shareEstimate, type Estimate } from './intervals'
import { questionResults, type QuestionResults } from './question-results'

/** The numbers of a survey, of all its answers or of those with one value of a breakdown. */
export interface ResultNumbers extends Omit<SurveyNumbers, 'questions'> {
  /** Persons who answered, of those who saw it. */
  responseRate: Estimate | undefined
  /** Persons who completed it, of those who saw it. */
  completionRate: Estimate | undefined
  questions: QuestionResults[]
}

export interface SurveyResultsPage extends ResultNumbers {
  /** The submissions of each bucket, and the NPS of each rating, or else its CSAT; null where none was given. */
  course?: {
    interval: Interval
    starts: string[]
    lastIsIncomplete: boolean
    responded: number[]
    scores: Record<string, (Estimate | null)[]>
  }
  breakdown?: {
    values: { value: (string | null)[]; isOthers?: true; numbers: ResultNumbers }[]
    valuesInAll: number
  }
}

/** Names and estimates what an answer counts. */
export function resultsPage(
  { questions, all, course, breakdown }: SurveyAnswer,
  versions: readonly SurveyVersion[],
): SurveyResultsPage {
  const numbers = (of: SurveyNumbers) => numbersOf(of, questions, versions)
  return {
    ...numbers(all),
    ...(course && { course: { ...course, ...courseScores(course, questions) } }),
    ...(breakdown && {
      breakdown: {
        ...breakdown,
        values: breakdown.values.map((one) => ({ ...one, numbers: numbers(one.numbers) })),
      },
    }),
  }
}

function numbersOf(
  { questions: counts, ...numbers }: SurveyNumbers,
  questions: SurveyAnswer['questions'],
  versions: readonly SurveyVersion[],
): ResultNumbers {
  return {
    ...numbers,
    responseRate: shareEstimate(numbers.answered, numbers.reached),
    completionRate: shareEstimate(numbers.completedBy, numbers.reached),
    questions: questions.map((shape, i) =>
      questionResults(shape, counts[i] ?? { answered: 0, stopped: 0, counts: [] }, versions),
    ),
  }
}

/** NPS over time, or the CSAT of other scales, by the question's id and the last version that asks it so. */
function courseScores(
  { questions: buckets, ...course }: NonNullable<SurveyAnswer['course']>,
  questions: SurveyAnswer['questions'],
) {
  const scores = questions.flatMap((shape, i): [string, (Estimate | null)[]][] => {
    if (shape.kind !== 'rating') return []
    const values = buckets.map((bucket) => {
      const { nps, csat } = ratingResults(shape, new Map(bucket[i]?.counts))
      return nps ?? csat ?? null
    })
    return [[`${shape.id} ${shape.version}`, values]]
  })
  return { ...course, scores: Object.fromEntries(scores) }
}
