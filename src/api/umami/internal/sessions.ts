import type { PersonEvent } from '#insights/people/person-records'
import { bothFilters } from '#insights/query-fields'
import type { Outcome } from '#projects/problems'
import {
  ask,
  missing,
  pageBody,
  pageParameters,
  pageRequestOf,
  refused,
  success,
  type UmamiCall,
  type UmamiEndpoint,
  type UmamiOutcome,
  websiteIdOf,
} from './endpoint'
import { eventBody } from './events'
import { customEvents, views } from './filters'
import { rangeOf, rangeParameters, timeZoneIn } from './periods'
import { selectionOf, withoutSearch } from './requests'
import { countsOf, valuesOf } from './trends'

/** A session of Umami's is a visitor, which is a person here. */
const isPersonId = (id: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)

const eventsAtOnce = 1000
const mostPages = 5

interface Span {
  from: string
  until: string
}

const spanOf = (period: string): Span => {
  const [from = '', until = ''] = period.split('..')
  return { from, until }
}

/** The events of a person in a period, the latest first. Very long stories are refused, not cut. */
async function eventsOf(
  { product, project, viewer }: UmamiCall,
  person: string,
  { from, until }: Span,
): Promise<Outcome<{ events: PersonEvent[] }>> {
  const events: PersonEvent[] = []
  // before the end, and before every id
  let before = { at: until, uuid: '00000000-0000-4000-8000-000000000000' }
  for (let page = 0; page < mostPages; page++) {
    const found = await product.people.events(project.id, person, { before, limit: eventsAtOnce }, viewer)
    if (!found.done) return found
    const inSpan = found.events.filter(({ at }) => at >= from)
    events.push(...inSpan)
    const last = found.events.at(-1)
    if (!found.hasMore || !last || inSpan.length < found.events.length)
      return { done: true, events: events.filter(isShown) }
    before = { at: last.at, uuid: last.uuid }
  }
  return refused(
    `A visitor has more than ${mostPages * eventsAtOnce} events. Ask about a shorter range.`,
    'startAt',
  )
}

const isView = ({ event }: PersonEvent): boolean => event === '$pageview' || event === '$screen'
const isCustom = ({ event }: PersonEvent): boolean => !event.startsWith('$')

const isShown = (event: PersonEvent): boolean =>
  (isView(event) || isCustom(event)) && (event.properties['$traffic'] ?? 'human') === 'human'

/** The facts of a session: of its latest events, and counts of all in the range. */
function sessionBody(id: string, events: readonly PersonEvent[], { project }: UmamiCall) {
  const latest = (key: string) => events.find(({ properties }) => properties[key])?.properties[key] ?? null
  const [first, last] = [events.at(-1), events[0]]
  return {
    id,
    websiteId: websiteIdOf(project),
    hostname: latest('$host'),
    browser: latest('$browser'),
    os: latest('$os'),
    device: latest('$device_type')?.toLowerCase() ?? null,
    screen: latest('$screen'),
    language: latest('$browser_language'),
    country: latest('$geoip_country_code'),
    region: latest('$geoip_subdivision_1_name'),
    city: latest('$geoip_city_name'),
    firstAt: first?.at ?? null,
    lastAt: last?.at ?? null,
    visits: new Set(events.map(({ session }) => session).filter(Boolean)).size,
    views: events.filter(isView).length,
    events: events.filter(isCustom).length,
    createdAt: last?.at ?? null,
  }
}

/** The most sessions on a page: the events of each are read. */
const mostSessions = 50

async function listSessions(call: UmamiCall): Promise<UmamiOutcome> {
  const { product, project, viewer, query } = call
  const read = selectionOf({ query: withoutSearch(query) })
  if (!read.done) return read
  const page = pageRequestOf(query)
  if (!page.done) return page
  if (page.pageSize > mostSessions) return refused(`Give a pageSize from 1 to ${mostSessions}.`, 'pageSize')
  if (read.filter)
    return refused('Tilth lists all visitors of a range here. Leave the filters out, or search for a person.')
  const asked = {
    period: read.period,
    search: query.get('search') || query.get('query') || '',
    page: page.page,
    perPage: page.pageSize,
  }
  if (page.page > 1000) return refused('Give a page from 1 to 1000.', 'page')
  const found = await product.people.list(project.id, asked, viewer)
  if (!found.done) return found
  const stories = await Promise.all(
    found.persons.map(async ({ id }) => ({ id, story: await eventsOf(call, id, spanOf(read.period)) })),
  )
  const rows: unknown[] = []
  for (const { id, story } of stories) {
    if (!story.done) return story
    rows.push(sessionBody(id, story.events, call))
  }
  return success(pageBody(page, rows, found.total))
}

