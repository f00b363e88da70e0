import type { Filter } from '#filters/filter'
import type { SurveyResponsesQuestion } from '#app/paths'
import {
  filterIn,
  type PeopleSearchParams,
  textOf,
} from '#app/(studio)/studio/(inside)/[project]/people/question'
import { resultPeriods } from '../results/result-periods'

export interface ListedResponses {
  period: string
  filter: Filter | undefined
  withTests: boolean
  cursor: string | undefined
}

/** Ignores invalid values in the address. */
export function responsesIn(search: PeopleSearchParams): ListedResponses {
  return {
    period: resultPeriods.find(({ value }) => value === textOf(search['period']))?.value ?? '30d',
    filter: filterIn(textOf(search['filter'])),
    withTests: search['tests'] === 'yes',
    cursor: textOf(search['cursor']),
  }
}

/** The same in an address, from its first page on. */
export const inAddress = ({
  period,
  filter,
  withTests,
}: Omit<ListedResponses, 'cursor'>): Omit<SurveyResponsesQuestion, 'cursor'> => ({
  period,
  filter: filter && JSON.stringify(filter),
  tests: withTests ? 'yes' : undefined,
})
