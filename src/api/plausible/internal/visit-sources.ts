import type { BreakdownAnswer, PanelRow } from '#insights/kinds/breakdown/answer'
import type { RowSort, SortableBy } from '#insights/kinds/breakdown/schema'
import type { VisitFigures } from '#insights/compile/visits'
import type { DimensionName } from '#insights/text/dimension-words'
import { failedOutcome, type Outcome } from '#projects/problems'
import type { MetricFigures, MetricName } from './metrics'
import {
  ask,
  type Grouping,
  type StatsCall,
  type StatsQuery,
  type StatsRow,
  type StatsRows,
  wholeFilter,
} from './stats-query'

/** The fields of a question about visits, by the filters of a query. */
function visitFields(query: StatsQuery): Outcome<{ fields: object }> {
  const { filters, period } = query
  const [goal, ...more] = filters.goals.flat()
  const joined = wholeFilter(filters.done ? { ...filters, goals: [] } : filters)
  if (!joined.done) return joined
  const { filter } = joined
  if (!filters.done) return { done: true, fields: { period, ...(filter && { filter }) } }
  if (more.length > 0) return failedOutcome('Tilth answers "has_done" with one goal at most.')
  return { done: true, fields: { period, filter, ...(goal && { goal: goal.goal }) } }
}

/** Visitors who reached a goal in a visit that has done something else are those who converted. */
const countsConversions = ({ filters }: StatsQuery): boolean =>
  filters.done !== undefined && filters.goals.length > 0

const figuresFrom = (figures: VisitFigures, query: StatsQuery): MetricFigures => ({
  visitors: countsConversions(query) ? figures.conversions : figures.visitors,
  visits: figures.visits,
  pageviews: figures.views,
  views_per_visit: figures.viewsPerVisit,
  bounce_rate: figures.bounceRate,
  visit_duration: figures.duration,
})

/** The figures at the top of web analytics. */
export async function totalFigures(query: StatsQuery, call: StatsCall): Promise<Outcome<StatsRows>> {
  const read = visitFields(query)
  if (!read.done) return read
  const outcome = await ask(call, { kind: 'totals', ...read.fields })
  if (!outcome.done) return outcome
  const { figures } = outcome.answer
  const row = { values: [], figures: { ...figuresFrom(figures, query), scroll_depth: figures.scroll } }
  return { done: true, rows: [row], inAll: 1 }
}

/** The figures over time. A visit counts where it began. */
export async function figuresOverTime(query: StatsQuery, call: StatsCall): Promise<Outcome<StatsRows>> {
  const [grouping] = query.groupings
  const read = visitFields(query)
  if (!read.done) return read
  if (grouping?.by !== 'time') throw new TypeError('A time series is grouped by time.')
  const { interval } = grouping
  const outcome = await ask(call, { kind: 'totals', ...read.fields, interval })
  if (!outcome.done) return outcome
  const { starts, course } = outcome.answer
  const rows = course.flatMap((figures, index): StatsRow[] => {
    const start = starts[index] ?? ''
    return figures.visits > 0 ? [{ values: [start], figures: figuresFrom(figures, query) }] : []
  })
  return { done: true, rows, inAll: rows.length }
}

const rowsAtOnce = 1000
/** Plausible's own limit of a page. */
export const mostRows = 10_000

/** The panel that lists the values of a grouping. */
const panelOf = (grouping: Grouping | undefined): DimensionName | undefined =>
  grouping?.by === 'value' ? grouping.dimension.panel : undefined

interface PanelWish {
  panel: DimensionName
  sort?: RowSort | undefined
  /** The number of rows after which the rest is not needed. */
  enough: number
  details?: boolean
}

/** Reads the rows of a panel a thousand at a time, until there are enough. */
async function panelRows(
  query: StatsQuery,
  call: StatsCall,
  { panel, sort, enough, details = false }: PanelWish,
): Promise<Outcome<{ rows: PanelRow[]; inAll: number }>> {
  const read = visitFields(query)
  if (!read.done) return read
  const rows: PanelRow[] = []
  let inAll = 0
  do {
    const outcome = await ask(call, {
      kind: 'breakdown',
      ...read.fields,
      dimensions: [panel],
      totals: false,
      groupPages: false,
      details,
      limit: rowsAtOnce,
      offset: rows.length,
      ...(sort && { sort }),
    })
    if (!outcome.done) return outcome
    const found = panelIn(outcome.answer)
    if (found.rows.length === 0) break
    rows.push(...found.rows)
    inAll = found.valuesInAll
  } while (rows.length < Math.min(inAll, enough))
  if (enough > mostRows && inAll > rows.length)
    return failedOutcome(
      `There are ${inAll} values, and Tilth sorts up to ${mostRows} of them so. Order by visitors, or add a filter.`,
    )
  return { done: true, rows, inAll }
}

const panelIn = ({
  panels: [panel],
}: BreakdownAnswer): Pick<BreakdownAnswer['panels'][0], 'rows' | 'valuesInAll'> =>
  panel ?? { rows: [], valuesInAll: 0 }

