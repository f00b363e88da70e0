import type { SiteSettings } from './site'

/** The backgrounds of pages; site.css has the same two. */
export const pageBackgrounds = { light: '#fdfcfa', dark: '#141311' } as const

/** The contrast that the guidelines for accessible content require of text. */
const readableContrast = 4.5

type Colour = readonly [red: number, green: number, blue: number]

const white: Colour = [255, 255, 255]
const black: Colour = [0, 0, 0]

export interface Accents {
  light: string
  onLight: string
  dark: string
  onDark: string
}

/** Returns for each background the readable colour nearest to the chosen one, and the text colour on top of it. */
export function accentsOf({ accent, accentDark }: Pick<SiteSettings, 'accent' | 'accentDark'>): Accents {
  const light = mixUntilReadable(black, parseColour(accent), parseColour(pageBackgrounds.light))
  const dark = mixUntilReadable(white, parseColour(accentDark || accent), parseColour(pageBackgrounds.dark))
  return {
    light: formatColour(light),
    onLight: formatColour(textColourOn(light)),
    dark: formatColour(dark),
    onDark: formatColour(textColourOn(dark)),
  }
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
function mixUntilReadable(end: Colour, colour: Colour, background: Colour): Colour {
  const steps = Array.from({ length: 51 }, (_, step) => mix(colour, end, step / 50))
  return steps.find((step) => contrast(step, background) >= readableContrast) ?? end
}

const textColourOn = (colour: Colour): Colour =>
  contrast(white, colour) >= readableContrast
    ? white
    : contrast(black, colour) > contrast(white, colour)
      ? black
      : white

const mix = ([red, green, blue]: Colour, [r, g, b]: Colour, share: number): Colour => [
  Math.round(red + (r - red) * share),
  Math.round(green + (g - green) * share),
  Math.round(blue + (b - blue) * share),
]

/** Returns the contrast from 1 to 21, as WCAG reckons it. */
export function contrast(one: Colour, other: Colour): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const luminance = ([red, green, blue]: Colour): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

const linear = (value: number): number =>
  value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4

export const parseColour = (hex: string): Colour => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
]

const formatColour = (colour: Colour): string =>
  `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`
