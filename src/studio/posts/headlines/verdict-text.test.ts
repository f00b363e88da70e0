import { expect, test } from 'vitest'
import type { TrialVerdict } from '#posts/trial-verdict'
import { verdictText } from './RunningTrial'

test.each<[TrialVerdict, RegExp]>([
  // the numbers say              people are told
  [{ name: 'too-few', minimum: 100 }, /each variant was shown to 100 people/],
  [{ name: 'undecided', leader: undefined, daysLeft: undefined }, /equally/],
  [{ name: 'undecided', leader: 'b', daysLeft: undefined }, /^Variant B is ahead, but not significantly\.$/],
  [{ name: 'undecided', leader: 'b', daysLeft: 0.2 }, /takes about 1 day\.$/],
  [{ name: 'undecided', leader: 'b', daysLeft: 4.2 }, /takes about 5 days\.$/],
  [{ name: 'won', winner: 'c' }, /Variant C is better/],
  [{ name: 'futile' }, /too small to matter/],
])('%j', (verdict, words) => {
  expect(verdictText(verdict)).toMatch(words)
})