const sortsOfVisits: Partial<Record<MetricName, SortableBy>> = {
  visitors: 'visitors',
  visits: 'visits',
  pageviews: 'views',
  bounce_rate: 'bounceRate',
  visit_duration: 'duration',
}
const sortsOfPages: Partial<Record<MetricName, SortableBy>> = { visitors: 'visitors', pageviews: 'events' }

/** The order of the engine for the order of a query; undefined where the rows are sorted here. */
export function nativeSort(query: StatsQuery): RowSort | undefined {
  const [first, ...more] = query.order
  const [grouping] = query.groupings
  if (!first || more.length > 0 || query.groupings.length > 1 || panelOf(grouping) === undefined)
    return undefined
  if (countsConversions(query)) return undefined
  const isOfVisits = grouping?.by === 'value' && grouping.dimension.type === 'session'
  const by = Object.entries(isOfVisits ? sortsOfVisits : sortsOfPages).find(
    ([name]) => name === first.name,
  )?.[1]
  return by && { by, direction: first.direction === 'asc' ? 'ascending' : 'descending' }
}

function wishOf(query: StatsQuery): Pick<PanelWish, 'sort' | 'enough'> {
  const sort = nativeSort(query)
  return sort ? { sort, enough: query.offset + query.limit } : { enough: mostRows + 1 }
}

/** The rows of a panel about visits. */
export async function figuresByVisit(query: StatsQuery, call: StatsCall): Promise<Outcome<StatsRows>> {
  const panel = panelOf(query.groupings[0])
  if (!panel) throw new TypeError('The dimension has no panel.')
  const found = await panelRows(query, call, { panel, ...wishOf(query) })
  if (!found.done) return found
  const rows = found.rows.map(({ value, figures }): StatsRow => ({
    values: [value],
    figures: figures ? figuresFrom(figures, query) : {},
  }))
  if (!countsConversions(query)) return { done: true, rows, inAll: found.inAll }
  const reached = rows.filter(({ figures }) => figures.visitors)
  return { done: true, rows: reached, inAll: reached.length }
}

/** The rows of a panel about views. */
export async function figuresByView(query: StatsQuery, call: StatsCall): Promise<Outcome<StatsRows>> {
  const panel = panelOf(query.groupings[0])
  if (!panel) throw new TypeError('The dimension has no panel.')
  const details = query.metrics.some((name) => readingMetrics.has(name))
  const found = await panelRows(query, call, { panel, details, ...wishOf(query) })
  if (!found.done) return found
  const rows = found.rows.map(({ value, visitors, events = 0, reading }): StatsRow => ({
    values: [value],
    figures: {
      visitors,
      pageviews: events,
      bounce_rate: reading?.bounceRate ?? null,
      time_on_page: reading?.seconds ?? null,
      scroll_depth: reading?.scroll ?? null,
    },
  }))
  return { done: true, rows, inAll: found.inAll }
}

const readingMetrics: ReadonlySet<MetricName> = new Set(['bounce_rate', 'time_on_page', 'scroll_depth'])

/** The visits that began on each page, for what Plausible counts of pages by their entry. */
export async function figuresByEntry(query: StatsQuery, call: StatsCall): Promise<Outcome<StatsRows>> {
  const found = await panelRows(query, call, { panel: 'entry', enough: mostRows + 1 })
  if (!found.done) return found
  const rows = found.rows.map(({ value, figures }) => ({
    values: [value],
    figures: figures ? figuresFrom(figures, query) : {},
  }))
  return { done: true, rows, inAll: found.inAll }
}

/** The time on the only page that a query is about. */
export async function figuresOfOnePage(query: StatsQuery, call: StatsCall): Promise<Outcome<StatsRows>> {
  const found = await panelRows(query, call, { panel: 'page', details: true, enough: 1 })
  if (!found.done) return found
  if (found.inAll > 1)
    return failedOutcome(
      'Tilth has the time on page for each page. Filter by one page, or group by event:page.',
    )
  const seconds = found.rows[0]?.reading?.seconds ?? null
  return { done: true, rows: [{ values: [], figures: { time_on_page: seconds } }], inAll: 1 }
}

/** The visits that ended on each page, as a share of its views. */
export async function exitRates(query: StatsQuery, call: StatsCall): Promise<Outcome<StatsRows>> {
  const [exits, views] = await Promise.all([
    panelRows(query, call, { panel: 'exit', enough: mostRows + 1 }),
    panelRows(query, call, { panel: 'page', enough: mostRows + 1 }),
  ])
  if (!exits.done) return exits
  if (!views.done) return views
  const viewsOf = new Map(views.rows.map(({ value, events }) => [value, events ?? 0]))
  const rows = exits.rows.map(({ value, figures }): StatsRow => {
    const all = viewsOf.get(value) ?? 0
    return { values: [value], figures: { exit_rate: figures && all > 0 ? figures.visits / all : null } }
  })
  return { done: true, rows, inAll: exits.inAll }
}
