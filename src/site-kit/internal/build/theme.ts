import { z } from 'zod'
import type { KitManifest, KitProblem } from '../../kit-manifest'
import { readJsonFile } from './json-file'

/** A colour, or one for each appearance. */
const colour = z.union([z.string(), z.strictObject({ light: z.string(), dark: z.string() })])

const colourNames = ['background', 'surface', 'text', 'muted', 'line', 'accent', 'onAccent'] as const
const fontNames = ['text', 'title', 'code'] as const

const themeTokens = z.strictObject({
  $schema: z.string().optional(),
  colors: z.partialRecord(z.enum(colourNames), colour).optional(),
  fonts: z.partialRecord(z.enum(fontNames), z.string()).optional(),
  /** The width of a text, and of lists and wide pictures. */
  width: z.strictObject({ text: z.string().optional(), wide: z.string().optional() }).optional(),
  radius: z.string().optional(),
  titleWeight: z.number().int().min(1).max(1000).optional(),
})
type ThemeTokens = z.infer<typeof themeTokens>

/** Custom properties of `site.css`. */
const colourProperties: Readonly<Record<(typeof colourNames)[number], string>> = {
  background: '--ground',
  surface: '--surface',
  text: '--ink',
  muted: '--muted',
  line: '--line',
  accent: '--accent',
  onAccent: '--on-accent',
}
const fontProperties: Readonly<Record<(typeof fontNames)[number], readonly string[]>> = {
  text: ['--font-text', '--font-sans', '--site-font'],
  title: ['--font-title', '--site-font-heading'],
  code: ['--font-mono'],
}

interface Theme {
  css: string
  backgrounds: KitManifest['backgrounds']
}

/** Reads `theme/theme.json`. */
export function readTheme(
  folder: string,
  file: string | undefined,
): { done: true; theme: Theme } | { done: false; problems: KitProblem[] } {
  if (file === undefined) return { done: true, theme: { css: '', backgrounds: undefined } }
  const read = readJsonFile(folder, file, themeTokens)
  if (!read.done) return read
  return { done: true, theme: { css: cssOf(read.data), backgrounds: backgroundsOf(read.data) } }
}

function cssOf({ colors = {}, fonts = {}, width = {}, radius, titleWeight }: ThemeTokens): string {
  const declarations = [
    ...colourNames.map((name) => [colourProperties[name], colourCss(colors[name])]),
    ...fontNames.flatMap((name) => fontProperties[name].map((property) => [property, fonts[name]])),
    ['--measure', width.text],
    ['--wide', width.wide],
    ['--radius', radius],
    ['--title-weight', titleWeight === undefined ? undefined : String(titleWeight)],
  ].flatMap(([property, value]) => (value === undefined ? [] : [`${property}: ${value};`]))
  return declarations.length > 0 ? `:root:root {\n  ${declarations.join('\n  ')}\n}\n` : ''
}

const colourCss = (value: z.infer<typeof colour> | undefined): string | undefined =>
  typeof value === 'object' ? `light-dark(${value.light}, ${value.dark})` : value

function backgroundsOf({ colors }: ThemeTokens): Theme['backgrounds'] {
  const background = colors?.background
  return typeof background === 'string' ? { light: background, dark: background } : background
}
