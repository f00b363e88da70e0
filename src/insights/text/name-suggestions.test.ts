import { beforeAll, describe, expect, test } from 'vitest'
import { anEngine, type TestEvent, uuidFor } from '#test/product/test-engine'
import { localOrigin, operator, AccessRefusedError, type Right } from '#projects/access'
import { NameSuggestions } from './name-suggestions'

const testEngine = anEngine()
const viewer = operator()
let acme = 0

const names = () =>
  new NameSuggestions({ scope: async (projectId) => testEngine.scope(projectId) }, { list: async () => [] })

const story: TestEvent[] = [
  { person: 'ana', event: '$pageview', at: '2026-03-29T10:00:00Z', columns: { path: '/', country: 'DE' } },
  {
    person: 'ana',
    event: 'buy',
    at: '2026-03-30T10:00:00Z',
    properties: { price: '3.5', plan: 'pro', at: '2026-03-01T10:00:00Z', gift: 'true' },
    groups: { company: 'x' },
  },
  { person: 'ben', event: 'buy', at: '2026-03-30T10:00:00Z', properties: { price: '4', plan: '"><b>' } },
  { person: 'eve', event: 'old', at: '2025-01-01T10:00:00Z', properties: { ancient: '1' } },
  { person: 'eve', event: '$identify', at: '2026-03-30T10:00:00Z' },
]

beforeAll(async () => {
  acme = await testEngine.addProject(story)
  const other = await testEngine.addProject([
    { person: 'max', event: 'secret', at: '2026-03-30T10:00:00Z', properties: { hidden: '1' } },
  ])
  await testEngine.fill('persons', [
    personRow(acme, 'ana', { email: 'ana@example.com', seats: '12' }),
    personRow(other, 'max', { hush: '1' }),
  ])
  await testEngine.fill('groups', [
    { project_id: acme, type: 'company', key: 'x', properties: { size: '100' }, created_at: at, version: 1 },
  ])
})

const at = '2026-01-01 00:00:00.000'
const personRow = (project_id: number, name: string, properties: object) => ({
  project_id,
  person_id: uuidFor(name),
  properties,
  is_identified: 1,
  created_at: at,
  version: 1,
  is_deleted: 0,
})

describe('names', () => {
  test('of events are those of the last 30 days, the most frequent first', async () => {
    const events = await names().events(acme, viewer)

    expect(events.map(({ name, label, count }) => [name, label, count])).toEqual([
      ['buy', 'buy', 2],
      ['$identify', 'Identify', 1],
      ['$pageview', 'Page view', 1],
    ])
  })

  test('of where a visit came from come before the same of an event, which is Direct for a sign-up', async () => {
    const { properties } = await propertiesOf({ of: ['event', 'person', 'session'] })
    const channels = properties.filter(({ label }) => label === 'Channel')
    expect(channels.map(({ type }) => type)).toEqual(['session', 'event'])
    expect(properties[0]).toMatchObject({ type: 'session', label: 'Referring host' })
  })

  test.each([
    // owner      key           kind of values
    ['event', 'price', 'number'],
    ['event', 'plan', 'text'],
    ['event', 'at', 'time'],
    ['event', 'gift', 'boolean'],
    ['event', '$browser', 'text'],
    ['person', 'seats', 'number'],
    ['person', 'email', 'text'],
    ['group', 'size', 'number'],
    ['group', '$group_key', 'text'],
    ['session', '$session_duration', 'number'],
  ])('of the properties of an %s: %s is a %s', async (type, key, values) => {
    const { properties } = await propertiesOf({ of: [type] })

    expect(properties).toContainEqual(expect.objectContaining({ type, key, values }))
  })

  test('of one event are its own', async () => {
    const { properties } = await propertiesOf({ of: ['event'], event: '$pageview' })
    expect(properties.map(({ key }) => key)).not.toContain('price')
  })

  test('of another project, and of long ago, are nowhere among them', async () => {
    const { properties } = await propertiesOf({ of: ['event', 'person', 'group'] })
    const keys = properties.map(({ key }) => key)
    for (const key of ['hidden', 'hush', 'ancient']) expect(keys).not.toContain(key)
  })
})

test.each([
  [{ type: 'event', key: 'plan' }, ['"><b>', 'pro']],
  [{ type: 'event', key: 'plan', search: 'PR' }, ['pro']],
  [{ type: 'event', key: '$pathname' }, ['/']],
  [{ type: 'person', key: 'email' }, ['ana@example.com']],
  [{ type: 'group', group: 'company', key: 'size' }, ['100']],
  [{ type: 'group', group: 'company', key: '$group_key' }, ['x']],
  [{ type: 'event', key: '$geoip_country_code' }, ['DE']],
  // found by name: a value that was sent, and one that no event had
  [{ type: 'event', key: '$geoip_country_code', search: 'germ' }, ['DE']],
  [{ type: 'event', key: '$geoip_country_code', search: 'switz' }, ['CH']],
  [{ type: 'event', key: 'hidden' }, []],
  [{ type: 'event', key: '$feature/\'"\\' }, []],
])('the values of %o are %o', async (query, values) => {
  const outcome = await names().values(acme, query, viewer)
  expect(outcome.done && outcome.values.map(({ value }) => value)).toEqual(values)
})

test('a viewer who may not read events learns no name, not even one that someone else has just asked for', async () => {
  const known = names()
  await known.events(acme, viewer)
  const stranger = {
    kind: 'key',
    keyId: 'k',
    name: 'k',
    projectId: acme + 1,
    scopes: new Set<Right>(),
    origin: localOrigin,
  } as const
  await expect(known.events(acme, stranger)).rejects.toBeInstanceOf(AccessRefusedError)
})

async function propertiesOf(query: object) {
  const outcome = await names().properties(acme, query, viewer)
  if (!outcome.done) throw new Error(JSON.stringify(outcome.problems))
  return outcome
}

test('a value has the name that people know it by, and how often it was sent', async () => {
  const outcome = await names().values(
    acme,
    { type: 'event', key: '$geoip_country_code', search: 'er' },
    viewer,
  )
  const values = outcome.done ? outcome.values : []
  expect(values[0]).toEqual({ value: 'DE', label: 'Germany', count: 1 })
  expect(values).toContainEqual({ value: 'NE', label: 'Niger', count: 0 })
})
