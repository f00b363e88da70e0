import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { aKit } from '#test/site/a-kit'
import { removeOldBuilds } from './kept-builds'

const picture = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 600, height: 10, channels: 3, background } })
    .png()
    .toBuffer()

const page = (version: number): string => `import photo from './photo.png?image'
export default () => <img {...photo} alt="${version}" />`

test('the copies of a picture go with the last kept build that has it', async () => {
  const { outcome, change, output } = await aKit({
    'pages/photo.png': await picture('#a33'),
    'pages/a.tsx': page(0),
  })
  const copies = () => readdirSync(join(output, 'images')).toSorted()
  const used = (built: typeof outcome): void => removeOldBuilds(output, built.done ? built.manifest.id : '')
  used(outcome)
  const first = copies()
  expect(first).toEqual([
    expect.stringMatching(/-480\.webp$/),
    expect.stringMatching(/-600\.\w+$/),
    expect.stringMatching(/\.json$/),
  ])

  used(await change({ 'pages/photo.png': await picture('#3a3') }))
  const second = copies().filter((name) => !first.includes(name))
  expect(second).toHaveLength(3)
  expect(copies()).toHaveLength(6)
  for (const version of [1, 2, 3]) used(await change({ 'pages/a.tsx': page(version) }))
  expect(copies()).toHaveLength(6)
  used(await change({ 'pages/a.tsx': page(4) }))
  expect(copies()).toEqual(second)
})
