import { z } from 'zod'
import type { Filter } from '#filters/filter'
import { bothFilters } from '#insights/query-fields'
import type { Outcome } from '#projects/problems'
import { ask, refused, success, type UmamiCall, type UmamiEndpoint, type UmamiOutcome } from './endpoint'
import { comparedRange, intervalOf, intervalText } from './periods'
import { asked, posted, type UmamiReport } from './report-form'
import { countsOf, valuesOf } from './trends'

const revenueParameters = z.looseObject({
  currency: z.string().regex(/^[a-z]{3}$/i, 'Write the three letters of the currency, such as "EUR".'),
  unit: z.string().optional(),
  compare: z.string().optional(),
})

const revenueOf = { type: 'event', key: '$revenue' } as const
const sumOfRevenue = { math: 'sum', property: revenueOf }

/** Events with revenue in a currency. Those without one are in that of the project. */
function inCurrency(currency: string, call: UmamiCall): Filter {
  const of = { type: 'event', key: '$currency' } as const
  const same: Filter = { ...of, operator: 'exact', value: currency }
  const own = call.product.insights.settingsOf(call.project).currency
  const isOwn = own.toLowerCase() === currency.toLowerCase()
  const paid: Filter = { ...revenueOf, operator: 'is_set' }
  return { all: [paid, isOwn ? { any: [same, { ...of, operator: 'is_not_set' }] } : same] }
}

interface RevenueRequest {
  period: string | undefined
  paid: Filter
  filter: Filter | undefined
}

async function revenueTotal(call: UmamiCall, { period, paid, filter }: RevenueRequest) {
  if (period === undefined) return { done: true as const, total: revenueFigures([], 0) }
  const [counted, all] = await Promise.all([
    countsOf(call, {
      period,
      filter: bothFilters(filter, paid),
      series: [{ measure: sumOfRevenue }, {}, { measure: { math: 'persons' } }],
    }),
    ask(call, { kind: 'totals', period }),
  ])
  if (!counted.done) return counted
  if (!all.done) return all
  const numbers = counted.lines.map(({ total }) => total ?? 0)
  return { done: true as const, total: revenueFigures(numbers, all.answer.figures.visitors) }
}

const revenueFigures = ([sum = 0, count = 0, persons = 0]: readonly number[], visitors: number) => ({
  sum,
  count,
  unique_count: persons,
  total_sessions: visitors,
  average: count > 0 ? sum / count : 0,
  arpu: visitors > 0 ? sum / visitors : 0,
})

/** The lists of a revenue report: by what the visit of the payment has. */
const revenueLists = {
  country: '$session_country',
  region: '$session_region',
  referrer: '$entry_referring_domain',
  channel: '$channel_type',
} as const

async function revenueList(
  call: UmamiCall,
  { period, filter }: UmamiReport,
  name: keyof typeof revenueLists,
  { currency }: RevenueParameters,
) {
  const outcome = await valuesOf(call, {
    name,
    period,
    filter: bothFilters(filter, inCurrency(currency, call)),
    series: [{ measure: sumOfRevenue }],
    breakdowns: [{ type: 'session', key: revenueLists[name] }],
    limit: 100,
    offset: 0,
  })
  return outcome.done
    ? { done: true as const, rows: outcome.values.map(({ value, count }) => ({ name: value, value: count })) }
    : outcome
}

type RevenueParameters = z.infer<typeof revenueParameters>

const revenueParametersOf = ({ parameters }: UmamiReport): Outcome<{ wanted: RevenueParameters }> => {
  const read = revenueParameters.safeParse(parameters)
  return read.success
    ? { done: true, wanted: read.data }
    : refused(`The report is not readable: ${z.prettifyError(read.error)}`, 'currency')
}

async function revenueTotals(
  call: UmamiCall,
  { period, range, filter }: UmamiReport,
  wanted: RevenueParameters,
) {
  const other = comparedRange(range, wanted.compare ?? 'prev')
  if (!other.done) return other
  const paid = inCurrency(wanted.currency, call)
  const now = await revenueTotal(call, { period, paid, filter })
  if (!now.done) return now
  const before = await revenueTotal(call, { period: other.period, paid, filter })
  return before.done ? { done: true as const, total: { ...now.total, comparison: before.total } } : before
}

