import { z } from 'zod'
import type { GroupTypes } from '#flags/posthog/import-conditions'
import { failedOutcome, type Outcome } from '#projects/problems'
import { periodFrom } from './internal/periods'
import { filterFrom } from './property-filters'

/** A query in Tilth's form, which the product parses. */
type QueryOutcome = Outcome<{ question: Record<string, unknown> }>

interface Translation {
  query: Readonly<Record<string, unknown>>
  groupTypes: GroupTypes
  timeZone: string
  now: Date
}

const series = z.looseObject({
  kind: z.string(),
  event: z.string().nullish(),
  name: z.string().nullish(),
  custom_name: z.string().nullish(),
  properties: z.unknown().optional(),
  math: z.string().nullish(),
  math_property: z.string().nullish(),
  math_property_type: z.string().nullish(),
  math_group_type_index: z.number().nullish(),
  optionalInFunnel: z.boolean().nullish(),
})
type Series = z.infer<typeof series>

const settings = z.record(z.string(), z.unknown()).nullish()

const insightQuery = z.looseObject({
  kind: z.string(),
  series: z.array(series).nullish(),
  dateRange: z.looseObject({ date_from: z.string().nullish(), date_to: z.string().nullish() }).nullish(),
  interval: z.string().nullish(),
  properties: z.unknown().optional(),
  filterTestAccounts: z.boolean().nullish(),
  breakdownFilter: settings,
  compareFilter: settings,
  trendsFilter: settings,
  funnelsFilter: settings,
  lifecycleFilter: settings,
  stickinessFilter: settings,
  retentionFilter: settings,
})
type InsightQuery = z.infer<typeof insightQuery>

/** The measures here for PostHog's aggregations. */
const maths: Readonly<Record<string, string | undefined>> = {
  total: 'total',
  dau: 'persons',
  unique_users: 'persons',
  weekly_active: 'weekly_actives',
  monthly_active: 'monthly_actives',
  unique_session: 'sessions',
  unique_group: 'groups',
  sum: 'sum',
  avg: 'average',
  median: 'median',
  p75: 'p75',
  p90: 'p90',
  p95: 'p95',
  p99: 'p99',
  min: 'min',
  max: 'max',
}

type Translator = (query: InsightQuery, context: Translation) => QueryOutcome

const translators: Readonly<Record<string, Translator | undefined>> = {
  TrendsQuery: trendFrom,
  FunnelsQuery: funnelFrom,
  LifecycleQuery: lifecycleFrom,
  StickinessQuery: stickinessFrom,
  RetentionQuery: retentionFrom,
}

const insightKinds = Object.keys(translators)

/** Translates a query of PostHog's insights; what has no counterpart here is refused with a sentence. */
export function queryFrom(context: Translation): QueryOutcome {
  const read = insightQuery.safeParse(context.query)
  if (!read.success)
    return failedOutcome(`The query is not readable: ${z.prettifyError(read.error)}`, 'query')
  const translate = translators[read.data.kind]
  if (!translate)
    return failedOutcome(
      `Tilth does not answer queries of the kind "${read.data.kind}". It answers HogQLQuery, EventsQuery, ${insightKinds.join(', ')}.`,
      'query',
    )
  const unknown = Object.entries(read.data).find(
    ([field, value]) => !knownFields.has(field) && value !== null && value !== undefined,
  )?.[0]
  if (unknown !== undefined)
    return failedOutcome(`Tilth does not know "${unknown}" in a query.`, `query.${unknown}`)
  return translate(read.data, context)
}

const knownFields: ReadonlySet<string> = new Set([
  ...Object.keys(insightQuery.shape),
  'version',
  'tags',
  'samplingFactor',
  'aggregation_group_type_index',
  'modifiers',
  'response',
  'full',
  'vizSpecificOptions',
  'hidePersonsModal',
  'dataColorTheme',
])

/** The fields that every query has. */
function baseOf(query: InsightQuery, { groupTypes, timeZone, now }: Translation): QueryOutcome {
  if (typeof query['samplingFactor'] === 'number' && query['samplingFactor'] !== 1)
    return failedOutcome('Tilth counts every event. Leave the samplingFactor out.', 'query.samplingFactor')
  if (typeof query['aggregation_group_type_index'] === 'number')
    return failedOutcome(
      'Count groups by a series with the math unique_group.',
      'query.aggregation_group_type_index',
    )
  if (query.compareFilter?.['compare'] === true && query.compareFilter['compare_to'])
    return failedOutcome(
      'Tilth compares with the previous period. Leave "compare_to" out.',
      'query.compareFilter',
    )
  const period = periodFrom(query.dateRange ?? {}, timeZone, now)
  if (!period.done) return period
  const filtered = filterFrom(query.properties, groupTypes, 'query.properties')
  if (!filtered.done) return filtered
  const ownQuery = {
    period: period.period,
    withoutTestAccounts: query.filterTestAccounts === true,
    ...(filtered.filter && { filter: filtered.filter }),
  }
  return { done: true, question: ownQuery }
}

