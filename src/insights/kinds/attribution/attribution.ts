import type { Outcome } from '#projects/problems'
import { type AnswerTable, defineKind } from '#insights/kind'
import { queryPeriod } from '#insights/query-fields'
import type { QueryScope } from '#insights/scope'
import { attribution, type AttributionRow } from './query'
import { type AttributionQuery, attributionQuery } from './schema'

/** The answer of the kind `attribution`. */
export interface AttributionAnswer {
  /** The pages, by most persons first. Each conversion is attributed to one page. */
  pages: (AttributionCounts & { page: string })[]
  /** Conversions attributed to any of the pages. */
  led: AttributionCounts
  /** All conversions, attributed or not. */
  all: AttributionCounts
}

export interface AttributionCounts {
  persons: number
  times: number
  revenue: number
}

export const attributionKind = defineKind<AttributionQuery, AttributionAnswer>({
  about: 'Goals reached after reading, and the page that was read first or last before them.',
  query: attributionQuery,
  answer,
  table,
})

async function answer(
  query: AttributionQuery,
  scope: QueryScope,
): Promise<Outcome<{ answer: AttributionAnswer }>> {
  const rows = await scope.run<AttributionRow>(attribution(query, scope, await queryPeriod(query, scope)))
  const whole = rows.find(({ part }) => part === 'whole')
  const pages = rows.filter(({ part }) => part === 'page')
  return {
    done: true,
    answer: {
      pages: pages.slice(0, query.limit).map((row) => ({ page: row.page, ...countsOf(row) })),
      led: whole
        ? { persons: whole.led_persons, times: whole.led_times, revenue: whole.led_revenue }
        : countsOf(whole),
      all: countsOf(whole),
    },
  }
}

const countsOf = (
  { persons, times, revenue }: AttributionCounts = { persons: 0, times: 0, revenue: 0 },
): AttributionCounts => ({
  persons,
  times,
  revenue,
})

function table({ pages }: AttributionAnswer): AnswerTable {
  return {
    columns: [
      { name: 'Page', as: 'text' },
      { name: 'Persons', as: 'number' },
      { name: 'Conversions', as: 'number' },
      { name: 'Revenue', as: 'money' },
    ],
    rows: pages.map(({ page, persons, times, revenue }) => [page, persons, times, revenue]),
  }
}
