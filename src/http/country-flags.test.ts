import { expect, test } from 'vitest'
import { codesNamed } from '#events/value-names'
import { flagPath, hasFlag } from '#ui/CountryFlag'
import { countryFlag, countryFlagsPath } from './country-flags'

test('every country by name has a flag, unless pages know that it has none', () => {
  const countries = [
    ...new Set(['a', 'e', 'i', 'o', 'u', 'y'].flatMap((letter) => codesNamed('country', letter))),
  ]
  expect(countries.length).toBeGreaterThan(240)
  expect(countries.filter((code) => hasFlag(code) !== (countryFlag(code) !== undefined))).toEqual([])
})

test.each(['de', 'D', 'DEU', '../x', 'QQ', '__', 'constructor'])('"%s" names no flag', (code) => {
  expect(countryFlag(code)).toBeUndefined()
})

test('pages ask for flags where the front serves them', () => {
  expect(flagPath('DE')).toBe(`${countryFlagsPath}/DE.svg`)
})

test('the United Kingdom does not have the flag of England', () => {
  expect(countryFlag('GB')).toContain('#2e42a5')
})

test('a flag is a picture without script and without other files', () => {
  expect(countryFlag('DE')).toMatch(
    /^<svg xmlns="[^"]+" viewBox="0 0 32 24" width="32" height="24">.*<\/svg>$/s,
  )
  for (const code of codesNamed('country', 'a'))
    expect(countryFlag(code) ?? '').not.toMatch(/<script|<foreignObject|href="(?!#)|\son\w+=/i)
})
