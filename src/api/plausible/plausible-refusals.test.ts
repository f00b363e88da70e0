import { beforeAll, describe, expect, test } from 'vitest'
import { between, byVisit, figuresOf, visitsOf } from '#test/plain/plausible'
import { requireDone } from '#test/product/fixture'
import { aPlausibleSite, type PlausibleSite, visitsOfTwoWeeks } from '#test/product/plausible-site'
import { anEngine } from '#test/product/test-engine'
import { endAfterFile } from '#test/running/end-after-file'
import { operator, scopes } from '#projects/access'

const engine = anEngine()
const endLater = endAfterFile()

let site: PlausibleSite
beforeAll(async () => {
  site = await aPlausibleSite(engine, undefined, endLater)
})

const whole = { metrics: ['visitors'], date_range: 'all' }
const sentence = { error: expect.stringMatching(/^.{10,300}$/s) }

async function aKey(held: readonly string[], projectId = site.project.id): Promise<string> {
  const wanted = { name: 'Widget', scopes: held }
  return requireDone(await site.product.projects.keys.create(projectId, wanted, operator())).text
}

describe('who asks', () => {
  test.each([
    ['GET', '/api/v1/stats/realtime/visitors?site_id=example.com'],
    ['GET', '/api/v1/stats/aggregate?site_id=example.com'],
    ['GET', '/api/v1/stats/timeseries?site_id=example.com'],
    ['GET', '/api/v1/stats/breakdown?site_id=example.com&property=visit:source'],
    ['POST', '/api/v2/query'],
  ])('%s %s: each key that may not is refused with a sentence', async (method, path) => {
    const body = JSON.stringify({ site_id: 'example.com', ...whole })
    const { project: other } = requireDone(await site.product.projects.create({ name: 'Other' }, operator()))
    const callers: Record<string, string> = {
      nothing: '',
      'a wrong key': 'Bearer tilth_none',
      'a write key': `Bearer ${site.project.writeKey}`,
      'a password': 'Basic YTpi',
      'a key of another project': `Bearer ${await aKey(scopes, other.id)}`,
    }
    for (const [caller, authorization] of Object.entries(callers))
      expect([caller, await site.call(method, path, { body, authorization })]).toEqual([
        caller,
        { status: 401, body: sentence },
      ])
    const without = await aKey(scopes.filter((scope) => scope !== 'events:read'))
    expect(await site.call(method, path, { body, authorization: `Bearer ${without}` })).toEqual({
      status: 401,
      body: { error: expect.stringContaining('events:read') },
    })
    const alone = await aKey(['events:read'])
    expect(await site.call(method, path, { body, authorization: `Bearer ${alone}` })).toMatchObject({
      status: 200,
    })
  })

  test('a site is named by its hosts, its other names, its key, its slug and its number', async () => {
    const { writeKey, slug, id } = site.project
    for (const name of ['example.com', 'docs.example.com', 'dummy.site', writeKey, slug, String(id)])
      expect([name, await site.query({ ...whole, site_id: name })]).toMatchObject([name, { status: 200 }])
  })

  test('another project’s site is not told from one that does not exist', async () => {
    const { project } = requireDone(await site.product.projects.create({ name: 'Rival' }, operator()))
    requireDone(await site.product.projects.change(project.id, { hosts: ['rival.example'] }, operator()))
    const asked = (name: string) => site.query({ ...whole, site_id: name })
    const refused = await asked('rival.example')
    expect(refused).toEqual({ status: 401, body: sentence })
    for (const name of ['none.example', project.writeKey, project.slug, String(project.id), '__proto__'])
      expect(await asked(name)).toEqual(refused)
  })

  test('no site, and an `auth` of a shared link', async () => {
    expect(await site.query({ ...whole, site_id: undefined })).toEqual({ status: 400, body: sentence })
    expect(await site.query({ ...whole, site_id: 7 })).toEqual({ status: 400, body: sentence })
    const path = '/api/v1/stats/aggregate?site_id=example.com&auth=AbCdEf'
    expect(await site.call('GET', path, { authorization: '' })).toEqual({
      status: 401,
      body: { error: expect.stringContaining('`auth`') },
    })
  })

  test.each([
    ['GET', '/api/v1/stats/nothing', 404],
    ['GET', '/api/v1/stats', 404],
    ['POST', '/api/v1/stats/aggregate', 405],
    ['GET', '/api/v2/query', 405],
  ])('%s %s: %i', async (method, path, status) => {
    expect(await site.call(method, path)).toEqual({ status, body: sentence })
  })
})

