import { expect, test } from 'vitest'
import { fuzzyScore } from './fuzzy-match'

test.each([
  // typed         text                          fits
  ['onbord', 'Onboarding', true],
  ['onbaording', 'Onboarding funnel', true],
  ['obnoard', 'Onboarding', true],
  ['fun onb', 'Onboarding funnel', true],
  ['nboard', 'Onboarding', true],
  ['cafe', 'Café visits', true],
  ['checkout', 'new-checkout', true],
  ['checkuot', 'new-checkout', true],
  ['audit', 'Audit log', true],
  ['onb', 'Ornithology by book', false],
  ['flag', 'Files and logs', false],
  ['sign out', 'Sign-up funnel', false],
  ['', 'Onboarding', false],
  ['  ', 'Onboarding', false],
])('"%s" fits "%s": %s', (typed, text, fits) => {
  expect(fuzzyScore(typed, text) > 0).toBe(fits)
})

test('a closer fit has the higher score', () => {
  const texts = ['Reports of plans', 'plan', 'Paln', 'Plan types', 'Airplane', 'Pluton plain']
  const ranked = texts.toSorted((one, other) => fuzzyScore('plan', other) - fuzzyScore('plan', one))
  expect(ranked.slice(0, 4)).toEqual(['plan', 'Plan types', 'Reports of plans', 'Airplane'])
})
