import { beforeAll, describe, expect, test } from 'vitest'
import {
  between,
  byEvent,
  byVisit,
  dayOf,
  figuresOf,
  hourOf,
  isSent,
  type PlainRow,
  type PlainVisit,
  rounded,
  visitorsAmong,
  visitsOf,
} from '#test/plain/plausible'
import { aPlausibleSite, type Hit, type PlausibleSite, today } from '#test/product/plausible-site'
import { anEngine } from '#test/product/test-engine'
import { endAfterFile } from '#test/running/end-after-file'

const engine = anEngine()
const endLater = endAfterFile()

let site: PlausibleSite
beforeAll(async () => {
  site = await aPlausibleSite(engine, undefined, endLater)
})

/** The seven days before today, as `7d` of the second API. */
const lastWeek = (): PlainVisit[] => visitsOf(between(site.hits, '2026-03-07', '2026-03-13'))
const everything = (): PlainVisit[] => visitsOf(site.hits)
const hitsOf = (visits: readonly PlainVisit[]): Hit[] => visits.flatMap(({ hits }) => hits)

interface QueryAnswer {
  results: PlainRow[]
  meta: Record<string, unknown>
  query: Record<string, unknown>
}

async function answered(body: object): Promise<QueryAnswer> {
  const answer = await site.query(body)
  expect(answer).toMatchObject({ status: 200 })
  // the form is compared by the tests
  return answer.body as QueryAnswer
}

const plainly = (rows: readonly PlainRow[]) =>
  rows.map((row) => JSON.stringify([row.dimensions, row.metrics])).toSorted()

/** The rows are equal, and the first metric falls, or time rises. Rows of equal numbers come in any order. */
function expectRows(
  results: readonly PlainRow[],
  expected: readonly PlainRow[],
  order: 'time' | 'metric' = 'metric',
) {
  expect(expected.length).toBeGreaterThan(0)
  expect(plainly(results)).toEqual(plainly(expected))
  const keys = results.map(({ dimensions, metrics }) =>
    order === 'time' ? dimensions[0] : -Number(metrics[0]),
  )
  expect(keys).toEqual(keys.toSorted((one, other) => ((one ?? 0) < (other ?? 0) ? -1 : 1)))
}

const whole = (...metrics: unknown[]): PlainRow[] => [{ dimensions: [], metrics }]
const sources = new Map([['', 'Direct / None']])
const sourceOf = (_: PlainVisit, first: Hit) => [sources.get(first.source) ?? first.source]

