/** The colours of drawings, as in `sanitize-svg.ts`. */
export const palette = {
  ink: '#22211f',
  muted: '#5f5c56',
  line: '#bdb8ae',
  shade: '#f2efe9',
  ground: '#fdfcfa',
} as const

/** Fills that tell parts of a drawing apart; words on them are in `ink`. */
export const partColours = [
  '#cfe0f5',
  '#f7ddbd',
  '#cde8d4',
  '#f4d0d3',
  '#e3d5f2',
  '#f3eab8',
  '#c9e7e6',
  '#e4ded3',
  '#f2d3e8',
  '#d9e8bb',
  '#d4d8e8',
  '#ecd9c9',
] as const

const namedColours: Readonly<Record<string, string>> = {
  black: '#000000',
  white: '#ffffff',
  grey: '#808080',
  gray: '#808080',
  lightgrey: '#d3d3d3',
  lightgray: '#d3d3d3',
  darkgrey: '#a9a9a9',
  red: '#ff0000',
  navy: '#000080',
  yellow: '#ffff00',
  green: '#008000',
  blue: '#0000ff',
  orange: '#ffa500',
}

/**
 * Gives colours to a drawing for both colour schemes: each becomes a variable, with the opposite lightness in dark.
 * Colours of the palette become the variables that every drawing has.
 */
export class ThemeColours {
  private readonly names = new Map<string, string>()

  /** Returns what stands for a colour; words such as `none` stay. */
  variableFor(written: string): string {
    const colour = parseColour(written)
    if (!colour) return /^currentcolor$/i.test(written.trim()) ? 'var(--ink)' : written
    const text = colourText(colour)
    const ofPalette = Object.entries(palette).find(([, one]) => one === text)
    if (ofPalette) return `var(--${ofPalette[0]})`
    const known = this.names.get(text)
    const name = known ?? `c${this.names.size}`
    this.names.set(text, name)
    return `var(--${name})`
  }

  /** The declarations of all variables, for light and for dark. */
  declarations(): { light: string; dark: string } {
    const all = [...this.names]
    return {
      light: all.map(([text, name]) => `--${name}:${text}`).join(';'),
      dark: all.map(([text, name]) => `--${name}:${colourText(inverted(parseColour(text)))}`).join(';'),
    }
  }
}

interface Colour {
  /** Degrees, and parts of one. */
  hue: number
  saturation: number
  lightness: number
  alpha: number
}

function parseColour(written: string): Colour | undefined {
  const text = written.trim().toLowerCase()
  const named = Object.hasOwn(namedColours, text) ? namedColours[text] : undefined
  return parseHex(named ?? text) ?? parseFunction(text)
}

function parseHex(text: string): Colour | undefined {
  const [, digits] = /^#((?:[\da-f]{3,4}){1,2})$/.exec(text) ?? []
  if (digits === undefined) return undefined
  const pairs =
    digits.length <= 4 ? Array.from(digits, (digit) => digit + digit) : (digits.match(/../g) ?? [])
  const [red = 0, green = 0, blue = 0, alpha = 255] = pairs.map((pair) => Number.parseInt(pair, 16))
  return fromRgb(red / 255, green / 255, blue / 255, alpha / 255)
}

function parseFunction(text: string): Colour | undefined {
  const [, kind, given = ''] = /^(rgb|hsl)a?\(([^)]*)\)$/.exec(text) ?? []
  if (kind === undefined) return undefined
  const numbers = given.split(/[\s,/]+/).filter(Boolean)
  const [first = 0, second = 0, third = 0, alpha = 1] = numbers.map((part) => Number.parseFloat(part))
  if ([first, second, third, alpha].some(Number.isNaN)) return undefined
  if (kind === 'hsl') return { hue: first, saturation: second / 100, lightness: third / 100, alpha }
  return fromRgb(first / 255, second / 255, third / 255, alpha)
}

function fromRgb(red: number, green: number, blue: number, alpha: number): Colour {
  const most = Math.max(red, green, blue)
  const range = most - Math.min(red, green, blue)
  const lightness = most - range / 2
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * lightness - 1))
  const sixths =
    range === 0
      ? 0
      : most === red
        ? ((green - blue) / range + 6) % 6
        : most === green
          ? (blue - red) / range + 2
          : (red - green) / range + 4
  return { hue: sixths * 60, saturation, lightness, alpha }
}

const colourText = ({ hue, saturation, lightness, alpha }: Colour): string => {
  const channel = (shift: number): number => {
    const position = (shift + hue / 30) % 12
    const reach = saturation * Math.min(lightness, 1 - lightness)
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(position - 3, 9 - position, 1))))
  }
  const bytes = [channel(0), channel(8), channel(4), ...(alpha < 1 ? [Math.round(alpha * 255)] : [])]
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** White becomes nearly black, and so on; strong colours become a little calmer. */
const inverted = (colour: Colour | undefined): Colour => {
  const { hue, saturation, lightness, alpha } = colour ?? { hue: 0, saturation: 0, lightness: 0, alpha: 1 }
  return { hue, saturation: saturation * 0.75, lightness: 0.92 - lightness * 0.84, alpha }
}