const revenueListNames = ['country', 'region', 'referrer', 'channel'] as const

async function revenue(call: UmamiCall, report: UmamiReport): Promise<UmamiOutcome> {
  const read = revenueParametersOf(report)
  if (!read.done) return read
  const { wanted } = read
  const totals = await revenueTotals(call, report, wanted)
  if (!totals.done) return totals
  const chart = await revenueChart(call, report, wanted)
  if (!chart.done) return chart
  const lists: Record<string, unknown> = {}
  for (const name of revenueListNames) {
    const list = await revenueList(call, report, name, wanted)
    if (!list.done) return list
    lists[name] = list.rows
  }
  return success({ chart: chart.rows, total: totals.total, ...lists })
}

async function revenueStats(call: UmamiCall, report: UmamiReport): Promise<UmamiOutcome> {
  const read = revenueParametersOf(report)
  if (!read.done) return read
  const totals = await revenueTotals(call, report, read.wanted)
  return totals.done ? success(totals.total) : totals
}

async function revenueCourse(call: UmamiCall, report: UmamiReport): Promise<UmamiOutcome> {
  const read = revenueParametersOf(report)
  if (!read.done) return read
  const chart = await revenueChart(call, report, read.wanted)
  return chart.done ? success({ chart: chart.rows }) : chart
}

async function revenueMetrics(call: UmamiCall, report: UmamiReport): Promise<UmamiOutcome> {
  const read = revenueParametersOf(report)
  if (!read.done) return read
  const name = revenueListNames.find((one) => one === report.parameters['type'])
  if (!name) return refused(`Choose a type of ${revenueListNames.join(', ')}.`, 'type')
  const list = await revenueList(call, report, name, read.wanted)
  return list.done ? success(list.rows) : list
}

/** Revenue by the name of the event, in each interval. */
async function revenueChart(call: UmamiCall, report: UmamiReport, { currency, unit }: RevenueParameters) {
  const { period, range, filter, timeZone } = report
  const width = intervalOf(unit ?? null, range)
  if (!width.done) return width
  const outcome = await ask(
    call,
    {
      kind: 'trend',
      period,
      interval: width.interval,
      filter: bothFilters(filter, inCurrency(currency, call)),
      series: [{ event: null, measure: sumOfRevenue }, { event: null }],
      breakdowns: [{ type: 'event', key: '$event' }],
      limit: 100,
    },
    timeZone,
  )
  if (!outcome.done) return outcome
  const { lines, starts } = outcome.answer
  if (lines.some(({ isOthers }) => isOthers))
    return refused('More than 100 names of events have revenue. Filter by event.', 'filters')
  const numberOf = new Map(lines.map((line) => [`${line.series} ${line.breakdown[0] ?? ''}`, line.values]))
  const names = [...new Set(lines.map(({ breakdown: [name] }) => name ?? ''))]
  const [sums, counts] = lines.length > 0 ? [...new Set(lines.map(({ series }) => series))] : []
  const rows = starts.flatMap((start, i) =>
    names.flatMap((name) => {
      const count = numberOf.get(`${counts} ${name}`)?.[i] ?? 0
      const y = numberOf.get(`${sums} ${name}`)?.[i] ?? 0
      return count > 0
        ? [
            {
              x: name,
              t: intervalText(start, report),
              y,
              count,
            },
          ]
        : []
    }),
  )
  return { done: true as const, rows }
}

export const revenueEndpoints: readonly UmamiEndpoint[] = [
  posted('revenue', revenue),
  // since version 3.3, each part is asked for on its own
  asked('revenue/stats', ['currency', 'compare'], revenueStats),
  asked('revenue/chart', ['currency', 'compare'], revenueCourse),
  asked('revenue/metrics', ['currency', 'compare', 'type'], revenueMetrics),
]