describe('the examples of the second API', () => {
  test('aggregate-query', async () => {
    const { results, meta, query } = await answered({ metrics: ['visitors', 'events'], date_range: '7d' })
    const { visitors, events } = figuresOf(lastWeek())
    expectRows(results, whole(visitors, events))
    expect(meta).toEqual({})
    expect(query).toEqual({
      site_id: 'example.com',
      metrics: ['visitors', 'events'],
      date_range: ['2026-03-07T00:00:00+00:00', '2026-03-13T23:59:59+00:00'],
      filters: [],
      dimensions: [],
      order_by: [['visitors', 'desc']],
      include: {},
      pagination: { offset: 0, limit: 10_000 },
    })
  })

  test('custom-date-range-query', async () => {
    const { results } = await answered({ metrics: ['visitors'], date_range: ['2026-03-04', '2026-03-09'] })
    expectRows(results, whole(figuresOf(visitsOf(between(site.hits, '2026-03-04', '2026-03-09'))).visitors))
  })

  test('country-and-city-query', async () => {
    const { results } = await answered({
      metrics: ['visitors', 'pageviews', 'bounce_rate'],
      date_range: '7d',
      filters: [['is_not', 'visit:country_name', ['']]],
      dimensions: ['visit:country_name', 'visit:city_name'],
    })
    const places = site.product.intake?.context.places
    const expected = byVisit(
      lastWeek(),
      (_, { place }) => [place.name, places?.find(place.address)?.city ?? ''],
      (visits) => {
        const { visitors, pageviews, bounce_rate: rate } = figuresOf(visits)
        return [visitors, pageviews, rate]
      },
    )
    expect(expected).toHaveLength(3)
    expectRows(results, expected)
  })

  test('utm-query', async () => {
    const { results } = await answered({
      metrics: ['visitors', 'events', 'pageviews'],
      date_range: '7d',
      dimensions: ['visit:utm_medium', 'visit:utm_source'],
    })
    expectRows(results, byCampaign(lastWeek()))
  })

  test('filtering-basics-query', async () => {
    const { results } = await answered({
      metrics: ['visitors'],
      date_range: '7d',
      filters: [
        ['contains', 'event:page', ['/docs', '/pricing']],
        [
          'or',
          [
            ['not', ['is', 'visit:utm_campaign', ['Referral']]],
            ['is', 'visit:country_name', ['Estonia', 'United States of America']],
          ],
        ],
      ],
    })
    const visits = lastWeek().filter(
      ({ hits: [first] }) => first?.campaign['utm_campaign'] !== 'Referral' || first.place.code !== 'DE',
    )
    expectRows(results, whole(figuresOf(visits, ({ path }) => /\/docs|\/pricing/.test(path)).visitors))
  })

  test('filtering-case-insensitive-query', async () => {
    const asked = (modifiers: object[]) =>
      answered({
        metrics: ['visitors', 'pageviews'],
        date_range: '7d',
        filters: [['contains', 'event:page', ['blog'], ...modifiers]],
      })
    const either = figuresOf(lastWeek(), ({ path }) => /blog/i.test(path))
    const small = figuresOf(lastWeek(), ({ path }) => path.includes('blog'))
    expect(small.pageviews).toBeLessThan(either.pageviews)
    expectRows((await asked([{ case_sensitive: false }])).results, whole(either.visitors, either.pageviews))
    expectRows((await asked([])).results, whole(small.visitors, small.pageviews))
  })

  test('filtering-by-segment-query', async () => {
    const bySegment = (segment: unknown) =>
      site.query({
        metrics: ['visitors', 'events'],
        filters: [['is', 'segment', [segment]]],
        date_range: '7d',
      })
    const { visitors, events } = figuresOf(
      lastWeek().filter(({ hits: [first] }) => first?.place.code === 'DE'),
    )
    expect((await bySegment('From Germany')).body).toMatchObject({ results: whole(visitors, events) })
    expect(await bySegment(2)).toEqual({
      status: 400,
      body: { error: expect.stringContaining('segment "2"') },
    })
  })

  test('timeseries-query', async () => {
    const { results } = await answered({
      metrics: ['visitors', 'events'],
      date_range: '7d',
      filters: [['is', 'visit:os', ['GNU/Linux', 'Mac']]],
      dimensions: ['time:day'],
    })
    const visits = lastWeek().filter(({ hits: [first] }) =>
      ['GNU/Linux', 'Mac'].includes(first?.device.os ?? ''),
    )
    const expected = byVisit(
      visits,
      (_, first) => [dayOf(first)],
      (own) => [figuresOf(own).visitors, figuresOf(own).events],
    )
    expectRows(results, expected, 'time')
  })

  test('time-labels-query', async () => {
    const { results, meta } = await answered({
      metrics: ['visitors'],
      date_range: 'day',
      dimensions: ['time:hour'],
      include: { time_labels: true },
    })
    const visits = visitsOf(between(site.hits, today, today))
    expectRows(
      results,
      byVisit(
        visits,
        (_, first) => [hourOf(first)],
        (own) => [figuresOf(own).visitors],
      ),
      'time',
    )
    expect(meta).toEqual({
      time_labels: Array.from({ length: 24 }, (_, hour) => `${today} ${String(hour).padStart(2, '0')}:00:00`),
    })
  })

  test('custom-properties-query', async () => {
    const { results, query } = await answered({
      metrics: ['visitors'],
      date_range: '7d',
      dimensions: ['time:day', 'event:props:is_customer'],
      order_by: [
        ['time:day', 'asc'],
        ['event:props:is_customer', 'desc'],
      ],
    })
    const hits = hitsOf(lastWeek()).filter(isSent)
    const expected = byEvent(
      hits,
      (hit) => [dayOf(hit), hit.props['is_customer'] ?? '(none)'],
      (own) => [visitorsAmong(own)],
    ).toSorted(
      (one, other) =>
        (one.dimensions[0] ?? '').localeCompare(other.dimensions[0] ?? '') ||
        -(one.dimensions[1] ?? '').localeCompare(other.dimensions[1] ?? ''),
    )
    expect(results.map(({ dimensions }) => dimensions[1])).toContain('true')
    expect(results).toEqual(expected)
    expect(query['order_by']).toEqual([
      ['time:day', 'asc'],
      ['event:props:is_customer', 'desc'],
    ])
  })

  test('pagination-query', async () => {
    const { results, meta, query } = await answered({
      metrics: ['visitors', 'events', 'pageviews'],
      date_range: '7d',
      dimensions: ['visit:utm_medium', 'visit:utm_source'],
      include: { total_rows: true },
      pagination: { limit: 2, offset: 1 },
    })
    const all = byCampaign(lastWeek()).toSorted(
      (one, other) => Number(other.metrics[0]) - Number(one.metrics[0]),
    )
    expect(meta).toEqual({ total_rows: all.length })
    expect(results.map(({ metrics }) => metrics[0])).toEqual(all.slice(1, 3).map(({ metrics }) => metrics[0]))
    expect(query['pagination']).toEqual({ offset: 1, limit: 2 })
  })

  test('imports-query and imports-bad-filter-query', async () => {
    const asked = (more: object) =>
      answered({ metrics: ['visitors'], date_range: 'all', include: { imports: true }, ...more })
    const { results, query } = await asked({ dimensions: ['visit:source'] })
    expectRows(
      results,
      byVisit(everything(), sourceOf, (visits) => [figuresOf(visits).visitors]),
    )
    expect(query['date_range']).toEqual(['2026-03-03T00:00:00+00:00', `${today}T23:59:59+00:00`])
    const filtered = await asked({
      dimensions: ['visit:source'],
      filters: [['is', 'visit:country_name', ['Estonia']]],
    })
    expect(filtered.meta).toMatchObject({ imports_included: false, imports_skip_reason: 'unsupported_query' })
    expect((await asked({})).meta).toEqual({ imports_included: true })
  })

  test('revenue-metrics-query', async () => {
    const { results } = await answered({
      metrics: ['total_revenue', 'average_revenue'],
      date_range: 'all',
      dimensions: ['event:goal'],
    })
    const amounts = site.hits.flatMap(({ revenue }) => (revenue > 0 ? [revenue] : []))
    const sum = amounts.reduce((total, amount) => total + amount, 0)
    expect(results.find(({ dimensions }) => dimensions[0] === 'Purchase')).toEqual({
      dimensions: ['Purchase'],
      metrics: [
        { value: sum, currency: 'EUR', short: expect.stringMatching(/^€/), long: `€${sum}.00` },
        expect.objectContaining({ value: expect.closeTo(sum / amounts.length) }),
      ],
    })
    expect(results.find(({ dimensions }) => dimensions[0] === 'Signup')).toEqual({
      dimensions: ['Signup'],
      metrics: [null, null],
    })
  })

  test('revenue-warning-query names a goal that the project does not have', async () => {
    const filters = [['is', 'event:goal', ['PurchaseUSD', 'PurchaseEUR']]]
    expect(await site.query({ metrics: ['total_revenue'], date_range: 'all', filters })).toEqual({
      status: 400,
      body: { error: expect.stringContaining('The goal `PurchaseUSD` is not configured for this site.') },
    })
  })

  test('behavioral-filters-query', async () => {
    const { results } = await answered({
      metrics: ['visitors'],
      date_range: 'all',
      filters: [
        ['is', 'event:goal', ['Signup']],
        ['has_done', ['is', 'event:page', ['/pricing']]],
      ],
    })
    const visits = everything().filter(
      ({ hits }) =>
        hits.some(({ name }) => name === 'Signup') && hits.some(({ path }) => path === '/pricing'),
    )
    expectRows(results, whole(visitorsAmong(hitsOf(visits))))
  })
})

