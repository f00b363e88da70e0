import type { QueryInput, AnsweredQuery, KindName } from '#insights/answered-query'
import type { Interval, Period } from '#insights/calendar/period'
import type { Filter } from '#filters/filter'
import type { SavedGoal } from '#insights/goals/goals'
import type { QueryScope } from '#insights/scope'
import type { KeyViewer } from '#projects/access'
import type { Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Product } from '#server/product'
import { allOf } from './conditions'
import type { StatsDimension } from './dimensions'
import { filterOfGoals, type StatsFilters } from './filters'
import type { MetricFigures, MetricName } from './metrics'

/** A request to Plausible's API: by what key, and about which project. */
export interface StatsCall {
  product: Product
  viewer: KeyViewer
  project: Project
  /** The project's calendar, currency and first event. */
  scope: QueryScope
  goals: readonly SavedGoal[]
  signal: AbortSignal | undefined
}

/** By what a query groups: buckets of time, goals, or the values of a dimension. */
export type Grouping =
  | { by: 'time'; name: string; interval: Interval }
  | { by: 'goal'; name: string }
  | { by: 'value'; name: string; dimension: StatsDimension }

export interface StatsOrder {
  /** A metric or a dimension of the query. */
  name: string
  direction: 'asc' | 'desc'
}

/** A query of either of Plausible's APIs, after parsing. */
export interface StatsQuery {
  metrics: readonly MetricName[]
  groupings: readonly Grouping[]
  filters: StatsFilters
  /** The period as Tilth's queries state it, and its instants. */
  period: string
  range: Period
  order: readonly StatsOrder[]
  offset: number
  limit: number
}

/** A row before it is shown. Values are those that Tilth stores, and beginnings of intervals; null where absent. */
export interface StatsRow {
  values: (string | null)[]
  figures: MetricFigures
}

export interface StatsRows {
  rows: StatsRow[]
  /** The number of rows, including those beyond these. */
  inAll: number
}

/** Asks Tilth a question with the fields that all questions of a query share. */
export async function ask<Kind extends KindName>(
  { product, project, viewer, signal }: StatsCall,
  query: QueryInput<Kind>,
): Promise<Outcome<AnsweredQuery<Kind>>> {
  return await product.insights.ask(project.id, query, viewer, signal ? { signal } : {})
}

/** The filter of a query's conditions and goals; undefined without any. */
export function wholeFilter({
  conditions,
  goals,
  done,
}: StatsFilters): Outcome<{ filter: Filter | undefined }> {
  const parts = [...conditions, ...(done ? [done] : [])]
  for (const wanted of goals) {
    const read = filterOfGoals(wanted)
    if (!read.done) return read
    parts.push(read.filter)
  }
  return { done: true, filter: parts.length > 0 ? allOf(parts) : undefined }
}

export const withoutGoals = (query: StatsQuery): StatsQuery => ({
  ...query,
  filters: { ...query.filters, goals: [] },
})
