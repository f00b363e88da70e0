import { expect, test } from 'vitest'
import { variantColour, variantColours } from './variant-colour'

test('variants have colours by their place in the flag, the ninth and later ones the quiet one', () => {
  expect([0, 1, 7, 8, 9].map(variantColour)).toEqual([1, 2, 8, 'rest', 'rest'])
})

test('a variant keeps its colour in whichever order a page names the variants', () => {
  const colourOf = variantColours(['short', 'control', 'long'])
  const byName = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, colourOf(name)]))
  const expected = { short: 1, control: 2, long: 3 }
  expect(byName(['control', 'short', 'long'])).toEqual(expected)
  expect(byName(['long', 'control', 'short'])).toEqual(expected)
})

test('a value that is no variant of the flag has the quiet colour', () => {
  expect(variantColours(['control', 'test'])('removed')).toBe('rest')
})