/** The rows of the examples about campaigns. */
const byCampaign = (visits: readonly PlainVisit[]): PlainRow[] =>
  byVisit(
    visits,
    (_, { campaign }) => [campaign['utm_medium'] ?? '(not set)', campaign['utm_source'] ?? '(not set)'],
    (own) => {
      const { visitors, events, pageviews } = figuresOf(own)
      return [visitors, events, pageviews]
    },
  )

async function read(path: string) {
  const answer = await site.read(path)
  expect(answer).toMatchObject({ status: 200 })
  // the form is compared by the tests
  return answer.body as { results: unknown }
}

const shownRows = (rows: readonly PlainRow[], ...names: string[]) =>
  rows.map(({ dimensions, metrics }) =>
    Object.fromEntries([...dimensions, ...metrics].map((value, index) => [names[index], value])),
  )

const inOrder = (rows: readonly object[]) =>
  rows
    .map((row) => JSON.stringify(Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1))))
    .toSorted()

describe('the examples of the first API', () => {
  test('realtime/visitors', async () => {
    expect(await site.read('realtime/visitors')).toEqual({ status: 200, body: 1 })
  })

  test('aggregate', async () => {
    const { visitors, pageviews, bounce_rate: rate, visit_duration: duration } = figuresOf(everything())
    expect(await read('aggregate?period=6mo&metrics=visitors,pageviews,bounce_rate,visit_duration')).toEqual({
      results: {
        visitors: { value: visitors },
        pageviews: { value: pageviews },
        bounce_rate: { value: rate },
        visit_duration: { value: duration },
      },
    })
  })

  test('timeseries', async () => {
    const { visitors } = figuresOf(everything())
    const months = ['2025-10-01', '2025-11-01', '2025-12-01', '2026-01-01', '2026-02-01', '2026-03-01']
    expect(await read('timeseries?period=6mo')).toEqual({
      results: months.map((date) => ({ date, visitors: date === '2026-03-01' ? visitors : 0 })),
    })
  })

  test('breakdown by source', async () => {
    const { results } = await read(
      'breakdown?period=6mo&property=visit:source&metrics=visitors,bounce_rate&limit=5',
    )
    const expected = byVisit(everything(), sourceOf, (visits) => {
      const { visitors, bounce_rate: rate } = figuresOf(visits)
      return [visitors, rate]
    })
    expect(inOrder(results as object[])).toEqual(
      inOrder(shownRows(expected, 'source', 'visitors', 'bounce_rate')),
    )
  })

  test('top pages', async () => {
    const { results } = await read('breakdown?period=6mo&property=event:page&limit=5')
    const views = site.hits.filter(({ name }) => name === 'pageview')
    const expected = byEvent(
      views,
      ({ path }) => [path],
      (own) => [visitorsAmong(own)],
    ).toSorted((one, other) => Number(other.metrics[0]) - Number(one.metrics[0]))
    expect((results as { visitors: number }[]).map(({ visitors }) => visitors)).toEqual(
      expected.slice(0, 5).map(({ metrics }) => metrics[0]),
    )
    expect(shownRows(expected, 'page', 'visitors')).toEqual(expect.arrayContaining(results as object[]))
  })

  test('visitors of a page', async () => {
    const { visitors } = figuresOf(everything(), ({ path }) => path === '/pricing')
    expect(await read('aggregate?period=6mo&filters=event:page%3D%3D%2Fpricing')).toEqual({
      results: { visitors: { value: visitors } },
    })
  })

  test('monthly traffic from Google', async () => {
    const fromGoogle = everything().filter(({ hits: [first] }) => first?.source === 'Google')
    const { results } = await read('timeseries?period=6mo&filters=visit:source%3D%3DGoogle')
    expect(results).toHaveLength(6)
    expect((results as object[]).at(-1)).toEqual({
      date: '2026-03-01',
      visitors: figuresOf(fromGoogle).visitors,
    })
  })

  test('a goal by a custom property', async () => {
    const { results } = await read(
      'breakdown?period=6mo&property=event:props:plan&filters=event:goal%3D%3DSignup',
    )
    const expected = byEvent(
      site.hits.filter(({ name }) => name === 'Signup'),
      ({ props }) => [props['plan'] ?? ''],
      (own) => [visitorsAmong(own)],
    )
    expect(inOrder(results as object[])).toEqual(inOrder(shownRows(expected, 'plan', 'visitors')))
  })
})

