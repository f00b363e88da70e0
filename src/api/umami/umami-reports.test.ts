import { afterAll, beforeAll, expect, test } from 'vitest'
import { anEngine } from '#test/product/test-engine'
import { bothDays, firstDay, openUmamiSite, searchOf, timeOf, website } from '#test/wire/umami-site'

const engine = anEngine()
let site: Awaited<ReturnType<typeof openUmamiSite>>
beforeAll(async () => {
  site = await openUmamiSite({ engine: engine.engine(), endLater: afterAll })
})

const dates = {
  startDate: new Date(bothDays.startAt).toISOString(),
  endDate: new Date(bothDays.endAt).toISOString(),
}

/** A report as clients of version 3 ask for it. */
const report = async (type: string, parameters: object, filters: object = {}) =>
  await site.ask(`/api/reports/${type}`, {
    body: { websiteId: website, type, filters, parameters: { ...dates, ...parameters } },
  })

/** A report as clients of version 2 ask for it. */
const oldReport = async (type: string, fields: object) =>
  await site.ask(`/_tilth/umami/v2/api/reports/${type}`, {
    body: { websiteId: website, dateRange: dates, timezone: 'UTC', ...fields },
  })

const day = (at: number): string => `${new Date(at).toISOString().slice(0, 10)} 00:00:00`

test('a funnel says who reaches each step', async () => {
  const steps = [
    { type: 'path', value: '/' },
    { type: 'path', value: '/pric*' },
    { type: 'event', value: 'signup', filters: [{ property: 'plan', operator: 'eq', value: 'pro' }] },
  ]
  const expected = [
    { type: 'path', value: '/', visitors: 2, previous: 0, dropped: 0, dropoff: null, remaining: 1 },
    { type: 'path', value: '/pric*', visitors: 2, previous: 2, dropped: 0, dropoff: 0, remaining: 1 },
    { type: 'event', value: 'signup', visitors: 1, previous: 2, dropped: 1, dropoff: 0.5, remaining: 0.5 },
  ]
  expect(await report('funnel', { window: 60, steps })).toEqual({ status: 200, body: expected })
  const ofFirefox = await report('funnel', { window: 60, steps: steps.slice(1) }, { browser: 'Firefox' })
  expect(ofFirefox.body).toMatchObject([{ visitors: 1 }, { visitors: 0 }])
  const old = await oldReport('funnel', {
    window: 60,
    steps: [
      { type: 'url', value: '/' },
      { type: 'url', value: '/pricing' },
    ],
  })
  expect(old.body).toMatchObject([
    { type: 'url', visitors: 2 },
    { type: 'url', visitors: 2 },
  ])
  // within five minutes only Ana goes on
  expect((await report('funnel', { window: 5, steps: steps.slice(0, 2) })).body[1]).toMatchObject({
    visitors: 1,
  })
})

test('retention has a cohort for each day', async () => {
  const first = day(firstDay.startAt)
  expect((await report('retention', { timezone: 'UTC' })).body).toEqual([
    { date: first, day: 0, visitors: 3, returnVisitors: 3, percentage: 100 },
    { date: first, day: 1, visitors: 3, returnVisitors: 2, percentage: 200 / 3 },
  ])
})

test('campaigns are counted by the views of their addresses', async () => {
  const empty = { utm_campaign: [], utm_term: [], utm_content: [] }
  expect((await report('utm', {})).body).toEqual({
    ...empty,
    utm_source: [{ utm: 'news', views: 1 }],
    utm_medium: [{ utm: 'email', views: 1 }],
  })
  expect((await oldReport('utm', {})).body).toMatchObject({ utm_source: { news: 1 }, utm_term: {} })
})

test('goals say who reached them, and how often', async () => {
  expect((await report('goal', { type: 'path', value: '/pricing' })).body).toEqual({ num: 3, total: 3 })
  expect((await report('goal', { type: 'event', value: 'purchase' })).body).toEqual({ num: 2, total: 3 })
  const goals = [
    { type: 'event', value: 'signup', goal: '5' },
    { type: 'url', value: '/pricing', goal: 10 },
  ]
  expect((await oldReport('goals', { goals })).body).toEqual([
    { type: 'url', value: '/pricing', goal: 10, result: 3 },
    { type: 'event', value: 'signup', goal: 5, result: 2 },
  ])
})

