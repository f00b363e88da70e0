import { z } from 'zod'
import { filterFrom } from '../property-filters'
import { type PosthogCall, type PosthogOutcome, refused, success } from './endpoint'
import { periodFrom } from './periods'
import { groupTypesOf } from './projects'

const overviewQuery = z.looseObject({
  kind: z.literal('WebOverviewQuery'),
  dateRange: z.looseObject({ date_from: z.string().nullish(), date_to: z.string().nullish() }).nullish(),
  properties: z.unknown().optional(),
  filterTestAccounts: z.boolean().nullish(),
  compareFilter: z
    .looseObject({ compare: z.boolean().nullish(), compare_to: z.string().nullish() })
    .nullish(),
  conversionGoal: z.null().optional(),
  includeRevenue: z.boolean().nullish(),
  sampling: z.looseObject({ enabled: z.boolean().nullish() }).nullish(),
})

/** Settings that only say how PostHog computes or draws the numbers. */
const shownOnly: ReadonlySet<string> = new Set([
  'doPathCleaning',
  'useSessionsTable',
  'useWebAnalyticsPreAggregatedTables',
  'interval',
  'tags',
  'version',
  'modifiers',
  'response',
  'samplingFactor',
])

type OverviewQuery = z.infer<typeof overviewQuery>

function objectionTo(query: OverviewQuery): string | undefined {
  if (query.sampling?.enabled) return 'Tilth counts every event. Leave the sampling out.'
  if (query.compareFilter?.compare && query.compareFilter.compare_to)
    return 'Tilth compares with the previous period. Leave "compare_to" out.'
  const known: ReadonlySet<string> = new Set(Object.keys(overviewQuery.shape))
  const unknown = Object.entries(query).find(
    ([field, value]) => !known.has(field) && !shownOnly.has(field) && value !== null,
  )
  return unknown && `Tilth does not know "${unknown[0]}" in a WebOverviewQuery.`
}

/** Answers PostHog's WebOverviewQuery: the figures at the top of its web analytics. */
export async function answerOverview(given: unknown, call: PosthogCall): Promise<PosthogOutcome> {
  const read = overviewQuery.safeParse(given)
  if (!read.success) return refused(`The query is not readable: ${z.prettifyError(read.error)}`, 'query')
  const objection = objectionTo(read.data)
  if (objection !== undefined) return refused(objection, 'query')
  const { product, project, viewer, signal, now } = call
  const period = periodFrom(read.data.dateRange ?? {}, project.timeZone, now)
  if (!period.done) return period
  const filtered = filterFrom(read.data.properties, await groupTypesOf(call), 'query.properties')
  if (!filtered.done) return filtered
  const query = {
    kind: 'totals' as const,
    period: period.period,
    withoutTestAccounts: read.data.filterTestAccounts === true,
    ...(filtered.filter && { filter: filtered.filter }),
    ...(read.data.compareFilter?.compare === true && { compare: 'previous' }),
  }
  const outcome = await product.insights.ask(project.id, query, viewer, signal ? { signal } : {})
  if (!outcome.done) return outcome
  const { figures, compared, period: counted } = outcome.answer
  const isRevenueAsked = read.data.includeRevenue === true
  return success({
    results: figuresShown
      .filter(({ of }) => of !== 'revenue' || isRevenueAsked)
      .map(({ of, ...shown }) => figureBody(shown, figures[of], compared ? compared.figures[of] : null)),
    dateFrom: counted.from,
    dateTo: counted.until,
    samplingRate: null,
    error: null,
    is_cached: false,
    last_refresh: outcome.at.toISOString(),
    query_duration_ms: Math.round(outcome.tookMs),
  })
}

const figuresShown = [
  { key: 'visitors', of: 'visitors', kind: 'unit', isIncreaseBad: false },
  { key: 'views', of: 'views', kind: 'unit', isIncreaseBad: false },
  { key: 'sessions', of: 'visits', kind: 'unit', isIncreaseBad: false },
  { key: 'session duration', of: 'duration', kind: 'duration_s', isIncreaseBad: false },
  { key: 'bounce rate', of: 'bounceRate', kind: 'percentage', isIncreaseBad: true },
  { key: 'revenue', of: 'revenue', kind: 'currency', isIncreaseBad: false },
] as const

function figureBody(
  { key, kind, isIncreaseBad }: { key: string; kind: string; isIncreaseBad: boolean },
  now: number | null,
  before: number | null,
) {
  const shown = (value: number | null) => (value !== null && kind === 'percentage' ? value * 100 : value)
  const change = now !== null && before ? Math.round(((now - before) / before) * 100) : null
  return {
    key,
    kind,
    isIncreaseBad,
    value: shown(now),
    previous: shown(before),
    changeFromPreviousPct: change,
  }
}
