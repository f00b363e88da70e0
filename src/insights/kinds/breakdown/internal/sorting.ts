import { type Sql, sql } from '#engine/sql'
import { type DimensionName, wordsOf } from '#insights/text/dimension-words'
import type { BreakdownQuery, RowSort, SortableBy } from '../schema'

/** The columns of visits by which the rows of a session dimension are sorted. */
const ofVisits: Partial<Record<SortableBy, Sql>> = {
  value: sql`value`,
  visitors: sql`visitors`,
  visits: sql`visits`,
  views: sql`views`,
  bounceRate: sql`if(visits_with_views > 0, bounces / visits_with_views, null)`,
  duration: sql`if(visits > 0, seconds / visits, null)`,
  revenue: sql`revenue`,
  conversionRate: sql`if(visitors > 0, converted / visitors, null)`,
}

const ofEvents: Partial<Record<SortableBy, Sql>> = {
  value: sql`value`,
  visitors: sql`visitors`,
  events: sql`times`,
  conversionRate: sql`if(visitors > 0, converted / visitors, null)`,
}

/** Pages are also sorted by how they were read, which `reading` and `bounces` compute. */
const ofPages: Partial<Record<SortableBy, Sql>> = {
  ...ofEvents,
  bounceRate: sql`bounce_rate`,
  duration: sql`read_seconds`,
  scroll: sql`read_scroll`,
}

function columnsFor(name: DimensionName): Partial<Record<SortableBy, Sql>> {
  if (name === 'page') return ofPages
  return wordsOf(name).of === 'session' ? ofVisits : ofEvents
}

/** Returns what the rows of a dimension can be sorted by. */
export const sortsOf = (name: DimensionName): readonly SortableBy[] =>
  // the keys are those of the type
  Object.keys(columnsFor(name)) as SortableBy[]

/** Whether sorting by it needs the reading statistics of every page. */
export const isOfReading = ({ by }: RowSort): boolean => ofEvents[by] === undefined

/** Returns a part of `order by`; undefined for the usual order. */
export function sortColumn({ sort }: BreakdownQuery, name: DimensionName): Sql | undefined {
  const column = sort && columnsFor(name)[sort.by]
  if (!column) return undefined
  return sort.direction === 'ascending' ? sql`${column} asc nulls last` : sql`${column} desc nulls last`
}
