import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { aProjectWithStore } from '#test/product/fixture'
import { Images, imageType } from './images'

async function someImages() {
  const { folder, world, store, id } = await aProjectWithStore()
  const uploads = join(folder, 'uploads')
  const kept = () => (existsSync(uploads) ? readdirSync(uploads) : [])
  return { id, images: new Images({ store, world, folder }), kept }
}

const green = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: 'green' } })

test.each([
  ['JPEG', (picture: Sharp) => picture.jpeg(), 'jpg', 'image/jpeg'],
  ['PNG', (picture: Sharp) => picture.png(), 'png', 'image/png'],
  ['WebP', (picture: Sharp) => picture.webp(), 'webp', 'image/webp'],
  ['GIF', (picture: Sharp) => picture.gif(), 'gif', 'image/gif'],
  ['AVIF', (picture: Sharp) => picture.avif({ effort: 0 }), 'webp', 'image/webp'],
])('a %s is kept under a name made of what is in it', async (_, written, end, type) => {
  const { images, kept } = await someImages()
  const bytes = await written(green(40, 30)).toBuffer()
  const outcome = await images.keepFile(bytes)
  expect(outcome).toMatchObject({ done: true, kept: { width: 40, height: 30 } })
  const [file = ''] = kept()
  expect(file).toMatch(new RegExp(`^[0-9a-f]{32}\\.${end}$`))
  expect(imageType(file)).toBe(type)
  expect(await images.keepFile(bytes)).toEqual(outcome)
  expect(kept()).toEqual([file])
})

test('what a camera wrote into a picture is taken out, and it stands upright', async () => {
  const { images } = await someImages()
  const exif = { IFD0: { Artist: 'Ana in the garden' } }
  const sideways = await green(40, 20).jpeg().withExif(exif).withMetadata({ orientation: 6 }).toBuffer()
  expect(sideways.includes('Ana in the garden') || (await sharp(sideways).metadata()).orientation === 6).toBe(
    true,
  )
  const outcome = await images.keepFile(sideways)
  expect(outcome).toMatchObject({ done: true, kept: { width: 20, height: 40 } })
  const path = outcome.done ? await images.find(outcome.kept.file) : undefined
  const { exif: left, orientation } = await sharp(path).metadata()
  expect({ left, orientation }).toEqual({ left: undefined, orientation: undefined })
})

test.each<[string, () => Promise<Uint8Array>, RegExp]>([
  [
    'an SVG',
    async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
    /SVG/,
  ],
  ['an SVG behind an XML line', async () => Buffer.from('<?xml version="1.0"?><svg/>'), /SVG/],
  ['a page', async () => Buffer.from('<!doctype html><script>1</script>'), /SVG|no picture/],
  ['nothing', async () => new Uint8Array(), /no picture/],
  ['a text', async () => Buffer.from('hello'), /no picture/],
  ['half a picture', async () => (await green(200, 200).png().toBuffer()).subarray(0, 90), /no picture/],
  ['more than 10 MB', async () => new Uint8Array(10 * 1024 * 1024 + 1), /over 10 MB/],
  ['more points than a screen has', async () => await green(9000, 9000).png().toBuffer(), /64 million/],
])('%s is refused in words, and leaves nothing behind', async (_, bytes, says) => {
  const { images, kept } = await someImages()
  expect(await images.keepFile(await bytes())).toMatchObject({
    done: false,
    problems: [{ message: expect.stringMatching(says) }],
  })
  expect(kept()).toEqual([])
})

test('a narrower copy is made once, however many ask for it', async () => {
  const { images, kept } = await someImages()
  const outcome = await images.keepFile(await green(2000, 1000).jpeg().toBuffer())
  const file = outcome.done ? outcome.kept.file : ''
  const [path, again] = await Promise.all([images.find(file, 480), images.find(file, 480)])
  expect(again).toBe(path)
  expect(await sharp(path).metadata()).toMatchObject({ width: 480, height: 240, format: 'webp' })
  expect(kept()).toHaveLength(2)
  expect(await images.find(file, 481)).toBe(await images.find(file))
})

test.each(['../store.db', 'abc.jpg', `${'0'.repeat(32)}.svg`, `${'0'.repeat(32)}.jpg`, '%2e%2e', ''])(
  'nothing is found under %j',
  async (file) => expect(await (await someImages()).images.find(file)).toBeUndefined(),
)

test('a file that was given is never served as it came', async () => {
  const { images } = await someImages()
  const bytes = Buffer.concat([await green(4, 3).png().toBuffer(), Buffer.from('<script>alert(1)</script>')])
  const outcome = await images.keepFile(bytes)
  const path = outcome.done ? await images.find(outcome.kept.file) : undefined
  expect(readFileSync(path ?? '').includes('<script>')).toBe(false)
})
