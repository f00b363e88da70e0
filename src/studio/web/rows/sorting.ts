import type { RowSort, SortableBy } from '#insights/kinds/breakdown/question'
import type { Sort } from '#ui/table/column'
import type { WebSearch } from '#studio/paths'
import type { SearchParams } from '#studio/search-params'

/** The most visitors first. */
const usual: RowSort = { by: 'visitors', direction: 'descending' }

/** Reads the sort of an address; undefined for the usual one and for what these rows do not have. */
export function sortIn({ sort, direction }: SearchParams, known: readonly SortableBy[]): RowSort | undefined {
  const by = known.find((one) => one === sort)
  return by && { by, direction: direction === 'ascending' ? 'ascending' : 'descending' }
}

export function sortPairs(sort: RowSort | undefined): WebSearch {
  if (!sort || (sort.by === usual.by && sort.direction === usual.direction)) return []
  const isAscending = sort.direction === 'ascending'
  return [['sort', sort.by], ...(isAscending ? [['direction', sort.direction] as const] : [])]
}

/** A list of bars has its own names for its first columns. */
export function headSort({ by, direction }: RowSort = usual): Sort {
  const heads: Partial<Record<SortableBy, string>> = {
    value: 'label',
    visitors: 'value',
    events: 'second',
    conversionRate: 'second',
  }
  return { by: heads[by] ?? by, direction }
}

export function rowSort({ by, direction }: Sort, known: readonly SortableBy[]): RowSort {
  const found = known.find((one) => headSort({ by: one, direction }).by === by)
  return { by: found ?? usual.by, direction }
}
