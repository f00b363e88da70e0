import type { AnswerValue } from '#insights/kinds/survey/question'
import { isNarrowedTo, type ResultsQuestion, toggleValues, toggleWords } from './question'

/** The link from an answer to one question to the results narrowed by it. */
export interface Narrowing {
  hrefOf: (values: readonly AnswerValue[]) => string
  isCurrent: (values: readonly AnswerValue[]) => boolean
  /** Whether only some answers to the question count. */
  hasValues: boolean
  /** Of a text that contains these words. */
  hrefOfWords: (words: string) => string
  areCurrent: (words: string) => boolean
}

export const narrowingOn = (
  id: string,
  question: ResultsQuestion,
  addressOf: (changed: ResultsQuestion) => string,
): Narrowing => ({
  hrefOf: (values) => addressOf(toggleValues(question, id, values)),
  isCurrent: (values) => isNarrowedTo(question, id, values),
  hasValues: question.answers.some((one) => one.question === id && 'values' in one),
  hrefOfWords: (words) => addressOf(toggleWords(question, id, words)),
  areCurrent: (words) =>
    question.answers.some((one) => one.question === id && 'containing' in one && one.containing === words),
})
