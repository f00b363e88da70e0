import { type Sql, sql } from '#engine/sql'
import type { Outcome } from '#projects/problems'
import { periodAsText, type ComparablePeriods, comparablePeriods } from './internal/comparable-periods'
import { countsDailyTotals, withDailyTotals } from './daily-totals'
import type { PageGroups } from '../text/page-groups'
import type { DimensionName } from '../text/dimension-words'
import { bucketsOfQuery } from '../calendar/intervals'
import { type Buckets, bucketsOf, type Interval, type Period } from '../calendar/period'
import { queryPeriod } from '../query-fields'
import type { BaseQuery, QueryScope } from '../scope'
import {
  type VisitFigures,
  figuresIn,
  type VisitRow,
  type VisitsBaseQuery,
  visitsStatement,
  valuesShown,
  type PanelRows,
} from './visits'
import { Events } from './internal/events'
import { readPage } from './goal'
import { noSession } from './internal/sessions'

type TotalsFigures = VisitFigures & {
  /** The scroll depth in percent. */
  scroll: number | null
}

/** The figures of a period, and their time series. */
export interface VisitTotals {
  period: { from: string; until: string }
  interval: Interval
  starts: string[]
  lastIsIncomplete: boolean
  figures: TotalsFigures
  /** The figures for each of the `starts`; a visit counts where it began. */
  course: VisitFigures[]
  compared?: {
    period: { from: string; until: string }
    starts: string[]
    /** The figures of the compared period; for an incomplete period, of the corresponding part of it. */
    figures: TotalsFigures
    course: VisitFigures[]
  }
}

interface VisitsQuery extends VisitsBaseQuery {
  interval?: Interval | undefined
  compare?: string | undefined
  search?: string | undefined
}

/** The rows of panels, and of the same values in the compared period. */
export interface VisitPanels {
  rows: VisitRow[]
  compared?: { rows: VisitRow[] }
}

interface VisitsAnswer extends VisitPanels {
  totals: VisitTotals
}

/** The parts of a request for visits besides their figures. */
interface PanelRequest {
  /** Dimensions of sessions. */
  dimensions: readonly DimensionName[]
  rows: PanelRows
  pageGroups?: PageGroups
  sort?: Sql | undefined
}

const noPanels: PanelRequest = { dimensions: [], rows: { limit: 0, offset: 0 } }

/** Returns everything about the visits of a period and of the compared one, in as few statements as possible. */
export async function visitTotals(
  query: VisitsQuery,
  scope: QueryScope,
  panels: PanelRequest = noPanels,
): Promise<Outcome<VisitsAnswer>> {
  const found = await bucketsOfQuery(query, scope)
  if (!found.done) return found
  const { period, interval, buckets } = found
  const current = visitsOfPeriod({ ...query, interval }, scope, period, buckets, panels)
  // only panels need to know which values the other period is asked about
  const values = panels.dimensions.length > 0 ? valuesShown((await current).rows) : []
  const [now, compared] = await Promise.all([
    current,
    comparedVisits(query, scope, period, interval, { ...panels, rows: { values } }),
  ])
  const totals: VisitTotals = {
    period: periodAsText(period),
    interval,
    starts: startsOf(buckets),
    lastIsIncomplete: buckets.end > scope.calendar.now,
    ...now.totals,
    ...(compared && { compared: compared.totals }),
  }
  return { done: true, totals, rows: now.rows, ...(compared && { compared }) }
}

/** Returns the rows of panels without the figures of all visits, which need further scans. */
export async function visitPanels(
  query: VisitsQuery,
  scope: QueryScope,
  panels: PanelRequest,
): Promise<VisitPanels> {
  const { search } = query
  const rowsIn = (period: Period, rows: PanelRows) =>
    scope.run<VisitRow>(visitsStatement(query, scope, { ...panels, period, search, rows }))
  const period = await queryPeriod(query, scope)
  const rows = await rowsIn(period, panels.rows)
  if (query.compare === undefined) return { rows }
  const { part } = comparablePeriods(period, query.compare, scope.calendar)
  return { rows, compared: { rows: await rowsIn(part, { values: valuesShown(rows) }) } }
}

