import { describe, expect, test } from 'vitest'
import { directionOf, joinNames, longDate, translationFor } from './translations'

describe('the theme speaks the language of the site', () => {
  test.each([
    ['en', 'Search'],
    ['de-AT', 'Suchen'],
    ['FR', 'Rechercher'],
    ['es-MX', 'Buscar'],
    ['tlh', 'Search'],
    ['', 'Search'],
  ])('%s: %s', (language, search) => expect(translationFor(language).search).toBe(search))
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