describe('metrics', () => {
  test('of everything, each as the studio has it', async () => {
    const metrics = [
      'visitors',
      'visits',
      'pageviews',
      'events',
      'views_per_visit',
      'bounce_rate',
      'visit_duration',
    ]
    const { results } = await answered({ metrics, date_range: '7d' })
    const figures: Record<string, number> = { ...figuresOf(lastWeek()) }
    expectRows(results, whole(...metrics.map((name) => figures[name])))
    const studio = await site.product.insights.ask(
      site.project.id,
      { kind: 'totals', period: '2026-03-07..2026-03-13' },
      { kind: 'operator' } as never,
    )
    expect(studio).toMatchObject({ done: true, answer: { figures: { visitors: results[0]?.metrics[0] } } })
  })

  test('of pages: how they were read, and the visits that began there', async () => {
    const { results } = await answered({
      metrics: ['pageviews', 'time_on_page', 'scroll_depth', 'bounce_rate', 'visit_duration', 'events'],
      date_range: '7d',
      dimensions: ['event:page'],
    })
    const expected = byEvent(
      hitsOf(lastWeek()),
      ({ path }) => [path],
      (own) => {
        const path = own[0]?.path
        const readings = visitsOf(own.filter(({ engagedMs }) => engagedMs > 0)).map(({ hits }) => hits)
        const seconds = readings.map((hits) => hits.reduce((sum, hit) => sum + hit.engagedMs, 0) / 1000)
        const depths = readings.map((hits) => Math.max(...hits.map(({ scroll }) => scroll)))
        const begun = figuresOf(lastWeek().filter(({ entry }) => entry === path))
        const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
        return [
          own.filter(({ name }) => name === 'pageview').length,
          Math.round(average(seconds)),
          Math.round(average(depths)),
          begun.bounce_rate,
          begun.visit_duration,
          own.filter(isSent).length,
        ]
      },
    )
    expectRows(results, expected)
    const [first] = results
    const one = await answered({
      metrics: ['time_on_page', 'scroll_depth'],
      date_range: '7d',
      filters: [['is', 'event:page', first?.dimensions ?? []]],
    })
    expectRows(one.results, whole(first?.metrics[1], first?.metrics[2]))
  })

  test('shares of visitors, and of those who reach a goal', async () => {
    const { results } = await answered({
      metrics: ['visitors', 'percentage', 'conversion_rate', 'group_conversion_rate'],
      date_range: '7d',
      dimensions: ['visit:source'],
      filters: [['is', 'event:goal', ['Signup', 'Visit /pricing']]],
    })
    const reaches = ({ name, path }: Hit) => name === 'Signup' || (name === 'pageview' && path === '/pricing')
    const all = figuresOf(lastWeek()).visitors
    const reached = figuresOf(lastWeek(), reaches).visitors
    const groups = byVisit(lastWeek(), sourceOf, (visits) => {
      const { visitors } = figuresOf(visits, reaches)
      const share = (of: number) => rounded((visitors / of) * 100, 2)
      return [visitors, share(reached), share(all), share(figuresOf(visits).visitors)]
    })
    expectRows(
      results,
      groups.filter(({ metrics: [visitors] }) => visitors !== 0),
    )
  })

  test('of pages by what was done there, also where it was no view', async () => {
    const filters = [['is', 'event:goal', ['Signup', 'Purchase']]]
    const { results } = await answered({
      metrics: ['visitors', 'events', 'pageviews', 'conversion_rate', 'group_conversion_rate'],
      date_range: '7d',
      dimensions: ['event:page'],
      filters,
    })
    const all = figuresOf(lastWeek()).visitors
    const expected = byEvent(
      hitsOf(lastWeek()).filter(({ name }) => name === 'Signup' || name === 'Purchase'),
      ({ path }) => [path],
      (own) => {
        const visitors = visitorsAmong(own)
        const onPage = visitorsAmong(
          hitsOf(lastWeek()).filter((hit) => hit.name === 'pageview' && hit.path === own[0]?.path),
        )
        const share = (of: number) => rounded((visitors / of) * 100, 2)
        return [visitors, own.length, 0, share(all), share(onPage)]
      },
    )
    expectRows(results, expected)
    for (const metric of ['time_on_page', 'scroll_depth'])
      expect(
        await site.query({ metrics: [metric], date_range: '7d', dimensions: ['event:page'], filters }),
      ).toMatchObject({ status: 400, body: { error: expect.stringContaining('goals') } })
  })

  test('bounces with a filter on pages are those of visits that began there', async () => {
    const metrics = ['visits', 'bounce_rate']
    const filters = [['is', 'event:page', ['/pricing']]]
    const began = (visits: readonly PlainVisit[]) =>
      figuresOf(visits.filter(({ entry }) => entry === '/pricing'))
    const seen = (visits: readonly PlainVisit[]) => figuresOf(visits, ({ path }) => path === '/pricing')
    const rowOf = (visits: readonly PlainVisit[]) => [seen(visits).visits, began(visits).bounce_rate]
    expect(rowOf(everything())).not.toEqual([seen(everything()).visits, seen(everything()).bounce_rate])
    const asked = async (dimensions: string[]) =>
      (await answered({ metrics, date_range: 'all', dimensions, filters })).results
    const isSeen = ({ metrics: [visits] }: PlainRow) => visits !== 0
    expectRows(await asked([]), whole(...rowOf(everything())))
    expectRows(await asked(['visit:source']), byVisit(everything(), sourceOf, rowOf).filter(isSeen))
    const days = byVisit(everything(), (_, first) => [dayOf(first)], rowOf).filter(isSeen)
    expectRows(await asked(['time:day']), days, 'time')
    expect(await site.query({ metrics: ['views_per_visit'], date_range: 'all', filters })).toMatchObject({
      status: 400,
    })
  })

  test('of goals', async () => {
    const { results } = await answered({
      metrics: ['visitors', 'events', 'conversion_rate'],
      date_range: '7d',
      dimensions: ['event:goal'],
    })
    const reached: Record<string, (hit: Hit) => boolean> = {
      Signup: ({ name }) => name === 'Signup',
      Purchase: ({ name }) => name === 'Purchase',
      Left: ({ name }) => name === 'Outbound Link: Click',
      'Pricing seen': ({ name, path }) => name === 'pageview' && path === '/pricing',
      Blog: ({ name, path }) => name === 'pageview' && path.startsWith('/blog/'),
    }
    const all = figuresOf(lastWeek()).visitors
    const expected = Object.entries(reached).map(([name, reaches]) => {
      const hits = hitsOf(lastWeek()).filter(reaches)
      const visitors = visitorsAmong(hits)
      return { dimensions: [name], metrics: [visitors, hits.length, rounded((visitors / all) * 100, 2)] }
    })
    expectRows(results, expected)
  })

  test('of exits: visits that end on a page, by its views', async () => {
    const { results } = await answered({
      metrics: ['visits', 'exit_rate'],
      date_range: '7d',
      dimensions: ['visit:exit_page'],
    })
    const viewsOf = (path: string) =>
      hitsOf(lastWeek()).filter((hit) => hit.name === 'pageview' && hit.path === path).length
    const expected = byVisit(
      lastWeek(),
      ({ exit }) => [exit],
      (visits) => [visits.length, rounded((visits.length / viewsOf(visits[0]?.exit ?? '')) * 100, 1)],
    )
    expectRows(results, expected)
  })
})

