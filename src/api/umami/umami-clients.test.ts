import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { anEngine } from '#test/product/test-engine'
import { bothDays, openUmamiSite, website } from '#test/wire/umami-site'

const engine = anEngine()
let site: Awaited<ReturnType<typeof openUmamiSite>>
/** A visitor, an event and the user of the key, by the words that stand for them in calls. */
let known: Record<string, string>

beforeAll(async () => {
  site = await openUmamiSite({ engine: engine.engine(), endLater: afterAll })
  const body = async (path: string) => (await site.ask(`/api${path}`)).body
  const { data: sessions } = await body(`/websites/${website}/sessions?startAt=0&endAt=${bothDays.endAt}`)
  const { data: events } = await body(`/websites/${website}/events?startAt=0&endAt=${bothDays.endAt}`)
  known = {
    KEY: site.key,
    USER: (await body('/me')).user.id,
    SESSION: sessions[0].id,
    EVENT: events[0].id,
    1111: String(bothDays.startAt),
    2222: String(bothDays.endAt),
    START: new Date(bothDays.startAt).toISOString(),
    END: new Date(bothDays.endAt).toISOString(),
  }
})

interface ClientCall {
  call: string
  method: string
  path: string
  headers?: Readonly<Record<string, string>>
  body?: unknown
}

const filledIn = (text: string): string =>
  text.replaceAll(/\b(?:KEY|USER|SESSION|EVENT|START|END|1111|2222)\b/g, (word) => known[word] ?? word)

const number = z.number()
const old = z.object({ value: number, prev: number })
const figures = { pageviews: number, visitors: number, visits: number, bounces: number, totaltime: number }
const points = z.array(z.object({ x: z.string(), y: number })).min(1)
const page = z.object({ data: z.array(z.looseObject({})), count: number, page: number, pageSize: number })
const user = z.looseObject({
  id: z.string(),
  username: z.string(),
  role: z.string(),
  createdAt: z.string(),
  isAdmin: z.boolean(),
})

/** The parts of answers that clients read, by a pattern of their addresses. */
const read: readonly (readonly [RegExp, z.ZodType])[] = [
  [/\/auth\/login$/, z.object({ token: z.string().min(1), user })],
  [/\/auth\/verify$/, user],
  [/\/me$/, z.object({ user })],
  [
    /\/v2\/api\/websites\/[^/]+\/stats\?/,
    z.object(Object.fromEntries(Object.keys(figures).map((name) => [name, old]))),
  ],
  [
    /\/(?:goals|funnels|revenue|performance|event-data|session-data)\/stats\?/,
    z.looseObject({}).or(z.array(z.any())),
  ],
  [
    /\/sessions\/stats\?/,
    z.object({ pageviews: z.object({ value: number }), countries: z.object({ value: number }) }),
  ],
  [/\/events\/stats\?/, z.object({ data: z.looseObject({ events: number, uniqueEvents: number }) })],
  [/\/stats\?.*&url=/, z.looseObject({ visitors: old })],
  [/\/stats\?/, z.object({ ...figures, comparison: z.object(figures) })],
  [/\/pageviews\?/, z.looseObject({ pageviews: points, sessions: points })],
  [/\/(?:utm|revenue|performance)\/metrics\?/, z.array(z.looseObject({}))],
  [/\/metrics\?.*type=(?:country|region|city)/, z.array(z.any())],
  [/\/metrics\?/, points],
  [/\/active$/, z.object({ visitors: number })],
  [/\/websites\/[^/]+\/(?:events|sessions)\?/, page],
  [/\/events\/series\?/, z.array(z.object({ x: z.string(), t: z.string(), y: number })).min(1)],
  [/\/(?:websites|teams)(?:\?.*)?$/, page],
  [/\/daterange$/, z.looseObject({ startDate: z.string(), endDate: z.string() })],
  [/\/(?:event|session)-data\/values\?.*plan/, z.array(z.object({ value: z.string(), total: number }))],
  [
    /\/retention(?:\?|$)/,
    z
      .array(
        z.object({
          date: z.string(),
          day: number,
          visitors: number,
          returnVisitors: number,
          percentage: number,
        }),
      )
      .min(1),
  ],
  [
    /\/reports\/funnel$|\/funnels\/stats/,
    z.array(z.looseObject({ type: z.string(), visitors: number, dropped: number })),
  ],
]

