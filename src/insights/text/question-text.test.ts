import { expect, test } from 'vitest'
import awkward from '#test/vectors/awkward-texts.json'
import { longestQuestion, questionFrom, questionText } from './question-text'

test('a question comes back from an address as it went in', () => {
  const question = { kind: 'funnel', steps: [{ event: 'signed up' }, { event: null }], cumulative: false }

  expect(questionFrom(questionText(question))).toEqual(question)
})

test('it needs no escaping, whatever is in it', () => {
  for (const text of JSON.stringify(awkward).match(/.{1,200}/gsu) ?? []) {
    const question = { kind: 'trend', series: [{ event: text.toWellFormed() }] }
    expect(questionText(question)).toMatch(/^[\w-]+$/)
    expect(questionFrom(questionText(question))).toEqual(question)
  }
})

test('what says nothing is left out', () => {
  expect(questionFrom(questionText({ kind: 'trend', formulas: [], compare: undefined }))).toEqual({
    kind: 'trend',
  })
})

test.each([
  ['nothing', undefined],
  ['no letters', ''],
  ['what is not base64', '%%%'],
  ['what is not JSON', btoa('{')],
  ['bytes that are no text', btoa('\xff\xfe')],
  ['more than an address may hold', 'e'.repeat(longestQuestion + 1)],
])('%s is no question', (_what, text) => {
  expect(questionFrom(text)).toBeUndefined()
})
