import { expect, test } from 'vitest'
import { valueName } from '#events/value-names'
import type { SearchParams } from '#studio/search-params'
import { filterOf, searchOf, toggled, withNegation, defaults, withoutChip } from './web-query'
import { intervalsFor, withWeekdays } from './periods'
import { queryIn } from './read-question'

/** As a browser would say an address back. */
function readAgain(pairs: readonly (readonly [string, string])[]): SearchParams {
  const searched: Record<string, string[]> = {}
  for (const [name, value] of pairs) (searched[name] ??= []).push(value)
  return searched
}

test.each([
  [{}, defaults],
  [
    { period: '7d', compare: 'none', figure: 'views' },
    { period: '7d', compare: undefined, figure: 'views' },
  ],
  [{ compare: 'year' }, { compare: 'year' }],
  [
    { compare: 'previous', interval: 'week' },
    { compare: 'previous', interval: 'week' },
  ],
  [{ interval: 'blink' }, { interval: undefined }],
  [{ period: 'eternity', compare: 'everything', figure: 'toes' }, defaults],
  [
    { channel: ['Direct', ''], 'not-country': 'DE' },
    {
      chips: [
        { dimension: 'channel', operator: 'is', values: ['Direct', ''] },
        { dimension: 'country', operator: 'is-not', values: ['DE'] },
      ],
    },
  ],
  [
    { 'contains-page': '/blog', 'not-contains-page': '/draft' },
    {
      chips: [
        { dimension: 'page', operator: 'contains', values: ['/blog'] },
        { dimension: 'page', operator: 'contains-not', values: ['/draft'] },
      ],
    },
  ],
  [{ 'sources-tab': 'utm_term', 'pages-tab': 'city' }, { tabs: { sources: 'utm_term' } }],
  [{ tests: 'out' }, { withoutTestAccounts: true }],
  [{ exact: 'yes' }, { exact: true }],
  [{ pages: 'single' }, { singlePages: true }],
])('the address %j asks %j, and what it asks is an address again', (searched, asked) => {
  const query = queryIn(searched)
  expect(query).toMatchObject(asked)
  expect(queryIn(readAgain(searchOf(query)))).toEqual(query)
})

test('what is usual stands in no address', () => expect(searchOf(defaults)).toEqual([]))

test('a press on a row narrows by it, and another takes that back', () => {
  const narrowed = toggled(toggled(defaults, 'country', 'DE'), 'country', 'FR')
  expect(narrowed.chips).toEqual([{ dimension: 'country', operator: 'is', values: ['DE', 'FR'] }])
  expect(toggled(toggled(narrowed, 'country', 'DE'), 'country', 'FR')).toEqual(defaults)
})

test('a condition can be turned around, and removed', () => {
  const [chip] = toggled(defaults, 'page', '/pricing').chips
  if (!chip) throw new Error('There is one.')
  const not = withNegation({ ...defaults, chips: [chip] }, chip)
  expect(not.chips).toEqual([{ dimension: 'page', operator: 'is-not', values: ['/pricing'] }])
  expect(withoutChip({ ...defaults, chips: [chip] }, chip)).toEqual(defaults)
})

const country = { type: 'session', key: '$session_country' }

test.each([
  [{ country: 'DE' }, [{ any: [{ ...country, operator: 'exact', value: ['DE'] }] }]],
  [
    { country: ['DE', ''] },
    [
      {
        any: [
          { ...country, operator: 'exact', value: ['DE'] },
          { ...country, operator: 'is_not_set' },
        ],
      },
    ],
  ],
  [
    { 'not-country': ['DE', ''] },
    [
      { ...country, operator: 'is_not', value: ['DE'] },
      { ...country, operator: 'is_set' },
    ],
  ],
  [
    { outbound: 'https://example.com/' },
    [
      { type: 'event', key: '$event', operator: 'exact', value: ['$outbound_click'] },
      { any: [{ type: 'event', key: 'url', operator: 'exact', value: ['https://example.com/'] }] },
    ],
  ],
  [
    { 'not-contains-page': ['/a', '/b'] },
    [
      { type: 'event', key: '$pathname', operator: 'not_icontains', value: '/a' },
      { type: 'event', key: '$pathname', operator: 'not_icontains', value: '/b' },
    ],
  ],
])('%j means %j', (searched, all) => expect(filterOf(queryIn(searched))).toEqual({ all }))

test.each([
  ['country', 'DE', 'Germany'],
  ['country', 'Nowhere', 'Nowhere'],
  ['language', 'de-AT', 'Austrian German'],
  ['language', 'not a language', 'not a language'],
  ['source', '', 'Direct / None'],
  ['city', '', 'Unknown'],
  ['event', '$pageview', 'Page view'],
] as const)('the %s %j is called %j', (dimension, value, label) =>
  expect(valueName(dimension, value)).toBe(label),
)

test.each([
  ['previous', 'previous-weekday'],
  ['year', 'year-weekday'],
  ['2026-01-01..2026-01-31', undefined],
  [undefined, undefined],
])('%s with equal weekdays is %s', (compare, expected) => {
  expect(withWeekdays(compare, true)).toBe(expected)
  if (expected) expect(withWeekdays(expected, false)).toBe(compare)
})

test.each([
  // until             intervals
  ['2026-03-02T00:00:00Z', ['hour']],
  ['2026-03-08T00:00:00Z', ['hour', 'day']],
  ['2026-03-31T00:00:00Z', ['hour', 'day', 'week']],
  ['2027-03-01T00:00:00Z', ['day', 'week', 'month']],
])('from 1 March until %s there are intervals of %j', (until, expected) =>
  expect(intervalsFor({ from: '2026-03-01T00:00:00Z', until })).toEqual(expected),
)

test('a group of pages is filtered by its pattern, beside single pages', () => {
  const { chips } = queryIn({ entry: ['/boards/:id', '/pricing'] })
  const entry = { type: 'session', key: '$entry_pathname' }
  expect(filterOf({ chips }, undefined, ['/boards/:id'])).toEqual({
    all: [
      {
        any: [
          { ...entry, operator: 'exact', value: ['/pricing'] },
          { all: [{ ...entry, operator: 'regex', value: '^/boards/[^/]+/?$' }] },
        ],
      },
    ],
  })
})
