import { describe, expect, test } from 'vitest'
import { openTestProduct, requireDone, testOrigin } from '#test/product/fixture'
import { operator, scopes } from '#projects/access'
import { endpoints } from './internal/endpoints'
import { handlePosthogRequest } from './internal/handle'
import { sqlQueryFrom } from './hogql'
import { periodFrom } from './internal/periods'
import { filterFrom } from './property-filters'
import { queryFrom } from './insight-queries'

/** A script with a key of the project in the place of PostHog's personal API key. */
async function aScript(held: readonly string[] = scopes) {
  const { product, aProject } = await openTestProduct()
  const acme = await aProject()
  const { text } = requireDone(
    await product.projects.keys.create(acme.id, { name: 'Script', scopes: held }, operator()),
  )
  const ask = async (method: string, path: string, body?: unknown, authorization = `Bearer ${text}`) => {
    const answer = await handlePosthogRequest(
      {
        method,
        address: new URL(`https://tilth.example.com/api${path}`),
        authorization,
        body: async () => new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
        origin: testOrigin,
        receivedAt: new Date('2026-03-02T12:00:00Z'),
      },
      product,
    )
    // answers are compared here
    return {
      status: answer.status,
      body: JSON.parse(JSON.stringify(answer.body ?? null)) as Record<string, unknown>,
    }
  }
  return { ask, acme, product, text }
}

const flags = '/projects/@current/feature_flags'

describe('who asks, and for what', () => {
  test('no key, a wrong one, and one that may not', async () => {
    const { ask, acme } = await aScript(['project:read'])
    expect(await ask('GET', `${flags}/`, undefined, '')).toMatchObject({
      status: 401,
      body: { type: 'authentication_error', attr: null },
    })
    expect(await ask('GET', `${flags}/`, undefined, 'Bearer phx_none')).toMatchObject({
      status: 401,
      body: { code: 'authentication_failed' },
    })
    expect(await ask('POST', '/projects/@current/annotations/', { content: 'a' })).toMatchObject({
      status: 403,
      body: { type: 'authentication_error', code: 'permission_denied' },
    })
    expect((await ask('GET', `/projects/${acme.id + 1}/feature_flags/`)).status).toBe(404)
  })

  test('a key in the address, as old scripts send it', async () => {
    const { ask, text } = await aScript()
    expect((await ask('GET', `/projects/?personal_api_key=${text}`, undefined, '')).status).toBe(200)
  })

  test.each([
    ['GET', '/nothing/here/', 404, 'not_found'],
    ['POST', '/projects/@current/hooks/', 404, 'not_found'],
    ['DELETE', '/projects/@current/feature_flags/', 405, 'method_not_allowed'],
    ['GET', '/projects/@current/feature_flags/?created_by_id=1', 400, 'invalid_input'],
    ['GET', '/projects/@current/feature_flags/?limit=0', 400, 'invalid_input'],
  ])('%s %s: %i %s, in PostHog’s form', async (method, path, status, code) => {
    const { ask } = await aScript()
    const { status: given, body } = await ask(method, path)
    expect([given, body]).toEqual([
      status,
      {
        type: expect.any(String),
        code,
        detail: expect.any(String),
        attr: status === 400 ? expect.any(String) : null,
      },
    ])
  })
})

test('a key that may not see the project is refused', async () => {
  const { ask } = await aScript(['alerts:write'])
  const answers = await Promise.all(
    endpoints.map(async ({ method, path }) => {
      const address = path.replace('{project}', '@current').replaceAll(/\{\w+\}/g, '1')
      return `${method} ${path} ${(await ask(method, address, {})).status}`
    }),
  )
  expect(answers).toEqual(endpoints.map(({ method, path }) => `${method} ${path} 403`))
})

test('the project, the user and the organization that clients look for first', async () => {
  const { ask, acme } = await aScript()
  const project = { id: acme.id, name: acme.name, api_token: acme.writeKey, timezone: acme.timeZone }
  for (const path of ['/projects/@current/', `/projects/${acme.id}/`, `/environments/${acme.slug}/`])
    expect((await ask('GET', path)).body).toMatchObject(project)
  expect((await ask('GET', '/users/@me/')).body).toMatchObject({ first_name: 'Script', team: project })
  const { body } = await ask('GET', '/organizations/')
  expect(body).toMatchObject({ count: 1, next: null, results: [{ name: 'Tilth', projects: [project] }] })
  const organization = (await ask('GET', '/organizations/@current/projects/')).body
  expect(organization).toMatchObject({ results: [project] })
})