const startsOf = ({ starts }: Buckets): string[] => starts.map((start) => start.toISOString())

interface PeriodVisits {
  rows: VisitRow[]
  totals: { figures: TotalsFigures; course: VisitFigures[] }
}

async function visitsOfPeriod(
  query: VisitsQuery & { interval: Interval },
  scope: QueryScope,
  period: Period,
  buckets: Buckets,
  panels: PanelRequest,
): Promise<PeriodVisits> {
  const [rows, [read], totals] = await Promise.all([
    scope.run<VisitRow>(visitsStatement(query, scope, { period, buckets, search: query.search, ...panels })),
    scope.run<{ scroll: number | null }>(scrollDepth(query, scope, period)),
    countsDailyTotals(query, query.interval) ? scope.dailyTotals?.(period) : [],
  ])
  const { figures, course } = figuresIn(withDailyTotals(rows, totals ?? [], buckets), buckets)
  return { rows, totals: { figures: { ...figures, scroll: read?.scroll ?? null }, course } }
}

interface ComparedVisits {
  rows: VisitRow[]
  totals: NonNullable<VisitTotals['compared']>
}

/** Returns the whole time series of the compared period, and figures of the same length of time. */
async function comparedVisits(
  query: VisitsQuery,
  scope: QueryScope,
  period: Period,
  interval: Interval,
  panels: PanelRequest,
): Promise<ComparedVisits | undefined> {
  if (query.compare === undefined) return undefined
  const compared = comparablePeriods(period, query.compare, scope.calendar)
  const { whole, part } = compared
  const buckets = bucketsOf(whole, interval, scope.calendar)
  if (!buckets) return undefined
  const [some, beyond] = await Promise.all([
    visitsOfPeriod({ ...query, interval }, scope, part, buckets, panels),
    part.until < whole.until ? courseBeyond(query, scope, compared, buckets) : [],
  ])
  const totals = {
    period: periodAsText(whole),
    starts: startsOf(buckets),
    figures: some.totals.figures,
    course: [...some.totals.course.slice(0, buckets.starts.length - beyond.length), ...beyond],
  }
  return { rows: some.rows, totals }
}

/** The longest visit. */
const longestMs = 24 * 3_600_000

/**
 * Returns the end of the time series, from the first bucket in which a visit may begin that continues after the part.
 * To know which visits begin there, earlier visits that might still continue are read as well.
 */
async function courseBeyond(
  query: VisitsQuery,
  scope: QueryScope,
  { whole, part }: ComparablePeriods,
  buckets: Buckets,
): Promise<VisitFigures[]> {
  const settledBefore = new Date(part.until.getTime() - longestMs)
  const first = Math.max(
    0,
    buckets.starts.findLastIndex((start) => start <= settledBefore),
  )
  const since = new Date((buckets.starts[first] ?? whole.from).getTime() - longestMs)
  const period = { from: since > whole.from ? since : whole.from, until: whole.until }
  const rows = await scope.run<VisitRow>(visitsStatement(query, scope, { period, buckets, ...noPanels }))
  return figuresIn(rows, buckets).course.slice(first)
}

/** The scroll depth of pages in percent. Of several views of a page in a visit the deepest counts. */
const scrollDepth = (query: BaseQuery, scope: QueryScope, period: Period): Sql => sql`
  select if(countIf(deepest > 0) > 0, avgIf(deepest, deepest > 0), null) as scroll
  from (
    select max(${ofSession}) as deepest
    from ${new Events(scope, query, { period }).rows()}
    where scroll_depth > 0
    group by cityHash64(session_id, ${readPage})
  )`

/** Avoids a condition: the engine would then join all events' sessions before it filters by scroll depth. */
const ofSession = sql`if(session_id = ${noSession}, 0, scroll_depth)`
