import type { AnswerCounts, AnsweredQuestionShape } from '#insights/kinds/survey/survey'
import type { ChoiceResult } from '../kinds/internal/answer-definition'
import { answerKinds } from '../kinds/internal/answer-kinds'
import type { MatrixResults } from '../kinds/matrix/answers'
import type { RankResult } from '../kinds/ranking/answers'
import type { RatingResults } from '../kinds/rating/answers'
import type { SurveyVersion } from '../survey'
import type { Estimate } from './intervals'
import type { Phrase } from './phrases'

/** The results of one question, on one scale. */
export interface QuestionResults {
  id: string
  kind: AnsweredQuestionShape['kind']
  text: string
  /** The last version that asks it so. */
  version: number
  answered: number
  /** Submissions that were begun, not completed, and end with this question. */
  stopped: number
  rating?: RatingResults
  /** Choices, also of pictures; null stands for texts of no choice. */
  choices?: ChoiceResult[]
  ranking?: RankResult[]
  matrix?: MatrixResults
  dates?: { date: string; count: number }[]
  consent?: { given: Estimate | undefined; refusedCount: number; givenCount: number }
  /** Phrases of the latest texts; only where texts are asked for. */
  phrases?: Phrase[]
}

/** Returns the numbers that `results` draws for one question. */
export function questionResults(
  shape: AnsweredQuestionShape,
  counts: AnswerCounts,
  versions: readonly SurveyVersion[],
): QuestionResults {
  const { id, kind, version } = shape
  const { answered, stopped } = counts
  const asked = versions.find((one) => one.version === version)?.content.questions
  const text = asked?.find((question) => question.id === id)?.text ?? id
  return {
    id,
    kind,
    text,
    version,
    answered,
    stopped,
    ...answerKinds[kind].results?.(shape, counts, versions),
  }
}

/** An answer in words, with the number of submissions that give it. */
export interface CountedAnswer {
  answer: string
  count: number
  /** The share of submissions that answer the question; null where it cannot be estimated. */
  share?: number | Estimate | null
  /** The mean rank of a choice; null where it was not ranked. */
  meanRank?: number | null
}

/** Lists the answers to a question that are counted. */
export const countedAnswers = (results: QuestionResults): CountedAnswer[] =>
  answerKinds[results.kind].counted?.(results) ?? []
