import type { Filter } from '#filters/filter'
import { ask, success, type UmamiCall, type UmamiEndpoint, type UmamiOutcome } from './endpoint'
import { eventBody } from './events'
import { customEvents, views } from './filters'
import { intervalText, timeZoneIn } from './periods'
import { valuesOf, countsOf } from './trends'

/** The last minutes that Umami's page shows, the current one included. */
const period = '30m'
const minutes = 30
const shownEvents = 100
const mostRows = 1000

const ofPeople: Filter = { type: 'event', key: '$traffic', operator: 'exact', value: 'human' }

type Counts = Record<string, number>

const referringHost = { type: 'event', key: '$referring_domain' } as const

/** The last half an hour. Umami counts the latest hundred events, Tilth all of them. */
async function realtime(call: UmamiCall): Promise<UmamiOutcome> {
  const { product, project, viewer, now } = call
  const zone = timeZoneIn(call.query.get('timezone'))
  if (!zone.done) return zone
  const asked = {
    from: new Date(now.getTime() - minutes * 60_000).toISOString(),
    filter: { all: [ofPeople, { any: [views, customEvents] }] },
    limit: shownEvents,
  }
  const [told, referrers, custom, latest] = await Promise.all([
    ask(
      call,
      {
        kind: 'breakdown',
        period,
        interval: 'minute',
        dimensions: ['country', 'page'],
        limit: mostRows,
        groupPages: false,
      },
      zone.timeZone,
    ),
    valuesOf(call, {
      name: 'referrer',
      period,
      filter: { ...referringHost, operator: 'is_set' },
      series: [{}],
      breakdowns: [referringHost],
      limit: 100,
      offset: 0,
    }),
    countsOf(call, { period, filter: customEvents, series: [{}] }),
    product.people.sentEvents(project.id, asked, viewer),
  ])
  if (!told.done) return told
  if (!referrers.done) return referrers
  if (!custom.done) return custom
  if (!latest.done) return latest
  const { totals, panels } = told.answer
  const rowsOf = (name: string) => panels.find(({ dimension }) => dimension === name)?.rows ?? []
  const countries = countsIn(rowsOf('country').map(({ value, visitors }) => [value, visitors]))
  const shown = { timeZone: zone.timeZone, isLocal: zone.isNamed || call.version === 2 }
  const line = (of: 'views' | 'visitors') =>
    (totals?.course ?? []).flatMap((figures, i) =>
      figures.visits > 0 ? [{ x: intervalText(totals?.starts[i] ?? '', shown), y: figures[of] }] : [],
    )
  return success({
    countries,
    urls: countsIn(rowsOf('page').map(({ value, events = 0 }) => [value, events])),
    referrers: countsIn(referrers.values.map(({ value, count }) => [value, count])),
    events: latest.events.map((event) => {
      const body = eventBody(event, call)
      return { __type: body.eventName === null ? 'pageview' : 'event', ...body }
    }),
    series: { views: line('views'), visitors: line('visitors') },
    totals: {
      views: totals?.figures.views ?? 0,
      visitors: totals?.figures.visitors ?? 0,
      events: custom.lines[0]?.total ?? 0,
      countries: Object.keys(countries).length,
    },
    timestamp: now.getTime(),
  })
}

/** Names are those of visitors, so that none is a property that every object has. */
function countsIn(counted: readonly (readonly [name: string | null, count: number])[]): Counts {
  return Object.fromEntries(counted.flatMap(([name, count]) => (name === null ? [] : [[name, count]])))
}

export const realtimeEndpoints: readonly UmamiEndpoint[] = [
  // clients send the beginning of their page, which always shows half an hour
  { method: 'GET', path: '/realtime/{website}', query: ['startAt', 'timezone'], handle: realtime },
]
