import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import {
  between,
  byEvent,
  byVisit,
  dayOf,
  figuresOf,
  hourOf,
  isSent,
  type PlainFigures,
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

type Metric = keyof PlainFigures

const everything = () => visitsOf(site.hits)
const during = (first: string, last: string) => visitsOf(between(site.hits, first, last))
/** The periods of the first API end today, those of the second yesterday. */
const lastWeek = () => during('2026-03-08', today)
const weekBefore = () => during('2026-03-07', '2026-03-13')
const monthBefore = () => during('2026-02-12', '2026-03-13')
const hitsOf = (visits: readonly PlainVisit[]) => visits.flatMap(({ hits }) => hits)
const firstOf = (visit: PlainVisit): Hit => visit.hits[0] as Hit
const pick = (figures: PlainFigures, metrics: readonly Metric[]) => metrics.map((name) => figures[name])

const four: Metric[] = ['visitors', 'pageviews', 'bounce_rate', 'visit_duration']
const seven: Metric[] = [
  'visitors',
  'visits',
  'pageviews',
  'views_per_visit',
  'bounce_rate',
  'visit_duration',
  'events',
]
const six = seven.filter((name) => name !== 'views_per_visit')

const aggregateOf = (figures: PlainFigures, metrics: readonly Metric[]) => ({
  results: Object.fromEntries(metrics.map((name) => [name, { value: figures[name] }])),
})

const rowsNamed = (rows: readonly PlainRow[], names: readonly string[]) => ({
  results: rows.map(({ dimensions, metrics }) =>
    Object.fromEntries([...dimensions, ...metrics].map((value, index) => [names[index], value])),
  ),
})

const rowsBy = (
  visits: readonly PlainVisit[],
  valueOf: (visit: PlainVisit) => string,
  metrics: readonly Metric[],
): PlainRow[] =>
  byVisit(
    visits,
    (visit) => [valueOf(visit)],
    (own) => pick(figuresOf(own), metrics),
  )

const sourceOf = (visit: PlainVisit) => firstOf(visit).source || 'Direct / None'
const views = (visits: readonly PlainVisit[]) => hitsOf(visits).filter(({ name }) => name === 'pageview')

/** The rows of pages; what is of visits counts those that began there. */
const pageRows = (visits: readonly PlainVisit[], metrics: readonly Metric[]): PlainRow[] =>
  byEvent(
    views(visits),
    ({ path }) => [path],
    (own) => {
      const path = own[0]?.path ?? ''
      const all = hitsOf(visits).filter((hit) => hit.path === path && isSent(hit))
      const begun = figuresOf(visits.filter(({ entry }) => entry === path))
      const figures = {
        ...begun,
        visitors: visitorsAmong(own),
        visits: visitsOf(all).length,
        pageviews: own.length,
        events: all.length,
      }
      return pick(figures, metrics)
    },
  )

const series = (visits: readonly PlainVisit[], days: readonly string[], metrics: readonly Metric[]) => ({
  results: days.map((date) => {
    const own = visits.filter((visit) => dayOf(firstOf(visit)) === date)
    const shown = metrics.map((name) => {
      const isUnknown = own.length === 0 && (name === 'bounce_rate' || name === 'visit_duration')
      return [name, isUnknown ? null : figuresOf(own)[name]]
    })
    return { date, ...Object.fromEntries(shown) }
  }),
})

function daysUntil(last: string, count: number): string[] {
  const end = Date.parse(`${last}T00:00:00Z`)
  return Array.from({ length: count }, (_, index) =>
    new Date(end - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  )
}

const hoursOfDay = (visits: readonly PlainVisit[], day: string) => ({
  results: Array.from({ length: 24 }, (_, hour) => {
    const date = `${day} ${String(hour).padStart(2, '0')}:00:00`
    const own = visits.filter((visit) => hourOf(firstOf(visit)) === date)
    return { date, visitors: figuresOf(own).visitors }
  }),
})

const changes = (now: PlainFigures, before: PlainFigures, metrics: readonly Metric[]) => ({
  results: Object.fromEntries(
    metrics.map((name) => {
      const [value, old] = [now[name], before[name]]
      const grown = old === 0 ? (value > 0 ? 100 : 0) : Math.round(((value - old) / old) * 100)
      return [name, { value, change: name === 'bounce_rate' ? value - old : grown }]
    }),
  ),
})

interface ClientRequest {
  client: string
  request: string | object
  /** The answer; of the second API its rows. A text is what the refusal says. */
  expected: () => object | number | string
}

const whole = (figures: PlainFigures, metrics: readonly Metric[]): PlainRow[] => [
  { dimensions: [], metrics: pick(figures, metrics) },
]
const isSignup = ({ name }: Hit) => name === 'Signup'
const reached: Record<string, (hit: Hit) => boolean> = {
  Signup: isSignup,
  Purchase: ({ name }) => name === 'Purchase',
  Left: ({ name }) => name === 'Outbound Link: Click',
  'Pricing seen': ({ name, path }) => name === 'pageview' && path === '/pricing',
  Blog: ({ name, path }) => name === 'pageview' && path.startsWith('/blog/'),
}

/** Requests as the sources of these clients make them, with the site of the tests. */
const requests: ClientRequest[] = [
  // tidbyt/community apps/plausiblestats
  {
    client: 'Tidbyt',
    request: 'aggregate?period=day&metrics=visitors',
    expected: () => aggregateOf(figuresOf(during(today, today)), ['visitors']),
  },
  {
    client: 'Tidbyt',
    request: `aggregate?period=custom&metrics=pageviews&date=2019-01-01,${today}`,
    expected: () => aggregateOf(figuresOf(everything()), ['pageviews']),
  },
  {
    client: 'Tidbyt',
    request: 'timeseries?period=7d&metrics=bounce_rate',
    expected: () => series(lastWeek(), daysUntil(today, 7), ['bounce_rate']),
  },
  // Thijsdh/PlausibleApp
  {
    client: 'PlausibleApp',
    request: `aggregate?metrics=${four.join(',')}&period=30d`,
    expected: () => aggregateOf(figuresOf(everything()), four),
  },
  {
    client: 'PlausibleApp',
    request: 'timeseries?period=month&date=2026-03-14',
    expected: () => series(everything(), daysUntil('2026-03-31', 31), ['visitors']),
  },
  {
    client: 'PlausibleApp',
    request: 'breakdown?period=12mo&property=visit:entry_page',
    expected: () =>
      rowsNamed(
        rowsBy(everything(), ({ entry }) => entry, ['visitors']),
        ['entry_page', 'visitors'],
      ),
  },
  {
    client: 'PlausibleApp',
    request: 'breakdown?period=7d&property=visit:os_version',
    expected: () =>
      rowsNamed(
        rowsBy(lastWeek(), (visit) => osVersions[firstOf(visit).device.os] ?? '(not set)', ['visitors']),
        ['os_version', 'visitors'],
      ),
  },
  { client: 'PlausibleApp', request: 'realtime/visitors', expected: () => 1 },
  // BiciP/plausible-mobile
  {
    client: 'plausible-mobile',
    request: 'timeseries?period=30d',
    expected: () => series(everything(), daysUntil(today, 31), ['visitors']),
  },
  {
    client: 'plausible-mobile',
    request: 'timeseries?period=day&date=2026-03-13',
    expected: () => hoursOfDay(during('2026-03-13', '2026-03-13'), '2026-03-13'),
  },
  {
    client: 'plausible-mobile',
    request: `aggregate?period=7d&date=2026-03-13&metrics=${seven.join(',')}`,
    expected: () => aggregateOf(figuresOf(weekBefore()), seven),
  },
  {
    client: 'plausible-mobile',
    request: `breakdown?period=7d&date=2026-03-13&metrics=${six.join(',')}&property=visit:source`,
    expected: () => rowsNamed(rowsBy(weekBefore(), sourceOf, six), ['source', ...six]),
  },
  {
    client: 'plausible-mobile',
    request: `breakdown?period=7d&date=2026-03-13&metrics=${six.join(',')}&property=event:page`,
    expected: () => rowsNamed(pageRows(weekBefore(), six), ['page', ...six]),
  },
  {
    client: 'plausible-mobile',
    request: `breakdown?period=7d&date=2026-03-13&metrics=${six.join(',')}&property=visit:country`,
    expected: () =>
      rowsNamed(
        rowsBy(weekBefore(), (visit) => firstOf(visit).place.code, six),
        ['country', ...six],
      ),
  },
  {
    client: 'plausible-mobile',
    request: `timeseries?period=6mo&date=2026-03-14&metrics=visit_duration`,
    expected: () => ({
      results: ['2025-10-01', '2025-11-01', '2025-12-01', '2026-01-01', '2026-02-01', '2026-03-01'].map(
        (date) => ({
          date,
          visit_duration: date === '2026-03-01' ? figuresOf(everything()).visit_duration : null,
        }),
      ),
    }),
  },
  // andrerfcsantos/go-plausible
  {
    client: 'go-plausible',
    request: `aggregate?period=7d&metrics=${seven.join(',')}&compare=previous_period`,
    expected: () => changes(figuresOf(lastWeek()), figuresOf(during('2026-03-01', '2026-03-07')), seven),
  },
  {
    client: 'go-plausible',
    request: 'timeseries?period=7d&date=2026-03-12&interval=date&metrics=visitors,pageviews',
    expected: () =>
      series(during('2026-03-06', '2026-03-12'), daysUntil('2026-03-12', 7), ['visitors', 'pageviews']),
  },
  {
    client: 'go-plausible',
    request:
      'breakdown?property=event%3Apage&period=7d&metrics=visitors%2Cpageviews&filters=visit%3Aos%3D%3DWindows%7CGNU%2FLinux%3Bvisit%3Abrowser%3D%3DFirefox&limit=10&page=1',
    expected: () =>
      rowsNamed(
        pageRows(
          lastWeek().filter((visit) => firstOf(visit).device.browser === 'Firefox'),
          ['visitors', 'pageviews'],
        ),
        ['page', 'visitors', 'pageviews'],
      ),
  },
  // dailytics/plausible_api (Ruby)
  {
    client: 'plausible_api',
    request: `aggregate?period=custom&date=2026-03-05,2026-03-10&metrics=${seven.join(',')}`,
    expected: () => aggregateOf(figuresOf(during('2026-03-05', '2026-03-10')), seven),
  },
  {
    client: 'plausible_api',
    request: 'aggregate?period=30d&metrics=visitors,pageviews&filters=event%3Apage%3D%3D%2Fpricing',
    expected: () =>
      aggregateOf(
        figuresOf(everything(), ({ path }) => path === '/pricing'),
        ['visitors', 'pageviews'],
      ),
  },
  {
    client: 'plausible_api',
    request: 'breakdown?period=30d&property=visit%3Autm_term',
    expected: () =>
      rowsNamed(
        rowsBy(everything(), (visit) => firstOf(visit).campaign['utm_term'] ?? '(not set)', ['visitors']),
        ['utm_term', 'visitors'],
      ),
  },
  // devarts/plausible-php
  {
    client: 'plausible-php',
    request: 'timeseries?period=7d&metrics=bounce_rate,visitors&filters=visit:browser!%3DChrome',
    expected: () =>
      series(
        lastWeek().filter((visit) => firstOf(visit).device.browser !== 'Chrome'),
        daysUntil(today, 7),
        ['bounce_rate', 'visitors'],
      ),
  },
  {
    client: 'plausible-php',
    request: 'aggregate?metrics=visitors,events&filters=event:name%3D%3DSignup|Purchase',
    expected: () =>
      aggregateOf(
        figuresOf(everything(), ({ name }) => name === 'Signup' || name === 'Purchase'),
        ['visitors', 'events'],
      ),
  },
  {
    client: 'plausible-php',
    request: 'aggregate?metrics=conversion_rate,visitors&filters=event:goal%3D%3DSignup',
    expected: () => ({
      results: {
        conversion_rate: {
          value: rounded(
            (figuresOf(everything(), isSignup).visitors / figuresOf(everything()).visitors) * 100,
            2,
          ),
        },
        visitors: { value: figuresOf(everything(), isSignup).visitors },
      },
    }),
  },
  {
    client: 'plausible-php',
    request: 'timeseries?period=7d&metrics=visitors,conversion_rate&filters=event:goal%3D%3DSignup',
    expected: () => ({
      results: daysUntil(today, 7).map((date) => {
        const own = lastWeek().filter((visit) => dayOf(firstOf(visit)) === date)
        const { visitors } = figuresOf(own, isSignup)
        return {
          date,
          visitors,
          conversion_rate: rounded((visitors / figuresOf(own).visitors) * 100 || 0, 2),
        }
      }),
    }),
  },
  // giocomai/plausibler (R)
  {
    client: 'plausibler',
    request:
      'breakdown?period=30d&property=visit:referrer&metrics=visitors&limit=100&filters=event:page==/pricing',
    expected: () =>
      rowsNamed(
        byVisit(
          everything(),
          (visit) => [
            { Google: 'google.com', Twitter: 't.co/fzWTE9OTPt' }[firstOf(visit).source] ?? 'Direct / None',
          ],
          (own) => [figuresOf(own, ({ path }) => path === '/pricing').visitors],
        ).filter(({ metrics: [visitors] }) => visitors !== 0),
        ['referrer', 'visitors'],
      ),
  },
  {
    client: 'plausibler',
    request: 'timeseries?period=6mo&filters=visit:browser==Firefox;visit:country==DE',
    expected: () => ({
      results: ['2025-10-01', '2025-11-01', '2025-12-01', '2026-01-01', '2026-02-01', '2026-03-01'].map(
        (date) => ({
          date,
          visitors:
            date === '2026-03-01'
              ? figuresOf(
                  everything().filter(
                    (visit) =>
                      firstOf(visit).device.browser === 'Firefox' && firstOf(visit).place.code === 'DE',
                  ),
                ).visitors
              : 0,
        }),
      ),
    }),
  },
  // a community node of n8n
  {
    client: 'n8n',
    request: 'breakdown?period=12mo&property=visit:browser&metrics=visitors,pageviews',
    expected: () =>
      rowsNamed(
        rowsBy(everything(), (visit) => firstOf(visit).device.browser, ['visitors', 'pageviews']),
        ['browser', 'visitors', 'pageviews'],
      ),
  },
  {
    client: 'n8n',
    request: 'aggregate?period=today&metrics=visitors',
    expected: () => 'invalid period `today`',
  },
  // pulibrary/pdc_discovery
  {
    client: 'pdc_discovery',
    request:
      'breakdown?filters=event:page==/pricing&metrics=visitors,pageviews&property=event:props:is_customer',
    expected: () =>
      rowsNamed(
        byEvent(
          site.hits.filter((hit) => hit.path === '/pricing' && isSent(hit)),
          ({ props }) => [props['is_customer'] ?? '(none)'],
          (own) => [visitorsAmong(own), own.filter(({ name }) => name === 'pageview').length],
        ),
        ['is_customer', 'visitors', 'pageviews'],
      ),
  },
  {
    client: 'event counts',
    request: 'breakdown?period=30d&property=event:name&metrics=events&limit=100',
    expected: () =>
      rowsNamed(
        byEvent(
          site.hits.filter(isSent),
          ({ name }) => [name],
          (own) => [own.length],
        ),
        ['name', 'events'],
      ),
  },
  {
    client: 'wildcards',
    request: 'aggregate?metrics=visitors,pageviews&filters=event:page==/blog**|/docs*',
    expected: () =>
      aggregateOf(
        figuresOf(everything(), ({ path }) => /^\/(?:blog|docs)/.test(path)),
        ['visitors', 'pageviews'],
      ),
  },
  // getsentry/plausible-mcp
  {
    client: 'plausible-mcp',
    request: { metrics: four, date_range: '7d', dimensions: ['time:day'] },
    expected: () => rowsBy(weekBefore(), (visit) => dayOf(firstOf(visit)), four),
  },
  {
    client: 'plausible-mcp',
    request: {
      metrics: ['visitors', 'pageviews', 'bounce_rate'],
      date_range: '7d',
      dimensions: ['event:page'],
      pagination: { limit: 20 },
    },
    expected: () => pageRows(weekBefore(), ['visitors', 'pageviews', 'bounce_rate']),
  },
  {
    client: 'plausible-mcp',
    request: {
      metrics: ['visitors', 'pageviews', 'events'],
      date_range: '7d',
      dimensions: ['event:props:plan'],
      filters: [['is', 'event:props:plan', ['pro']]],
      pagination: { limit: 20 },
    },
    expected: () =>
      byEvent(
        hitsOf(weekBefore()).filter(({ props }) => props['plan'] === 'pro'),
        ({ props }) => [props['plan'] ?? ''],
        (own) => [visitorsAmong(own), 0, own.length],
      ),
  },
  {
    client: 'plausible-mcp',
    request: {
      metrics: four,
      date_range: ['2026-03-04', '2026-03-08'],
      filters: [
        ['contains', 'event:page', ['/docs']],
        ['is_not', 'visit:channel', ['Email']],
      ],
    },
    expected: () => {
      const visits = during('2026-03-04', '2026-03-08').filter(
        (visit) => firstOf(visit).source !== 'newsletter',
      )
      const begun = figuresOf(visits.filter(({ entry }) => entry.includes('/docs')))
      const figures = figuresOf(visits, ({ path }) => path.includes('/docs'))
      return whole({ ...figures, bounce_rate: begun.bounce_rate }, four)
    },
  },
  {
    client: 'plausible-mcp',
    request: {
      metrics: ['visitors', 'events', 'conversion_rate'],
      date_range: '7d',
      dimensions: ['event:goal'],
      filters: [['is', 'event:goal', ['Signup']]],
    },
    expected: () => [
      {
        dimensions: ['Signup'],
        metrics: [
          figuresOf(weekBefore(), isSignup).visitors,
          figuresOf(weekBefore(), isSignup).events,
          rounded((figuresOf(weekBefore(), isSignup).visitors / figuresOf(weekBefore()).visitors) * 100, 2),
        ],
      },
    ],
  },
  {
    client: 'plausible-mcp',
    request: {
      metrics: ['visitors', 'events', 'conversion_rate'],
      date_range: '7d',
      dimensions: ['event:goal', 'event:page'],
    },
    expected: () =>
      Object.entries(reached).flatMap(([goal, reaches]) =>
        byEvent(
          hitsOf(weekBefore()).filter(reaches),
          ({ path }) => [goal, path],
          (own) => [
            visitorsAmong(own),
            own.length,
            rounded((visitorsAmong(own) / figuresOf(weekBefore()).visitors) * 100, 2),
          ],
        ),
      ),
  },
  // hithereiamaliff/mcp-plausibleanalytics
  {
    client: 'mcp-plausibleanalytics',
    request: {
      metrics: ['visitors', 'visits', 'pageviews', 'views_per_visit', 'bounce_rate', 'visit_duration'],
      date_range: 'month',
    },
    expected: () =>
      whole(figuresOf(everything()), [
        'visitors',
        'visits',
        'pageviews',
        'views_per_visit',
        'bounce_rate',
        'visit_duration',
      ]),
  },
  {
    client: 'mcp-plausibleanalytics',
    request: {
      metrics: ['visitors', 'visits', 'pageviews'],
      date_range: '30d',
      dimensions: ['time'],
      include: { time_labels: true },
    },
    expected: () =>
      rowsBy(monthBefore(), (visit) => dayOf(firstOf(visit)), ['visitors', 'visits', 'pageviews']),
  },
  {
    client: 'mcp-plausibleanalytics',
    request: {
      metrics: ['visitors', 'visits', 'pageviews'],
      date_range: 'all',
      dimensions: ['visit:utm_campaign'],
      pagination: { limit: 100 },
    },
    expected: () =>
      rowsBy(everything(), (visit) => firstOf(visit).campaign['utm_campaign'] ?? '(not set)', [
        'visitors',
        'visits',
        'pageviews',
      ]),
  },
  // alexanderop/claude-plausible-analytics
  {
    client: 'claude-plausible',
    request: {
      metrics: ['visitors', 'bounce_rate', 'time_on_page'],
      dimensions: ['event:page'],
      date_range: '7d',
      filters: [['is_not', 'event:page', ['/']]],
      order_by: [['bounce_rate', 'desc']],
      pagination: { limit: 10, offset: 0 },
    },
    expected: () =>
      pageRows(weekBefore(), ['visitors', 'bounce_rate'])
        .filter(({ dimensions: [path] }) => path !== '/')
        .map((row) => ({ ...row, metrics: [...row.metrics, expect.any(Number)] })),
  },
  {
    client: 'claude-plausible',
    request: {
      metrics: ['visitors', 'bounce_rate', 'visit_duration'],
      dimensions: ['visit:entry_page'],
      date_range: '7d',
      filters: [
        ['is', 'visit:source', ['Google', 'DuckDuckGo', 'Bing']],
        ['is', 'visit:entry_page', ['*']],
      ],
      pagination: { limit: 50, offset: 0 },
    },
    expected: () => [],
  },
  {
    client: 'claude-plausible',
    request: {
      metrics: ['visitors'],
      dimensions: ['event:page'],
      filters: [['is', 'visit:source', ['Google', 'DuckDuckGo', 'Bing']]],
      date_range: '30d',
      pagination: { limit: 50, offset: 0 },
    },
    expected: () =>
      pageRows(
        monthBefore().filter((visit) => firstOf(visit).source === 'Google'),
        ['visitors'],
      ),
  },
  // juliansngr/onefolio
  {
    client: 'onefolio',
    request: {
      metrics: ['visitors', 'pageviews'],
      date_range: '30d',
      filters: [['contains', 'event:page', ['/blog/a']]],
      dimensions: ['time:day'],
    },
    expected: () =>
      byVisit(
        monthBefore(),
        (visit) => [dayOf(firstOf(visit))],
        (own) =>
          pick(
            figuresOf(own, ({ path }) => path === '/blog/a'),
            ['visitors', 'pageviews'],
          ),
      ).filter(({ metrics: [visitors] }) => visitors !== 0),
  },
  {
    client: 'onefolio',
    request: {
      metrics: ['visitors'],
      date_range: '30d',
      dimensions: ['visit:device', 'visit:browser', 'visit:country'],
    },
    expected: () =>
      byVisit(
        monthBefore(),
        (visit) => [firstOf(visit).device.kind, firstOf(visit).device.browser, firstOf(visit).place.code],
        (own) => [figuresOf(own).visitors],
      ),
  },
  {
    client: 'onefolio',
    request: {
      metrics: ['visitors'],
      date_range: '30d',
      dimensions: ['visit:device', 'visit:browser', 'visit:country', 'visit:source'],
    },
    expected: () => 'three dimensions at most',
  },
]

const osVersions: Record<string, string> = { Windows: '10', Mac: '10', Android: '14' }

/** Rows in an order that does not depend on equal numbers. */
function rowsOf(answer: unknown): unknown {
  const results: unknown =
    typeof answer === 'object' && answer !== null && 'results' in answer ? answer.results : answer
  if (!Array.isArray(results)) return results
  const nameOf = (row: object): string =>
    JSON.stringify(
      'dimensions' in row ? row.dimensions : Object.values(row).filter((one) => typeof one === 'string'),
    )
  return results.toSorted((one: object, other: object) => (nameOf(one) < nameOf(other) ? -1 : 1))
}

const outcomes: ('answered' | 'refused')[] = []

test.each(requests)('$client: $request', async ({ request, expected }) => {
  const { status, body } = typeof request === 'string' ? await site.read(request) : await site.query(request)
  const wanted = expected()
  if (typeof wanted === 'string') {
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.stringContaining(wanted) } })
    outcomes.push('refused')
    return
  }
  expect({ status, body }).toMatchObject({ status: 200 })
  expect(rowsOf(body)).toEqual(rowsOf(wanted))
  outcomes.push('answered')
})

test('docs/sdk-plausible.md says how many of them are answered', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/sdk-plausible.md'), 'utf8')
  const answered = outcomes.filter((one) => one === 'answered').length
  expect(page).toContain(`${answered} of ${requests.length} requests`)
})