describe('what cannot be said', () => {
  test.each<[object]>([
    [{ metrics: [] }],
    [{ metrics: ['visitors', 'visitors'] }],
    [{ metrics: ['sample_percent'] }],
    [{ metrics: [{ toString: 1 }] }],
    [{ date_range: undefined }],
    [{ date_range: 'yesterday' }],
    [{ date_range: ['2026-03-09', '2026-03-01'] }],
    [{ date_range: ['2026-13-01', '2026-03-01'] }],
    [{ date_range: ['2026-03-01'] }],
    [{ date_range: '9999d' }],
    [{ dimensions: ['visit:region'] }],
    [{ dimensions: ['visit:city'] }],
    [{ dimensions: ['event:props:'] }],
    [{ dimensions: ['visit:source', 'visit:source'] }],
    [{ dimensions: ['time:day', 'time:month'] }],
    [{ dimensions: ['constructor'] }],
    [{ dimensions: ['visit:constructor'] }],
    [{ metrics: ['percentage'] }],
    [{ metrics: ['conversion_rate'] }],
    [{ metrics: ['scroll_depth'] }],
    [{ metrics: ['time_on_page'], filters: [['contains', 'event:page', ['/']]] }],
    [{ metrics: ['visit_duration'], dimensions: ['visit:source', 'visit:browser'] }],
    [{ metrics: ['exit_rate'], dimensions: ['visit:entry_page'] }],
    [{ order_by: [['pageviews', 'desc']] }],
    [{ order_by: [['visitors', 'down']] }],
    [{ include: { comparisons: {} } }],
    [{ pagination: { limit: 10_001 } }],
    [{ pagination: { limit: 0 } }],
    [{ timezone: 'Europe/Berlin' }],
    [{ filters: 'visit:source==Google' }],
    [{ filters: [['equals', 'visit:source', ['Google']]] }],
    [{ filters: [['is', 'visit:source', 'Google']] }],
    [{ filters: [['is', 'visit:source', []]] }],
    [{ filters: [['is', 'visit:source', [null]]] }],
    [{ filters: [['is', 'visit:country', ['Germany']]] }],
    [{ filters: [['is', 'visit:city', [2950159]]] }],
    [{ filters: [['is', 'time:day', ['2026-03-01']]] }],
    [{ filters: [['is', 'visit:source', ['Google'], { case: true }]] }],
    [{ filters: [['matches', 'event:page', ['('], { case_sensitive: false }]] }],
    [{ filters: [['matches', 'event:page', ['(?=a)']]] }],
    [{ filters: [['matches', 'visit:referrer', ['^t']]] }],
    [{ filters: [['contains', 'event:page', ['']]] }],
    [{ filters: [['is', 'event:goal', ['Nothing']]] }],
    [{ filters: [['is_not', 'event:goal', ['Signup']]] }],
    [{ filters: [['is', 'segment', ['Nobody']]] }],
    [{ filters: [['and', []]] }],
    [{ filters: [['has_not_done', ['is', 'event:goal', ['Signup']]]] }],
    [{ filters: [['or', [['has_done', ['is', 'event:page', ['/']]]]]] }],
    [{ metrics: ['pageviews'], filters: [['has_done', ['is', 'event:page', ['/']]]] }],
    [{ dimensions: ['event:page'], filters: [['has_done', ['is', 'event:page', ['/']]]] }],
    [
      {
        filters: [
          ['has_done', ['is', 'event:page', ['/']]],
          ['is', 'event:hostname', ['example.com']],
        ],
      },
    ],
  ])('%j', async (changes) => {
    expect(await site.query({ ...whole, ...changes })).toEqual({ status: 400, body: sentence })
  })

  test.each([
    'aggregate?period=90d',
    'aggregate?period=custom',
    'aggregate?period=custom&date=2026-03-01',
    'aggregate?period=day&date=today%20',
    'aggregate?metrics=visitors,nothing',
    'aggregate?compare=year_over_year',
    'aggregate?filters=nonsense',
    'aggregate?filters=visit:source==',
    'aggregate?filters=visit:nothing==x',
    'aggregate?filters=event:goal==Nothing',
    'aggregate?filters=[1',
    'aggregate?bots=true',
    'timeseries?interval=minute',
    'breakdown?period=7d',
    'breakdown?property=visit:city',
    'breakdown?property=time:day',
    'breakdown?property=visit:source&limit=1001',
    'breakdown?property=visit:source&limit=-1',
    'breakdown?property=visit:source&page=0',
    'realtime/visitors?filters=visit:source==Google',
  ])('GET %s', async (path) => {
    expect(await site.read(path)).toEqual({ status: 400, body: sentence })
  })
})

/** Texts that other parsers would read. */
const attacks = [
  "' or 1=1 --",
  '"; drop table events; --',
  "\\'; select 1",
  '${jndi}',
  '{{from}}',
  '%',
  '_',
  '\0',
  '\ud800',
  'a\nb',
  '../../etc/passwd',
  '__proto__',
]

