import { expect, test } from 'vitest'
import { periodShortcuts } from '#studio/parts/period-keys'
import { periodEntries } from './period-entries'
import { defaults } from './web-query'

const entriesFor = (period: string) =>
  periodEntries(
    { ...defaults, period },
    (change) => `?period=${change.period}`,
    () => {},
  )

test('the chosen period is marked, and the usual one is called so', () => {
  const marked = entriesFor('7d').flatMap((entry) =>
    entry.kind === 'link' && entry.current ? [entry.label] : [],
  )
  expect(marked).toEqual(['Last 7 days'])
  expect(entriesFor('7d')).toContainEqual(expect.objectContaining({ label: 'Last 30 days (default)' }))
})

test('a custom range stands first, and says when it is shown', () => {
  expect(entriesFor('7d')[0]).toEqual({
    label: 'Custom range…',
    shortcut: 'c',
    onSelect: expect.any(Function),
  })
  expect(entriesFor('2026-01-01..2026-01-31')[0]).toMatchObject({ hint: 'Shown now' })
})

test('periods have the keys of Plausible, each of its own', () => {
  const keys = Object.fromEntries(periodShortcuts.map(({ keys: key, does }) => [does, key]))
  expect(keys).toMatchObject({
    Today: 'd',
    Yesterday: 'e',
    'Last 7 days': 'w',
    'This month': 'm',
    'This year': 'y',
    'Last 12 months': 'l',
    'All time': 'a',
    'Custom range': 'c',
  })
  expect(new Set(Object.values(keys)).size).toBe(periodShortcuts.length)
  // `g` begins the way to a section
  expect(Object.values(keys)).not.toContain('g')
})

test('the key of a period stands at its entry', () => {
  expect(entriesFor('7d')).toContainEqual(
    expect.objectContaining({ label: 'Last 30 days (default)', shortcut: 't' }),
  )
})
