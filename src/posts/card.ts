import { fileURLToPath } from 'node:url'
import type { OverlayOptions } from 'sharp'
import type { SiteSettings } from './site'
import { accentsOf, pageBackgrounds } from './site-accents'
import { escapeXml } from './xml'

/** The content of a social card, the picture that other sites show beside a link to a post. */
interface SocialCard {
  title: string
  /** The site's name. */
  site: string
  /** The site's accent colours, and whether its pages are always dark. */
  look: Pick<SiteSettings, 'accent' | 'accentDark' | 'appearance'>
  /** The file of the site's logo, which stands in place of its name. */
  logo?: string | undefined
  author?: string | undefined
  /** The date as text for readers. */
  date?: string | undefined
}

export const cardSize = { width: 1200, height: 630 } as const

const margin = 80
/** Colours of texts on both backgrounds; site.css has the same. */
const textColours = {
  light: { text: '#1c1a16', muted: '#5d584e' },
  dark: { text: '#ece8e1', muted: '#aea89c' },
}
const logoArea = { width: 480, height: 56 } as const

/** Tilth includes Inter; letters that it lacks are drawn with the machine's fonts, or as boxes. */
const fonts = {
  Regular: fileURLToPath(new URL('./card-fonts/Inter-Regular.otf', import.meta.url)),
  Bold: fileURLToPath(new URL('./card-fonts/Inter-Bold.otf', import.meta.url)),
}

type Weight = keyof typeof fonts

const textWidth = cardSize.width - 2 * margin
const titleArea = { top: 150, height: 330 } as const
/** The largest letters of a title. Longer titles have smaller ones. */
const titlePixels = 84
const mostTitleLetters = 200

/** Draws a PNG. */
export async function drawCard({ title, site, look, logo, author, date }: SocialCard): Promise<Uint8Array> {
  // a native package, which few processes ever need
  const { default: sharp } = await import(/* turbopackIgnore: true */ 'sharp')
  const facts = [author, date].filter(Boolean).join('  ·  ')
  const theme = look.appearance === 'dark' ? 'dark' : 'light'
  const colours = textColours[theme]
  const accent = accentsOf(look)[theme]
  const siteText = { text: site, colour: colours.text, weight: 'Bold', pixels: 32 } as const
  const factsText = { text: facts, colour: colours.muted, weight: 'Regular', pixels: 30 } as const
  const { width, height } = cardSize
  const drawnLogo = logo === undefined ? undefined : await drawLogo(logo)
  const name = `<circle cx="${margin + 11}" cy="${margin + 15}" r="11" fill="${accent}"/>
    ${await lineOf(siteText, { left: margin + 40, baseline: margin + 26 })}`
  // measuring a text also tells the drawing program where its font is
  const background = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="${pageBackgrounds[theme]}"/>
    <rect width="16" height="100%" fill="${accent}"/>
    ${drawnLogo ? '' : name}
    ${await lineOf(factsText, { left: margin, baseline: height - margin })}
  </svg>`
  return await sharp(Buffer.from(background))
    .composite([...(drawnLogo ? [drawnLogo] : []), ...(await drawTitle(title, colours.text))])
    .flatten()
    .png()
    .toBuffer()
}

/** Undefined for a file that is no picture. */
async function drawLogo(file: string): Promise<OverlayOptions | undefined> {
  const { default: sharp } = await import(/* turbopackIgnore: true */ 'sharp')
  try {
    const input = await sharp(file)
      .resize({ ...logoArea, fit: 'inside' })
      .png()
      .toBuffer()
    return { input, left: margin, top: margin - 14 }
  } catch {
    return undefined
  }
}

interface CardText {
  text: string
  colour: string
  weight: Weight
  pixels: number
}

/** Draws one line of text; text that is wider than the card is cut. */
async function lineOf(
  { text, ...style }: CardText,
  { left, baseline }: { left: number; baseline: number },
): Promise<string> {
  const most = cardSize.width - margin - left
  let shown = text
  for (let width = await measure(shown); width > most; width = await measure(shown))
    shown = shortened(shown, Math.floor((lettersOf(shown).length * most) / width))
  const weight = style.weight === 'Bold' ? 700 : 400
  return `<text x="${left}" y="${baseline}" fill="${style.colour}" font-family="Inter" font-weight="${weight}" font-size="${style.pixels}" xml:space="preserve">${escapeXml(shown)}</text>`

  async function measure(line: string): Promise<number> {
    return (await drawText({ text: line, ...style }))?.width ?? 0
  }
}

/** Draws a title as large as it fits. */
async function drawTitle(title: string, colour: string): Promise<OverlayOptions[]> {
  const text = shortened(title.replaceAll(/\s+/g, ' ').trim(), mostTitleLetters)
  const style = { text, colour, weight: 'Bold' } as const
  const usual = await drawText({ ...style, pixels: titlePixels }, { width: textWidth })
  const drawn =
    usual && usual.height > titleArea.height
      ? await drawText({ ...style, pixels: titlePixels }, { width: textWidth, height: titleArea.height })
      : usual
  const top = titleArea.top + Math.round((titleArea.height - (drawn?.height ?? 0)) / 2)
  return drawn ? [{ input: drawn.png, left: margin, top }] : []
}

interface DrawnText {
  png: Buffer
  width: number
  height: number
}

/** Draws a text. With a height, it is as large as fits, and `pixels` means nothing. */
async function drawText(
  { text, colour, weight, pixels }: CardText,
  box: { width?: number; height?: number } = {},
): Promise<DrawnText | undefined> {
  const markup = escapeXml(text)
  if (markup.trim() === '') return undefined
  const { default: sharp } = await import(/* turbopackIgnore: true */ 'sharp')
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${colour}">${markup}</span>`,
      font: `Inter ${weight} 12`,
      fontfile: fonts[weight],
      rgba: true,
      wrap: 'word-char',
      ...box,
      // of 12 points, a sixth of an inch
      ...(box.height === undefined && { dpi: pixels * 6 }),
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true })
  return { png: data, width: info.width, height: info.height }
}

const shortened = (text: string, most: number): string => {
  const letters = lettersOf(text)
  return letters.length <= most
    ? text
    : `${letters
        .slice(0, most - 1)
        .join('')
        .replace(/[…\s]+$/, '')}…`
}

/** Characters of several code points, such as flags, stay whole. */
const lettersOf = (text: string): string[] =>
  Array.from(segmenter.segment(text.slice(0, 2000)), ({ segment }) => segment)
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
