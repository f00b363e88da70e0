import { z } from 'zod'
import { type Sql, sql } from '#engine/sql'
import { failedOutcome, type Outcome } from '#projects/problems'
import { comparablePeriods } from '#insights/compile/internal/comparable-periods'
import { type DimensionName, dimensionNames, narrowedTo, wordsOf } from '#insights/text/dimension-words'
import { dimensionOf } from '#insights/compile/internal/dimensions'
import { Events } from '#insights/compile/internal/events'
import { type AnswerColumn, type AnswerTable, type AnswerCell, defineKind } from '#insights/kind'
import { everyVisitor, withMargins } from '#insights/approximation'
import type { Period } from '#insights/calendar/period'
import { bothFilters, queryPeriod } from '#insights/query-fields'
import type { QueryScope } from '#insights/scope'
import { type VisitPanels, visitPanels, type VisitTotals, visitTotals } from '#insights/compile/visit-totals'
import { rowsOf, visitorsOf } from '#insights/compile/visits'
import type { BreakdownAnswer, Panel, PanelRow } from './answer'
import { eventPanel, type EventRow, sessionPanel } from './internal/panels'
import { bounces, ofEvents, pageGroupsOf, reading } from './query'
import { type BreakdownQuery, breakdownQuery } from './schema'
import { sortColumn, sortsOf } from './internal/sorting'

/** The visitors of one row. */
const breakdownRow = z.strictObject({
  dimension: z.enum(dimensionNames),
  /** Null for the row of unknown values. */
  value: z.string().max(2000).nullable(),
})
type BreakdownPoint = z.infer<typeof breakdownRow>

export const breakdownKind = defineKind<BreakdownQuery, BreakdownAnswer, BreakdownPoint>({
  about: 'Visitors by page, source, place, device or anything else web analytics knows.',
  query: breakdownQuery,
  answer,
  table,
  counted: everyVisitor,
  behind: { point: breakdownRow, persons },
})

async function answer(
  query: BreakdownQuery,
  scope: QueryScope,
): Promise<Outcome<{ answer: BreakdownAnswer }>> {
  const names = [...new Set(query.dimensions)]
  const unsortable = names.find((name) => query.sort && !sortsOf(name).includes(query.sort.by))
  if (unsortable) return cannotSort(unsortable)
  const ofSessions = names.filter((name) => dimensionOf(name).of === 'session')
  const [visits, ofTheirOwn] = await Promise.all([
    visitsOf(query, scope, ofSessions),
    panelsOfEvents(query, scope),
  ])
  if (!visits.done) return visits
  const { totals } = visits
  const panels = names.flatMap((name) => {
    const position = ofSessions.indexOf(name)
    return ofTheirOwn.get(name) ?? (position >= 0 ? panelIn(visits, position, name) : [])
  })
  return { done: true, answer: { ...(totals && { totals }), panels } }
}

/** Returns the figures of all visits and the rows of these dimensions, both in the same scan if both are wanted. */
async function visitsOf(
  query: BreakdownQuery,
  scope: QueryScope,
  dimensions: readonly DimensionName[],
): Promise<Outcome<VisitPanels & { totals?: VisitTotals }>> {
  const panels = {
    dimensions,
    pageGroups: pageGroupsOf(query, scope),
    rows: query,
    sort: sessionSort(query, dimensions),
  }
  if (query.totals) return await visitTotals(query, scope, panels)
  if (dimensions.length === 0) return { done: true, rows: [] }
  return { done: true, ...(await visitPanels(query, scope, panels)) }
}

const cannotSort = (name: DimensionName) =>
  failedOutcome(`Sort ${wordsOf(name).plural} by one of: ${sortsOf(name).join(', ')}.`, 'sort')

/** All dimensions of sessions have the same columns. */
function sessionSort(query: BreakdownQuery, [first]: readonly DimensionName[]): Sql | undefined {
  return first && sortColumn(query, first)
}

const panelIn = ({ rows, compared }: VisitPanels, position: number, name: DimensionName): Panel =>
  sessionPanel(name, rowsOf(rows, position), compared && rowsOf(compared.rows, position))

async function panelsOfEvents(
  query: BreakdownQuery,
  scope: QueryScope,
): Promise<ReadonlyMap<DimensionName, Panel>> {
  const names = query.dimensions.filter((name) => dimensionOf(name).of === 'event')
  if (names.length === 0) return new Map()
  const period = await queryPeriod(query, scope)
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await panelOfEvents(name, query, scope, period)] as const),
    ),
  )
}