const value = (number: number) => ({ value: number })

async function sessionStats(call: UmamiCall): Promise<UmamiOutcome> {
  const read = selectionOf(call)
  if (!read.done) return read
  const { period, filter } = read
  const [told, counted] = await Promise.all([
    ask(call, { kind: 'breakdown', period, dimensions: ['country'], limit: 1000, ...(filter && { filter }) }),
    countsOf(call, { period, filter: bothFilters(filter, customEvents), series: [{}] }),
  ])
  if (!told.done) return told
  if (!counted.done) return counted
  const { totals, panels } = told.answer
  if (!totals) throw new Error('A breakdown of visits has totals.')
  return success({
    pageviews: value(totals.figures.views),
    visitors: value(totals.figures.visitors),
    visits: value(totals.figures.visits),
    countries: value(panels[0]?.rows.filter((row) => row.value !== null).length ?? 0),
    events: value(counted.lines[0]?.total ?? 0),
  })
}

const hoursOfDay = 24

/** Visitors with a view in each hour of the week. Umami begins with Sunday. */
async function weekly(call: UmamiCall): Promise<UmamiOutcome> {
  const read = selectionOf(call)
  if (!read.done) return read
  const zone = timeZoneIn(call.query.get('timezone'))
  if (!zone.done) return zone
  const outcome = await ask(
    call,
    {
      kind: 'trend',
      period: read.period,
      interval: 'hour',
      chart: 'calendar',
      filter: bothFilters(read.filter, views),
      series: [{ event: null, measure: { math: 'persons' } }],
    },
    zone.timeZone,
  )
  if (!outcome.done) return outcome
  const hours = outcome.answer.lines[0]?.week ?? []
  const { weekStart } = call.product.insights.settingsOf(call.project)
  const sunday = weekStart === 'sunday' ? 0 : 6
  return success(
    Array.from({ length: 7 }, (_, day) => {
      const from = ((sunday + day) % 7) * hoursOfDay
      return Array.from({ length: hoursOfDay }, (__, hour) => hours[from + hour] ?? 0)
    }),
  )
}

const everything: Span = { from: '1980-01-01T00:00:00.000Z', until: '2105-01-01T00:00:00.000Z' }

async function showSession(call: UmamiCall): Promise<UmamiOutcome> {
  const id = call.part('session')
  if (!isPersonId(id)) return missing
  const { product, project, viewer } = call
  const person = await product.people.find(project.id, id, viewer)
  if (!person) return missing
  const story = await eventsOf(call, id, everything)
  if (!story.done) return story
  return success({ ...sessionBody(id, story.events, call), distinctId: person.distinctIds[0] ?? null })
}

async function activity(call: UmamiCall): Promise<UmamiOutcome> {
  const id = call.part('session')
  const read = call.query.has('startAt') || call.query.has('startDate') ? rangeOf(call) : undefined
  if (read && !read.done) return read
  const { product, project, viewer } = call
  if (!isPersonId(id) || !(await product.people.find(project.id, id, viewer))) return missing
  const story = await eventsOf(call, id, read ? spanOf(read.period) : everything)
  if (!story.done) return story
  return success(
    story.events.map((event) => {
      const { id: eventId, ...body } = eventBody({ ...event, person: id }, call)
      return { eventId, ...body }
    }),
  )
}

/** Umami's numbers of the types of data. */
const dataTypes: Readonly<Record<string, number>> = { string: 1, number: 2, boolean: 3 }
const otherType = 5

/** Properties that Tilth derives from the events of a person; all others were sent. */
const isLearned = (key: string): boolean => /^(?:\$|utm_)/.test(key)