describe('flags', () => {
  test('are listed, and found by number and by key', async () => {
    const { ask, acme, product } = await aScript()
    const filters = {
      groups: [
        {
          properties: [{ key: 'seats', type: 'person', operator: 'gt', value: 5 }],
          rollout_percentage: 50,
        },
      ],
    }
    const posthogFlag = { key: 'checkout', name: 'Checkout', active: true, filters }
    requireDone(await product.flags.importFrom(acme.id, posthogFlag, operator()))
    const { body } = await ask('GET', `${flags}/checkout/`)
    expect(body).toMatchObject({ ...posthogFlag, deleted: false })
    expect((await ask('GET', `${flags}/${String(body['id'])}/`)).body).toEqual(body)
    expect((await ask('GET', `${flags}/`)).body).toMatchObject({ count: 1, results: [body] })
    requireDone(await product.flags.archive(acme.id, 'checkout', operator(), { anyway: true }))
    expect((await ask('GET', `${flags}/`)).body).toMatchObject({ count: 0, results: [] })
    expect((await ask('GET', `${flags}/checkout/`)).body).toMatchObject({ deleted: true })
  })

  test('come a page at a time, with links', async () => {
    const { ask, acme, product } = await aScript()
    const environments = { production: { conditions: [{ percentage: 10 }] } }
    for (const key of ['a', 'b', 'c'])
      requireDone(await product.flags.create(acme.id, { key, environments }, operator()))
    const { body } = await ask('GET', `${flags}/?limit=2`)
    const next = 'https://tilth.example.com/api/projects/@current/feature_flags/?limit=2&offset=2'
    expect(body).toMatchObject({ count: 3, next, previous: null, results: [{ key: 'a' }, { key: 'b' }] })
    const rest = await ask('GET', `${flags}/?limit=2&offset=2`)
    expect(rest.body).toMatchObject({ next: null, results: [{ key: 'c', rollout_percentage: 10 }] })
    expect(String(rest.body['previous'])).toContain('offset=0')
    expect((await ask('GET', `${flags}/?search=B`)).body).toMatchObject({ count: 1, results: [{ key: 'b' }] })
  })
})

test('annotations', async () => {
  const { ask } = await aScript()
  const path = '/projects/@current/annotations'
  const made = await ask('POST', `${path}/`, { content: 'Launch', date_marker: '2026-03-02T10:00:00Z' })
  expect(made).toMatchObject({
    status: 201,
    body: {
      id: expect.any(Number),
      content: 'Launch',
      date_marker: '2026-03-02T10:00:00.000Z',
      scope: 'project',
    },
  })
  const one = `${path}/${String(made.body['id'])}/`
  expect((await ask('PATCH', one, { content: 'Start' })).body).toMatchObject({ content: 'Start' })
  expect((await ask('GET', `${path}/?search=sta`)).body).toMatchObject({
    count: 1,
    results: [{ content: 'Start' }],
  })
  expect((await ask('PATCH', one, { deleted: true })).body).toMatchObject({ deleted: true })
  expect((await ask('GET', one)).status).toBe(404)
})