const websitePath = `/websites/${website}`
const range = 'startAt=1111&endAt=2222'
const get = (path: string, call = path.split('?', 1)[0] ?? path): ClientCall => ({
  call,
  method: 'GET',
  path,
})
const post = (path: string, body: object): ClientCall => ({ call: path, method: 'POST', path, body })
const signIn = post('/api/auth/login', { username: 'admin', password: 'KEY' })
const ofWebsite = (paths: readonly string[], base = '/api') =>
  paths.map((path) => get(`${base}${websitePath}/${path}`))

const recorded = z
  .object({
    requests: z.array(
      z.object({
        call: z.string(),
        method: z.string(),
        path: z.string(),
        headers: z.record(z.string(), z.string()),
        body: z.unknown().optional(),
      }),
    ),
  })
  .parse(
    JSON.parse(
      readFileSync(
        join(import.meta.dirname, '../../../test/recordings/umami-api/umami-api-client-01.json'),
        'utf8',
      ),
    ),
  )

/** umami-software/api-client before 0.80 (9911f07), which reads the answers of version 2. */
const apiClient2 = [
  { ...signIn, path: '/_tilth/umami/v2/api/auth/login' },
  ...['auth/verify', 'me', 'me/websites', 'websites'].map((path) => get(`/_tilth/umami/v2/api/${path}`)),
  ...ofWebsite(
    [
      'active',
      `stats?${range}`,
      `stats?${range}&url=/pricing`,
      `pageviews?${range}&unit=day&timezone=UTC`,
      ...[
        'url',
        'referrer',
        'title',
        'host',
        'browser',
        'os',
        'device',
        'country',
        'region',
        'city',
        'language',
        'event',
        'tag',
      ].map((type) => `metrics?${range}&type=${type}`),
      `events?${range}&query=sign`,
      `sessions?${range}`,
      `sessions/weekly?${range}&timezone=UTC`,
      `sessions/stats?${range}`,
      'sessions/SESSION',
      `sessions/SESSION/activity?${range}`,
      'sessions/SESSION/properties',
      `events/series?${range}&unit=day&timezone=UTC`,
      `values?${range}&type=browser`,
      `event-data/values?websiteId=${website}&${range}&eventName=signup&propertyName=plan`,
      `event-data/events?websiteId=${website}&${range}`,
      `event-data/stats?websiteId=${website}&${range}`,
      `event-data/fields?websiteId=${website}&${range}`,
      `session-data/properties?websiteId=${website}&${range}`,
      `session-data/values?websiteId=${website}&${range}&eventName=&propertyName=plan`,
      'daterange',
    ],
    '/_tilth/umami/v2/api',
  ),
  get(`/_tilth/umami/v2/api/realtime/${website}?startAt=1111`),
  ...Object.entries({
    funnel: {
      steps: [
        { type: 'url', value: '/' },
        { type: 'url', value: '/pricing' },
      ],
      window: 60,
    },
    retention: { timezone: 'UTC' },
    utm: {},
    goals: { goals: [{ type: 'url', value: '/pricing', goal: 10 }] },
    revenue: { currency: 'EUR', timezone: 'UTC' },
    journey: { steps: 5 },
    insights: { fields: [{ name: 'url', type: 'string', label: 'URL' }], filters: [] },
  }).map(([type, more]) =>
    post(`/_tilth/umami/v2/api/reports/${type}`, {
      websiteId: website,
      dateRange: { startDate: 'START', endDate: 'END' },
      ...more,
    }),
  ),
]

