import { z } from 'zod'
import type { Filter, PropertyCondition } from '#filters/filter'
import { bothFilters } from '#insights/query-fields'
import type { Outcome } from '#projects/problems'
import { ask, refused, success, type UmamiCall, type UmamiEndpoint, type UmamiOutcome } from './endpoint'
import { filterFrom, isFilterName, views } from './filters'
import {
  comparedRange,
  intervalOf,
  intervalText,
  rangeFrom,
  rangeParameters,
  timeZoneIn,
  type UmamiRange,
} from './periods'
import { selectionOf } from './requests'
import { countsOf, valuesOf } from './trends'

const object = z.record(z.string(), z.unknown())

/** The parts of a report that all kinds have. Version 2 has them beside the range, version 3 in `parameters`. */
interface Report {
  parameters: Readonly<Record<string, unknown>>
  range: UmamiRange
  period: string
  filter: Filter | undefined
  timeZone: string
  isLocal: boolean
}

function reportOf({ input, version }: UmamiCall): Outcome<Report> {
  if (typeof input['websiteId'] !== 'string') return refused('Name the websiteId.', 'websiteId')
  const parameters = object.safeParse(input['parameters'] ?? input).data
  const dates = object.safeParse(input['dateRange'] ?? parameters ?? {}).data
  if (!parameters || !dates) return refused('Give the parameters of the report as an object.', 'parameters')
  const read = rangeFrom(dates)
  if (!read.done) return read
  const filtered = filtersIn(input['filters'])
  if (!filtered.done) return filtered
  const zone = timeZoneIn(parameters['timezone'] ?? dates['timezone'])
  if (!zone.done) return zone
  const { range, period } = read
  return {
    done: true,
    parameters,
    range,
    period,
    filter: filtered.filter,
    timeZone: zone.timeZone,
    isLocal: zone.isNamed || version === 2,
  }
}

function filtersIn(given: unknown = {}): Outcome<{ filter: Filter | undefined }> {
  const filters = object.safeParse(given).data
  if (!filters) return refused('Give the filters as an object of names and values.', 'filters')
  const unknown = Object.keys(filters).find((name) => !isFilterName(name))
  if (unknown !== undefined) return refused(`Tilth does not know the filter "${unknown}".`, unknown)
  return filterFrom(Object.entries(filters))
}

const stepFilter = z.object({
  property: z.string().min(1).max(200),
  operator: z.enum(['eq', 'neq', 'c', 'dnc']),
  value: z.string().max(2000),
})

const step = z.object({
  type: z.enum(['path', 'url', 'event']),
  value: z.string().min(1).max(500),
  filters: z.array(stepFilter).max(20).optional(),
})
type Step = z.infer<typeof step>

const operators = { eq: 'exact', neq: 'is_not', c: 'icontains', dnc: 'not_icontains' } as const

/** A path with `*` at one end stands for all that end or begin with the rest. */
function pathCondition(path: string): Filter {
  const rest = path.replace(/^\*|\*$/g, '')
  const [isOpenBefore, isOpenAfter] = [path.startsWith('*'), path.length > 1 && path.endsWith('*')]
  const condition = (operator: PropertyCondition['operator']): Filter => ({
    type: 'event',
    key: '$pathname',
    operator,
    value: rest,
  })
  if (isOpenBefore && isOpenAfter) return condition('icontains')
  if (isOpenBefore) return condition('ends_with')
  return condition(isOpenAfter ? 'starts_with' : 'exact')
}

function funnelStep({ type, value, filters = [] }: Step) {
  const conditions = filters.map(({ property, operator, value: wanted }): Filter => ({
    type: 'event',
    key: property,
    operator: operators[operator],
    value: wanted,
  }))
  const all = type === 'event' ? conditions : [pathCondition(value), ...conditions]
  return { event: type === 'event' ? value : '$pageview', ...(all.length > 0 && { filter: { all } }) }
}

const funnelParameters = z.looseObject({
  window: z.coerce
    .number()
    .min(1 / 60)
    .max(1_000_000),
  steps: z.array(step).min(2).max(8),
})

async function funnel(call: UmamiCall, report: Report): Promise<UmamiOutcome> {
  const read = funnelParameters.safeParse(report.parameters)
  if (!read.success) return refused(`The funnel is not readable: ${z.prettifyError(read.error)}`, 'steps')
  const { steps, window } = read.data
  const { period, filter } = report
  const outcome = await ask(call, {
    kind: 'funnel',
    period,
    ...(filter && { filter }),
    steps: steps.map(funnelStep),
    window: { amount: Math.max(1, Math.round(window * 60)), unit: 'second' },
  })
  if (!outcome.done) return outcome
  const counts = outcome.answer.steps.map(({ persons }) => persons)
  const first = counts[0] ?? 0
  return success(
    steps.map(({ type, value }, i) => {
      const visitors = counts[i] ?? 0
      const previous = i === 0 ? 0 : (counts[i - 1] ?? 0)
      return {
        type,
        value,
        visitors,
        previous,
        dropped: previous > 0 ? previous - visitors : 0,
        dropoff: previous > 0 ? 1 - visitors / previous : null,
        remaining: first > 0 ? visitors / first : null,
      }
    }),
  )
}

