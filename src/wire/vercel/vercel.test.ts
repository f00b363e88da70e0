import { expect, test } from 'vitest'
import { aRecordingDesk, answerTo, recordingsOf, sentIn, type Sent } from '../../../test/wire/trackers-house'

test('a server’s track is understood as the visitor’s', async () => {
  const desk = aRecordingDesk()
  for (const sent of sentIn('vercel', 'vercel-09-server-track.json'))
    expect(await answerTo(sent, desk)).toMatchObject({ status: 200, body: 'OK' })
  expect(desk.taken).toMatchObject([
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
  (name) => expect(sentIn('vercel', name)).toEqual([]),
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
const post = (path: string, body: Sent['body'], desk = aRecordingDesk(), headers = {}) =>
  answerTo({ path, body, headers }, desk)

test.each(['/_vercel/insights/view', '/abc123/insights/view', '/ingest/_vercel/insights/view/'])(
  'a page view is taken at %s',
  async (path) => {
    const desk = aRecordingDesk()
    expect(await post(path, view, desk)).toMatchObject({ status: 200 })
    expect(desk.events()).toMatchObject([
      {
        name: '$pageview',
        properties: { $current_url: view.o, $referrer: view.r, route: '/blog/[slug]', $lib_version: '2.0.1' },
      },
    ])
  },
)

test('an address told without the mark of a server is not believed', async () => {
  const desk = aRecordingDesk()
  await post('/_vercel/insights/event', { ...view, en: 'a' }, desk, { 'x-vercel-ip': '1.2.3.4' })
  expect(desk.events()[0]?.properties).not.toHaveProperty('$ip')
  expect(desk.taken[0]?.envelope).toMatchObject({ fromServer: false, address: '203.0.113.7' })
})

test('metrics of one page are one event', async () => {
  const desk = aRecordingDesk()
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
    desk,
  )
  expect(desk.events()).toMatchObject([
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
  expect(desk.events()[0]?.properties).not.toHaveProperty('$web_vitals_NONE_value')
})

test('the dsn names the project where the host does not', async () => {
  const desk = aRecordingDesk([{ hosts: [] }, { hosts: [] }])
  await post('/_vercel/insights/view', { ...view, dsn: 'key-2' }, desk)
  expect(desk.taken[0]?.envelope.projectId).toBe(2)
})

test.each([
  ['a page of nobody', view, 404, 'unknown-key'],
  ['no JSON', '{', 400, 'unreadable'],
  ['a list', '[]', 400, 'unreadable'],
])('%s is refused and noted', async (_what, body, status, reason) => {
  const desk = aRecordingDesk([{ hosts: [] }])
  expect(await post('/_vercel/insights/view', body, desk)).toMatchObject({ status })
  expect(desk.refusals).toMatchObject([{ dialect: 'vercel', reason }])
})

test('in passing trouble it is to be sent again', async () => {
  const desk = aRecordingDesk()
  desk.fate = 'full'
  expect(await post('/_vercel/insights/view', view, desk)).toMatchObject({
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
  const answer = await answerTo({ method: 'GET', path }, aRecordingDesk())
  expect(answer).toMatchObject({ status: 200, body: expect.stringContaining(text) })
})
