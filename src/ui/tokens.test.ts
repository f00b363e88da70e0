import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

type Rgb = [red: number, green: number, blue: number]
type Theme = 'light' | 'dark'

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
const tokens = new Map(
  Array.from(css.matchAll(/--color-([\w-]+): light-dark\((#\w+), (#\w+)\);/g), ([, name, light, dark]) => [
    name,
    { light, dark },
  ]),
)

/** A token's colour, laid over a ground if it lets something through. */
function colour(name: string, theme: Theme, background: Rgb = [255, 255, 255]): Rgb {
  const hex = tokens.get(name)?.[theme]
  if (!hex) throw new Error(`tokens.css has no --color-${name}`)
  const [red = 0, green = 0, blue = 0, alpha = 255] = (hex.slice(1).match(/../g) ?? []).map((pair) =>
    parseInt(pair, 16),
  )
  const over = (channel: number, below: number) => (channel * alpha + below * (255 - alpha)) / 255
  return [over(red, background[0]), over(green, background[1]), over(blue, background[2])]
}

/** WCAG 2.2, relative luminance and contrast ratio. */
const linear = (channel: number) => {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
const luminance = ([red, green, blue]: Rgb) =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

const themes: Theme[] = ['light', 'dark']
const backgrounds = ['canvas', 'surface', 'raised', 'sunken', 'control', 'control-hover']
const statuses = ['danger', 'warning', 'success', 'info']

const words: [ink: string, grounds: string[]][] = [
  ['ink', [...backgrounds, 'accent-soft', ...statuses.map((status) => `${status}-soft`)]],
  ['muted', [...backgrounds, 'accent-soft', ...statuses.map((status) => `${status}-soft`)]],
  ['faint', [...backgrounds, 'accent-soft']],
  ['accent-ink', [...backgrounds, 'accent-soft']],
  ['danger-ink', [...backgrounds, 'danger-soft']],
  ['warning-ink', [...backgrounds, 'warning-soft']],
  ['success-ink', [...backgrounds, 'success-soft']],
  ['info-ink', [...backgrounds, 'info-soft']],
  ['on-accent', ['accent', 'accent-hover']],
  ['on-danger', ['danger', 'danger-hover']],
  ['canvas', ['ink']],
]

describe.each(themes)('in %s', (theme) => {
  test.each(words)('words in %s can be read on every ground they are used on', (ink, on) => {
    const unreadable = on.filter(
      (background) => contrast(colour(ink, theme), colour(background, theme)) < 4.5,
    )
    expect(unreadable).toEqual([])
  })

  test.each(['hover', 'pressed'])('words can still be read on a line that is %s', (veil) => {
    const veiled = ['canvas', 'surface', 'raised'].map((background) =>
      colour(veil, theme, colour(background, theme)),
    )
    const inks = ['ink', 'muted', ...(veil === 'hover' ? ['faint', 'danger-ink'] : [])].map((ink) =>
      colour(ink, theme),
    )
    expect(
      Math.min(...inks.flatMap((ink) => veiled.map((background) => contrast(ink, background)))),
    ).toBeGreaterThanOrEqual(4.5)
  })

  test.each(['focus', 'accent', 'danger', 'warning', 'success', 'info'])(
    'a ring, a dot or an icon in %s stands out from what it is on',
    (sign) => {
      const faint = ['canvas', 'surface', 'raised'].filter(
        (background) => contrast(colour(sign, theme), colour(background, theme)) < 3,
      )
      expect(faint).toEqual([])
    },
  )

  test.each([...chartNames(), 'chart-rest'])('%s stands out from the panel it is drawn on', (chart) => {
    expect(contrast(colour(chart, theme), colour('surface', theme))).toBeGreaterThanOrEqual(3)
  })

  test.each(Object.keys(visions) as Vision[])('no two chart colours look alike to %s', (vision) => {
    const seen = chartNames().map((chart) => oklab(seenBy(vision, colour(chart, theme))))
    const apart = seen.flatMap((one, place) =>
      seen.slice(place + 1).map((other) => Math.hypot(...difference(one, other))),
    )
    expect(Math.min(...apart)).toBeGreaterThanOrEqual(0.085)
  })
})

test('every colour is decided for light and for dark', () => {
  const names = Array.from(css.matchAll(/--color-([\w-]+):/g), ([, name]) => name)
  expect([...tokens.keys()]).toEqual(names)
})

function chartNames(): string[] {
  return Array.from({ length: 8 }, (_, place) => `chart-${place + 1}`)
}

/** Complete dichromacy after Machado, Oliveira and Fernandes (2009), in linear light. */
const visions = {
  everybody: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopes: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopes: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopes: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
}
type Vision = keyof typeof visions

function times(matrix: number[], [x, y, z]: Rgb): Rgb {
  const row = (n: number) => (matrix[n] ?? 0) * x + (matrix[n + 1] ?? 0) * y + (matrix[n + 2] ?? 0) * z
  return [row(0), row(3), row(6)]
}

const map = ([x, y, z]: Rgb, each: (channel: number) => number): Rgb => [each(x), each(y), each(z)]
const difference = (one: Rgb, other: Rgb): Rgb => [one[0] - other[0], one[1] - other[1], one[2] - other[2]]

const seenBy = (vision: Vision, rgb: Rgb): Rgb =>
  map(times(visions[vision], map(rgb, linear)), (channel) => Math.min(1, Math.max(0, channel)))

/** A space in which distance is how different two colours look: bottosson.github.io/posts/oklab. */
function oklab(light: Rgb): Rgb {
  const cones = times(
    [
      0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566, 0.0883024619,
      0.2817188376, 0.6299787005,
    ],
    light,
  )
  return times(
    [
      0.2104542553, 0.793617785, -0.0040720468, 1.9779984951, -2.428592205, 0.4505937099, 0.0259040371,
      0.7827717662, -0.808675766,
    ],
    map(cones, Math.cbrt),
  )
}