async function retention(call: UmamiCall, report: Report): Promise<UmamiOutcome> {
  const { period, filter, timeZone } = report
  const outcome = await ask(
    call,
    {
      kind: 'retention',
      period,
      ...(filter && { filter }),
      target: { event: null },
      mode: 'first-in-period',
      interval: 'day',
    },
    timeZone,
  )
  if (!outcome.done) return outcome
  const { starts, series } = outcome.answer
  const [{ sizes, counts } = { sizes: [], counts: [] }] = series
  return success(
    starts.flatMap((start, cohort) =>
      (counts[cohort] ?? []).flatMap((returnVisitors, day) => {
        const visitors = sizes[cohort] ?? 0
        if (returnVisitors === 0) return []
        return [
          {
            date: intervalText(start, report),
            day,
            visitors,
            returnVisitors,
            percentage: (returnVisitors * 100) / visitors,
          },
        ]
      }),
    ),
  )
}

const utmNames = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const
const mostUtmValues = 50

/** Counts views by what their own addresses say, not by the campaign of the visit. */
async function utmValues(call: UmamiCall, { period, filter }: Report, name: (typeof utmNames)[number]) {
  const property = { type: 'event', key: name } as const
  return await valuesOf(call, {
    name,
    period,
    filter: bothFilters(filter, { all: [views, { ...property, operator: 'is_set' }] }),
    series: [{}],
    breakdowns: [property],
    limit: mostUtmValues,
    offset: 0,
  })
}

type UtmRows = Extract<Awaited<ReturnType<typeof utmValues>>, { done: true }>['values']
const utmRows = (values: UtmRows) => values.map(({ value, count }) => ({ utm: value, views: count }))

async function utm(call: UmamiCall, report: Report): Promise<UmamiOutcome> {
  const body: Record<string, unknown> = {}
  for (const name of utmNames) {
    const outcome = await utmValues(call, report, name)
    if (!outcome.done) return outcome
    const { values } = outcome
    body[name] =
      call.version === 2
        ? Object.fromEntries(values.map(({ value, count }) => [value, count]))
        : utmRows(values)
  }
  return success(body)
}

/** Since version 3.3, each parameter is asked for on its own. */
async function utmMetrics(call: UmamiCall, report: Report): Promise<UmamiOutcome> {
  const name = utmNames.find((one) => one === report.parameters['type'])
  if (!name) return refused(`Choose a type of ${utmNames.join(', ')}.`, 'type')
  const outcome = await utmValues(call, report, name)
  return outcome.done ? success(utmRows(outcome.values)) : outcome
}

const goalOf = ({ type, value }: Pick<Step, 'type' | 'value'>) =>
  type === 'event' ? { type: 'event', event: value } : { type: 'page', path: value }

const goalParameters = step.pick({ type: true, value: true })

/** Version 3: the visitors who reached one goal, of all. */
async function goal(call: UmamiCall, report: Report): Promise<UmamiOutcome> {
  const read = goalParameters.safeParse(report.parameters)
  if (!read.success) return refused(`The goal is not readable: ${z.prettifyError(read.error)}`, 'type')
  const { period, filter } = report
  const query = { period, ...(filter && { filter }) }
  const [reached, all] = await Promise.all([
    ask(call, { kind: 'goals', ...query, goals: [goalOf(read.data)] }),
    ask(call, { kind: 'totals', ...query }),
  ])
  if (!reached.done) return reached
  if (!all.done) return all
  return success({
    num: reached.answer.goals[0]?.figures.conversions ?? 0,
    total: all.answer.figures.visitors,
  })
}

const goalsParameters = z.looseObject({
  goals: z
    .array(
      z.looseObject({
        type: z.enum(['url', 'path', 'event'], {
          error: 'Choose a type of url or event. Tilth does not sum data of events here.',
        }),
        value: z.string().min(1).max(500),
        goal: z.coerce.number(),
      }),
    )
    .min(1)
    .max(50),
})

/** Version 2: how often each of several goals was reached, beside the number that was wished for. Pages come first. */
async function goals(call: UmamiCall, report: Report): Promise<UmamiOutcome> {
  const read = goalsParameters.safeParse(report.parameters)
  if (!read.success) return refused(`The goals are not readable: ${z.prettifyError(read.error)}`, 'goals')
  const wanted = read.data.goals.toSorted(
    (one, other) => Number(one.type === 'event') - Number(other.type === 'event'),
  )
  const { period, filter } = report
  const outcome = await ask(call, {
    kind: 'goals',
    period,
    ...(filter && { filter }),
    goals: wanted.map(goalOf),
  })
  if (!outcome.done) return outcome
  return success(
    wanted.map(({ type, value, goal: hoped }, i) => ({
      type,
      value,
      goal: hoped,
      result: outcome.answer.goals[i]?.figures.times ?? 0,
    })),
  )
}

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
  { period, filter }: Report,
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

