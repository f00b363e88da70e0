import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anEngine } from '#test/product/test-engine'
import {
  bothDays,
  firstDay,
  openUmamiSite,
  searchOf,
  secondDay,
  story,
  timeOf,
  website,
  type SentUmamiEvent,
} from '#test/wire/umami-site'

const engine = anEngine()
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const site = `/api/websites/${website}`

const isView = ({ name }: SentUmamiEvent) => name === undefined
const pathOf = ({ url }: SentUmamiEvent) => url.split('?', 1)[0] ?? ''
const within = ({ startAt, endAt }: { startAt: number; endAt: number }, events = story) =>
  events.filter(({ minute }) => timeOf(minute) >= startAt && timeOf(minute) <= endAt)
const distinct = (values: readonly unknown[]) => new Set(values).size

/** Visits, counted with a pencil: a pause of half an hour ends one. */
function visitsIn(events: readonly SentUmamiEvent[]): SentUmamiEvent[][] {
  const visits: SentUmamiEvent[][] = []
  for (const event of events) {
    const last = visits.findLast(([first]) => first?.who === event.who)
    if (last && event.minute - (last.at(-1)?.minute ?? 0) < 30) last.push(event)
    else visits.push([event])
  }
  return visits
}

function plainFigures(events: readonly SentUmamiEvent[]) {
  const visits = visitsIn(events)
  const isBounce = (visit: readonly SentUmamiEvent[]) => visit.length === 1 && visit.every(isView)
  return {
    pageviews: events.filter(isView).length,
    visitors: distinct(events.map(({ who }) => who)),
    visits: visits.length,
    bounces: visits.filter(isBounce).length,
    totaltime: visits
      .map((visit) => ((visit.at(-1)?.minute ?? 0) - (visit[0]?.minute ?? 0)) * 60)
      .reduce((sum, seconds) => sum + seconds, 0),
  }
}

/** Rows as Umami orders them: the most first. */
const rowsBy = (
  events: readonly SentUmamiEvent[],
  keyOf: (event: SentUmamiEvent) => string | undefined,
  of: 'visitors' | 'events',
) =>
  [...Map.groupBy(events, keyOf)]
    .flatMap(([x, own]) =>
      x ? [{ x, y: of === 'events' ? own.length : distinct(own.map(({ who }) => who)) }] : [],
    )
    .sort((one, other) => other.y - one.y || (one.x < other.x ? -1 : 1))

const byCount = (rows: { x: string; y: number }[]) =>
  rows.toSorted((one, other) => other.y - one.y || (one.x < other.x ? -1 : 1))

let shared: Awaited<ReturnType<typeof openUmamiSite>>
beforeAll(async () => {
  shared = await openUmamiSite({ engine: engine.engine(), endLater: afterAll })
})

