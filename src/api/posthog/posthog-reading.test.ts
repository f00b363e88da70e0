import { expect, test } from 'vitest'
import { openTestProduct, requireDone, testOrigin, type TestProduct } from '#test/product/fixture'
import { anEngine, type TestEvent, uuidFor } from '#test/product/test-engine'
import { operator, scopes } from '#projects/access'
import { handlePosthogRequest } from './internal/handle'

const engine = anEngine()

const hourMs = 3_600_000

/** The events of two persons in the last hours. */
function story(now: number): TestEvent[] {
  const at = (hours: number) => new Date(now - hours * hourMs).toISOString()
  const browser = { browser: 'Chrome', browser_version: '131' }
  const sent = { total: '12.5', paid: 'true', zip: '10115', items: '["a",1]' }
  return [
    { person: 'ana', event: 'view', at: at(3), columns: browser },
    {
      person: 'ana',
      event: 'order',
      at: at(2),
      columns: { ...browser, string_keys: '["zip"]' },
      properties: sent,
    },
    { person: 'ben', event: 'view', at: at(1), properties: { total: '1' } },
  ]
}

/** The properties that were set of Ana, as the store keeps them. */
const traits = { email: 'ana@example.com', seats: 7, tags: ['x'], isStaff: false }

function keepAna({ database }: TestProduct, projectId: number): void {
  database((store) => {
    store
      .prepare(
        'insert into persons (project_id, id, properties, is_identified, created_at, version, mirrored) values (?, ?, ?, 1, ?, 1, 1)',
      )
      .run(projectId, uuidFor('ana'), JSON.stringify(traits), '2026-01-01T00:00:00.000Z')
    store
      .prepare('insert into distinct_ids (project_id, distinct_id, person_id) values (?, ?, ?)')
      .run(projectId, 'ana', uuidFor('ana'))
  })
}

async function aScript() {
  const fixture = await openTestProduct({ engine: engine.engine() })
  const { product, world, aProject } = fixture
  const now = world.now()
  const told = await engine.addProject(story(now.getTime()))
  let acme = await aProject()
  while (acme.id < told) acme = await aProject()
  keepAna(fixture, acme.id)
  const { text } = requireDone(
    await product.projects.keys.create(acme.id, { name: 'Script', scopes }, operator()),
  )
  return async (path: string, body?: object, method = body ? 'POST' : 'GET') => {
    const answer = await handlePosthogRequest(
      {
        method,
        address: new URL(`https://tilth.example.com/api/projects/@current${path}`),
        authorization: `Bearer ${text}`,
        body: async () => new TextEncoder().encode(JSON.stringify(body)),
        origin: testOrigin,
        receivedAt: now,
      },
      product,
    )
    // answers are compared here
    return JSON.parse(JSON.stringify(answer.body)) as Record<string, unknown>
  }
}

const order = {
  event: 'order',
  distinct_id: 'ana',
  properties: {
    total: 12.5,
    paid: true,
    zip: '10115',
    items: ['a', 1],
    $browser: 'Chrome',
    $browser_version: 131,
  },
  person: { id: uuidFor('ana'), distinct_ids: ['ana'], properties: traits, is_identified: true },
}

test('events come back with the types they were sent with', async () => {
  const ask = await aScript()
  expect(await ask('/events/?event=order&distinct_id=ana')).toMatchObject({ next: null, results: [order] })
  const byTotal = encodeURIComponent(
    JSON.stringify([{ key: 'total', operator: 'gt', value: 5, type: 'event' }]),
  )
  expect(await ask(`/events/?properties=${byTotal}`)).toMatchObject({ results: [order] })
  expect(await ask('/events/?after=soon')).toMatchObject({ code: 'invalid_input', attr: 'after' })
  expect(await ask('/events/?event=gone')).toMatchObject({ results: [] })
})

test('events come a page at a time, and one by its id', async () => {
  const ask = await aScript()
  const first = await ask('/events/?limit=2')
  expect(first).toMatchObject({ results: [{ event: 'view', distinct_id: 'ben' }, { event: 'order' }] })
  const next = new URL(String(first['next']))
  const second = await ask(next.pathname.replace('/api/projects/@current', '') + next.search)
  expect(second).toMatchObject({ next: null, results: [{ event: 'view', distinct_id: 'ana' }] })
  const [, { uuid } = { uuid: '' }] = first['results'] as { uuid: string }[]
  expect(await ask(`/events/${uuid}/`)).toMatchObject(order)
  expect(await ask('/events/none/')).toMatchObject({ code: 'not_found' })
})

