import { expect, test } from 'vitest'
import { anEngine, timeOf, uuidFor } from '#test/product/test-engine'
import { sentEvents, sentEventsQuery } from './sent-events'

const testEngine = anEngine()

async function aStory() {
  const project = await testEngine.addProject([
    {
      person: 'ana',
      event: 'order',
      at: 0,
      columns: { browser: 'Chrome', browser_version: '131', revenue: 5, string_keys: '["zip"]' },
      properties: { total: '12.5', paid: 'true', zip: '10115', items: '["a",1]', note: 'by hand' },
      groups: { company: 'acme' },
    },
    { person: 'ben', event: 'order', at: 10, properties: { total: '1' } },
    { person: 'ana', event: 'view', at: 20 },
  ])
  const now = timeOf({ at: 60 })
  return async (input: object) =>
    await sentEvents(testEngine.scope(project, { now }), sentEventsQuery.parse(input), undefined)
}

test('values have the types that they were sent with', async () => {
  const ask = await aStory()
  const [event] = await ask({ event: 'order', distinctId: 'ana' })
  expect(event).toMatchObject({
    event: 'order',
    at: '2026-03-02T10:00:00.000Z',
    distinctId: 'ana',
    person: uuidFor('ana'),
    groups: { company: 'acme' },
    properties: {
      total: 12.5,
      paid: true,
      zip: '10115',
      items: ['a', 1],
      note: 'by hand',
      $browser: 'Chrome',
      $browser_version: 131,
      $revenue: 5,
    },
  })
})

test.each([
  ['the latest first', {}, ['view', 'order', 'order']],
  ['the first first', { oldestFirst: true }, ['order', 'order', 'view']],
  ['a page', { limit: 1, offset: 1 }, ['order']],
  ['of one name', { event: 'view' }, ['view']],
  ['of one id', { distinctId: 'ben' }, ['order']],
  ['since', { from: '2026-03-02T10:15:00Z' }, ['view']],
  ['until', { until: '2026-03-02T10:05:00Z' }, ['order']],
  ['by a property', { filter: { type: 'event', key: 'total', operator: 'gt', value: 5 } }, ['order']],
  ['of long ago only when asked for', { until: '2026-06-01T00:00:00Z' }, []],
])('events, %s', async (_name, input, names) => {
  const ask = await aStory()
  expect((await ask(input)).map(({ event }) => event)).toEqual(names)
})

test('one event by its id', async () => {
  const ask = await aStory()
  const [latest] = await ask({})
  expect(await ask({ uuid: latest?.uuid })).toEqual([latest])
})