describe('numbers of events that the tracker sent', () => {
  test('the figures are those of a plain count, in the form of both versions', async () => {
    const { ask } = shared
    const now = plainFigures(within(secondDay))
    const before = plainFigures(within(firstDay))
    const range = searchOf(secondDay)
    expect(await ask(`${site}/stats?${range}`)).toEqual({ status: 200, body: { ...now, comparison: before } })
    const old = Object.fromEntries(
      Object.entries(now).map(([name, value]) => {
        const prev = before[name as keyof typeof before]
        return [name, { value, prev, change: value - prev }]
      }),
    )
    expect((await ask(`/_tilth/umami/v2/api/websites/${website}/stats?${range}`)).body).toEqual(old)
    // a filter by `url` is of version 2 alone
    expect((await ask(`${site}/stats?${range}&url=/thanks`)).body.pageviews).toMatchObject({ value: 1 })
  })

  test('the chart has the views and visitors of each day, in the time zone that is asked for', async () => {
    const { ask } = shared
    const chart = `${site}/pageviews?${searchOf({ ...bothDays, unit: 'day', timezone: 'UTC' })}`
    const day = (at: number) => `${new Date(at).toISOString().slice(0, 10)} 00:00:00`
    const [first, second] = [day(bothDays.startAt), day(secondDay.startAt)]
    expect((await ask(`${chart}&compare=prev`)).body).toMatchObject({
      pageviews: [
        { x: first, y: plainFigures(within(firstDay)).pageviews },
        { x: second, y: plainFigures(within(secondDay)).pageviews },
      ],
      sessions: [
        { x: first, y: plainFigures(within(firstDay)).visitors },
        { x: second, y: plainFigures(within(secondDay)).visitors },
      ],
      compare: { pageviews: [], sessions: [] },
    })
    // an hour east of UTC, the last visit of the first day is of the next
    const late = within(firstDay).filter(({ minute }) => minute >= 23 * 60)
    const east = await ask(chart.replace('timezone=UTC', 'timezone=Africa/Lagos'))
    expect(east.body.pageviews.map(({ y }: { y: number }) => y)).toEqual([
      within(firstDay).filter(isView).length - late.filter(isView).length,
      within(secondDay).filter(isView).length + late.filter(isView).length,
    ])
    // without a time zone, instants are in UTC
    expect((await ask(chart.replace('&timezone=UTC', ''))).body.pageviews[0].x).toBe(
      `${first.slice(0, 10)}T00:00:00Z`,
    )
    expect((await ask(`${site}/pageviews?${searchOf(firstDay)}`)).body.pageviews).toHaveLength(3)
  })

  test.each([
    ['path', pathOf],
    ['url', pathOf],
    ['title', ({ title }: SentUmamiEvent) => title],
    ['tag', ({ tag }: SentUmamiEvent) => tag],
    ['hostname', () => 'acme.example'],
    ['screen', ({ who }: SentUmamiEvent) => ({ ana: '1920x1080', ben: '1280x720', cleo: '390x844' })[who]],
  ])('metrics by %s count visitors', async (type, keyOf) => {
    const { ask } = shared
    const answer = await ask(`${site}/metrics?${searchOf({ ...bothDays, type })}`)
    expect(answer.status).toBe(200)
    expect(byCount(answer.body)).toEqual(rowsBy(story.filter(isView), keyOf, 'visitors'))
  })

  test('metrics about visits are those of the visits', async () => {
    const { ask } = shared
    const rows = async (type: string, more: object = {}) =>
      (await ask(`${site}/metrics?${searchOf({ ...bothDays, type, ...more })}`)).body
    const visits = visitsIn(story)
      .map((visit) => visit.filter(isView))
      .filter((visit) => visit.length > 0)
    const firsts = visits.flatMap(([first]) => first ?? [])
    const lasts = visits.flatMap((visit) => visit.at(-1) ?? [])
    expect(byCount(await rows('entry'))).toEqual(rowsBy(firsts, pathOf, 'visitors'))
    expect(byCount(await rows('exit'))).toEqual(rowsBy(lasts, pathOf, 'visitors'))
    expect(await rows('referrer')).toEqual([{ x: 'www.example.org', y: 1 }])
    expect(await rows('domain')).toEqual([{ x: 'www.example.org', y: 1 }])
    expect(byCount(await rows('browser'))).toEqual([
      { x: 'Chrome', y: 1 },
      { x: 'Firefox', y: 1 },
      { x: 'Mobile Safari', y: 1 },
    ])
    expect(byCount(await rows('device'))).toEqual([
      { x: 'desktop', y: 2 },
      { x: 'mobile', y: 1 },
    ])
    expect(await rows('utmSource')).toEqual([{ x: 'news', y: 1 }])
    expect(byCount(await rows('channel'))).toEqual([
      { x: 'direct', y: 3 },
      { x: 'email', y: 1 },
      { x: 'referral', y: 1 },
    ])
    expect(await rows('event')).toEqual(rowsBy(story, ({ name }) => name, 'events'))
    // pages of rows, and a search
    expect(await rows('path', { limit: 1, offset: 1 })).toEqual([(await rows('path'))[1]])
    expect(await rows('path', { search: 'BLOG' })).toEqual([{ x: '/blog/one', y: 1 }])
    expect((await ask(`${site}/values?${searchOf({ ...bothDays, type: 'browser' })}`)).body).toEqual([
      { value: 'Chrome' },
      { value: 'Firefox' },
      { value: 'Mobile Safari' },
    ])
  })

  test('expanded metrics have the figures of each row', async () => {
    const { ask } = shared
    const range = searchOf({ ...bothDays, type: 'browser' })
    const { body } = await ask(`${site}/metrics/expanded?${range}`)
    const ofBen = story.filter(({ who }) => who === 'ben')
    expect(body).toContainEqual({ name: 'Firefox', ...plainFigures(ofBen) })
    expect(await ask(`${site}/metrics/expanded?${searchOf({ ...bothDays, type: 'path' })}`)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('/metrics for type=path') } },
    })
  })

  test.each([
    ['path=/pricing', (event: SentUmamiEvent) => pathOf(event) === '/pricing'],
    ['path=eq./pricing,/thanks', (event: SentUmamiEvent) => ['/pricing', '/thanks'].includes(pathOf(event))],
    ['path=neq./pricing', (event: SentUmamiEvent) => pathOf(event) !== '/pricing'],
    ['path=c.PRIC', (event: SentUmamiEvent) => pathOf(event).includes('pric')],
    ['path=dnc.pric', (event: SentUmamiEvent) => !pathOf(event).includes('pric')],
    ['path=re.^/p', (event: SentUmamiEvent) => pathOf(event).startsWith('/p')],
    ['browser=Firefox', ({ who }: SentUmamiEvent) => who === 'ben'],
    ['browser=neq.firefox', ({ who }: SentUmamiEvent) => who !== 'ben'],
    ['browser=Firefox&browser1=c.fire', ({ who }: SentUmamiEvent) => who === 'ben'],
    ['title=Pricing', ({ title }: SentUmamiEvent) => title === 'Pricing'],
    ['tag=B', ({ tag }: SentUmamiEvent) => tag === 'B'],
    ['hostname=acme.example', () => true],
    [
      'match=any&tag=A&path=/thanks',
      (event: SentUmamiEvent) => event.tag === 'A' || pathOf(event) === '/thanks',
    ],
  ])('views filtered by %s', async (filter, holds) => {
    const { ask } = shared
    const { status, body } = await ask(`${site}/stats?${searchOf(bothDays)}&${filter}`)
    const own = story.filter(holds)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      pageviews: own.filter(isView).length,
      visitors: distinct(own.map(({ who }) => who)),
    })
  })

  test('filters about visits take whole visits', async () => {
    const { ask } = shared
    const views = async (filter: string) =>
      (await ask(`${site}/stats?${searchOf(bothDays)}&${filter}`)).body.pageviews
    const viewsOf = (holds: (visit: readonly SentUmamiEvent[]) => boolean) =>
      visitsIn(story).filter(holds).flat().filter(isView).length
    expect(await views('referrer=www.example.org')).toBe(1)
    expect(await views('utmSource=news')).toBe(viewsOf(([first]) => first?.url.includes('news') ?? false))
    expect(await views('excludeBounce=true')).toBe(
      viewsOf((visit) => visit.length > 1 || !visit.every(isView)),
    )
  })

  test('events are listed, charted and counted', async () => {
    const { ask } = shared
    const range = searchOf(bothDays)
    const custom = story.filter((event) => !isView(event))
    const list = await ask(`${site}/events?${range}&pageSize=3`)
    expect(list.body).toMatchObject({ count: story.length, page: 1, pageSize: 3 })
    expect(list.body.data.map(({ eventName }: { eventName: string }) => eventName)).toEqual([
      'purchase',
      'purchase',
      null,
    ])
    expect(list.body.data[0]).toMatchObject({
      websiteId: website,
      urlPath: '/thanks',
      hostname: 'acme.example',
      eventType: 2,
      hasData: true,
      browser: 'Mobile Safari',
      device: 'mobile',
    })
    expect((await ask(`${site}/events?${range}&search=sign`)).body).toMatchObject({ count: 2 })
    expect((await ask(`${site}/events/series?${range}&unit=day&timezone=UTC`)).body).toEqual(
      expect.arrayContaining([
        { x: 'signup', t: `${new Date(timeOf(0)).toISOString().slice(0, 10)} 00:00:00`, y: 2 },
        { x: 'purchase', t: `${new Date(secondDay.startAt).toISOString().slice(0, 10)} 00:00:00`, y: 2 },
      ]),
    )
    expect((await ask(`${site}/events/stats?${range}`)).body).toEqual({
      data: {
        events: custom.length,
        visitors: distinct(custom.map(({ who }) => who)),
        visits: 4,
        uniqueEvents: 2,
        comparison: { events: 0, visitors: 0, visits: 0, uniqueEvents: 0 },
      },
    })
    const values = (event: string, propertyName: string) =>
      ask(`${site}/event-data/values?${searchOf({ ...bothDays, event, propertyName })}`)
    expect((await values('signup', 'plan')).body).toEqual([
      { value: 'free', total: 1 },
      { value: 'pro', total: 1 },
    ])
    expect((await values('signup', 'seats')).body).toEqual([{ value: '3', total: 1 }])
  })

  test('sessions are visitors, with what they did in the range', async () => {
    const { ask } = shared
    const range = searchOf(bothDays)
    const { body } = await ask(`${site}/sessions?${range}`)
    expect(body).toMatchObject({ count: 3, page: 1 })
    const ben = body.data.find(({ browser }: { browser: string }) => browser === 'Firefox')
    const ofBen = story.filter(({ who }) => who === 'ben')
    expect(ben).toMatchObject({
      websiteId: website,
      visits: 2,
      views: ofBen.filter(isView).length,
      events: ofBen.filter((event) => !isView(event)).length,
      firstAt: new Date(timeOf(ofBen[0]?.minute ?? 0)).toISOString(),
      device: 'desktop',
      screen: '1280x720',
    })
    expect((await ask(`${site}/sessions/${ben.id}`)).body).toMatchObject({
      id: ben.id,
      views: 2,
      distinctId: 'ben',
    })
    const activity = await ask(`${site}/sessions/${ben.id}/activity?${range}`)
    expect(activity.body.map(({ urlPath }: { urlPath: string }) => urlPath)).toEqual([
      '/pricing',
      '/pricing',
      '/blog/one',
    ])
    expect((await ask(`${site}/sessions/stats?${range}`)).body).toEqual({
      pageviews: { value: story.filter(isView).length },
      visitors: { value: 3 },
      visits: { value: visitsIn(story).length },
      countries: { value: 0 },
      events: { value: story.length - story.filter(isView).length },
    })
  })

  test('the week has the visitors of each hour, from Sunday', async () => {
    const { ask } = shared
    const { body } = await ask(`${site}/sessions/weekly?${searchOf({ ...firstDay, timezone: 'UTC' })}`)
    const weekday = new Date(firstDay.startAt).getUTCDay()
    expect(body).toHaveLength(7)
    expect(body[weekday][9]).toBe(2)
    expect(body[weekday][10]).toBe(1)
    expect(body.flat().reduce((sum: number, one: number) => sum + one, 0)).toBe(4)
  })

  test('the date range is that of all events', async () => {
    const { ask } = shared
    const [first, last] = [story[0], story.at(-1)].map((event) =>
      new Date(timeOf(event?.minute ?? 0)).toISOString(),
    )
    expect((await ask(`${site}/daterange`)).body).toEqual({
      startDate: first,
      endDate: last,
      mindate: first,
      maxdate: last,
    })
  })
})

