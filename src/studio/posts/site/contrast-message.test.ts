import { expect, test } from 'vitest'
import { contrastMessage } from './AppearanceFields'

test.each([
  // this colour, on this ground, is
  ['#000000', 'light', /^Contrast 20\.\d to 1 on the light background: good\.$/],
  ['#ffe000', 'light', /too low for text\. The site uses a darker shade/],
  ['#102030', 'dark', /too low for text\. The site uses a lighter shade/],
  ['#ffe000', 'dark', /: good/],
  ['#ffe', 'light', /Write the colour as/],
] as const)('%s on the %s ground', (colour, background, words) => {
  expect(contrastMessage(colour, background)).toMatch(words)
})
