import { expect, test } from 'vitest'
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
  expect(entriesFor('7d')[0]).toEqual({ label: 'Custom range…', onSelect: expect.any(Function) })
  expect(entriesFor('2026-01-01..2026-01-31')[0]).toMatchObject({ hint: 'Shown now' })
})