test('the active visitors and the last half an hour', async () => {
  const { ask, send, untilStored } = shared
  expect((await ask(`${site}/active`)).body).toEqual({ visitors: 0, x: 0 })
  await send('event', {
    url: '/now',
    id: 'dora',
    referrer: 'https://news.example/x',
    userAgent,
  })
  await send('event', {
    url: '/now',
    id: 'dora',
    name: 'signup',
    userAgent,
  })
  await untilStored()
  expect((await ask(`${site}/active`)).body).toEqual({ visitors: 1, x: 1 })
  expect((await ask(`/api/realtime/${website}?timezone=UTC&startAt=1`)).body).toMatchObject({
    urls: { '/now': 1 },
    referrers: { 'news.example': 1 },
    events: [
      { __type: 'event', eventName: 'signup' },
      { __type: 'pageview', urlPath: '/now' },
    ],
    series: { views: [{ y: 1 }], visitors: [{ y: 1 }] },
    totals: { views: 1, visitors: 1, events: 1, countries: 0 },
    timestamp: expect.any(Number),
  })
})

test('session data is what visitors were identified with', async () => {
  const { ask, send, untilStored } = shared
  const now = Date.now()
  const range = searchOf({ startAt: now - 3_600_000, endAt: now + 3_600_000 })
  await send('event', { url: '/?utm_source=news', id: 'emil', userAgent })
  await send('identify', { id: 'emil', data: { plan: 'pro' }, userAgent })
  await send('event', { url: '/', id: 'fay', userAgent })
  await untilStored()
  expect((await ask(`${site}/session-data/properties?${range}`)).body).toEqual([
    { propertyName: 'plan', total: 1 },
  ])
  expect((await ask(`${site}/session-data/values?${range}&propertyName=plan`)).body).toEqual([
    { value: 'pro', total: 1 },
  ])
  const { body } = await ask(`${site}/sessions?${range}`)
  const properties = await Promise.all(
    body.data.map(async ({ id }: { id: string }) => (await ask(`${site}/sessions/${id}/properties`)).body),
  )
  expect(properties.flat()).toMatchObject([{ dataKey: 'plan', stringValue: 'pro', dataType: 1 }])
})
