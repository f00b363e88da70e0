import { z } from 'zod'
import { bucketsOf } from '#insights/calendar/period'
import { failedOutcome, type Outcome } from '#projects/problems'
import { periodOfRange, rangeText, timeLabel } from './date-ranges'
import { filtersFrom, type StatsFilters } from './filters'
import { type MetricName, shownMetric } from './metrics'
import { groupingFrom, metricsFrom, resolvedRange, type StatsEndpoint, type StatsRequest } from './endpoint'
import type { Grouping, StatsOrder, StatsQuery, StatsRows } from './stats-query'
import { shownValues, statsRows } from './stats-rows'
import { mostRows } from './visit-sources'

const whole = (least: number, most: number) => z.number().int().min(least).max(most)

const body = z.strictObject({
  site_id: z.string(),
  metrics: z.array(z.unknown()).min(1).max(50),
  date_range: z.unknown().refine((range) => range !== undefined, 'Give the date_range.'),
  dimensions: z.array(z.unknown()).max(10).default([]),
  filters: z.unknown().optional(),
  order_by: z
    .array(z.tuple([z.string(), z.enum(['asc', 'desc'])]))
    .max(20)
    .nullish(),
  include: z
    .strictObject({
      imports: z.boolean().optional(),
      time_labels: z.boolean().optional(),
      total_rows: z.boolean().optional(),
    })
    .default({}),
  pagination: z
    .strictObject({
      limit: whole(1, mostRows).default(mostRows),
      offset: whole(0, 100_000).default(0),
    })
    .prefault({}),
})

type QueryBody = z.infer<typeof body>

/** Answers a query of Plausible's second API. */
async function answerQuery({ call, site, input, now }: StatsRequest): Promise<Outcome<{ body: unknown }>> {
  const parsed = body.safeParse(input)
  if (!parsed.success) return failedOutcome(sentenceOf(parsed.error))
  const read = await queryFrom(parsed.data, { call, site, input, now })
  if (!read.done) return read
  const { query } = read
  const found = await statsRows(query, call)
  if (!found.done) return found
  return {
    done: true,
    body: {
      results: found.rows.map((row) => ({
        metrics: query.metrics.map((name) => shownMetric(name, row.figures, call.scope.currency)),
        dimensions: shownValues(query, row, call.project.timeZone),
      })),
      meta: metaOf(parsed.data, query, found, { call, site, input, now }),
      query: {
        site_id: site,
        metrics: query.metrics,
        date_range: rangeText(query.range, call.project.timeZone),
        filters: parsed.data.filters ?? [],
        dimensions: query.groupings.map(({ name }) => name),
        order_by: query.order.map(({ name, direction }) => [name, direction]),
        include: parsed.data.include,
        pagination: { offset: query.offset, limit: query.limit },
      },
    },
  }
}

/** Says the first problem of the body with its place. */
function sentenceOf(error: z.ZodError): string {
  const [issue] = error.issues
  if (!issue) return 'The query is not readable.'
  if (issue.code === 'unrecognized_keys') {
    const place = issue.path.length > 0 ? ` in "${issue.path.join('.')}"` : ''
    return `Tilth does not know "${issue.keys[0] ?? ''}"${place}.`
  }
  return `#/${issue.path.join('/')}: ${issue.message}`
}

async function queryFrom(
  { metrics: names, dimensions, filters, date_range, order_by, pagination }: QueryBody,
  { call, now }: StatsRequest,
): Promise<Outcome<{ query: StatsQuery }>> {
  const read = metricsFrom(names)
  if (!read.done) return read
  const dated = periodOfRange(date_range, call.scope.calendar)
  if (!dated.done) return dated
  const range = await resolvedRange(dated.period, call.scope)
  const groupings: Grouping[] = []
  for (const name of dimensions) {
    const one = groupingFrom(name, range)
    if (!one.done) return one
    groupings.push(one.grouping)
  }
  if (groupings.filter(({ by }) => by === 'time').length > 1)
    return failedOutcome('Group by one time dimension.')
  if (new Set(groupings.map(({ name }) => name)).size < groupings.length)
    return failedOutcome('Name each dimension once.')
  const { segments } = call.product.insights
  const context = { goals: call.goals, segments: await segments.list(call.project.id, call.viewer), now }
  const filtered = filtersFrom(filters ?? undefined, context)
  if (!filtered.done) return filtered
  const ordered = orderFrom(order_by ?? undefined, read.metrics, groupings)
  if (!ordered.done) return ordered
  const { period } = dated
  const query = { metrics: read.metrics, groupings, period, range, order: ordered.order, ...pagination }
  return { done: true, query: { ...query, filters: filtered.filters } }
}

/** The order that is asked for; or by time, and then the largest first metric. */
function orderFrom(
  given: readonly (readonly [string, 'asc' | 'desc'])[] | undefined,
  metrics: readonly MetricName[],
  groupings: readonly Grouping[],
): Outcome<{ order: StatsOrder[] }> {
  const time = groupings.find(({ by }) => by === 'time')
  if (!given) {
    const byMetric: StatsOrder = { name: metrics[0] ?? 'visitors', direction: 'desc' }
    return { done: true, order: time ? [{ name: time.name, direction: 'asc' }, byMetric] : [byMetric] }
  }
  const order = given.map(([name, direction]): StatsOrder => ({
    name: name === 'time' && time ? time.name : name,
    direction,
  }))
  const names = new Set<string>([...metrics, ...groupings.map(({ name }) => name)])
  const unknown = order.find(({ name }) => !names.has(name))
  return unknown
    ? failedOutcome(
        `Invalid order_by entry '${unknown.name}'. It is no metric and no dimension of the query.`,
      )
    : { done: true, order }
}

function metaOf(
  { include }: QueryBody,
  query: StatsQuery,
  { inAll }: StatsRows,
  { call: { project, scope } }: StatsRequest,
): Record<string, unknown> {
  return {
    ...(include.imports && importsMeta(query)),
    ...(include.time_labels && { time_labels: timeLabelsOf(query, project.timeZone, scope.calendar) }),
    ...(include.total_rows && { total_rows: inAll }),
  }
}

function timeLabelsOf(
  { groupings, range }: StatsQuery,
  timeZone: string,
  calendar: Parameters<typeof bucketsOf>[2],
): string[] {
  const time = groupings.find(({ by }) => by === 'time')
  if (time?.by !== 'time') return []
  const { starts } = bucketsOf(range, time.interval, calendar) ?? { starts: [] }
  return starts.map((start) => timeLabel(start, time.interval, range, timeZone))
}

/** Days that were imported as totals count where all visits do, whether they are asked for or not. */
function importsMeta({ groupings, filters }: StatsQuery): Record<string, unknown> {
  const isWhole = isUnfiltered(filters) && groupings.every(({ by }) => by === 'time')
  return isWhole
    ? { imports_included: true }
    : {
        imports_included: false,
        imports_skip_reason: 'unsupported_query',
        imports_warning:
          'Days that were imported as totals are not included, because they know no dimensions and no filters.',
      }
}

const isUnfiltered = ({ conditions, goals, done }: StatsFilters): boolean =>
  conditions.length === 0 && goals.length === 0 && !done

export const queryEndpoint: StatsEndpoint = { method: 'POST', path: '/v2/query', handle: answerQuery }
