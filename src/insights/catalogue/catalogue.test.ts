import { beforeAll, describe, expect, test } from 'vitest'
import { AccessRefusedError, operator } from '#projects/access'
import { openTestProduct, problemMessages, requireDone } from '#test/product/fixture'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { NameSuggestions } from '../text/name-suggestions'
import { Catalogue } from './catalogue'
import type { DataDefinition } from './definitions'

const testEngine = anEngine()
const viewer = operator()
let acme = 0

const story: TestEvent[] = [
  { person: 'ana', event: 'buy', at: '2025-01-05T10:00:00Z', columns: { lib: 'posthog-python' } },
  ...Array.from({ length: 3 }, (_, i): TestEvent => ({
    person: 'ana',
    event: 'buy',
    at: `2026-03-30T1${i}:00:00Z`,
    columns: { lib: 'web' },
    properties: { plan: 'pro' },
  })),
  { person: 'ben', event: '$pageview', at: '2026-03-30T10:00:00Z', columns: { lib: '' } },
  { person: 'eve', event: 'old', at: '2025-01-01T10:00:00Z', columns: { lib: 'web' } },
]

beforeAll(async () => {
  acme = await testEngine.addProject(story)
  await testEngine.addProject([{ person: 'max', event: 'secret', at: '2026-03-30T10:00:00Z' }])
})

const defined = (more: Partial<DataDefinition>): DataDefinition => ({
  id: 'd',
  projectId: acme,
  type: 'event',
  name: 'buy',
  description: '',
  isHidden: false,
  isVerified: false,
  createdBy: 'Ana',
  createdAt: new Date(0),
  ...more,
})

function withDefinitions(...list: DataDefinition[]) {
  const firstEventAt = async () => new Date('2025-01-01T10:00:00Z')
  const insights = { scope: async (projectId: number) => ({ ...testEngine.scope(projectId), firstEventAt }) }
  const definitions = { list: async () => list }
  const names = new NameSuggestions(insights, definitions)
  return { names, catalogue: new Catalogue({ insights, names, definitions }) }
}

const emptyDefinition = { description: '', isHidden: false, isVerified: false }

describe('the catalogue', () => {
  test('says what is sent, how often, since when and by which libraries', async () => {
    const events = await withDefinitions().catalogue.events(acme, viewer)

    expect(events).toEqual([
      {
        name: 'buy',
        label: 'buy',
        about: undefined,
        count: 3,
        firstAt: new Date('2025-01-05T10:00:00Z'),
        lastAt: new Date('2026-03-30T12:00:00Z'),
        libraries: ['web', 'posthog-python'],
        definition: emptyDefinition,
      },
      expect.objectContaining({ name: '$pageview', label: 'Page view', count: 1, libraries: [] }),
      expect.objectContaining({ name: 'old', count: 0, lastAt: new Date('2025-01-01T10:00:00Z') }),
    ])
  })

  test('has what members say about events and properties', async () => {
    const { catalogue } = withDefinitions(
      defined({ description: 'An order was paid.', isVerified: true }),
      defined({ type: 'event property', name: 'plan', isHidden: true }),
    )
    const [buy] = await catalogue.events(acme, viewer)
    const properties = await catalogue.properties(acme, viewer)

    expect(buy?.definition).toEqual({ description: 'An order was paid.', isHidden: false, isVerified: true })
    expect(properties.find(({ key }) => key === 'plan')).toMatchObject({
      type: 'event',
      values: 'text',
      events: ['buy'],
      definition: { ...emptyDefinition, isHidden: true },
    })
  })

  test('hides names from the lists to choose from, and describes them there', async () => {
    const { names } = withDefinitions(
      defined({ description: 'An order was paid.' }),
      defined({ name: '$pageview', isHidden: true }),
      defined({ type: 'event property', name: 'plan', isHidden: true }),
    )
    const properties = requireDone(await names.properties(acme, { of: ['event'] }, viewer)).properties

    expect(await names.events(acme, viewer)).toMatchObject([{ name: 'buy', about: 'An order was paid.' }])
    expect(properties.some(({ key }) => key === 'plan')).toBe(false)
  })

  test('marks the verified events in the lists to choose from', async () => {
    const { names } = withDefinitions(defined({ isVerified: true }))
    const events = await names.events(acme, viewer)

    expect(events.filter(({ isVerified }) => isVerified).map(({ name }) => name)).toEqual(['buy'])
    expect(events.length).toBeGreaterThan(1)
  })

  test('is for those who may read events', async () => {
    const { catalogue } = withDefinitions()
    const key = { kind: 'key', keyId: 'k', name: 'Script', projectId: acme, scopes: new Set(), origin: 'x' }
    // a key of another right
    const stranger = key as unknown as typeof viewer
    await expect(catalogue.events(acme, stranger)).rejects.toThrow(AccessRefusedError)
    await expect(catalogue.properties(acme, stranger)).rejects.toThrow(AccessRefusedError)
  })
})

test('a name has one definition of a type', async () => {
  const { product, aProject } = await openTestProduct()
  const { id } = await aProject()
  const order = { type: 'event', name: 'order' }
  requireDone(await product.insights.definitions.create(id, order, viewer))
  requireDone(await product.insights.definitions.create(id, { ...order, type: 'event property' }, viewer))

  expect(problemMessages(await product.insights.definitions.create(id, order, viewer))).toEqual([
    'This name has a definition already. Change that one.',
  ])
})
