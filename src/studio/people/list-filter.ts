import type { Filter } from '#filters/filter'
import { isOperator } from '#filters/vocabulary'
import type { PersonListFilter } from '#insights/people/person-lists'
import type { CohortDefinition } from '#persons/cohort'
import type { PeopleFilter } from '#studio/paths'
import { pageOf, type SearchParams, textOf } from '#studio/search-params'
import { columnsIn, columnsText, propertyOfColumn } from './columns'

export const periods = [
  { value: '24h', label: 'Last 24 hours', days: 1 },
  { value: '7d', label: 'Last 7 days', days: 7 },
  { value: '30d', label: 'Last 30 days', days: 30 },
  { value: '90d', label: 'Last 90 days', days: 90 },
  { value: '12mo', label: 'Last 12 months', days: 365 },
  { value: 'all', label: 'All time', days: undefined },
] as const

export const usualPeriod = '30d'

/** Ignores invalid values in the address. */
export function peopleFilterIn({
  period,
  search,
  cohort,
  filter,
  sort,
  up,
  columns,
  list,
  page,
}: SearchParams): PeopleFilter {
  return {
    period: periods.find(({ value }) => value === period)?.value,
    search: textOf(search)?.slice(0, 200),
    cohort: textOf(cohort),
    filter: textOf(filter),
    sort: sortIn(textOf(sort)),
    up: textOf(up),
    columns: columnsTextIn(textOf(columns)),
    list: textOf(list)?.slice(0, 100),
    page: pageOf(page),
  }
}

const sorts = ['last', 'first', 'events']

const sortIn = (sort: string | undefined): string | undefined =>
  sort !== undefined && (sorts.includes(sort) || propertyOfColumn(sort)) ? sort : undefined

function columnsTextIn(text: string | undefined): string | undefined {
  const columns = columnsIn(text)
  return columns && columnsText(columns)
}

/** Undefined for invalid JSON; the product validates the value. */
export function jsonIn(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Undefined for what no editor could show; the product says what else is wrong with it. */
export function filterIn(text: string | undefined): Filter | undefined {
  const read = jsonIn(text)
  return looksLikeFilter(read) ? read : undefined
}

function looksLikeFilter(value: unknown): value is Filter {
  if (typeof value !== 'object' || value === null) return false
  if ('all' in value) return Array.isArray(value.all) && value.all.every(looksLikeFilter)
  if ('any' in value) return Array.isArray(value.any) && value.any.every(looksLikeFilter)
  if (!('operator' in value) || typeof value.operator !== 'string') return false
  return 'cohort' in value || ('key' in value && isOperator(value.operator))
}

/** The same for the product. */
export const personsRequestOf = ({ period, search, cohort, filter, sort, up, page }: PeopleFilter) => ({
  period,
  search,
  cohort,
  filter: filterIn(filter),
  sort,
  descending: up === undefined,
  page,
})

/** Whether a list has a search, filter, cohort or date range of its own. */
export const isNarrowed = ({ search, filter, cohort, period }: PeopleFilter): boolean =>
  [search, filter, cohort, period].some(Boolean)

/** The cohort of the persons that a list shows; undefined for all persons. A search is no part of it. */
export function cohortOfFilter({ period, cohort, filter }: PeopleFilter): CohortDefinition | undefined {
  const is = filterIn(filter)
  const days = periods.find(({ value }) => value === (period ?? usualPeriod))?.days
  const parts: CohortDefinition[] = [
    ...(is ? [{ is }] : []),
    ...(cohort === undefined ? [] : [{ in: cohort }]),
    ...(days === undefined ? [] : [{ did: { event: null }, within: { days } }]),
  ]
  return parts.length === 0 ? undefined : { all: parts }
}

/** The address parameters of a saved list. */
export const filterOfList = ({
  period,
  search,
  cohort,
  filter,
  sort,
  descending,
  columns,
}: PersonListFilter): PeopleFilter =>
  peopleFilterIn({
    period,
    search,
    cohort,
    filter: filter && JSON.stringify(filter),
    sort,
    up: descending === false ? '1' : undefined,
    columns: columns && columnsText(columns),
  })

/** A saved list of an untrusted address; the product validates it. */
export function listFilterOf(parameters: unknown): object {
  const given = typeof parameters === 'object' && parameters !== null ? parameters : {}
  const texts = Object.entries(given).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  const { period, search, cohort, filter, sort, up, columns } = peopleFilterIn(Object.fromEntries(texts))
  const chosen = columnsIn(columns)
  return {
    ...(period && { period }),
    ...(search && { search }),
    ...(cohort && { cohort }),
    ...(filter && { filter: jsonIn(filter) }),
    ...(sort && { sort }),
    ...(up && { descending: false }),
    ...(chosen && { columns: chosen }),
  }
}