type VisitValue = (visit: PlainVisit, first: Hit) => string

test.each<[string, VisitValue]>([
  ['visit:entry_page', ({ entry }) => entry],
  ['visit:exit_page', ({ exit }) => exit],
  ['visit:entry_page_hostname', (_, { host }) => host],
  ['visit:source', (_, { source }) => source || 'Direct / None'],
  [
    'visit:referrer',
    (_, { source }) => ({ Google: 'google.com', Twitter: 't.co/fzWTE9OTPt' })[source] ?? 'Direct / None',
  ],
  ['visit:utm_source', (_, { campaign }) => campaign['utm_source'] ?? '(not set)'],
  ['visit:utm_medium', (_, { campaign }) => campaign['utm_medium'] ?? '(not set)'],
  ['visit:utm_campaign', (_, { campaign }) => campaign['utm_campaign'] ?? '(not set)'],
  ['visit:utm_content', () => '(not set)'],
  ['visit:utm_term', (_, { campaign }) => campaign['utm_term'] ?? '(not set)'],
  ['visit:device', (_, { device }) => device.kind],
  ['visit:browser', (_, { device }) => device.browser],
  ['visit:browser_version', (_, { device }) => device.version],
  ['visit:os', (_, { device }) => device.os],
  ['visit:country', (_, { place }) => place.code],
  ['visit:country_name', (_, { place }) => place.name],
])('visits by %s, and the same by a filter on each value', async (dimension, valueOf) => {
  const metrics = ['visitors', 'visits', 'pageviews', 'bounce_rate']
  const metricsOf = (visits: readonly PlainVisit[]) => {
    const { visitors, visits: count, pageviews, bounce_rate: rate } = figuresOf(visits)
    return [visitors, count, pageviews, rate]
  }
  const { results } = await answered({ metrics, date_range: 'all', dimensions: [dimension] })
  expectRows(
    results,
    byVisit(everything(), (visit, first) => [valueOf(visit, first)], metricsOf),
  )
  for (const { dimensions, metrics: expected } of results) {
    const { results: is } = await answered({
      metrics,
      date_range: 'all',
      filters: [['is', dimension, dimensions]],
    })
    expectRows(is, whole(...expected))
    const { results: not } = await answered({
      metrics,
      date_range: 'all',
      filters: [['is_not', dimension, dimensions]],
    })
    const others = everything().filter(
      (visit) => visit.hits[0] && valueOf(visit, visit.hits[0]) !== dimensions[0],
    )
    expectRows(not, whole(...metricsOf(others)))
  }
})

