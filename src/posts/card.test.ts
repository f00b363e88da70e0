import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { cardSize, drawCard } from './card'

const look = { accent: '#1f6f4a', accentDark: '', appearance: 'system' } as const
const card = { title: 'A post', site: 'Acme', look }

test.each([
  ['a short title', {}],
  ['a very long title', { title: 'word '.repeat(500) }],
  ['a word wider than the card', { title: 'x'.repeat(1000) }],
  ['no title', { title: '' }],
  ['scripts the fonts lack', { title: '日本語 العربية 👩‍👩‍👧‍👦 🇵🇹 \u0000\uD800', site: 'サイト' }],
  ['all that is known', { author: 'Ana'.repeat(100), date: '1 March 2026' }],
])('of %s there is a card', async (_, overrides) => {
  const png = Buffer.from(await drawCard({ ...card, ...overrides }))

  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) }).toEqual(cardSize)
})

test('cards of other titles are other pictures', async () => {
  const [one, other] = await Promise.all([drawCard(card), drawCard({ ...card, title: 'B post' })])
  expect(Buffer.compare(one, other)).not.toBe(0)
})

/** The colour of a card at a point, as "253,252,250". */
async function colourAt(png: Uint8Array, left: number, top: number): Promise<string> {
  const point = sharp(png).extract({ left, top, width: 1, height: 1 })
  return (await point.removeAlpha().raw().toBuffer()).join()
}

test('the card of a site that is always dark is dark', async () => {
  const png = await drawCard({ ...card, look: { ...look, appearance: 'dark' } })
  expect(await colourAt(png, 600, 20)).toBe('20,19,17')
  expect(await colourAt(await drawCard(card), 600, 20)).toBe('253,252,250')
})

test('a logo stands in place of the name, and a file that is no picture leaves the name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'card-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [logo, broken] = [join(folder, 'logo.png'), join(folder, 'broken.png')]
  await sharp({ create: { width: 90, height: 90, channels: 3, background: '#ff0000' } }).toFile(logo)
  writeFileSync(broken, 'no picture')

  expect(await colourAt(await drawCard({ ...card, logo }), 100, 90)).toBe('255,0,0')
  expect(await drawCard({ ...card, logo: broken })).toEqual(await drawCard(card))
})
