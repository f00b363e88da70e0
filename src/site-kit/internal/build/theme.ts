import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { KitManifest, KitProblem } from '../../kit-manifest'

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
  const text = readFileSync(join(folder, file), 'utf8')
  const json = parseJson(text)
  if (json instanceof Error) return { done: false, problems: [{ message: json.message, file }] }
  const parsed = themeTokens.safeParse(json)
  if (parsed.success)
    return { done: true, theme: { css: cssOf(parsed.data), backgrounds: backgroundsOf(parsed.data) } }
  const problems = parsed.error.issues.map(({ path, message }) => ({
    message: `${path.join('.') || 'theme'}: ${message}`,
    file,
    line: lineOf(text, path),
  }))
  return { done: false, problems }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (problem) {
    return problem
  }
}

/** The line of the last key of the path that the text has. */
function lineOf(text: string, path: readonly PropertyKey[]): number | undefined {
  let at = 0
  for (const key of path) {
    const next = text.indexOf(JSON.stringify(String(key)), at)
    if (next === -1) break
    at = next
  }
  return text.slice(0, at).split('\n').length
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
