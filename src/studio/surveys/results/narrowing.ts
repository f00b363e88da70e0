import type { AnswerValue } from '#insights/kinds/survey/schema'
import { isNarrowedTo, type ResultsFilter, toggleValues, toggleWords } from './results-filter'

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
  filter: ResultsFilter,
  addressOf: (changed: ResultsFilter) => string,
): Narrowing => ({
  hrefOf: (values) => addressOf(toggleValues(filter, id, values)),
  isCurrent: (values) => isNarrowedTo(filter, id, values),
  hasValues: filter.answers.some((one) => one.question === id && 'values' in one),
  hrefOfWords: (words) => addressOf(toggleWords(filter, id, words)),
  areCurrent: (words) =>
    filter.answers.some((one) => one.question === id && 'containing' in one && one.containing === words),
})
