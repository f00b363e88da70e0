import { z } from 'zod'
import type { Filter, PropertyCondition } from '#filters/filter'
import { bothFilters } from '#insights/query-fields'
import { ask, refused, success, type UmamiCall, type UmamiEndpoint, type UmamiOutcome } from './endpoint'
import { views } from './filters'
import { intervalText } from './periods'
import { asked, posted, type UmamiReport } from './report-form'
import { valuesOf } from './trends'

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

async function funnel(call: UmamiCall, report: UmamiReport): Promise<UmamiOutcome> {
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

async function retention(call: UmamiCall, report: UmamiReport): Promise<UmamiOutcome> {
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
async function utmValues(call: UmamiCall, { period, filter }: UmamiReport, name: (typeof utmNames)[number]) {
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

async function utm(call: UmamiCall, report: UmamiReport): Promise<UmamiOutcome> {
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
async function utmMetrics(call: UmamiCall, report: UmamiReport): Promise<UmamiOutcome> {
  const name = utmNames.find((one) => one === report.parameters['type'])
  if (!name) return refused(`Choose a type of ${utmNames.join(', ')}.`, 'type')
  const outcome = await utmValues(call, report, name)
  return outcome.done ? success(utmRows(outcome.values)) : outcome
}

const goalOf = ({ type, value }: Pick<Step, 'type' | 'value'>) =>
  type === 'event' ? { type: 'event', event: value } : { type: 'page', path: value }

const goalParameters = step.pick({ type: true, value: true })

/** Version 3: the visitors who reached one goal, of all. */
async function goal(call: UmamiCall, report: UmamiReport): Promise<UmamiOutcome> {
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
async function goals(call: UmamiCall, report: UmamiReport): Promise<UmamiOutcome> {
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

export const reportEndpoints: readonly UmamiEndpoint[] = [
  posted('funnel', funnel),
  posted('retention', retention),
  posted('utm', utm),
  posted('goal', goal),
  posted('goals', goals),
  asked('funnels/stats', ['window', 'steps'], funnel),
  asked('retention', [], retention),
  asked('utm/metrics', ['type'], utmMetrics),
  asked('goals/stats', ['type', 'value'], goal),
]
