import type { TableSource } from '#store/store'
import type { Import } from '../import'
import { isImportSource, importSources } from '../sources/sources'
import { importsOf } from '../store'
import type { DailyDimension, DailyFigures, DailyMeasure } from './daily-sum'
import { dailyTotals, dailyValues, type ImportedSpan, spanOfDailySums } from './store'

/** The daily totals of other products in a period. */
export interface DailyOverview {
  /** The products, such as Plausible. */
  labels: readonly string[]
  /** The days of the period within the first and the last that were imported. */
  span: ImportedSpan
  /** The days of the period of which there is a total, in order. */
  days: readonly (DailyFigures & { day: string })[]
  lists: readonly DailyList[]
}

/** The values of a dimension that have the most of a measure over the period. */
export interface DailyList {
  dimension: ListedDimension
  by: ListedMeasure
  rows: readonly (DailyFigures & { value: string })[]
}

type ListedDimension = Exclude<DailyDimension, 'total'>
export type ListedMeasure = Extract<DailyMeasure, 'views' | 'visits' | 'events'>

const listedDimensions: readonly (readonly [ListedDimension, ListedMeasure])[] = [
  ['page', 'views'],
  ['source', 'visits'],
  ['entry', 'visits'],
  ['exit', 'visits'],
  ['utm_campaign', 'visits'],
  ['country', 'visits'],
  ['device', 'visits'],
  ['browser', 'visits'],
  ['os', 'visits'],
  ['event', 'events'],
]

const rowsShown = 9

export async function dailyOverview(
  store: TableSource,
  projectId: number,
  range: ImportedSpan,
): Promise<DailyOverview | undefined> {
  const all = await spanOfDailySums(store, projectId)
  const span = all && sharedDays(all, range)
  if (!span) return undefined
  const [imports, days, ...lists] = await Promise.all([
    importsOf(store, projectId),
    dailyTotals(store, projectId, span),
    ...listedDimensions.map(async ([dimension, by]) => ({
      dimension,
      by,
      rows: await dailyValues(store, projectId, { ...span, dimension, by, limit: rowsShown }),
    })),
  ])
  return { labels: labelsOf(imports), span, days, lists: lists.filter(({ rows }) => rows.length > 0) }
}

function sharedDays(one: ImportedSpan, other: ImportedSpan): ImportedSpan | undefined {
  const from = one.from > other.from ? one.from : other.from
  const to = one.to < other.to ? one.to : other.to
  return from <= to ? { from, to } : undefined
}

const labelsOf = (imports: readonly Import[]): string[] => [
  ...new Set(
    imports
      .filter(({ sums, state }) => sums > 0 && state !== 'undoing' && state !== 'undone')
      .map(({ source }) => (isImportSource(source) ? importSources[source].label : source)),
  ),
]