test('persons are found by distinct id, by UUID and by what they are', async () => {
  const ask = await aScript()
  const ana = {
    id: uuidFor('ana'),
    distinct_ids: ['ana'],
    properties: traits,
    is_identified: expect.any(Boolean),
  }
  expect(await ask('/persons/?distinct_id=ana')).toMatchObject({ count: 1, results: [ana] })
  expect(await ask('/persons/?distinct_id=gone')).toEqual({
    count: 0,
    next: null,
    previous: null,
    results: [],
  })
  expect(await ask(`/persons/${uuidFor('ana')}/`)).toMatchObject(ana)
  expect(await ask('/persons/ana/')).toMatchObject(ana)
  const page = await ask('/persons/?limit=1')
  expect(page).toMatchObject({ count: 2, previous: null, results: [{ id: expect.any(String) }] })
  expect(page['next']).toContain('offset=1')
  expect(await ask('/persons/ana/', undefined, 'DELETE')).toMatchObject({ attr: 'delete_events' })
})

test('queries are answered in PostHog’s form', async () => {
  const ask = await aScript()
  const query = (given: object) => ask('/query/', { query: given })
  const select = ['event', 'properties.total', 'person.properties.seats']
  expect(await query({ kind: 'EventsQuery', select, event: 'order' })).toMatchObject({
    columns: select,
    results: [['order', 12.5, 7]],
    hasMore: false,
  })
  const hogql =
    "select event, properties.zip as zip, properties.$browser as b from events where event = 'order'"
  expect(await query({ kind: 'HogQLQuery', query: hogql })).toMatchObject({
    columns: ['event', 'zip', 'b'],
    results: [['order', '10115', 'Chrome']],
    hasMore: false,
  })
  expect(await query({ kind: 'HogQLQuery', query: 'select' })).toMatchObject({ type: 'validation_error' })
  const named = (event: string, more: object = {}) => ({ kind: 'EventsNode', event, ...more })
  const dateRange = { date_from: '-3d' }
  const trends = { kind: 'TrendsQuery', dateRange, series: [named('view', { math: 'dau' })] }
  expect(await query({ kind: 'InsightVizNode', source: trends })).toMatchObject({
    results: [{ count: 2, days: expect.arrayContaining([expect.stringMatching(/^\d{4}-\d\d-\d\d/)]) }],
  })
  const breakdownFilter = { breakdown: '$browser', breakdown_type: 'event' }
  const parts = await query({ ...trends, breakdownFilter })
  expect(parts['results']).toEqual(
    expect.arrayContaining([expect.objectContaining({ breakdown_value: 'Chrome', count: 1 })]),
  )
  const funnel = { kind: 'FunnelsQuery', dateRange, series: [named('view'), named('order')] }
  expect(await query(funnel)).toMatchObject({
    results: [
      { order: 0, count: 2 },
      { order: 1, count: 1 },
    ],
  })
  const lifecycle = await query({ kind: 'LifecycleQuery', dateRange, series: [named('view')] })
  expect(lifecycle['results']).toHaveLength(4)
  const stickiness = await query({ kind: 'StickinessQuery', dateRange, series: [named('view')] })
  expect(stickiness).toMatchObject({ results: [{ count: 2, data: expect.arrayContaining([2]) }] })
  const retentionFilter = {
    targetEntity: { id: 'view', type: 'events' },
    returningEntity: { id: 'order' },
    totalIntervals: 3,
  }
  const retention = await query({ kind: 'RetentionQuery', retentionFilter })
  expect(retention['results']).toHaveLength(3)
  const own = await query({ kind: 'TilthQuestion', question: { kind: 'totals', period: '7d' } })
  expect(own).toMatchObject({ columns: expect.any(Array), results: expect.any(Array) })
})

test('names of events and properties', async () => {
  const ask = await aScript()
  expect(await ask('/event_definitions/?search=ord')).toMatchObject({
    count: 1,
    results: [{ name: 'order' }],
  })
  const properties = await ask('/property_definitions/?event_names=["order"]')
  expect(properties['results']).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: 'total', type: 'event' })]),
  )
})
