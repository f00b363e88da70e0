import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { addBrotli, compressSlotted, compressWhole, plainFilled, gzipFilled } from './compressed-page'

const long = 'Ä page of many words. '.repeat(4000)

test.each([
  ['a few words', '{"a":1}'],
  ['nothing', ''],
  ['letters of many bytes', '{"stadt":"Köln 🌱"}'],
  ['more than one block holds', 'x'.repeat(70_000)],
  ['just what one block holds', 'x'.repeat(65_535)],
])('%s between two packed parts is one stream, which everyone can read', async (_what, words) => {
  const page = await compressSlotted(Buffer.from(`<html>${long}`), Buffer.from(`${long}</html>`))
  const filling = Buffer.from(words)
  expect(String(gunzipSync(gzipFilled(page, filling)))).toBe(`<html>${long}${words}${long}</html>`)
  expect(String(plainFilled(page, filling))).toBe(`<html>${long}${words}${long}</html>`)
  expect(gzipFilled(page, filling).length).toBeLessThan(filling.length + 2000)
})

test('a stream whose middle was changed on its way is found out', async () => {
  const page = await compressSlotted(Buffer.from('before'), Buffer.from('after'))
  const stream = gzipFilled(page, Buffer.from('middle'))
  stream[stream.indexOf('middle')] = 0x4d
  expect(() => gunzipSync(stream)).toThrow(/incorrect data check/)
})

test('what is the same for everyone is packed twice, and brotli comes later', async () => {
  const page = await compressWhole(Buffer.from(long), true)
  expect(String(gunzipSync(page.gzip ?? ''))).toBe(long)
  expect(page.brotli).toBeUndefined()
  await addBrotli(page)
  expect(String(brotliDecompressSync(page.brotli ?? ''))).toBe(long)
})

test('what is packed already is left alone', async () => {
  const page = await compressWhole(Buffer.from('a picture'), false)
  await addBrotli(page)
  expect([page.gzip, page.brotli]).toEqual([undefined, undefined])
})
