import { expect, test } from 'vitest'
import type { ViewOverrides } from './dashboard'
import { viewOverridesFrom } from './view-overrides-in-url'

const german = { type: 'session', key: '$session_country', operator: 'exact', value: ['DE'] } as const

test.each<
  [kept: Partial<ViewOverrides>, said: Record<string, string | string[]>, look: Partial<ViewOverrides>]
>([
  [{}, {}, {}],
  [{ period: '30d' }, { period: '7d' }, { period: '7d' }],
  [{ period: '30d' }, { period: 'own' }, {}],
  [{ period: '30d' }, { period: 'never' }, { period: '30d' }],
  [{ period: '30d' }, { period: ['7d', '8d'] }, { period: '30d' }],
  [{ compare: 'year' }, { compare: 'none' }, { compare: 'none' }],
  [{ compare: 'year' }, { compare: 'own' }, {}],
  [{}, { refresh: '5' }, { refreshMinutes: 5 }],
  [{}, { refresh: '2' }, {}],
  [{}, { filter: 'none' }, {}],
  [{}, { filter: '{broken' }, {}],
  [{}, { filter: '{"type":"nothing"}' }, {}],
])('%j looked at as %j is %j', (kept, parameters, look) => {
  expect(viewOverridesFrom({ look: { refreshMinutes: 0, ...kept } }, parameters)).toEqual({
    refreshMinutes: 0,
    ...look,
  })
})

test('conditions stand in the address as JSON', () => {
  const parameters = { filter: JSON.stringify(german) }
  expect(viewOverridesFrom({ look: { refreshMinutes: 0 } }, parameters).filter).toMatchObject({
    key: '$session_country',
  })
})
