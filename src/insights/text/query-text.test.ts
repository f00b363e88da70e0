import { expect, test } from 'vitest'
import awkward from '#test/vectors/awkward-texts.json'
import { longestQuery, queryFrom, queryText } from './query-text'

test('a query comes back from an address as it went in', () => {
  const query = { kind: 'funnel', steps: [{ event: 'signed up' }, { event: null }], cumulative: false }

  expect(queryFrom(queryText(query))).toEqual(query)
})

test('a query in an address needs no escaping, whatever is in it', () => {
  for (const text of JSON.stringify(awkward).match(/.{1,200}/gsu) ?? []) {
    const query = { kind: 'trend', series: [{ event: text.toWellFormed() }] }
    expect(queryText(query)).toMatch(/^[\w-]+$/)
    expect(queryFrom(queryText(query))).toEqual(query)
  }
})

test('what says nothing is left out', () => {
  expect(queryFrom(queryText({ kind: 'trend', formulas: [], compare: undefined }))).toEqual({
    kind: 'trend',
  })
})

test.each([
  ['nothing', undefined],
  ['no letters', ''],
  ['what is not base64', '%%%'],
  ['what is not JSON', btoa('{')],
  ['bytes that are no text', btoa('\xff\xfe')],
  ['more than an address may hold', 'e'.repeat(longestQuery + 1)],
])('%s is no query', (_what, text) => {
  expect(queryFrom(text)).toBeUndefined()
})
