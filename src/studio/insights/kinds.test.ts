import { expect, test } from 'vitest'
import { readQuery } from '#insights/ask'
import { titleFor } from './kinds'

const pages = { event: '$pageview' }

test.each([
  [{ kind: 'trend', series: [pages] }, 'Page view'],
  [{ kind: 'trend', series: [{ ...pages, measure: { math: 'persons' } }] }, 'Page view: unique people'],
  [{ kind: 'trend', series: [{ ...pages, label: 'Readers' }, { event: null }] }, 'Readers and anything'],
  [
    { kind: 'trend', series: [{ ...pages, isHidden: true }, { event: 'a' }], formulas: [{ text: 'A / B' }] },
    'A and A / B',
  ],
  [
    { kind: 'trend', series: [{ event: 'a' }, { event: 'b' }, { event: 'c' }, { event: 'd' }] },
    'A, b and 2 more',
  ],
  [{ kind: 'funnel', steps: [pages, { event: 'signup' }] }, 'Page view → signup'],
  [{ kind: 'retention', target: pages, interval: 'week' }, 'Retention by the week after Page view'],
  [{ kind: 'paths', start: '/pricing' }, 'Paths of pages from /pricing'],
  [{ kind: 'breakdown', dimensions: ['page', 'source'] }, 'Visitors by page and source'],
  [{ kind: 'lifecycle' }, 'Lifecycle: Page view'],
  [{ kind: 'stickiness' }, 'Stickiness: Page view'],
])('%j', (query, title) => {
  const read = readQuery(query)
  expect(read.done && titleFor(read.ready.query)).toBe(title)
})

test('a long one is cut where names end', () => {
  const read = readQuery({ kind: 'funnel', steps: [{ event: 'x'.repeat(100) }, pages] })
  expect(read.done && titleFor(read.ready.query)).toHaveLength(80)
})