async function panelOfEvents(
  name: DimensionName,
  query: BreakdownQuery,
  scope: QueryScope,
  period: Period,
): Promise<Panel> {
  const sort = sortColumn(query, name)
  const rows = await scope.run<EventRow>(ofEvents(query, name, sort, scope, period, query))
  const values = rows.map(({ value }) => value)
  const other = query.compare && comparablePeriods(period, query.compare, scope.calendar).part
  const compared =
    other && (await scope.run<EventRow>(ofEvents(query, name, undefined, scope, other, { values })))
  const panel = eventPanel(name, rows, compared || undefined)
  return name === 'page' && query.details ? await withPageReading(panel, query, scope, period) : panel
}

async function withPageReading(
  panel: Panel,
  query: BreakdownQuery,
  scope: QueryScope,
  period: Period,
): Promise<Panel> {
  const pages = panel.rows.map(({ value }) => value ?? '')
  const [read, left] = await Promise.all([
    scope.run<{ page: string; seconds: number; scroll: number | null }>(reading(query, scope, period, pages)),
    scope.run<{ page: string; bounce_rate: number }>(bounces(query, scope, period, pages)),
  ])
  const readOf = new Map(read.map((row) => [row.page, row]))
  const leftOf = new Map(left.map((row) => [row.page, row.bounce_rate]))
  const told = (row: PanelRow): PanelRow => {
    const page = row.value ?? ''
    const { seconds = null, scroll = null } = readOf.get(page) ?? {}
    return { ...row, reading: { seconds, scroll, bounceRate: leftOf.get(page) ?? null } }
  }
  return { ...panel, rows: panel.rows.map(told) }
}

async function persons(
  query: BreakdownQuery,
  { dimension, value }: BreakdownPoint,
  scope: QueryScope,
): Promise<Outcome<{ statement: Sql }>> {
  const only = narrowedTo(dimension, 'is', [value ?? ''], pageGroupsOf(query, scope))
  const narrowed = { ...query, filter: bothFilters(query.filter, only) }
  const period = await queryPeriod(query, scope)
  const { of, names } = dimensionOf(dimension)
  if (of === 'session') return { done: true, statement: visitorsOf(narrowed, scope, period) }
  const events = new Events(scope, narrowed, { period, ...(names.length > 0 && { names }) })
  return { done: true, statement: sql`select person from ${events.rows()} group by person` }
}

interface RowColumn extends AnswerColumn {
  of: (row: PanelRow) => AnswerCell | undefined
  ofPersons?: true
}

/** The columns of a row depend on its dimension: of visits, or of events. */
const columns: readonly RowColumn[] = [
  { name: 'Value', as: 'text', of: ({ value }) => value },
  { name: 'Visitors', as: 'number', of: ({ visitors }) => visitors, ofPersons: true },
  { name: 'Events', as: 'number', of: ({ events }) => events },
  { name: 'Visits', as: 'number', of: ({ figures }) => figures?.visits },
  { name: 'Views', as: 'number', of: ({ figures }) => figures?.views },
  { name: 'Bounce rate', as: 'percent', of: ({ figures, reading: read }) => (figures ?? read)?.bounceRate },
  {
    name: 'Visit duration',
    as: 'duration',
    of: ({ figures, reading: read }) => figures?.duration ?? read?.seconds,
  },
  // the scroll depth of an answer is in percent
  { name: 'Scroll depth', as: 'percent', of: ({ reading: read }) => ofWhole(read?.scroll) },
  { name: 'Revenue', as: 'money', of: ({ figures }) => figures?.revenue },
  { name: 'Conversions', as: 'number', of: (row) => (row.figures ?? row).conversions, ofPersons: true },
  {
    name: 'Conversion rate',
    as: 'percent',
    of: (row) => (row.figures ?? row).conversionRate,
    ofPersons: true,
  },
]

const ofWhole = (percent: number | null | undefined) =>
  percent === null || percent === undefined ? undefined : percent / 100

/** Returns the panels one below the other; an export of one panel requests one dimension. */
function table(
  { panels }: BreakdownAnswer,
  _query: BreakdownQuery,
  { isApproximate }: Pick<QueryScope, 'isApproximate'>,
): AnswerTable {
  return {
    columns: [{ name: 'Dimension', as: 'text' }, ...withMargins(columns, isApproximate)],
    rows: panels.flatMap(({ label, rows }) =>
      rows.map((row) => [label, ...columns.map(({ of }) => of(row) ?? null)]),
    ),
  }
}
