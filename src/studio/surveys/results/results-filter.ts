import type { Filter } from '#filters/filter'
import type { AnswerCondition, AnswerValue } from '#insights/kinds/survey/schema'
import type { Breakdown } from '#insights/query-fields'
import type { SurveyResultsFilter } from '#studio/paths'
import { filterIn, jsonIn } from '#studio/people/list-filter'
import { type SearchParams, textOf } from '#studio/search-params'
import { resultPeriods } from './result-periods'

export interface ResultsFilter {
  period: string
  filter: Filter | undefined
  answers: readonly AnswerCondition[]
  /** A part of an answer. */
  search: string | undefined
  tag: string | undefined
  withTests: boolean
  /** Lists the responses that were taken out of the results. */
  onlyRemoved: boolean
  /** The product says what is wrong with it. */
  breakdown: Breakdown | undefined
}

const longestSearch = 200
const longestTag = 50

/** Ignores invalid values in the address. */
export function resultsFilterIn(search: SearchParams): ResultsFilter {
  const answers = jsonIn(textOf(search['answers']))
  const breakdown = jsonIn(textOf(search['breakdown']))
  return {
    period: resultPeriods.find(({ value }) => value === textOf(search['period']))?.value ?? 'all',
    filter: filterIn(textOf(search['filter'])),
    answers: Array.isArray(answers) ? answers.filter(looksLikeCondition) : [],
    search: textOf(search['search'])?.trim().slice(0, longestSearch) || undefined,
    tag: textOf(search['tag'])?.trim().slice(0, longestTag) || undefined,
    withTests: search['tests'] === 'yes',
    onlyRemoved: search['removed'] === 'yes',
    breakdown: looksLikeBreakdown(breakdown) ? breakdown : undefined,
  }
}

/** The same in an address. */
export const inAddress = ({
  period,
  filter,
  answers,
  search,
  tag,
  withTests,
  onlyRemoved,
  breakdown,
}: ResultsFilter): SurveyResultsFilter => ({
  period,
  filter: filter && JSON.stringify(filter),
  answers: answers.length > 0 ? JSON.stringify(answers) : undefined,
  search,
  tag,
  tests: withTests ? 'yes' : undefined,
  removed: onlyRemoved ? 'yes' : undefined,
  breakdown: breakdown && JSON.stringify(breakdown),
})

/** The filter by which the product counts and lists; a breakdown applies to results only. */
export const narrowingOf = ({ breakdown: _, ...narrowing }: ResultsFilter) => narrowing

function looksLikeCondition(value: unknown): value is AnswerCondition {
  if (typeof value !== 'object' || value === null || !('question' in value)) return false
  if (typeof value.question !== 'string') return false
  if ('isAnswered' in value) return value.isAnswered === true
  if ('values' in value) return Array.isArray(value.values) && value.values.every(looksLikeValue)
  return 'containing' in value && typeof value.containing === 'string'
}

const looksLikeValue = (value: unknown): value is AnswerValue =>
  value === null ||
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (typeof value === 'object' && 'row' in value && 'column' in value)

const looksLikeBreakdown = (value: unknown): value is Breakdown =>
  typeof value === 'object' &&
  value !== null &&
  (('key' in value && typeof value.key === 'string') || ('cohorts' in value && Array.isArray(value.cohorts)))

/** Whether the results are narrowed to exactly these answers of the question. */
export const isNarrowedTo = (
  { answers }: ResultsFilter,
  question: string,
  values: readonly AnswerValue[],
): boolean =>
  answers.some(
    (one) =>
      one.question === question && 'values' in one && JSON.stringify(one.values) === JSON.stringify(values),
  )

/** Narrows to these answers, in place of others to the same question; a second time, takes them back. */
export function toggleValues(
  before: ResultsFilter,
  question: string,
  values: readonly AnswerValue[],
): ResultsFilter {
  const others = before.answers.filter((one) => one.question !== question || !('values' in one))
  const isSet = isNarrowedTo(before, question, values)
  return { ...before, answers: isSet ? others : [...others, { question, values: [...values] }] }
}

/** The same for the words of a text. */
export function toggleWords(before: ResultsFilter, question: string, containing: string): ResultsFilter {
  const others = before.answers.filter((one) => one.question !== question || !('containing' in one))
  const isSet = before.answers.some(
    (one) => one.question === question && 'containing' in one && one.containing === containing,
  )
  return { ...before, answers: isSet ? others : [...others, { question, containing }] }
}

/** Narrows to submissions that answer the question at all. */
export const withAnswerTo = (before: ResultsFilter, question: string): ResultsFilter => ({
  ...before,
  answers: [
    ...before.answers.filter((one) => one.question !== question || !('isAnswered' in one)),
    { question, isAnswered: true },
  ],
})

export const without = (before: ResultsFilter, condition: AnswerCondition): ResultsFilter => ({
  ...before,
  answers: before.answers.filter((one) => one !== condition),
})