test.each<[unknown, string, string]>([
  // the date_range                                      the first and the last second that count
  ['day', `${today}T00:00:00Z`, `${today}T23:59:59Z`],
  ['24h', '2026-03-13T12:00:00Z', '2026-03-14T11:59:59Z'],
  ['28d', '2026-02-14T00:00:00Z', '2026-03-13T23:59:59Z'],
  ['30d', '2026-02-12T00:00:00Z', '2026-03-13T23:59:59Z'],
  ['91d', '2025-12-13T00:00:00Z', '2026-03-13T23:59:59Z'],
  ['month', '2026-03-01T00:00:00Z', '2026-03-31T23:59:59Z'],
  ['6mo', '2025-09-01T00:00:00Z', '2026-02-28T23:59:59Z'],
  ['12mo', '2025-03-01T00:00:00Z', '2026-02-28T23:59:59Z'],
  ['year', '2026-01-01T00:00:00Z', '2026-12-31T23:59:59Z'],
  [
    ['2026-03-05T09:00:00+02:00', '2026-03-08T15:59:59+02:00'],
    '2026-03-05T07:00:00Z',
    '2026-03-08T13:59:59Z',
  ],
])('the date range %j', async (range, first, last) => {
  const { results, query } = await answered({ metrics: ['visitors', 'pageviews'], date_range: range })
  const [from, until] = [Date.parse(first), Date.parse(last) + 1000]
  const hits = site.hits.filter(({ at }) => at.getTime() >= from && at.getTime() < until)
  const { visitors, pageviews } = figuresOf(visitsOf(hits))
  expect(results).toEqual(whole(visitors, pageviews))
  expect((query['date_range'] as string[]).map((text) => Date.parse(text))).toEqual([from, until - 1000])
})

