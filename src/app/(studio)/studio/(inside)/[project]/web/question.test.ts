import { expect, test } from 'vitest'
import { filterOf, searchOf, toggled, withNegation, defaults, withoutChip } from './question'
import { questionIn, type WebSearchParams } from './read-question'
import { valueLabel } from './values'

/** As a browser would say an address back. */
function readAgain(pairs: readonly (readonly [string, string])[]): WebSearchParams {
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
  [{ period: 'eternity', compare: 'everything', figure: 'toes' }, defaults],
  [
    { channel: ['Direct', ''], 'not-country': 'DE' },
    {
      chips: [
        { dimension: 'channel', isNot: false, values: ['Direct', ''] },
        { dimension: 'country', isNot: true, values: ['DE'] },
      ],
    },
  ],
  [{ 'sources-tab': 'utm_term', 'pages-tab': 'city' }, { tabs: { sources: 'utm_term' } }],
  [{ tests: 'out' }, { withoutTestAccounts: true }],
])('the address %j asks %j, and what it asks is an address again', (searched, asked) => {
  const question = questionIn(searched)
  expect(question).toMatchObject(asked)
  expect(questionIn(readAgain(searchOf(question)))).toEqual(question)
})

test('what is usual stands in no address', () => expect(searchOf(defaults)).toEqual([]))

test('a press on a row narrows by it, and another takes that back', () => {
  const narrowed = toggled(toggled(defaults, 'country', 'DE'), 'country', 'FR')
  expect(narrowed.chips).toEqual([{ dimension: 'country', isNot: false, values: ['DE', 'FR'] }])
  expect(toggled(toggled(narrowed, 'country', 'DE'), 'country', 'FR')).toEqual(defaults)
})

test('a condition can be turned around, and removed', () => {
  const [chip] = toggled(defaults, 'page', '/pricing').chips
  if (!chip) throw new Error('There is one.')
  const not = withNegation({ ...defaults, chips: [chip] }, chip)
  expect(not.chips).toEqual([{ dimension: 'page', isNot: true, values: ['/pricing'] }])
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
])('%j means %j', (searched, all) => expect(filterOf(questionIn(searched))).toEqual({ all }))

test.each([
  ['country', 'DE', 'Germany'],
  ['country', 'Nowhere', 'Nowhere'],
  ['language', 'de-AT', 'Austrian German'],
  ['language', 'not a language', 'not a language'],
  ['source', '', 'Direct'],
  ['city', '', '(not known)'],
  ['event', '$pageview', 'Page view'],
] as const)('the %s %j is called %j', (dimension, value, label) =>
  expect(valueLabel(dimension, value)).toBe(label),
)