test('insights of PostHog’s queries', async () => {
  const { ask, acme, product } = await aScript()
  const path = '/projects/@current/insights'
  const source = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'signup', math: 'dau' }] }
  const made = await ask('POST', `${path}/`, { name: 'Signups', query: { kind: 'InsightVizNode', source } })
  expect(made).toMatchObject({
    status: 201,
    body: {
      id: expect.any(Number),
      short_id: expect.any(String),
      query: { kind: 'InsightVizNode', source },
    },
  })
  const savedQuestion = async (name: string, query: object) => {
    expect(await ask('POST', `${path}/`, { name, query })).toMatchObject({ status: 201 })
    const found = requireDone(await product.insights.saved.list(acme.id, { search: name }, operator()))
    return found.insights[0]?.question
  }
  expect(await savedQuestion('Again', source)).toMatchObject({
    kind: 'trend',
    period: '8d',
    series: [{ event: 'signup', measure: { math: 'persons' } }],
  })
  // PostHog's last two days are today and two more
  for (const [dateRange, period] of [
    [{ date_from: '-2d' }, '3d'],
    [{ date_from: 'mStart' }, 'this-month'],
    [{ date_from: '2026-01-01', date_to: '2026-01-31' }, '2026-01-01..2026-01-31'],
  ] as const)
    expect(await savedQuestion(period, { ...source, dateRange })).toMatchObject({ period })
  // a table of retention has as many days as it has columns
  const retention = {
    kind: 'RetentionQuery',
    retentionFilter: {
      targetEntity: { id: 'signup', type: 'events' },
      returningEntity: { id: 'signup', type: 'events' },
      period: 'Day',
      totalIntervals: 11,
    },
  }
  expect(await savedQuestion('Who returns', retention)).toMatchObject({ period: '11d' })
  const one = `${path}/${String(made.body['id'])}/`
  expect((await ask('PATCH', one, { name: 'People' })).body).toMatchObject({ name: 'People' })
  expect((await ask('GET', `${path}/?short_id=${String(made.body['short_id'])}`)).body).toMatchObject({
    count: 1,
  })
  expect((await ask('PATCH', one, { deleted: true })).body).toMatchObject({ deleted: true })
  const refused = await ask('POST', `${path}/`, { name: 'Paths', query: { kind: 'PathsQuery' } })
  expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringContaining('"PathsQuery"') } })
})

test('surveys are listed, and read', async () => {
  const { ask, acme, product } = await aScript()
  const content = { questions: [{ id: 'how', kind: 'open', text: 'How is it?' }] }
  const { survey } = requireDone(
    await product.surveys.create(acme.id, { name: 'Feedback', content }, operator()),
  )
  const body = {
    id: survey.id,
    name: 'Feedback',
    type: 'popover',
    start_date: null,
    questions: [{ id: 'how', type: 'open', question: 'How is it?' }],
  }
  expect((await ask('GET', '/projects/@current/surveys/')).body).toMatchObject({ count: 1, results: [body] })
  expect((await ask('GET', `/projects/@current/surveys/${survey.id}/`)).body).toMatchObject(body)
})

test('cohorts are changed by Tilth’s own API, as each refusal says', async () => {
  const { ask } = await aScript()
  const all = '/projects/@current/cohorts/'
  for (const [method, path] of [
    ['POST', all],
    ['PATCH', `${all}1/`],
    ['DELETE', `${all}1/`],
  ] as const)
    expect(await ask(method, path, { name: 'Buyers' })).toEqual({
      status: 405,
      body: {
        type: 'invalid_request',
        code: 'method_not_allowed',
        detail: `Method "${method}" not allowed. Tilth’s own API changes this: /api/v1/projects/{project}/cohorts.`,
        attr: null,
      },
    })
})

test('experiments and cohorts are empty lists first', async () => {
  const { ask } = await aScript()
  for (const name of ['experiments', 'cohorts'])
    expect((await ask('GET', `/projects/@current/${name}/`)).body).toEqual({
      count: 0,
      next: null,
      previous: null,
      results: [],
    })
})