const revenueParametersOf = ({ parameters }: Report): Outcome<{ asked: RevenueParameters }> => {
  const read = revenueParameters.safeParse(parameters)
  return read.success
    ? { done: true, asked: read.data }
    : refused(`The report is not readable: ${z.prettifyError(read.error)}`, 'currency')
}

async function revenueTotals(call: UmamiCall, { period, range, filter }: Report, asked: RevenueParameters) {
  const other = comparedRange(range, asked.compare ?? 'prev')
  if (!other.done) return other
  const paid = inCurrency(asked.currency, call)
  const now = await revenueTotal(call, { period, paid, filter })
  if (!now.done) return now
  const before = await revenueTotal(call, { period: other.period, paid, filter })
  return before.done ? { done: true as const, total: { ...now.total, comparison: before.total } } : before
}

const revenueListNames = ['country', 'region', 'referrer', 'channel'] as const

async function revenue(call: UmamiCall, report: Report): Promise<UmamiOutcome> {
  const read = revenueParametersOf(report)
  if (!read.done) return read
  const { asked } = read
  const totals = await revenueTotals(call, report, asked)
  if (!totals.done) return totals
  const chart = await revenueChart(call, report, asked)
  if (!chart.done) return chart
  const lists: Record<string, unknown> = {}
  for (const name of revenueListNames) {
    const list = await revenueList(call, report, name, asked)
    if (!list.done) return list
    lists[name] = list.rows
  }
  return success({ chart: chart.rows, total: totals.total, ...lists })
}

/** Since version 3.3, each part is asked for on its own. */
const revenueParts = {
  async stats(call: UmamiCall, report: Report): Promise<UmamiOutcome> {
    const read = revenueParametersOf(report)
    if (!read.done) return read
    const totals = await revenueTotals(call, report, read.asked)
    return totals.done ? success(totals.total) : totals
  },
  async chart(call: UmamiCall, report: Report): Promise<UmamiOutcome> {
    const read = revenueParametersOf(report)
    if (!read.done) return read
    const chart = await revenueChart(call, report, read.asked)
    return chart.done ? success({ chart: chart.rows }) : chart
  },
  async metrics(call: UmamiCall, report: Report): Promise<UmamiOutcome> {
    const read = revenueParametersOf(report)
    if (!read.done) return read
    const name = revenueListNames.find((one) => one === report.parameters['type'])
    if (!name) return refused(`Choose a type of ${revenueListNames.join(', ')}.`, 'type')
    const list = await revenueList(call, report, name, read.asked)
    return list.done ? success(list.rows) : list
  },
}

/** Revenue by the name of the event, in each interval. */
async function revenueChart(call: UmamiCall, report: Report, { currency, unit }: RevenueParameters) {
  const { period, range, filter, timeZone } = report
  const wanted = intervalOf(unit ?? null, range)
  if (!wanted.done) return wanted
  const outcome = await ask(
    call,
    {
      kind: 'trend',
      period,
      interval: wanted.interval,
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

type ReportAnswer = (call: UmamiCall, report: Report) => Promise<UmamiOutcome>

/** A report as versions before 3.3 ask for it. */
const posted = (name: string, answer: ReportAnswer): UmamiEndpoint => ({
  method: 'POST',
  path: `/reports/${name}`,
  handle: async (call) => {
    const report = reportOf(call)
    return report.done ? await answer(call, report) : report
  },
})

/** A report as it is asked for since version 3.3. */
const asked = (path: string, query: readonly string[], answer: ReportAnswer): UmamiEndpoint => ({
  method: 'GET',
  path: `/websites/{website}/${path}`,
  query: [...rangeParameters, ...query],
  takesFilters: true,
  handle: async (call) => {
    const selection = selectionOf(call)
    if (!selection.done) return selection
    const zone = timeZoneIn(call.query.get('timezone'))
    if (!zone.done) return zone
    const { timeZone, isNamed } = zone
    const parameters = parametersIn(call.query)
    if (!parameters) return refused('Give the steps as a list in JSON.', 'steps')
    return await answer(call, { ...selection, parameters, timeZone, isLocal: isNamed || call.version === 2 })
  },
})

/** The steps of a funnel are JSON. */
function parametersIn(query: URLSearchParams): Record<string, unknown> | undefined {
  const given: Record<string, unknown> = Object.fromEntries(query)
  const steps = query.get('steps')
  if (steps === null) return given
  try {
    return { ...given, steps: JSON.parse(steps) as unknown }
  } catch {
    return undefined
  }
}

export const reportEndpoints: readonly UmamiEndpoint[] = [
  posted('funnel', funnel),
  posted('retention', retention),
  posted('utm', utm),
  posted('goal', goal),
  posted('goals', goals),
  posted('revenue', revenue),
  asked('funnels/stats', ['window', 'steps'], funnel),
  asked('retention', [], retention),
  asked('utm/metrics', ['type'], utmMetrics),
  asked('goals/stats', ['type', 'value'], goal),
  asked('revenue/stats', ['currency', 'compare'], revenueParts.stats),
  asked('revenue/chart', ['currency', 'compare'], revenueParts.chart),
  asked('revenue/metrics', ['currency', 'compare', 'type'], revenueParts.metrics),
]
