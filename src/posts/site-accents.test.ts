import { expect, test } from 'vitest'
import { contrast, pageBackgrounds, parseColour, themeOf } from './site-accents'

const coloursOf = (accent: string, accentDark = '') =>
  Object.fromEntries(
    Array.from(themeOf({ accent, accentDark }).matchAll(/--([a-z-]+):(#[\da-f]{6})/g), ([, name, colour]) => [
      name,
      colour,
    ]),
  )

test.each(['#1f6f4a', '#ffee00', '#000000', '#ffffff', '#777777', '#0000ff', '#ff0066'])(
  'whatever accent is chosen, it can be read on both grounds, and so can what is written on it: %s',
  (accent) => {
    const colours = coloursOf(accent)

    for (const background of ['light', 'dark'] as const) {
      const shown = parseColour(colours[`accent-${background}`] ?? '')
      expect(contrast(shown, parseColour(pageBackgrounds[background]))).toBeGreaterThanOrEqual(4.5)
      expect(contrast(shown, parseColour(colours[`on-accent-${background}`] ?? ''))).toBeGreaterThanOrEqual(
        4.5,
      )
    }
  },
)

test('an accent that can be read is left as it is', () => {
  expect(coloursOf('#1f6f4a')).toMatchObject({ 'accent-light': '#1f6f4a' })
  expect(coloursOf('#1f6f4a', '#7fc8a0')).toMatchObject({ 'accent-dark': '#7fc8a0' })
})
