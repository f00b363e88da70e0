import type { Filter } from '#filters/filter'
import type { AnswerByKind } from '#insights/answered-query'
import { bothFilters } from '#insights/query-fields'
import { type DimensionName, wordsOf } from '#insights/text/dimension-words'
import type { Outcome } from '#projects/problems'
import {
  ask,
  refused,
  success,
  type UmamiCall,
  type UmamiEndpoint,
  type UmamiOutcome,
  wholeNumber,
} from './endpoint'
import { figuresBody } from './figures'
import { customEvents, views } from './filters'
import { rangeParameters } from './periods'
import { selectionOf } from './requests'
import { valuesOf } from './trends'

type Row = AnswerByKind['breakdown']['panels'][number]['rows'][number]

/** A type of Umami's metrics: a dimension of web analytics, or a property of the views. */
type Metric =
  | { dimension: DimensionName; shown?: (value: string) => string; of?: 'custom events' }
  | { property: string }

const lowerCase = (value: string): string => value.toLowerCase()

/** Umami writes channels as organicSearch; those that it does not have get a name of the same form. */
const channelName = (value: string): string =>
  value === 'Affiliates'
    ? 'affiliate'
    : value
        .split(/[ -]+/)
        .map((word, i) => (i === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1)))
        .join('')

const metrics: Readonly<Record<string, Metric>> = {
  path: { dimension: 'page' },
  url: { dimension: 'page' },
  entry: { dimension: 'entry' },
  exit: { dimension: 'exit' },
  title: { dimension: 'title' },
  hostname: { dimension: 'host' },
  host: { dimension: 'host' },
  referrer: { dimension: 'referring_host' },
  domain: { dimension: 'referring_host' },
  channel: { dimension: 'channel', shown: channelName },
  event: { dimension: 'event', of: 'custom events' },
  browser: { dimension: 'browser' },
  os: { dimension: 'os' },
  device: { dimension: 'device', shown: lowerCase },
  language: { dimension: 'language' },
  country: { dimension: 'country' },
  region: { dimension: 'region' },
  city: { dimension: 'city' },
  utmSource: { dimension: 'utm_source' },
  utmMedium: { dimension: 'utm_medium' },
  utmCampaign: { dimension: 'utm_campaign' },
  utmContent: { dimension: 'utm_content' },
  utmTerm: { dimension: 'utm_term' },
  tag: { property: 'tag' },
  screen: { property: '$screen' },
}

const refusals: Readonly<Record<string, string>> = {
  query:
    'Tilth does not keep the query of an address as a whole. Ask for type=utmSource and the like; docs/sdk-umami.md lists the types.',
  distinctId: 'Tilth does not count by distinctId. People are listed by /sessions.',
}

function metricOf(type: string | null): Outcome<{ metric: Metric; type: string }> {
  const metric = type !== null && Object.hasOwn(metrics, type) ? metrics[type] : undefined
  if (metric && type !== null) return { done: true, metric, type }
  const why = type !== null && Object.hasOwn(refusals, type) ? refusals[type] : undefined
  return refused(why ?? `Choose a type of ${Object.keys(metrics).join(', ')}.`, 'type')
}

const usualLimit = 500
const mostRows = 1000

interface RowsRequest {
  metric: Metric
  type: string
  period: string
  filter: Filter | undefined
  limit: number
  offset: number
  search: string
}

function requestOf(call: UmamiCall): Outcome<RowsRequest> {
  const { query } = call
  const selection = selectionOf(call)
  if (!selection.done) return selection
  const named = metricOf(query.get('type'))
  if (!named.done) return named
  const limit = wholeNumber(query.get('limit') || String(usualLimit))
  const offset = wholeNumber(query.get('offset') || '0')
  if (limit === undefined || limit < 1 || limit > mostRows)
    return refused(`Give a limit from 1 to ${mostRows}.`, 'limit')
  if (offset === undefined || offset > 100_000) return refused('Give an offset up to 100000.', 'offset')
  const search = query.get('search') ?? ''
  if (search.length > 200) return refused('Search for at most 200 characters.', 'search')
  const { metric, type } = named
  return { ...selection, metric, type, limit, offset, search }
}

