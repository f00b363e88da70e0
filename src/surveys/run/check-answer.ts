import type { Answer, SurveyQuestion } from '../question'
import { commonKinds } from '../kinds/common-kinds'
import { type FindKind, findIn } from '../kinds/kind-rules'
import { rareKinds } from '../kinds/rare-kinds'
import type { SurveyWords } from './words'

export const isEmptyAnswer = (answer: Answer | undefined): boolean =>
  answer === undefined ||
  answer === '' ||
  answer === false ||
  (typeof answer === 'object' && Object.values(answer).every((one) => one === ''))

/**
 * Checks the answer to a question of the language that was shown. Returns what is wrong with it as a sentence. A
 * question that is not required may be skipped with an empty text.
 */
export const answerProblem = (
  question: SurveyQuestion,
  answer: Answer | undefined,
  words: SurveyWords,
): string | undefined => answerProblemBy(findIn(commonKinds, rareKinds), question, answer, words)

/** Does the same as `answerProblem`, with the rules of these kinds. */
export function answerProblemBy(
  find: FindKind,
  question: SurveyQuestion,
  answer: Answer | undefined,
  words: SurveyWords,
): string | undefined {
  const { check, missing } = find(question.kind)
  if (!isEmptyAnswer(answer)) return check(question, answer ?? '', words)
  if (!question.isRequired) return undefined
  return missing ? missing(words) : words.required
}
