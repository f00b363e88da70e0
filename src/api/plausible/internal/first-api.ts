import { bucketsOf, comparedWith, type Interval, type Period } from '#insights/calendar/period'
import { failedOutcome, type Outcome } from '#projects/problems'
import { periodOfParameters, timeLabel } from './date-ranges'
import { shortened } from './dimensions'
import { filtersFrom, type StatsFilters } from './filters'
import { filtersFromText } from './first-api-filters'
import { changeOf, type MetricFigures, type MetricName, plainMetric, shownMetric } from './metrics'
import { groupingFrom, metricsFrom, resolvedRange, type StatsEndpoint, type StatsRequest } from './endpoint'
import { ask, type Grouping, type StatsOrder, type StatsQuery } from './stats-query'
import { shownValues, statsRows } from './stats-rows'
import { mostRows } from './visit-sources'

type Parameters = Readonly<Record<string, string | undefined>>

/** The parameters that each request of the first API may have; others would be ignored, and the number be wrong. */
const commonParameters = ['site_id', 'period', 'date', 'filters', 'metrics', 'with_imported'] as const

function parametersOf(
  { input }: StatsRequest,
  further: readonly string[],
): Outcome<{ parameters: Parameters }> {
  const known: ReadonlySet<string> = new Set([...commonParameters, ...further])
  const unknown = Object.keys(input).find((name) => !known.has(name))
  if (unknown !== undefined)
    return failedOutcome(`Tilth does not know the parameter "${shortened(unknown)}" here.`)
  const entries = Object.entries(input).map(([name, value]) => [name, String(value)] as const)
  return { done: true, parameters: Object.fromEntries(entries) }
}

/** The part of a query that all requests of the first API have. */
type CommonQuery = Pick<StatsQuery, 'metrics' | 'filters' | 'period' | 'range'>

async function commonQuery(
  parameters: Parameters,
  { call, now }: StatsRequest,
): Promise<Outcome<{ query: CommonQuery }>> {
  const { calendar } = call.scope
  const dated = periodOfParameters({ period: parameters['period'], date: parameters['date'] }, calendar)
  if (!dated.done) return dated
  const { period } = dated
  const read = metricsFrom((parameters['metrics'] ?? 'visitors').split(',').map((name) => name.trim()))
  if (!read.done) return read
  const filtered = filteredBy(parameters['filters'] ?? '', call, now)
  if (!filtered.done) return filtered
  const range = await resolvedRange(period, call.scope)
  return { done: true, query: { metrics: read.metrics, filters: filtered.filters, period, range } }
}

/** Clients of the first API may send the filters of the second, as Plausible takes them in either. */
function filteredBy(
  text: string,
  { goals }: StatsRequest['call'],
  now: Date,
): Outcome<{ filters: StatsFilters }> {
  const read = text.trimStart().startsWith('[') ? filtersFromJson(text) : filtersFromText(text)
  return read.done ? filtersFrom(read.filters, { goals, segments: [], now }) : read
}

function filtersFromJson(text: string): Outcome<{ filters: unknown }> {
  try {
    return { done: true, filters: JSON.parse(text) }
  } catch {
    return failedOutcome('The filters are not readable. Write them as visit:source==Google.')
  }
}

const one = { order: [], offset: 0, limit: mostRows }

/** GET /api/v1/stats/realtime/visitors: the visitors of the last five minutes, as the studio counts them. */
async function realtimeVisitors(request: StatsRequest): Promise<Outcome<{ body: unknown }>> {
  const read = parametersOf(request, [])
  if (!read.done) return read
  if (read.parameters['filters']) return failedOutcome('Current visitors are not filtered, as in Plausible.')
  const outcome = await ask(request.call, { kind: 'totals', period: '5m' })
  return outcome.done ? { done: true, body: outcome.answer.figures.visitors } : outcome
}

/** GET /api/v1/stats/aggregate */
async function aggregate(request: StatsRequest): Promise<Outcome<{ body: unknown }>> {
  const read = parametersOf(request, ['compare', 'comparison'])
  if (!read.done) return read
  const { parameters } = read
  const compare = parameters['compare'] ?? parameters['comparison']
  if (compare !== undefined && compare !== 'previous_period')
    return failedOutcome('Compare with `previous_period`.')
  const common = await commonQuery(parameters, request)
  if (!common.done) return common
  const query = { ...common.query, ...one, groupings: [] }
  const now = await figuresOf(query, request)
  if (!now.done) return now
  const before = compare === undefined ? undefined : await figuresOf(previousQuery(query, request), request)
  if (before && !before.done) return before
  const results = query.metrics.map((name) => [name, aggregated(name, now.figures, before?.figures, request)])
  return { done: true, body: { results: Object.fromEntries(results) } }
}

async function figuresOf(
  query: StatsQuery,
  { call }: StatsRequest,
): Promise<Outcome<{ figures: MetricFigures }>> {
  const found = await statsRows(query, call)
  return found.done ? { done: true, figures: found.rows[0]?.figures ?? {} } : found
}

/** The period of the same length before. Tilth's studio compares with the part of it that has passed today. */
function previousQuery(query: StatsQuery, { call: { scope } }: StatsRequest): StatsQuery {
  const range = comparedWith(query.range, 'previous', scope.calendar)
  return { ...query, range, period: `${range.from.toISOString()}..${range.until.toISOString()}` }
}

function aggregated(
  name: MetricName,
  now: MetricFigures,
  before: MetricFigures | undefined,
  { call: { scope } }: StatsRequest,
) {
  const value = shownMetric(name, now, scope.currency)
  return before
    ? { value, change: changeOf(name, plainMetric(name, now), plainMetric(name, before)) }
    : { value }
}

