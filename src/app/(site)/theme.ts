import type { SiteSettings } from '../../posts/site'

/** What pages are written on; site.css has the same two. */
export const grounds = { light: '#fdfcfa', dark: '#141311' } as const

/** What the guidelines for accessible content ask of words. */
const readable = 4.5

type Colour = readonly [red: number, green: number, blue: number]

const white: Colour = [255, 255, 255]
const black: Colour = [0, 0, 0]

export interface Accents {
  light: string
  onLight: string
  dark: string
  onDark: string
}

/** For each ground as near to the chosen colour as can be read there, with the ink that is read on it. */
export function accentsOf({ accent, accentDark }: Pick<SiteSettings, 'accent' | 'accentDark'>): Accents {
  const light = towards(black, parse(accent), parse(grounds.light))
  const dark = towards(white, parse(accentDark || accent), parse(grounds.dark))
  return { light: print(light), onLight: print(inkOn(light)), dark: print(dark), onDark: print(inkOn(dark)) }
}

/** The site's own colours as custom properties. */
export function themeOf(chosen: Pick<SiteSettings, 'accent' | 'accentDark'>): string {
  const { light, onLight, dark, onDark } = accentsOf(chosen)
  return (
    `:root{--accent-light:${light};--on-accent-light:${onLight};` +
    `--accent-dark:${dark};--on-accent-dark:${onDark}}`
  )
}

/** Mixed with black or white no more than it takes. */
function towards(end: Colour, colour: Colour, ground: Colour): Colour {
  const steps = Array.from({ length: 51 }, (_, step) => mix(colour, end, step / 50))
  return steps.find((step) => contrast(step, ground) >= readable) ?? end
}

const inkOn = (colour: Colour): Colour =>
  contrast(white, colour) >= readable
    ? white
    : contrast(black, colour) > contrast(white, colour)
      ? black
      : white

const mix = ([red, green, blue]: Colour, [r, g, b]: Colour, share: number): Colour => [
  Math.round(red + (r - red) * share),
  Math.round(green + (g - green) * share),
  Math.round(blue + (b - blue) * share),
]

/** From 1 to 21, as WCAG reckons it. */
export function contrast(one: Colour, other: Colour): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const luminance = ([red, green, blue]: Colour): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

const linear = (value: number): number =>
  value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4

export const parse = (hex: string): Colour => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
]

const print = (colour: Colour): string =>
  `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`