/** mikeckennedy/umami-python (aa5953e), with a server's token and with a key of the cloud. */
const python = [
  signIn,
  { call: 'verify', method: 'POST', path: '/api/auth/verify' },
  get('/api/heartbeat'),
  get('/api/websites'),
  ...ofWebsite(['active', `stats?${range}`, `stats?${range}&path=/pricing&hostname=acme.example&country=DE`]),
  get('/v1/me'),
  get('/v1/websites'),
  get('/v1/eu/websites'),
  get(`/v1/eu${websitePath}/stats?${range}`),
]

/** Macawls/umami-mcp-server (538050e). */
const macawls = [
  signIn,
  get('/api/websites?includeTeams=true'),
  ...ofWebsite([
    `stats?${range}`,
    `pageviews?${range}&unit=day`,
    ...['path', 'referrer', 'browser', 'os', 'device', 'country', 'event'].map(
      (type) => `metrics?${range}&type=${type}&limit=10`,
    ),
    'active',
  ]),
]

/** mikusnuz/umami-mcp (ee7caad): the tools that read. */
const mikusnuz = [
  signIn,
  ...[
    'me',
    'me/websites?page=1&pageSize=10&query=acme',
    'me/teams?query=a',
    'auth/verify',
    'heartbeat',
    'websites?page=1&pageSize=10&query=acme&orderBy=name',
  ].map((path) => get(`/api/${path}`)),
  get(`/api${websitePath}`),
  ...ofWebsite([
    `stats?${range}&url=/pricing`,
    `pageviews?${range}&unit=hour&timezone=Asia/Seoul&url=/pricing`,
    ...['url', 'referrer', 'browser', 'title', 'host', 'tag', 'event'].map(
      (type) => `metrics?${range}&type=${type}&limit=500`,
    ),
    `metrics?${range}&type=query`,
    `events?${range}&unit=day&timezone=Asia/Seoul`,
    `sessions?${range}&page=1&pageSize=20&orderBy=createdAt`,
    `sessions?${range}&query=ana`,
    'daterange',
    'active',
    `events/series?${range}&unit=day&timezone=Asia/Seoul&eventName=signup`,
    `sessions/stats?${range}`,
    `sessions/weekly?${range}&timezone=Asia/Seoul`,
    'sessions/SESSION',
    'sessions/SESSION/activity',
    'sessions/SESSION/properties',
    `event-data/events?${range}&eventName=signup`,
    `event-data/fields?${range}&eventName=signup`,
    `event-data/values?${range}&eventName=signup&propertyName=plan`,
    `event-data/stats?${range}&eventName=signup`,
    `session-data/properties?${range}`,
    `session-data/values?${range}&propertyName=plan`,
    'reports',
  ]),
  get(`/api/realtime/${website}`),
  get('/api/reports?page=1&pageSize=10'),
  get('/api/share/abc'),
]

/** jakeyShakey/umami_mcp_server (1146606). */
const jakeyShakey = [
  signIn,
  { call: 'verify', method: 'POST', path: '/api/auth/verify' },
  get(`/api/teams/${website}/websites?query=&pageSize=150`),
  ...ofWebsite([
    `stats?${range}`,
    `metrics?${range}&type=url`,
    `events?${range}&unit=day&timezone=Europe/London&query=signup&page=1&pageSize=100&search=`,
    `sessions/SESSION/activity?${range}`,
    `pageviews?${range}&unit=hour&timezone=Europe/London`,
    'active',
  ]),
]

/** Raycast's extension for Umami, with a key (raycast/extensions, 0347d58). */
const raycast = [
  get('/v1/me'),
  get('/v1/websites'),
  get(`/v1${websitePath}/stats?${range}`),
  get('/v1/users'),
]