describe('translations', () => {
  const now = new Date('2026-03-31T22:30:00Z')
  const context = { project: { timeZone: 'UTC', answers: {} }, now }

  test.each([
    [{}, '2026-03-25..2026-04-01'],
    [{ date_from: '-1m' }, '2026-03-01..2026-04-01'],
    [{ date_from: 'mStart' }, '2026-04-01..2026-04-01'],
    [{ date_from: '-24h' }, '24h'],
    [{ date_from: 'all' }, 'all'],
    [{ date_from: '2026-01-01', date_to: '2026-01-31' }, '2026-01-01..2026-01-31'],
    [
      { date_from: '2026-01-01T10:00:00Z', date_to: '2026-01-02T00:00:00Z' },
      '2026-01-01T10:00:00.000Z..2026-01-02T00:00:00.000Z',
    ],
  ])('of the range %j on the project’s calendar', (range, period) => {
    expect(periodFrom(range, 'Europe/Berlin', now)).toEqual({ done: true, period })
  })

  test.each([
    [
      "select properties.plan, properties.$browser from events where event = 'properties.x'",
      "select properties['plan'], browser from events where event = 'properties.x'",
    ],
    [
      'select properties."a b" from events -- properties.x',
      "select properties['a b'] from events -- properties.x",
    ],
  ])('of %s', (hogql, text) =>
    expect(sqlQueryFrom({ query: hogql }, context)).toEqual({ done: true, question: { kind: 'sql', text } }),
  )

  test.each(['select {other} from events', 'select person.properties.email from events'])(
    '%s is refused',
    (hogql) => {
      expect(sqlQueryFrom({ query: hogql }, context).done).toBe(false)
    },
  )

  test('of filters', () => {
    const given = {
      type: 'OR',
      values: [
        { key: 'plan', value: ['pro'], operator: 'exact', type: 'person' },
        {
          type: 'AND',
          values: [
            { key: 'id', type: 'cohort', value: 'c1' },
            { key: 'tier', type: 'group', group_type_index: 0, operator: 'is_set' },
          ],
        },
      ],
    }
    expect(filterFrom(given, { 0: 'company' })).toEqual({
      done: true,
      filter: {
        any: [
          { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] },
          {
            all: [
              { type: 'cohort', cohort: 'c1', operator: 'in' },
              { type: 'group', group: 'company', key: 'tier', operator: 'is_set', value: undefined },
            ],
          },
        ],
      },
    })
    expect(filterFrom([{ type: 'hogql', key: '1 = 1' }], {}).done).toBe(false)
  })

  const translated = (query: Record<string, unknown>) =>
    queryFrom({ query, groupTypes: { 0: 'company' }, timeZone: 'UTC', now })
  const series = [
    { kind: 'EventsNode', event: 'a', math: 'avg', math_property: 'price' },
    { kind: 'EventsNode', event: null, custom_name: 'All' },
  ]

  test('of a trend with a formula, a breakdown and a comparison', () => {
    const query = {
      kind: 'TrendsQuery',
      series,
      interval: 'week',
      trendsFilter: { formula: 'A / B' },
      breakdownFilter: { breakdown: '$browser', breakdown_type: 'event', breakdown_limit: 5 },
      compareFilter: { compare: true },
      filterTestAccounts: true,
    }
    expect(translated(query)).toEqual({
      done: true,
      question: {
        kind: 'trend',
        period: '2026-03-24..2026-03-31',
        withoutTestAccounts: true,
        series: [
          {
            event: 'a',
            measure: { math: 'average', property: { type: 'event', key: 'price' } },
            isHidden: true,
          },
          { event: null, label: 'All', measure: { math: 'total' }, isHidden: true },
        ],
        formulas: [{ text: 'A / B' }],
        breakdowns: [{ type: 'event', key: '$browser' }],
        interval: 'week',
        compare: 'previous',
        cumulative: false,
        limit: 5,
      },
    })
  })

  test('of a funnel and of a retention', () => {
    expect(
      translated({
        kind: 'FunnelsQuery',
        series,
        funnelsFilter: {
          funnelWindowInterval: 3,
          funnelWindowIntervalUnit: 'hour',
          funnelOrderType: 'strict',
        },
      }),
    ).toMatchObject({
      question: {
        kind: 'funnel',
        order: 'strict',
        window: { amount: 3, unit: 'hour' },
        steps: [{ event: 'a' }, { event: null }],
      },
    })
    expect(
      translated({
        kind: 'RetentionQuery',
        retentionFilter: { targetEntity: { id: 'a', type: 'events' }, period: 'Week', totalIntervals: 8 },
      }),
    ).toMatchObject({
      question: { kind: 'retention', period: '8w', interval: 'week', target: { event: 'a' } },
    })
  })

  test.each([
    [{ kind: 'PathsQuery' }, /"PathsQuery"/],
    [{ kind: 'TrendsQuery', series: [{ kind: 'ActionsNode', id: 1 }] }, /EventsNode/],
    [{ kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'a', math: 'hogql' }] }, /math "hogql"/],
    [{ kind: 'TrendsQuery', series, samplingFactor: 0.1 }, /every event/],
    [{ kind: 'TrendsQuery', series, surprise: 1 }, /"surprise"/],
    [{ kind: 'TrendsQuery', series, properties: [{ type: 'element', key: 'tag_name' }] }, /"element"/],
    [{ kind: 'FunnelsQuery', series, funnelsFilter: { exclusions: [{}] } }, /no exclusions/],
  ])('%j is refused with a sentence', (query, sentence) => {
    const outcome = translated(query)
    expect(outcome.done ? '' : outcome.problems[0]?.message).toMatch(sentence)
  })
})