/** Asks for the rows of a dimension. Umami has no row of unknown values. */
async function rowsOf(
  call: UmamiCall,
  dimension: DimensionName,
  { period, filter, limit, offset, search, metric }: RowsRequest,
): Promise<Outcome<{ rows: Row[] }>> {
  const { of: type, key } = wordsOf(dimension)
  const isOfEvents = 'of' in metric
  const known: Filter = isOfEvents ? customEvents : { type, key, operator: 'is_set' }
  const outcome = await ask(call, {
    kind: 'breakdown',
    period,
    filter: bothFilters(filter, known),
    dimensions: [dimension],
    totals: false,
    // Umami counts each path on its own
    groupPages: false,
    limit,
    offset,
    ...(search !== '' && { search }),
    ...(isOfEvents && { sort: { by: 'events' } }),
  })
  return outcome.done ? { done: true, rows: outcome.answer.panels[0]?.rows ?? [] } : outcome
}

/** A property of the views that web analytics has no panel for: visitors by its values. */
async function propertyRows(call: UmamiCall, key: string, request: RowsRequest): Promise<UmamiOutcome> {
  const { period, filter, limit, offset, search, type } = request
  const property = { type: 'event' as const, key }
  const searched: Filter[] = search === '' ? [] : [{ ...property, operator: 'icontains', value: search }]
  const outcome = await valuesOf(call, {
    name: type,
    period,
    filter: bothFilters(filter, { all: [views, { ...property, operator: 'is_set' }, ...searched] }),
    series: [{ measure: { math: 'persons' } }],
    breakdowns: [property],
    limit,
    offset,
  })
  return outcome.done ? success(outcome.values.map(({ value, count }) => ({ x: value, y: count }))) : outcome
}

async function metricRows(call: UmamiCall): Promise<UmamiOutcome> {
  const request = requestOf(call)
  if (!request.done) return request
  const { metric } = request
  if ('property' in metric) return await propertyRows(call, metric.property, request)
  const outcome = await rowsOf(call, metric.dimension, request)
  if (!outcome.done) return outcome
  const { shown = String, of } = metric
  return success(
    outcome.rows.map(({ value, visitors, events = 0 }) => ({
      x: shown(value ?? ''),
      y: of === 'custom events' ? events : visitors,
    })),
  )
}

async function expandedRows(call: UmamiCall): Promise<UmamiOutcome> {
  const request = requestOf(call)
  if (!request.done) return request
  const { metric, type } = request
  if ('property' in metric || wordsOf(metric.dimension).of === 'event')
    return refused(
      `Tilth counts visits, bounces and time by what a whole visit has, such as type=entry or type=country. Ask /metrics for type=${type}.`,
      'type',
    )
  const outcome = await rowsOf(call, metric.dimension, request)
  if (!outcome.done) return outcome
  const { shown = String } = metric
  return success(
    outcome.rows.flatMap(({ value, figures }) =>
      figures ? [{ name: shown(value ?? ''), ...figuresBody(figures) }] : [],
    ),
  )
}

/** The values that a client offers for a filter, in the order of the alphabet. */
async function filterValues(call: UmamiCall): Promise<UmamiOutcome> {
  const request = requestOf(call)
  if (!request.done) return request
  const { metric } = request
  if ('property' in metric)
    return refused(`Tilth does not list the values of type=${request.type}. Ask /metrics for them.`, 'type')
  const outcome = await rowsOf(call, metric.dimension, request)
  if (!outcome.done) return outcome
  const values = outcome.rows.flatMap(({ value }) => value ?? []).sort()
  return success(values.map((value) => ({ value })))
}

const website = '/websites/{website}'
/** Some clients ask for a comparison, which the rows of Umami do not have. */
const rowParameters = [...rangeParameters, 'type', 'limit', 'offset', 'search', 'compare'] as const

export const metricEndpoints: readonly UmamiEndpoint[] = [
  {
    method: 'GET',
    path: `${website}/metrics`,
    query: rowParameters,
    takesFilters: true,
    handle: metricRows,
  },
  {
    method: 'GET',
    path: `${website}/metrics/expanded`,
    query: rowParameters,
    takesFilters: true,
    handle: expandedRows,
  },
  { method: 'GET', path: `${website}/values`, query: rowParameters, handle: filterValues },
]