function matcherFrom(given: Series, groupTypes: GroupTypes): QueryOutcome {
  if (given.kind !== 'EventsNode')
    return failedOutcome(`A series is an EventsNode here, not "${given.kind}".`, 'query.series')
  const filtered = filterFrom(given.properties, groupTypes, 'query.series')
  if (!filtered.done) return filtered
  return {
    done: true,
    question: {
      event: given.event ?? null,
      ...(given.custom_name && { label: given.custom_name }),
      ...(filtered.filter && { filter: filtered.filter }),
    },
  }
}

function matchersFrom(
  query: InsightQuery,
  { groupTypes }: Translation,
): Outcome<{ matchers: Record<string, unknown>[] }> {
  const matchers: Record<string, unknown>[] = []
  for (const one of query.series ?? []) {
    const read = matcherFrom(one, groupTypes)
    if (!read.done) return read
    matchers.push(read.question)
  }
  return { done: true, matchers }
}

function measureFrom(given: Series, groupTypes: GroupTypes): Outcome<{ measure: Record<string, unknown> }> {
  const math = maths[given.math ?? 'total']
  if (math === undefined) return failedOutcome(`Tilth has no math "${given.math}".`, 'query.series')
  const isOfPerson = given.math_property_type === 'person_properties'
  const group = groupTypes[String(given.math_group_type_index ?? '')]
  return {
    done: true,
    measure: {
      math,
      ...(given.math_property && {
        property: { type: isOfPerson ? 'person' : 'event', key: given.math_property },
      }),
      ...(math === 'groups' && { group }),
    },
  }
}

const intervals = new Set(['minute', 'hour', 'day', 'week', 'month'])

function trendFrom(query: InsightQuery, context: Translation): QueryOutcome {
  const base = baseOf(query, context)
  const matched = matchersFrom(query, context)
  const breakdowns = breakdownsFrom(query, context.groupTypes)
  if (!base.done) return base
  if (!matched.done) return matched
  if (!breakdowns.done) return breakdowns
  const measured: Record<string, unknown>[] = []
  for (const [index, one] of (query.series ?? []).entries()) {
    const measure = measureFrom(one, context.groupTypes)
    if (!measure.done) return measure
    measured.push({ ...matched.matchers[index], measure: measure.measure })
  }
  const { formula, formulas, display } = query.trendsFilter ?? {}
  const texts = [formula, ...(Array.isArray(formulas) ? formulas : [])].filter(
    (one) => typeof one === 'string' && one !== '',
  )
  return {
    done: true,
    question: {
      kind: 'trend',
      ...base.question,
      series: measured.map((one) => ({ ...one, isHidden: texts.length > 0 })),
      formulas: texts.map((text) => ({ text })),
      breakdowns: breakdowns.breakdowns,
      ...(query.interval && intervals.has(query.interval) && { interval: query.interval }),
      ...(query.compareFilter?.['compare'] === true && { compare: 'previous' }),
      cumulative: display === 'ActionsLineGraphCumulative',
      ...(breakdowns.limit !== undefined && { limit: breakdowns.limit }),
    },
  }
}

const breakdown = z.looseObject({
  property: z.string(),
  type: z.string().nullish(),
  group_type_index: z.number().nullish(),
})

/** PostHog has one breakdown by name, or a list of them. */
function breakdownsFrom(
  { breakdownFilter }: InsightQuery,
  groupTypes: GroupTypes,
): Outcome<{ breakdowns: object[]; limit?: number | undefined }> {
  const {
    breakdown: one,
    breakdown_type: type,
    breakdowns: several,
    breakdown_group_type_index: index,
    breakdown_limit: limit,
  } = breakdownFilter ?? {}
  const own = typeof one === 'string' ? [{ property: one, type, group_type_index: index }] : []
  const read = z.array(breakdown).safeParse([...own, ...(Array.isArray(several) ? several : [])])
  if (!read.success || (one !== undefined && one !== null && typeof one !== 'string'))
    return failedOutcome('Break down by the names of properties.', 'query.breakdownFilter')
  const breakdowns: object[] = []
  for (const { property, type: kind, group_type_index: number } of read.data) {
    const known = { event: 'event', person: 'person', group: 'group' }[kind ?? 'event']
    if (known === undefined)
      return failedOutcome(`Tilth does not break down by the type "${kind}".`, 'query.breakdownFilter')
    breakdowns.push({
      type: known,
      key: property,
      ...(known === 'group' && { group: groupTypes[String(number)] }),
    })
  }
  return { done: true, breakdowns, limit: typeof limit === 'number' ? limit : undefined }
}

const funnelOrders = ['ordered', 'strict', 'unordered'] as const

