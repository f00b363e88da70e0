import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { untilIdle } from './hydration'

/** The screenshots that were looked at and accepted, one file for each page. */
const acceptedFolder = resolve(import.meta.dirname, 'accepted-screenshots')
/** Receives screenshots that differ in full, for a look. */
const seenFolder = resolve(import.meta.dirname, '../../test-results/screenshots')

const widths = [
  { width: 1280, height: 900 },
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
const views = (['light', 'dark'] as const).flatMap((theme) => widths.map((size) => ({ theme, ...size })))

/** A cell of a stored screenshot is the mean grey of so many pixels squared, which hides small differences of fonts. */
const cellPixels = 16
const columns = Math.max(...widths.map(({ width }) => width)) / cellPixels
const rows = Math.ceil(Math.max(...widths.map(({ height }) => height)) / cellPixels)

/** A cell of text has a grey between that of its ground and 60 levels from it. */
const greyTolerance = 26
/** Sizes and ages that differ in each run change some cells. */
const shareTolerance = 0.012

interface View {
  name: string
  screenshot: Buffer
  cells: Buffer
  /** The number of cells within the window. */
  inWindow: number
}

/** One page in every view, by resizing the window and changing its theme. */
export async function lookAt(page: Page): Promise<View[]> {
  await holdStill(page)
  const seen: View[] = []
  for (const { theme, width, height } of views) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height })
    await page.evaluate(drawn)
    // parts that follow the size of the window are drawn anew after that
    await untilIdle(page)
    await page.evaluate(drawn)
    const screenshot = await page.screenshot({ type: 'jpeg', quality: 85, scale: 'css' })
    const inWindow = Math.ceil(width / cellPixels) * Math.ceil(height / cellPixels)
    seen.push({ name: `${width}-${theme}`, screenshot, cells: await cellsOf(screenshot), inWindow })
  }
  return seen
}

/** Two frames: one to lay out in, one to draw in. */
const drawn = () =>
  new Promise<void>((resolveDrawn) =>
    requestAnimationFrame(() => requestAnimationFrame(() => resolveDrawn())),
  )

/** Waits for fonts and for what arrives later, and hides what differs between two looks: times, the caret. */
async function holdStill(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('main .animate-breathe, main [aria-busy=true]'))
  await page.evaluate(async () => {
    await document.fonts.ready
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      'time { visibility: hidden } * { caret-color: transparent !important; transition: none !important; animation: none !important }',
    )
    document.adoptedStyleSheets.push(sheet)
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
}

/** The screenshot in cells of grey, on a ground as large as the largest. */
const cellsOf = async (screenshot: Buffer): Promise<Buffer> => {
  const { width, height } = await sharp(screenshot).metadata()
  const small = { width: Math.ceil(width / cellPixels), height: Math.ceil(height / cellPixels) }
  const cells = await sharp(screenshot)
    .greyscale()
    .resize({ ...small, fit: 'fill', kernel: 'cubic' })
    .extend({ right: columns - small.width, bottom: rows - small.height, background: 'black' })
    .toColourspace('b-w')
    .raw()
    .toBuffer()
  return cells
}

const versionFile = join(acceptedFolder, 'chromium.txt')

/** The version of the Chromium whose screenshots were accepted: another draws text differently. */
export const acceptedWith = (): string => readFileSync(versionFile, 'utf8').trim()

/** Keeps what is seen as accepted. */
export async function accept(name: string, seen: readonly View[], version: string): Promise<void> {
  mkdirSync(acceptedFolder, { recursive: true })
  writeFileSync(versionFile, `${version}\n`)
  const all = Buffer.concat(seen.map(({ cells }) => cells))
  const file = await sharp(all, { raw: { width: columns, height: rows * seen.length, channels: 1 } })
    .png({ compressionLevel: 9, palette: true, colours: 64, dither: 0 })
    .toBuffer()
  writeFileSync(join(acceptedFolder, `${name}.png`), file)
  keep(name, seen)
}

/** The views that differ from the accepted ones, each with the share of it that does. */
export async function differencesFrom(name: string, seen: readonly View[]): Promise<string[]> {
  const file = join(acceptedFolder, `${name}.png`)
  if (!existsSync(file)) return [`${name} has no accepted screenshot`]
  const accepted = await sharp(readFileSync(file)).greyscale().toColourspace('b-w').raw().toBuffer()
  const differing = seen.filter((view, index) => {
    const before = accepted.subarray(index * view.cells.length, (index + 1) * view.cells.length)
    return differingCells(before, view.cells) > shareTolerance * view.inWindow
  })
  keep(name, differing)
  return differing.map((view) => `${name} at ${view.name}`)
}

const differingCells = (before: Uint8Array, after: Uint8Array): number =>
  after.filter((grey, index) => Math.abs(grey - (before[index] ?? 0)) > greyTolerance).length

function keep(name: string, seen: readonly View[]): void {
  mkdirSync(seenFolder, { recursive: true })
  for (const view of seen) writeFileSync(join(seenFolder, `${name}-${view.name}.jpg`), view.screenshot)
}