describe('attacks', () => {
  test.each(attacks)('the text %j is a value and nothing else', async (text) => {
    const dimensions = [
      'event:page',
      'visit:source',
      'visit:country_name',
      'event:props:x',
      `event:props:${text}`,
    ]
    const any = (named: string) => [['or', dimensions.map((dimension) => [named, dimension, [text]])]]
    expect(await site.query({ ...whole, filters: any('is') })).toMatchObject({
      status: 200,
      body: { results: [{ metrics: [0] }] },
    })
    expect(
      (await site.query({ ...whole, filters: [...any('contains'), ...any('matches_wildcard')] })).status,
    ).toBe(200)
    expect((await site.query({ ...whole, dimensions: [`event:props:${text}`] })).status).toBe(200)
    for (const changes of [
      { metrics: [text] },
      { date_range: text },
      { date_range: [text, text] },
      { dimensions: [text] },
      { order_by: [[text, 'asc']] },
      { filters: [[text, 'event:page', ['/']]] },
      { filters: [['is', text, ['/']]] },
      { filters: [['is', 'event:goal', [text]]] },
      { include: { [text]: true } },
    ])
      expect([changes, await site.query({ ...whole, ...changes })]).toEqual([
        changes,
        { status: 400, body: sentence },
      ])
    expect((await site.query({ ...whole, site_id: text })).status).toBe(401)
  })

  test('a body of a megabyte', async () => {
    const letters = 'a'.repeat(1_000_000)
    for (const changes of [
      { metrics: [letters] },
      { dimensions: [`event:props:${letters}`] },
      { filters: [['is', 'event:page', [letters]]] },
      { filters: [['matches', 'event:page', [letters]]] },
      { filters: [['is', 'event:page', Array.from({ length: 100_000 }, (_, index) => `/${index}`)]] },
      { filters: Array.from({ length: 10_000 }, () => ['is', 'event:page', ['/']]) },
      { filters: [['or', Array.from({ length: 10_000 }, () => ['matches', 'event:page', ['a.*b']])]] },
      { filters: [['contains', 'event:page', Array.from({ length: 10_000 }, () => 'a')]] },
    ])
      expect(await site.query({ ...whole, ...changes })).toEqual({ status: 400, body: sentence })
  })

  test('filters within filters, beyond every limit', async () => {
    const nested = (levels: number): unknown =>
      Array.from({ length: levels }).reduce<unknown>((inner) => ['not', inner], ['is', 'event:page', ['/']])
    expect((await site.query({ ...whole, filters: [nested(8)] })).status).toBe(200)
    for (const levels of [12, 90, 2000])
      expect(await site.query({ ...whole, filters: [nested(levels)] })).toEqual({
        status: 400,
        body: sentence,
      })
    const deep = `{"site_id":"example.com","filters":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect(await site.call('POST', '/api/v2/query', { body: deep })).toEqual({ status: 400, body: sentence })
    for (const body of [
      '',
      '[]',
      'null',
      '"x"',
      '{',
      '{"site_id":"example.com"}',
      '{"__proto__":{"site_id":"x"}}',
    ])
      expect((await site.call('POST', '/api/v2/query', { body })).status).toBe(400)
  })
})

test('days, weeks and hours are those of the project’s time zone', async () => {
  const { product, project } = site
  requireDone(await product.projects.change(project.id, { timeZone: 'Asia/Kathmandu' }, operator()))
  const asked = await site.query({
    metrics: ['visits'],
    date_range: ['2026-03-05', '2026-03-12'],
    dimensions: ['time:week'],
    include: { time_labels: true },
  })
  const [from, until] = [Date.parse('2026-03-04T18:15:00Z'), Date.parse('2026-03-12T18:15:00Z')]
  const visits = visitsOf(visitsOfTwoWeeks().filter(({ at }) => at.getTime() >= from && at.getTime() < until))
  const monday = Date.parse('2026-03-08T18:15:00Z')
  const expected = byVisit(
    visits,
    (_, { at }) => [at.getTime() < monday ? '2026-03-05' : '2026-03-09'],
    (own) => [figuresOf(own).visits],
  )
  expect(asked).toMatchObject({
    status: 200,
    body: {
      results: expected,
      meta: { time_labels: ['2026-03-05', '2026-03-09'] },
      query: { date_range: ['2026-03-05T00:00:00+05:45', '2026-03-12T23:59:59+05:45'] },
    },
  })
  requireDone(await product.projects.change(project.id, { timeZone: 'America/New_York' }, operator()))
  const { body } = await site.read('timeseries?period=day&date=2026-03-08&metrics=visits')
  // the clocks skip an hour on this day
  const [start, end] = [Date.parse('2026-03-08T05:00:00Z'), Date.parse('2026-03-09T04:00:00Z')]
  const ofDay = visitsOfTwoWeeks().filter(({ at }) => at.getTime() >= start && at.getTime() < end)
  const { results } = body as { results: { date: string; visits: number }[] }
  expect(results).toHaveLength(23)
  expect(results.map(({ date }) => date)).not.toContain('2026-03-08 02:00:00')
  expect(results.reduce((sum, { visits: count }) => sum + count, 0)).toBe(visitsOf(ofDay).length)
  requireDone(await product.projects.change(project.id, { timeZone: 'UTC' }, operator()))
  const week = await site.query({ metrics: ['visits'], date_range: '7d' })
  expect(week.body).toMatchObject({
    results: [{ metrics: [figuresOf(visitsOf(between(site.hits, '2026-03-07', '2026-03-13'))).visits] }],
  })
})
