import { expect, test } from 'vitest'
import type { PersonChanges, Properties } from '#events/event'
import { eventNumber } from '#test/deep/crashlab/events'
import { applyEvent, withoutImport } from './apply-event'
import { mergePersons, type Person } from './person'

const createdAt = new Date('2020-01-01T00:00:00Z')
const person = (properties: Properties, imported?: Record<string, string>): Person => ({
  projectId: 1,
  id: 'a',
  properties,
  isIdentified: true,
  createdAt,
  imported,
})

const after = (before: Person, changes: Partial<PersonChanges>, importId?: string): Person =>
  applyEvent(
    before,
    eventNumber(1, { importId, person: { set: {}, setOnce: {}, unset: [], add: {}, ...changes } }),
  )

test.each<[string, Person, Partial<PersonChanges>, Properties]>([
  ['sets what is not there', person({}), { set: { plan: 'old' } }, { plan: 'old' }],
  ['leaves what a client has set', person({ plan: 'new' }), { set: { plan: 'old' } }, { plan: 'new' }],
  ['leaves what a client has set, of unset', person({ plan: 'new' }), { unset: ['plan'] }, { plan: 'new' }],
  ['adds to no number of a client', person({ n: 5 }), { add: { n: 1 } }, { n: 5 }],
  [
    'changes what history has set',
    person({ plan: 'a' }, { plan: 'i' }),
    { set: { plan: 'b' } },
    { plan: 'b' },
  ],
  ['adds to its own number', person({ n: 1 }, { n: 'i' }), { add: { n: 1 } }, { n: 2 }],
  ['unsets its own', person({ plan: 'a' }, { plan: 'i' }), { unset: ['plan'] }, {}],
])('history %s', (_, before, changes, properties) =>
  expect(after(before, changes, 'i').properties).toEqual(properties),
)

test('what a client sets is its own from then on, even if it is the same', () => {
  const brought = after(person({}), { set: { plan: 'pro', tier: 1 }, setOnce: { first: 'x' } }, 'i')
  expect(brought.imported).toEqual({ plan: 'i', tier: 'i', first: 'i' })
  const own = after(brought, { set: { plan: 'pro' } })
  expect(own).toMatchObject({ properties: brought.properties, imported: { tier: 'i', first: 'i' } })
  expect(withoutImport(own, 'i')).toMatchObject({ properties: { plan: 'pro' }, imported: {} })
  expect(withoutImport(own, 'another')).toEqual(own)
})

test('an event that changes nothing returns the same person', () => {
  const before = person({ plan: 'new' })
  expect(after(before, { set: { plan: 'new' } })).toBe(before)
  expect(after(before, { set: { plan: 'old' } }, 'i')).toBe(before)
})

test('merged, what a client has set takes precedence over what an import has set', () => {
  const survivor = person({ plan: 'history', tier: 'history', own: 1 }, { plan: 'i', tier: 'i' })
  const other = person({ plan: 'client', tier: 'other history', more: 2 }, { tier: 'j', more: 'j' })
  expect(mergePersons(survivor, other)).toMatchObject({
    properties: { plan: 'client', tier: 'history', own: 1, more: 2 },
    imported: { tier: 'i', more: 'j' },
  })
})
