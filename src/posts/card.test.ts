import { expect, test } from 'vitest'
import { cardSize, drawCard } from './card'

const card = { title: 'A post', site: 'Acme', accent: '#1f6f4a' }

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
