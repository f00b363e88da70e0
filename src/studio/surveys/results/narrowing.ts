import type { AnswerValue } from '#insights/kinds/survey/schema'
import { paths } from '#studio/paths'
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
  /** The list of the persons who gave one of these answers, where a query tells it. */
  peopleHrefOf: (values: readonly AnswerValue[]) => string | undefined
}

export const narrowingOn = (
  id: string,
  filter: ResultsFilter,
  addressOf: (changed: ResultsFilter) => string,
  { slug, survey }: { slug: string; survey: string },
): Narrowing => ({
  hrefOf: (values) => addressOf(toggleValues(filter, id, values)),
  isCurrent: (values) => isNarrowedTo(filter, id, values),
  hasValues: filter.answers.some((one) => one.question === id && 'values' in one),
  hrefOfWords: (words) => addressOf(toggleWords(filter, id, words)),
  areCurrent: (words) =>
    filter.answers.some((one) => one.question === id && 'containing' in one && one.containing === words),
  peopleHrefOf: (values) => {
    const { tag, onlyRemoved, breakdown: _, ...narrowed } = filter
    // a tag and what was removed are no part of a query
    if (tag !== undefined || onlyRemoved) return undefined
    return paths.personsBehind(slug, { kind: 'survey', survey, ...narrowed }, { question: id, values })
  },
})