/** The data that a visitor was identified with. */
async function sessionProperties(call: UmamiCall): Promise<UmamiOutcome> {
  const id = call.part('session')
  const { product, project, viewer } = call
  if (!isPersonId(id) || !(await product.people.find(project.id, id, viewer))) return missing
  const [person] = await product.people.sentPersons(project.id, [id], viewer)
  return success(
    Object.entries(person?.properties ?? {})
      .filter(([key]) => !isLearned(key))
      .map(([dataKey, sent]) => ({
        websiteId: websiteIdOf(project),
        sessionId: id,
        dataType: dataTypes[typeof sent] ?? otherType,
        dataKey,
        stringValue: typeof sent === 'string' ? sent : JSON.stringify(sent),
        numberValue: typeof sent === 'number' ? sent : null,
        dateValue: null,
        createdAt: person?.createdAt.toISOString(),
      })),
  )
}

/** The visitors of a range by the value of a property that they were identified with. */
async function sessionDataValues(call: UmamiCall): Promise<UmamiOutcome> {
  const read = selectionOf(call)
  if (!read.done) return read
  const key = call.query.get('propertyName') ?? ''
  if (key === '' || key.length > 200) return refused('Name the propertyName.', 'propertyName')
  const property = { type: 'person', key } as const
  const outcome = await valuesOf(call, {
    name: key,
    period: read.period,
    filter: bothFilters(read.filter, { ...property, operator: 'is_set' }),
    series: [{ measure: { math: 'persons' } }],
    breakdowns: [property],
    limit: 100,
    offset: 0,
  })
  return outcome.done
    ? success(outcome.values.map(({ value: of, count }) => ({ value: of, total: count })))
    : outcome
}

const mostProperties = 100
const seriesAtOnce = 10

/** The visitors of a range by the properties that they were identified with. */
async function sessionDataProperties(call: UmamiCall): Promise<UmamiOutcome> {
  const { product, project, viewer } = call
  const read = selectionOf(call)
  if (!read.done) return read
  const known = await product.insights.catalogue.properties(project.id, viewer)
  const keys = known.filter(({ type, key }) => type === 'person' && !isLearned(key)).map(({ key }) => key)
  if (keys.length > mostProperties)
    return refused(
      `People have ${keys.length} properties, and Tilth counts at most ${mostProperties} at once. Ask /session-data/values for one.`,
    )
  const rows: { propertyName: string; total: number }[] = []
  for (let from = 0; from < keys.length; from += seriesAtOnce) {
    const some = keys.slice(from, from + seriesAtOnce)
    const counted = await countsOf(call, {
      period: read.period,
      filter: read.filter,
      series: some.map((key) => ({
        filter: { type: 'person', key, operator: 'is_set' },
        measure: { math: 'persons' },
      })),
    })
    if (!counted.done) return counted
    rows.push(...some.map((propertyName, i) => ({ propertyName, total: counted.lines[i]?.total ?? 0 })))
  }
  return success(rows.filter(({ total }) => total > 0).sort((one, other) => other.total - one.total))
}

const website = '/websites/{website}'

export const sessionEndpoints: readonly UmamiEndpoint[] = [
  {
    method: 'GET',
    path: `${website}/sessions`,
    query: [...rangeParameters, ...pageParameters, 'query'],
    takesFilters: true,
    handle: listSessions,
  },
  {
    method: 'GET',
    path: `${website}/sessions/stats`,
    query: rangeParameters,
    takesFilters: true,
    handle: sessionStats,
  },
  {
    method: 'GET',
    path: `${website}/sessions/weekly`,
    query: rangeParameters,
    takesFilters: true,
    handle: weekly,
  },
  { method: 'GET', path: `${website}/sessions/{session}`, query: rangeParameters, handle: showSession },
  {
    method: 'GET',
    path: `${website}/sessions/{session}/activity`,
    query: rangeParameters,
    handle: activity,
  },
  { method: 'GET', path: `${website}/sessions/{session}/properties`, handle: sessionProperties },
  {
    method: 'GET',
    path: `${website}/session-data/values`,
    query: [...rangeParameters, 'eventName', 'propertyName'],
    takesFilters: true,
    handle: sessionDataValues,
  },
  {
    method: 'GET',
    path: `${website}/session-data/properties`,
    query: rangeParameters,
    takesFilters: true,
    handle: sessionDataProperties,
  },
]