test.each<[unknown[], (hit: Hit) => boolean]>([
  [['matches', 'event:page', ['^/blog/[ab]$', '^/Blog/[ab]$']], ({ path }) => /^\/blog\/[ab]$/i.test(path)],
  [['matches_not', 'event:page', ['^/blog']], ({ path }) => !path.startsWith('/blog')],
  [['contains_not', 'event:page', ['blog', 'Blog']], ({ path }) => !/blog/i.test(path)],
  [['is', 'event:page', ['/blog/b', '/blog/a']], ({ path }) => path === '/blog/a'],
  [['is', 'event:page', ['/blog/b'], { case_sensitive: false }], ({ path }) => path === '/Blog/b'],
  [['is_not', 'event:page', ['/', '/login']], ({ path }) => path !== '/' && path !== '/login'],
  [['is', 'event:hostname', ['docs.example.com']], ({ host }) => host === 'docs.example.com'],
  [['is', 'event:props:is_customer', ['true', '(none)']], ({ props }) => props['is_customer'] !== 'false'],
  [['is_not', 'event:props:is_customer', ['true']], ({ props }) => props['is_customer'] !== 'true'],
  [['contains', 'event:goal', ['Sign']], ({ name }) => name === 'Signup'],
  [['is', 'event:goal', ['Outbound Link: Click']], ({ name }) => name === 'Outbound Link: Click'],
  [
    ['is', 'event:goal', ['Visit /blog/*']],
    ({ name, path }) => name === 'pageview' && path.startsWith('/blog/'),
  ],
  [['contains', 'visit:country_name', ['Ger', 'Est']], ({ place }) => place.code !== 'US'],
  [['matches', 'visit:country_name', ['^United']], ({ place }) => place.code === 'US'],
  [['contains_not', 'visit:os', ['GNU']], ({ device }) => device.os !== 'GNU/Linux'],
  [['is', 'visit:os', ['mac'], { case_sensitive: false }], ({ device }) => device.os === 'Mac'],
  [
    [
      'not',
      [
        'and',
        [
          ['is', 'visit:os', ['Mac']],
          ['is', 'visit:country', ['DE']],
        ],
      ],
    ],
    ({ device, place }) => !(device.os === 'Mac' && place.code === 'DE'),
  ],
  [['is', 'visit:utm_term', ['one|two']], ({ campaign }) => campaign['utm_term'] === 'one|two'],
])('the filter %j', async (filter, counts) => {
  const { results } = await answered({
    metrics: ['visitors', 'visits', 'pageviews', 'events'],
    date_range: 'all',
    filters: [filter],
  })
  const { visitors, visits, pageviews, events } = figuresOf(everything(), counts)
  expect(visits).toBeGreaterThan(0)
  expect(results).toEqual(whole(visitors, visits, pageviews, events))
})
