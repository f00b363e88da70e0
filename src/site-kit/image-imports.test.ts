import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { aKit } from '#test/site/a-kit'

/** A photograph that its camera has turned: 2000 pixels wide and 1000 high as it is seen. */
const turned = await sharp({ create: { width: 1000, height: 2000, channels: 3, background: '#a33' } })
  .withMetadata({ orientation: 6 })
  .jpeg()
  .toBuffer()
const small = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#a33' } })
  .png()
  .toBuffer()

const htmlOf = (outcome: Awaited<ReturnType<Awaited<ReturnType<typeof aKit>>['render']>>): string =>
  outcome.done ? outcome.rendered.html : JSON.stringify(outcome)

const page = `import photo from './photo.jpg?image'
import Small from '../components/Small'
import address from './photo.jpg'
export default () => <main><img {...photo} alt="" sizes="50vw" /><Small photo={photo} /><a href={address}>{typeof address}</a></main>`

const files = {
  'pages/photo.jpg': turned,
  'components/small.png': small,
  'components/Small.tsx': `'use client'
import small from './small.png?image'
export default function Small({ photo }) { return <><img {...small} alt="Small" /><i>{photo.width}</i></> }`,
  'pages/a.tsx': page,
}

test('an imported picture has its address, its size as it is seen, and narrower copies', async () => {
  const { render, asset } = await aKit(files)
  const html = htmlOf(await render('pages/a.tsx'))
  const [, src = '', srcSet = ''] =
    /<img src="([^"]+)" width="2000" height="1000" srcSet="([^"]+)" alt="" sizes="50vw"\/>/.exec(html) ?? [
      html,
    ]
  const copies = srcSet.split(', ').map((one) => one.split(' '))
  expect(copies.map(([, width]) => width)).toEqual(['480w', '960w', '1600w', '2000w'])
  expect(copies.at(-1)?.[0]).toBe(src)
  const measured = await Promise.all(copies.map(async ([at = '']) => await sharp(asset(at)).metadata()))
  expect(measured.map(({ width, height }) => [width, height])).toEqual([
    [480, 240],
    [960, 480],
    [1600, 800],
    [2000, 1000],
  ])
  // a name alone is the address of the file as it is
  const [, address = ''] = /<a href="([^"]+)">string<\/a>/.exec(html) ?? []
  expect(asset(address).equals(turned)).toBe(true)
})

test('a picture of a client component is the same on the server and in the browser', async () => {
  const { render, assets } = await aKit(files)
  const html = htmlOf(await render('pages/a.tsx'))
  const [, src = '-'] = /<img src="([^"]+)" width="20" height="10" alt="Small"\/><i>2000<\/i>/.exec(html) ?? [
    html,
  ]
  expect(assets()['.js']).toContain(src)
})

test('a picture is encoded once for all builds, and again when it is replaced', async () => {
  const { render, change, output } = await aKit({
    'pages/photo.jpg': turned,
    'pages/a.tsx': `import photo from './photo.jpg?image'\nexport default () => <img {...photo} alt="" />`,
  })
  const images = join(output, 'images')
  const made = () => readdirSync(images).map((name) => [name, statSync(join(images, name)).mtimeMs])
  const before = made()
  await change({})
  expect(made()).toEqual(before)
  await change({ 'pages/photo.jpg': small })
  expect(made().length).toBeGreaterThan(before.length)
  expect(htmlOf(await render('pages/a.tsx'))).toMatch(/<img src="[^"]+" width="20" height="10" alt=""\/>/)
})

test.each([
  ['text', 'Hello', /no picture that can be read/],
  ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"/>', /SVG may hold scripts/],
])('%s is no picture', async (_, text, message) => {
  const { outcome } = await aKit({ ...files, 'pages/photo.jpg': text })
  expect(outcome).toMatchObject({
    done: false,
    problems: [{ file: 'pages/photo.jpg', message: expect.stringMatching(message) }],
  })
})
