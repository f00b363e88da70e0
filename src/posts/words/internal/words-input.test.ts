import { expect, test } from 'vitest'
import { english } from './english'
import { translatedLanguages, wordsOf } from '../site-words'
import { changedWords } from './words-input'

test('the texts of every language can be written by a site', () => {
  expect(translatedLanguages).toHaveLength(12)
  for (const language of translatedLanguages) {
    const words = wordsOf(language)
    expect(changedWords.parse(words)).toEqual(words)
  }
})

test('every language fills in what English fills in', () => {
  const placeholders = (text: unknown) =>
    [...JSON.stringify(text).matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const named = (language: string) =>
    Object.entries(wordsOf(language)).map(([name, text]) => [name, new Set(placeholders(text))])
  for (const language of translatedLanguages) expect(named(language), language).toEqual(named('en'))
})

test('each language has the plural forms that its numbers need', () => {
  for (const language of translatedLanguages) {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    // numbers of results are whole, and less than a million
    const counts = [0, 1, 2, 3, 5, 11, 100, 1000, 999_999]
    const needed = new Set(counts.map((count) => new Intl.PluralRules(language).select(count)))
    const { results, found, readingNow } = wordsOf(language)
    for (const forms of [results, found, readingNow])
      expect(
        pluralCategories.filter((category) => needed.has(category) && !(category in forms)),
        language,
      ).toEqual([])
  }
})

test.each([
  // the input            the problem
  [{ serach: 'Find' }, /Unrecognized key/],
  [{ search: '' }, /Enter a text/],
  [{ search: '{count} found' }, /"\{count\}" is not filled in here; known: none\./],
  [{ page: '{page} of {total}' }, /"\{total\}" is not filled in here; known: \{page\} and \{of\}\./],
  [{ results: 'many' }, /./],
  [{ results: { one: 'One' } }, /./],
])('%j is refused', (words, problem) => {
  const { error } = changedWords.safeParse(words)
  expect(error?.issues.map(({ message }) => message).join(' ')).toMatch(problem)
})

test('a site without changes has the texts of its language', () => {
  expect(wordsOf('en')).toEqual(english)
  expect(wordsOf('en', { search: 'Find' }).search).toBe('Find')
  expect(wordsOf('en', { search: undefined }).search).toBe('Search')
})