const usualIntervals: Readonly<Record<string, Interval | undefined>> = {
  day: 'hour',
  '6mo': 'month',
  '12mo': 'month',
  year: 'month',
}

/** GET /api/v1/stats/timeseries: every interval of the period has a row. */
async function timeseries(request: StatsRequest): Promise<Outcome<{ body: unknown }>> {
  const read = parametersOf(request, ['interval'])
  if (!read.done) return read
  const { parameters } = read
  const interval = intervalFrom(parameters)
  if (!interval.done) return interval
  const common = await commonQuery(parameters, request)
  if (!common.done) return common
  const { call } = request
  const name = `time:${interval.interval}`
  // the rate of an interval is that of its own visitors
  const metrics = common.query.metrics.map((metric) =>
    metric === 'conversion_rate' ? ('group_conversion_rate' as const) : metric,
  )
  const grouping: Grouping = { by: 'time', name, interval: interval.interval }
  const query: StatsQuery = { ...common.query, ...one, metrics, groupings: [grouping] }
  const found = await statsRows(query, call)
  if (!found.done) return found
  const { starts } = bucketsOf(query.range, interval.interval, call.scope.calendar) ?? { starts: [] }
  if (starts.length === 0) return failedOutcome('The date range is too long for this interval.')
  const byStart = new Map(found.rows.map(({ values: [start = null], figures }) => [start, figures]))
  const results = starts.map((start) => {
    const figures = byStart.get(start.toISOString())
    const shown = metrics.map((metric, index) => [
      common.query.metrics[index],
      figures ? shownMetric(metric, figures, call.scope.currency) : emptyMetric(metric),
    ])
    const date = timeLabel(start, interval.interval, query.range, call.project.timeZone)
    return { date, ...Object.fromEntries(shown) }
  })
  return { done: true, body: { results } }
}

function intervalFrom({ interval, period = '30d' }: Parameters): Outcome<{ interval: Interval }> {
  if (interval === undefined) return { done: true, interval: usualIntervals[period] ?? 'day' }
  if (interval === 'day' || interval === 'date') return { done: true, interval: 'day' }
  return interval === 'month' || interval === 'week' || interval === 'hour'
    ? { done: true, interval }
    : failedOutcome(
        `Error parsing \`interval\` parameter: invalid interval \`${shortened(interval)}\`. Valid intervals are \`hour\`, \`day\`, \`week\`, \`month\`.`,
      )
}

/** Rates and times of no visits are unknown, and counts are 0. */
const emptyMetric = (name: MetricName): number | null =>
  name === 'bounce_rate' || name === 'visit_duration' ? null : plainMetric(name, {})

const mostPerPage = 1000
const usualPerPage = 100
const mostOffset = 100_000

/** GET /api/v1/stats/breakdown */
async function breakdown(request: StatsRequest): Promise<Outcome<{ body: unknown }>> {
  const read = parametersOf(request, ['property', 'limit', 'page'])
  if (!read.done) return read
  const { parameters } = read
  const paged = pageOf(parameters)
  if (!paged.done) return paged
  const common = await commonQuery(parameters, request)
  if (!common.done) return common
  const grouped = propertyIn(parameters, common.query.range)
  if (!grouped.done) return grouped
  const { grouping } = grouped
  const { metrics } = common.query
  const by = metrics.includes('visitors') ? 'visitors' : (metrics[0] ?? 'visitors')
  const order: StatsOrder[] = [{ name: by, direction: 'desc' }]
  const query: StatsQuery = { ...common.query, groupings: [grouping], order, ...paged.page }
  const found = await statsRows(query, request.call)
  if (!found.done) return found
  const key = grouping.name.replace(/^(?:event:props|event|visit):/, '')
  const { project } = request.call
  const results = found.rows.map((row) => ({
    [key]: shownValues(query, row, project.timeZone)[0],
    ...Object.fromEntries(
      metrics.map((name) => [name, shownMetric(name, row.figures, request.call.scope.currency)]),
    ),
  }))
  return { done: true, body: { results } }
}

function pageOf({
  limit: limitText = String(usualPerPage),
  page: pageText = '1',
}: Parameters): Outcome<{ page: Pick<StatsQuery, 'limit' | 'offset'> }> {
  const limit = wholeNumber(limitText)
  if (limit === undefined || limit > mostPerPage)
    return failedOutcome(`Please provide limit as a number between 1 and ${mostPerPage}.`)
  const page = wholeNumber(pageText)
  return page === undefined || page * limit > mostOffset
    ? failedOutcome('Please provide page as a positive number.')
    : { done: true, page: { limit, offset: (page - 1) * limit } }
}

function propertyIn({ property = '' }: Parameters, range: Period): Outcome<{ grouping: Grouping }> {
  if (property === '')
    return failedOutcome(
      'The `property` parameter is required. Please provide at least one property to show a breakdown by.',
    )
  const read = groupingFrom(property, range)
  return read.done && read.grouping.by === 'time' ? failedOutcome(`Invalid property '${property}'.`) : read
}

const wholeNumber = (text: string): number | undefined =>
  /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined

export const firstApiEndpoints: readonly StatsEndpoint[] = [
  { method: 'GET', path: '/v1/stats/realtime/visitors', handle: realtimeVisitors },
  { method: 'GET', path: '/v1/stats/aggregate', handle: aggregate },
  { method: 'GET', path: '/v1/stats/timeseries', handle: timeseries },
  { method: 'GET', path: '/v1/stats/breakdown', handle: breakdown },
]
