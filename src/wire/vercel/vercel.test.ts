import { expect, test } from 'vitest'
import {
  recordingWireServices,
  answerTo,
  recordingsOf,
  recordedRequests,
  type SentTrackerRequest,
} from '#test/wire/trackers-fixture'

test('a server’s track is understood as the visitor’s', async () => {
  const services = recordingWireServices()
  for (const sent of recordedRequests('vercel', 'vercel-09-server-track.json'))
    expect(await answerTo(sent, services)).toMatchObject({ status: 200, body: 'OK' })
  expect(services.accepted).toMatchObject([
    {
      events: [
        {
          name: 'server ev',
          distinctId: undefined,
          properties: {
            plan: 'pro',
            '$feature/f1': true,
            $current_url: 'https://site.example/page',
            $lib: '@vercel/analytics/server',
            $ip: '1.2.3.4',
            $raw_user_agent: 'UA/1',
          },
        },
      ],
      envelope: { fromServer: true, userAgent: 'UA/1', dialect: 'vercel' },
    },
  ])
})

test.each(recordingsOf('vercel').filter((name) => !name.includes('09')))(
  '%s sends nothing by itself: its script is ours, and the packages are driven in a browser',
  (name) => expect(recordedRequests('vercel', name)).toEqual([]),
)

const view = {
  o: 'https://site.example/blog/hello?x=1',
  sv: '0.1.3',
  sdkn: '@vercel/analytics/next',
  sdkv: '2.0.1',
  ts: 1_795_239_480_714,
  dp: '/blog/[slug]',
  r: 'https://ref.example/',
}
const post = (
  path: string,
  body: SentTrackerRequest['body'],
  services = recordingWireServices(),
  headers = {},
) => answerTo({ path, body, headers }, services)

test.each(['/_vercel/insights/view', '/abc123/insights/view', '/ingest/_vercel/insights/view/'])(
  'a page view is taken at %s',
  async (path) => {
    const services = recordingWireServices()
    expect(await post(path, view, services)).toMatchObject({ status: 200 })
    expect(services.events()).toMatchObject([
      {
        name: '$pageview',
        properties: { $current_url: view.o, $referrer: view.r, route: '/blog/[slug]', $lib_version: '2.0.1' },
      },
    ])
  },
)

test('an address told without the mark of a server is not believed', async () => {
  const services = recordingWireServices()
  await post('/_vercel/insights/event', { ...view, en: 'a' }, services, { 'x-vercel-ip': '1.2.3.4' })
  expect(services.events()[0]?.properties).not.toHaveProperty('$ip')
  expect(services.accepted[0]?.envelope).toMatchObject({ fromServer: false, address: '203.0.113.7' })
})

test('metrics of one page are one event', async () => {
  const services = recordingWireServices()
  const metric = (type: string, value: number) => ({
    type,
    value,
    route: '/a/[b]',
    href: 'https://site.example/a/1',
  })
  const metrics = [metric('LCP', 812.4), metric('CLS', 0.012_345), metric('FID', 3), metric('NONE', 1)]
  await post(
    '/_vercel/speed-insights/vitals',
    { speed: '4g', metrics, sdkName: '@vercel/speed-insights' },
    services,
  )
  expect(services.events()).toMatchObject([
    {
      name: '$web_vitals',
      properties: {
        $web_vitals_LCP_value: 812,
        $web_vitals_CLS_value: 0.0123,
        $web_vitals_FID_value: 3,
        $current_url: 'https://site.example/a/1',
        route: '/a/[b]',
        connection: '4g',
        $lib: '@vercel/speed-insights',
      },
    },
  ])
  expect(services.events()[0]?.properties).not.toHaveProperty('$web_vitals_NONE_value')
})

test('the dsn names the project where the host does not', async () => {
  const services = recordingWireServices([{ hosts: [] }, { hosts: [] }])
  await post('/_vercel/insights/view', { ...view, dsn: 'key-2' }, services)
  expect(services.accepted[0]?.envelope.projectId).toBe(2)
})

test.each([
  ['a page of nobody', view, 404, 'unknown-key'],
  ['no JSON', '{', 400, 'unreadable'],
  ['a list', '[]', 400, 'unreadable'],
])('%s is refused and noted', async (_what, body, status, reason) => {
  const services = recordingWireServices([{ hosts: [] }])
  expect(await post('/_vercel/insights/view', body, services)).toMatchObject({ status })
  expect(services.refusals).toMatchObject([{ dialect: 'vercel', reason }])
})

test('in passing trouble it is to be sent again', async () => {
  const services = recordingWireServices()
  services.outcome = 'full'
  expect(await post('/_vercel/insights/view', view, services)).toMatchObject({
    status: 503,
    headers: { 'retry-after': '3' },
  })
})

test.each([
  ['/_vercel/insights/script.js', 'vercel-insights'],
  ['/abc123/insights/script.js', 'vercel-insights'],
  ['/_vercel/speed-insights/script.js', 'vercel-speed'],
  ['/abc/speed-insights/script.js', 'vercel-speed'],
  ['/_vercel/insights/session', 'OK'],
])('%s is answered', async (path, text) => {
  const answer = await answerTo({ method: 'GET', path }, recordingWireServices())
  expect(answer).toMatchObject({ status: 200, body: expect.stringContaining(text) })
})