function funnelFrom(query: InsightQuery, context: Translation): QueryOutcome {
  const base = baseOf(query, context)
  const matched = matchersFrom(query, context)
  const breakdowns = breakdownsFrom(query, context.groupTypes)
  const shape = funnelShapeFrom(query.funnelsFilter ?? {})
  if (!base.done) return base
  if (!matched.done) return matched
  if (!breakdowns.done) return breakdowns
  if (!shape.done) return shape
  const [first] = breakdowns.breakdowns
  const steps = matched.matchers.map((one, index) => ({
    ...one,
    optional: query.series?.[index]?.optionalInFunnel === true,
  }))
  return {
    done: true,
    question: {
      kind: 'funnel',
      ...base.question,
      ...shape.question,
      steps,
      ...(first && { breakdown: first }),
    },
  }
}

const funnelSettings = z.looseObject({
  funnelOrderType: z.enum(funnelOrders).nullish(),
  funnelVizType: z.literal('steps').nullish(),
  funnelWindowInterval: z.number().nullish(),
  funnelWindowIntervalUnit: z.string().nullish(),
  exclusions: z.array(z.unknown()).max(0).nullish(),
  breakdownAttributionType: z.enum(['first_touch', 'last_touch', 'all_events', 'step']).nullish(),
  breakdownAttributionValue: z.number().int().nullish(),
})

function funnelShapeFrom(given: unknown): QueryOutcome {
  const read = funnelSettings.safeParse(given)
  if (!read.success)
    return failedOutcome(
      'A funnel is ordered, strict or unordered here, gives its steps, and has no exclusions. For others, ask by a TilthQuestion.',
      'query.funnelsFilter',
    )
  const { funnelOrderType, funnelWindowInterval, funnelWindowIntervalUnit } = read.data
  const { breakdownAttributionType, breakdownAttributionValue } = read.data
  const attribution =
    breakdownAttributionType === 'step'
      ? { step: breakdownAttributionValue ?? 0 }
      : attributions[breakdownAttributionType ?? 'first_touch']
  const window = { amount: funnelWindowInterval ?? 14, unit: funnelWindowIntervalUnit ?? 'day' }
  return { done: true, question: { order: funnelOrderType ?? 'ordered', window, attribution } }
}

const attributions = { first_touch: 'first', last_touch: 'last', all_events: 'all steps' } as const

function lifecycleFrom(query: InsightQuery, context: Translation): QueryOutcome {
  const base = baseOf(query, context)
  const matched = matchersFrom(query, context)
  if (!base.done) return base
  if (!matched.done) return matched
  const [matcher, ...more] = matched.matchers
  if (more.length > 0) return failedOutcome('A lifecycle is of one event.', 'query.series')
  const interval = query.interval ?? 'day'
  return {
    done: true,
    question: { kind: 'lifecycle', ...base.question, ...(matcher && { happening: matcher }), interval },
  }
}

function stickinessFrom(query: InsightQuery, context: Translation): QueryOutcome {
  const base = baseOf(query, context)
  const matched = matchersFrom(query, context)
  if (!base.done) return base
  if (!matched.done) return matched
  const interval = query.interval ?? 'day'
  return {
    done: true,
    question: { kind: 'stickiness', ...base.question, series: matched.matchers, interval },
  }
}

const retentionSettings = z.looseObject({
  targetEntity: z.looseObject({ id: z.string().nullish(), type: z.string().nullish() }).nullish(),
  returningEntity: z.looseObject({ id: z.string().nullish(), type: z.string().nullish() }).nullish(),
  period: z.string().nullish(),
  totalIntervals: z.number().int().min(1).max(31).nullish(),
  retentionType: z.string().nullish(),
})

const retentionUnits: Readonly<Record<string, { interval: string; unit: string } | undefined>> = {
  Hour: { interval: 'hour', unit: 'h' },
  Day: { interval: 'day', unit: 'd' },
  Week: { interval: 'week', unit: 'w' },
  Month: { interval: 'month', unit: 'mo' },
}

function retentionFrom(query: InsightQuery, context: Translation): QueryOutcome {
  const base = baseOf(query, context)
  if (!base.done) return base
  const read = retentionSettings.safeParse(query.retentionFilter ?? {})
  if (!read.success) return failedOutcome('The retentionFilter is not readable.', 'query.retentionFilter')
  const { targetEntity, returningEntity, period, totalIntervals, retentionType } = read.data
  const unit = retentionUnits[period ?? 'Day']
  if (!unit) return failedOutcome(`Tilth has no retention by "${period}".`, 'query.retentionFilter')
  if ([targetEntity, returningEntity].some((one) => one?.type && one.type !== 'events'))
    return failedOutcome('Retention is of events here.', 'query.retentionFilter')
  const intervalsFromNow = `${totalIntervals ?? 11}${unit.unit}`
  return {
    done: true,
    question: {
      kind: 'retention',
      ...base.question,
      ...(!query.dateRange?.date_from && { period: intervalsFromNow }),
      target: eventOf(targetEntity),
      returning: eventOf(returningEntity),
      interval: unit.interval,
      mode: retentionType === 'retention_first_time' ? 'first-ever' : 'recurring',
    },
  }
}

const eventOf = (entity: { id?: string | null | undefined } | null | undefined) => ({
  event: entity?.id ?? '$pageview',
})
