import type { Filter } from '#filters/filter'
import type { Json } from '#events/event'
import { bothFilters } from '#insights/query-fields'
import type { SentEvent } from '#insights/people/sent-events'
import type { Outcome } from '#projects/problems'
import {
  ask,
  pageBody,
  pageParameters,
  pageRequestOf,
  refused,
  success,
  type UmamiCall,
  type UmamiEndpoint,
  type UmamiOutcome,
  websiteIdOf,
  wholeNumber,
} from './endpoint'
import { customEvents, filterFrom, views } from './filters'
import { comparedRange, intervalText, rangeParameters } from './periods'
import { chartRequestOf, selectionOf, withoutSearch } from './requests'
import { countsOf, valuesOf } from './trends'

/** Umami's numbers of the kinds of events. */
const eventTypes = { view: 1, custom: 2 } as const

const ofPeople: Filter = { type: 'event', key: '$traffic', operator: 'exact', value: 'human' }

type EventProperties = Readonly<Record<string, Json>>

const textIn = (properties: EventProperties, key: string): string | null => {
  const value = properties[key]
  return value === undefined || value === null || value === ''
    ? null
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
}

/** Properties of the page and its visit, which stand beside the data of an event. */
const isOwnProperty = (key: string): boolean => /^(?:\$|utm_|title$|tag$)/.test(key)

/** The data that was sent with an event of the project's own. */
const dataOf = (properties: EventProperties): [string, Json][] =>
  Object.entries(properties).filter(([key]) => !isOwnProperty(key))

/** An event in Umami's form. A visitor there is a session, and a session here is a visit. */
export function eventBody(
  { uuid, event, at, person, session, properties }: Omit<SentEvent, 'distinctId' | 'groups'>,
  call: Pick<UmamiCall, 'project'>,
) {
  const isView = event === '$pageview' || event === '$screen'
  const text = (key: string) => textIn(properties, key)
  return {
    id: uuid,
    websiteId: websiteIdOf(call.project),
    sessionId: person,
    visitId: session ?? null,
    createdAt: at,
    hostname: text('$host'),
    urlPath: text('$pathname') ?? '',
    referrerDomain: text('$referring_domain'),
    country: text('$geoip_country_code'),
    region: text('$geoip_subdivision_1_name'),
    city: text('$geoip_city_name'),
    device: text('$device_type')?.toLowerCase() ?? null,
    os: text('$os'),
    browser: text('$browser'),
    screen: text('$screen'),
    language: text('$browser_language'),
    pageTitle: text('title'),
    eventType: isView ? eventTypes.view : eventTypes.custom,
    eventName: isView ? null : event,
    tag: text('tag'),
    hasData: dataOf(properties).length > 0,
  }
}

/** Umami searches in the names of custom events and in the paths of views. */
function shownEvents(search: string): Filter {
  if (search === '') return { any: [views, customEvents] }
  const has = (key: string): Filter => ({ type: 'event', key, operator: 'icontains', value: search })
  return { any: [{ all: [customEvents, has('$event')] }, { all: [views, has('$pathname')] }] }
}

async function listEvents(call: UmamiCall): Promise<UmamiOutcome> {
  const { product, project, viewer, query } = call
  const read = selectionOf({ query: withoutSearch(query) })
  if (!read.done) return read
  const page = pageRequestOf(query)
  if (!page.done) return page
  const search = query.get('search') || query.get('query') || ''
  if (search.length > 200) return refused('Search for at most 200 characters.', 'search')
  const filter = bothFilters(read.filter, shownEvents(search))
  const [from = '', until = ''] = read.period.split('..')
  const asked = {
    from,
    until,
    filter: bothFilters(filter, ofPeople),
    limit: page.pageSize,
    offset: page.offset,
  }
  const [found, counted] = await Promise.all([
    product.people.sentEvents(project.id, asked, viewer),
    countsOf(call, { period: read.period, filter, series: [{}] }),
  ])
  if (!found.done) return found
  if (!counted.done) return counted
  const entries = found.events.map((event) => eventBody(event, call))
  return success(pageBody(page, entries, counted.lines[0]?.total ?? 0))
}

const byEvent = { type: 'event', key: '$event' } as const

/** The most names of events that a chart has; Umami's limit names the most frequent of them. */
const mostNames = 100