test('revenue is that of one currency', async () => {
  const { body } = await report('revenue', { currency: 'EUR', unit: 'day', timezone: 'UTC' })
  expect(body).toMatchObject({
    chart: [{ x: 'purchase', t: day(timeOf(24 * 60)), y: 25, count: 1 }],
    total: {
      sum: 25,
      count: 1,
      unique_count: 1,
      average: 25,
      total_sessions: 3,
      comparison: { sum: 0, count: 0, average: 0 },
    },
    channel: [{ name: 'Direct', value: 25 }],
  })
  expect((await report('revenue', { currency: 'usd' })).body).toMatchObject({ total: { sum: 10, count: 1 } })
  expect((await report('revenue', { currency: 'GBP' })).body).toMatchObject({ chart: [], total: { sum: 0 } })
})

test.each([
  // a report                                 the words of the refusal
  ['journey', { steps: 5 }, 404, /journeys as whole sequences/],
  ['attribution', { model: 'first-click' }, 404, /attribution in Umami’s form/],
  ['breakdown', { fields: ['path'] }, 404, /breakdowns by several fields/],
  ['performance', {}, 404, /performance reports/],
  ['funnel', { window: 5, steps: [{ type: 'path', value: '/' }] }, 400, /steps/],
  ['goal', { type: 'path', value: 'thanks' }, 400, /Begin a page with "\/"/],
  ['revenue', { currency: "EUR' or 1=1" }, 400, /three letters/],
  ['revenue', { currency: 'EUR', unit: 'year' }, 400, /unit=month/],
])('the report %s with %j is refused with %s', async (type, parameters, status, words) => {
  const answer = await report(type, parameters)
  expect(answer.status).toBe(status)
  expect(answer.body.error.message).toMatch(words)
})

test('a report without a website, without dates or with an unknown filter is refused', async () => {
  const ask = (body: object) => site.ask('/api/reports/utm', { body })
  expect(await ask({ parameters: dates })).toMatchObject({
    status: 400,
    body: { error: { message: /websiteId/ } },
  })
  expect((await ask({ websiteId: website, parameters: {} })).status).toBe(400)
  expect((await ask({ websiteId: 'another', parameters: dates })).status).toBe(404)
  const filtered = await report('utm', {}, { weather: 'fine' })
  expect(filtered.body.error.message).toContain('"weather"')
  expect((await report('utm', {}, { cohort: website })).body.error.message).toMatch(/Cohorts/)
})

test('since version 3.3, reports are read below the website', async () => {
  const read = async (path: string, parameters: Record<string, string | number>) =>
    (
      await site.ask(
        `/api/websites/${website}/${path}?${searchOf({ ...bothDays, timezone: 'UTC', ...parameters })}`,
      )
    ).body
  const steps = JSON.stringify([
    { type: 'path', value: '/' },
    { type: 'event', value: 'signup' },
  ])
  expect(await read('funnels/stats', { window: 60, steps })).toMatchObject([{ visitors: 2 }, { visitors: 1 }])
  expect((await read('funnels/stats', { window: 60, steps: '[' })).error.message).toMatch(/JSON/)
  expect(await read('retention', {})).toEqual((await report('retention', { timezone: 'UTC' })).body)
  expect(await read('retention', { browser: 'Firefox' })).toMatchObject([{ day: 0, visitors: 1 }])
  expect(await read('utm/metrics', { type: 'utm_source' })).toEqual([{ utm: 'news', views: 1 }])
  expect((await read('utm/metrics', { type: 'gclid' })).error.message).toMatch(/utm_source/)
  expect(await read('goals/stats', { type: 'path', value: '/pricing' })).toEqual({ num: 3, total: 3 })
  const whole = (await report('revenue', { currency: 'EUR', unit: 'day', timezone: 'UTC' })).body
  const paid = { currency: 'EUR', unit: 'day' }
  expect(await read('revenue/stats', paid)).toEqual(whole.total)
  expect(await read('revenue/chart', paid)).toEqual({ chart: whole.chart })
  expect(await read('revenue/metrics', { ...paid, type: 'channel' })).toEqual(whole.channel)
  expect((await read('revenue/metrics', { ...paid, type: 'city' })).error.message).toMatch(/country/)
})