/** Scripts: the template of n8n, dashboards on other sites, an app for iOS, a badge of a browser. */
const scripts = [
  ...ofWebsite([
    `stats?${range}`,
    `metrics?${range}&type=url&tz=America/Los_Angeles`,
    'stats?startAt=0&endAt=2222',
    `metrics?${range}&type=path&limit=15&compare=prev`,
    `metrics?${range}&type=event&limit=100`,
    `metrics?${range}&type=path&unit=hour&timezone=UTC&path=/pricing`,
    `stats?${range}&timezone=Europe/Berlin`,
    `stats?startDate=START&endDate=END`,
    `pageviews?startDate=START&endDate=END&unit=day&timezone=Asia/Shanghai`,
    `event-data/values?${range}&unit=day&timezone=Asia/Shanghai&eventName=signup&propertyName=plan`,
    `pageviews?${range}&unit=day&timezone=UTC`,
    `active`,
    `metrics?type=referrer&${range}&hostname=acme.example`,
    `metrics?type=os&${range}&browser=Chrome`,
  ]),
  signIn,
  get(`/api/realtime/${website}`),
]

async function outcomeOf({ call, method, path, headers = {}, body }: ClientCall): Promise<string> {
  const { authorization, 'x-umami-api-key': apiKey } = headers
  const answer = await site.ask(filledIn(path), {
    method,
    ...(body !== undefined && { body: JSON.parse(filledIn(JSON.stringify(body))) }),
    ...(authorization !== undefined && { authorization: filledIn(authorization) }),
    ...(apiKey !== undefined && { apiKey: filledIn(apiKey) }),
  })
  const named = `${call} ${path}`
  const { message = '' } = answer.body.error ?? {}
  if (answer.status >= 400)
    return /docs\/sdk-umami\.md/.test(message) ? `${named}: absent` : `${named}: ${answer.status} ${message}`
  const schema = read.find(([pattern]) => pattern.test(path))?.[1] ?? z.any()
  const parsed = schema.safeParse(answer.body)
  return parsed.success ? `${named}: works` : `${named}: ${z.prettifyError(parsed.error)}`
}

/** The calls that are answered as absent, by patterns of the method and the path. */
const absent: readonly RegExp[] = [
  /^GET \S*\/event-data(?:\/(?:properties|fields|stats|events|EVENT)|\?)/,
  /^GET \S*\/session-data\/stats/,
  /^GET \S*\/(?:journeys|attribution|breakdown|performance\/stats|heatmaps|replays|segments|shares|goals|funnels|annotations)(?:\?\S*)?$/,
  /^POST \S*\/reports\/(?:journey|insights)$/,
  /^GET \S*\/(?:reports|share\/abc|links|pixels|boards|websites\/charts|v1\/users)(?:\?\S*)?$/,
  /^GET \S*\/teams\/[^/]+\/websites/,
  /^GET \S*\/metrics\?\S*type=query$/,
  /^(?:POST|DELETE) \/api\/(?:websites|users|teams)(?:\/\S*)?$/,
]

const isAbsent = ({ method, path }: ClientCall): boolean =>
  absent.some((pattern) => pattern.test(`${method} ${path}`))

const docs = readFileSync(join(import.meta.dirname, '../../../docs/sdk-umami.md'), 'utf8')

test.each([
  ['umami-software/api-client 0.81', recorded.requests],
  ['umami-software/api-client of version 2', apiClient2],
  ['mikeckennedy/umami-python', python],
  ['Macawls/umami-mcp-server', macawls],
  ['mikusnuz/umami-mcp', mikusnuz],
  ['jakeyShakey/umami_mcp_server', jakeyShakey],
  ['raycast/extensions, umami', raycast],
  ['scripts and widgets', scripts],
])(
  '%s makes the calls that its source makes, and docs/sdk-umami.md says how many work',
  async (client, calls) => {
    const outcomes: string[] = []
    for (const one of calls) outcomes.push(await outcomeOf(one))
    expect(outcomes).toEqual(
      calls.map((one) => `${one.call} ${one.path}: ${isAbsent(one) ? 'absent' : 'works'}`),
    )
    const working = calls.filter((one) => !isAbsent(one)).length
    const told = docs.split('\n').find((line) => line.startsWith(`| ${client} |`))
    expect(told).toBe(`| ${client} | ${working} of ${calls.length} |`)
  },
)