async function eventSeries(call: UmamiCall): Promise<UmamiOutcome> {
  const chart = chartRequestOf(call)
  if (!chart.done) return chart
  const given = call.query.get('limit')
  const limit = given ? wholeNumber(given) : mostNames
  if (limit === undefined || limit < 1 || limit > mostNames)
    return refused(`Give a limit from 1 to ${mostNames}.`, 'limit')
  const { period, interval, timeZone } = chart
  // some clients name the event so
  const named = filterFrom([['event', call.query.get('eventName')]])
  if (!named.done) return named
  const filter = bothFilters(chart.filter, named.filter)
  const outcome = await ask(
    call,
    {
      kind: 'trend',
      period,
      interval,
      filter: bothFilters(filter, customEvents),
      series: [{ event: null }],
      breakdowns: [byEvent],
      limit,
    },
    timeZone,
  )
  if (!outcome.done) return outcome
  const { lines, starts, valuesInAll = 0 } = outcome.answer
  if (!given && valuesInAll > mostNames)
    return refused(`There are ${valuesInAll} names of events. Ask with limit=${mostNames}.`, 'limit')
  const shown = lines.filter(({ isOthers }) => !isOthers)
  const rowsAt = (start: string, i: number) =>
    shown.map(({ breakdown: [name], values }) => ({
      x: name,
      t: intervalText(start, chart),
      y: values[i] ?? 0,
    }))
  return success(starts.flatMap(rowsAt).filter(({ y }) => y > 0))
}

interface EventFigures {
  events: number
  visitors: number
  visits: number
  uniqueEvents: number
}

async function eventFigures(
  call: UmamiCall,
  period: string | undefined,
  filter: Filter | undefined,
): Promise<Outcome<{ figures: EventFigures }>> {
  if (period === undefined)
    return { done: true, figures: { events: 0, visitors: 0, visits: 0, uniqueEvents: 0 } }
  const only = { period, filter: bothFilters(filter, customEvents) }
  const [counted, named] = await Promise.all([
    countsOf(call, {
      ...only,
      series: ['total', 'persons', 'sessions'].map((math) => ({ measure: { math } })),
    }),
    countsOf(call, { ...only, series: [{}], breakdowns: [byEvent], limit: 1 }),
  ])
  if (!counted.done) return counted
  if (!named.done) return named
  const [events = 0, visitors = 0, visits = 0] = counted.lines.map(({ total }) => total ?? 0)
  const uniqueEvents = events > 0 ? named.valuesInAll : 0
  return { done: true, figures: { events, visitors, visits, uniqueEvents } }
}

async function eventStats(call: UmamiCall): Promise<UmamiOutcome> {
  const read = selectionOf(call)
  if (!read.done) return read
  const other = comparedRange(read.range, call.query.get('compare') || 'prev')
  if (!other.done) return other
  const [now, before] = await Promise.all([
    eventFigures(call, read.period, read.filter),
    eventFigures(call, other.period, read.filter),
  ])
  if (!now.done) return now
  if (!before.done) return before
  return success({ data: { ...now.figures, comparison: before.figures } })
}

const mostPropertyName = 200

/** The values of one property of the events of one name. */
async function eventDataValues(call: UmamiCall): Promise<UmamiOutcome> {
  const { query } = call
  // version 2 calls it eventName
  const event = query.get('event') ?? query.get('eventName') ?? ''
  const key = query.get('propertyName') ?? ''
  if (event === '' || event.length > mostPropertyName) return refused('Name the event.', 'event')
  if (key === '' || key.length > mostPropertyName) return refused('Name the propertyName.', 'propertyName')
  const others = new URLSearchParams(query)
  others.delete('event')
  const read = selectionOf({ query: others })
  if (!read.done) return read
  const property = { type: 'event', key } as const
  const outcome = await valuesOf(call, {
    name: key,
    period: read.period,
    filter: bothFilters(read.filter, { ...property, operator: 'is_set' }),
    series: [{ event }],
    breakdowns: [property],
    limit: mostNames,
    offset: 0,
  })
  return outcome.done ? success(outcome.values.map(({ value, count }) => ({ value, total: count }))) : outcome
}

const website = '/websites/{website}'

export const eventEndpoints: readonly UmamiEndpoint[] = [
  {
    method: 'GET',
    path: `${website}/events`,
    query: [...rangeParameters, ...pageParameters, 'query'],
    takesFilters: true,
    handle: listEvents,
  },
  {
    method: 'GET',
    path: `${website}/events/series`,
    query: [...rangeParameters, 'limit', 'eventName'],
    takesFilters: true,
    handle: eventSeries,
  },
  {
    method: 'GET',
    path: `${website}/events/stats`,
    query: [...rangeParameters, 'compare'],
    takesFilters: true,
    handle: eventStats,
  },
  {
    method: 'GET',
    path: `${website}/event-data/values`,
    query: [...rangeParameters, 'eventName', 'propertyName'],
    takesFilters: true,
    handle: eventDataValues,
  },
]
