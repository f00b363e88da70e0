import { describe, expect, test } from 'vitest'
import { directionOf, joinNames, longDate, translationFor } from './translations'

describe('the theme speaks the language of the site', () => {
  test.each([
    ['en', 'Search'],
    ['de-AT', 'Suchen'],
    ['FR', 'Rechercher'],
    ['es-MX', 'Buscar'],
    ['pt-BR', 'Buscar'],
    ['he', 'חיפוש'],
    ['tlh', 'Search'],
    ['', 'Search'],
  ])('%s: %s', (language, search) => expect(translationFor({ language, words: {} }).search).toBe(search))

  test.each([
    // language   count   results
    ['en', 1, 'One result'],
    ['en', 7, '7 results'],
    ['pl', 3, '3 wyniki'],
    ['pl', 5, '5 wyników'],
    ['pl', 22, '22 wyniki'],
    ['ar', 2, 'نتيجتان'],
    ['ar', 5, '5 نتائج'],
    ['ja', 1, '1 件の結果'],
    ['tlh', 1, 'One result'],
  ])('%s counts %i', (language, count, results) =>
    expect(translationFor({ language, words: {} }).results(count)).toBe(results),
  )

  test('with the texts that the site has changed', () => {
    const words = { search: 'Find', results: { other: '{count} hits' }, page: '{page}/{of}' }
    const translation = translationFor({ language: 'de', words })
    expect(translation.search).toBe('Find')
    expect(translation.results(1)).toBe('1 hits')
    expect(translation.page(2, 3)).toBe('2/3')
    expect(translation.comments).toBe('Kommentare')
  })
})

test.each([
  ['en-GB', 'Pacific/Auckland', '22 November 2026'],
  ['de', 'America/New_York', '21. November 2026'],
  ['not a language', 'UTC', 'November 21, 2026'],
])('a date is written in %s and on the calendar of %s', (language, timeZone, written) => {
  expect(longDate(new Date('2026-11-21T20:00:00Z'), { language, timeZone })).toBe(written)
})

test.each([
  ['ar', 'rtl'],
  ['he-IL', 'rtl'],
  ['en', 'ltr'],
])('%s runs %s', (language, direction) => expect(directionOf(language)).toBe(direction))

test('names are listed as people say them', () => {
  expect(joinNames(['Ana', 'Ben', 'Cleo'], 'en-GB')).toBe('Ana, Ben and Cleo')
  expect(joinNames(['Ana', 'Ben'], 'de')).toBe('Ana und Ben')
})
