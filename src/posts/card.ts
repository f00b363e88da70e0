import { dirname, join } from 'node:path'
import type { SKRSContext2D } from '@napi-rs/canvas'

/** The content of a social card, the picture that other sites show beside a link to a post. */
interface SocialCard {
  title: string
  /** The site's name. */
  site: string
  /** '#1f6f4a' */
  accent: string
  author?: string | undefined
  /** The date as text for readers. */
  date?: string | undefined
}

export const cardSize = { width: 1200, height: 630 } as const

const margin = 80
const backgroundColour = '#fdfcfa'
const textColour = '#1c1a17'
const mutedColour = '#6b665d'

/** Draws a PNG. Tilth includes fonts; other letters are drawn with the machine's fonts, or as boxes. */
export async function drawCard(card: SocialCard): Promise<Uint8Array> {
  // a native package, which few processes ever need
  const { createCanvas, GlobalFonts } = await import(/* turbopackIgnore: true */ '@napi-rs/canvas')
  if (!GlobalFonts.has(families[0])) registerFonts(GlobalFonts)
  const canvas = createCanvas(cardSize.width, cardSize.height)
  draw(canvas.getContext('2d'), card)
  return await canvas.encode('png')
}

/** Each font file has the letters of some scripts; the next one is tried for missing letters. */
const subsets = [
  'latin',
  'latin-ext',
  'cyrillic',
  'cyrillic-ext',
  'greek',
  'greek-ext',
  'vietnamese',
] as const
const families = subsets.map((subset) => `Tilth ${subset}`) as [string, ...string[]] // the list is not empty

function registerFonts(fonts: { registerFromPath: (path: string, name: string) => unknown }): void {
  // a bundler would replace a visible `createRequire` with its own
  const { createRequire } = process.getBuiltinModule('node:module')
  const description = createRequire(import.meta.url).resolve('@fontsource-variable/inter/package.json')
  for (const subset of subsets) {
    const file = `inter-${subset}-wght-normal.woff2`
    fonts.registerFromPath(join(dirname(description), 'files', file), `Tilth ${subset}`)
  }
}

const fontOf = (size: number, weight: number): string =>
  `${weight} ${size}px ${[...families, 'sans-serif'].map((name) => (name === 'sans-serif' ? name : `"${name}"`)).join(', ')}`

function draw(context: SKRSContext2D, { title, site, accent, author, date }: SocialCard): void {
  const { width, height } = cardSize
  context.fillStyle = backgroundColour
  context.fillRect(0, 0, width, height)
  context.fillStyle = accent
  context.fillRect(0, 0, 16, height)
  context.textBaseline = 'alphabetic'
  drawSite(context, site, accent)
  drawTitle(context, title)
  context.fillStyle = mutedColour
  context.font = fontOf(30, 400)
  const facts = [author, date].filter(Boolean).join('  ·  ')
  context.fillText(fitToWidth(context, facts, width - 2 * margin), margin, height - margin)
}

function drawSite(context: SKRSContext2D, site: string, accent: string): void {
  context.fillStyle = accent
  context.beginPath()
  context.arc(margin + 11, margin + 15, 11, 0, 2 * Math.PI)
  context.fill()
  context.fillStyle = textColour
  context.font = fontOf(32, 600)
  context.fillText(fitToWidth(context, site, cardSize.width - 2 * margin - 44), margin + 40, margin + 26)
}

/** Tries sizes from the largest down until the title fits. At the smallest, the title is cut. */
const titleSizes = [84, 76, 68, 60, 54, 48, 42]
const titleArea = { top: 150, height: 330, width: cardSize.width - 2 * margin }

function drawTitle(context: SKRSContext2D, title: string): void {
  const words = title.replaceAll(/\s+/g, ' ').trim().slice(0, 400)
  const [smallest = 42] = titleSizes.slice(-1)
  const size = titleSizes.find((one) => wrapLines(context, words, one).length <= maxLines(one)) ?? smallest
  const lines = wrapLines(context, words, size)
  const shown = lines.slice(0, maxLines(size))
  if (lines.length > shown.length) shown.push(fitToWidth(context, `${shown.pop() ?? ''}…`, titleArea.width))
  context.fillStyle = textColour
  const top = titleArea.top + (titleArea.height - shown.length * size * lineHeight) / 2
  for (const [place, line] of shown.entries())
    context.fillText(line, margin, top + size * (place * lineHeight + 0.95))
}

const lineHeight = 1.16
const maxLines = (size: number): number => Math.floor(titleArea.height / (size * lineHeight))

function wrapLines(context: SKRSContext2D, text: string, size: number): string[] {
  context.font = fontOf(size, 700)
  const lines: string[] = []
  let line = ''
  for (const piece of breakOpportunities(text)) {
    if (line === '' || context.measureText((line + piece).trimEnd()).width <= titleArea.width) {
      line += piece
    } else {
      lines.push(line.trimEnd())
      line = piece
    }
  }
  return [...lines, line.trimEnd()].flatMap((one) => breakWord(context, one))
}

/** The points at which a line may break: after spaces, and between characters of scripts without spaces. */
const breakOpportunities = (text: string): string[] =>
  text.match(
    /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+\s*|\s+/gu,
  ) ?? []

/** Breaks a word that is wider than the card. */
function breakWord(context: SKRSContext2D, line: string): string[] {
  if (context.measureText(line).width <= titleArea.width) return [line]
  const lines: string[] = []
  let part = ''
  for (const { segment } of letters.segment(line)) {
    if (part !== '' && context.measureText(part + segment).width > titleArea.width) {
      lines.push(part)
      part = ''
    }
    part += segment
  }
  return [...lines, part]
}

/** Characters of several code points, such as flags, stay whole. */
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

function fitToWidth(context: SKRSContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text
  const signs = [...letters.segment(text.slice(0, 400))].map(({ segment }) => segment)
  while (signs.length > 0 && context.measureText(`${signs.join('')}…`).width > width) signs.pop()
  return `${signs.join('').replace(/[…\s]+$/, '')}…`
}
