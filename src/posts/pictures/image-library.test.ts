import { existsSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { aFolder, aWorld, openTestProduct, problemMessages, requireDone } from '#test/product/fixture'
import { anObjectStorage } from '#test/outside/object-storage'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import { bucketPictures } from '../internal/bucket-pictures'
import { Images, imagePath } from '../images'
import { markRemoved } from './internal/store'

const ana = operator('Ana')

const aPicture = (width: number) =>
  sharp({ create: { width, height: 8, channels: 3, background: 'green' } })
    .png()
    .toBuffer()

async function aLibrary() {
  const { product, aProject } = await openTestProduct()
  const { id } = await aProject()
  const anImage = async (name: string, width: number, projectId = id) =>
    requireDone(await product.posts.images.keep(projectId, { name, bytes: await aPicture(width) }, ana)).image
      .file
  return { product, aProject, id, library: product.posts.imageLibrary, anImage }
}

test('an uploaded picture is listed once, with the member who uploaded it', async () => {
  const { id, library, anImage, aProject } = await aLibrary()
  await anImage('garden.png', 4)
  await anImage('again.png', 4)
  expect(await library.list(id, ana)).toMatchObject({
    total: 1,
    images: [{ name: 'garden.png', alt: '', width: 4, height: 8, createdBy: 'Ana', uses: [] }],
  })
  const other = await aProject()
  expect(await library.list(other.id, ana)).toEqual({ images: [], total: 0 })
})

test('pictures are found by name and description, a page at a time', async () => {
  const { id, library, anImage } = await aLibrary()
  const file = await anImage('IMG_0001.png', 4)
  await anImage('harbour.png', 5)
  await anImage('Harbour at night.png', 6)
  const named = async (filter: Parameters<typeof library.list>[2]) => {
    const { images, total } = await library.list(id, ana, filter)
    return [total, images.map(({ name }) => name).toSorted()]
  }
  expect(await named({ search: 'harbour' })).toEqual([2, ['Harbour at night.png', 'harbour.png']])
  expect(await named({ search: 'night harbour' })).toEqual([1, ['Harbour at night.png']])
  requireDone(await library.change(id, file, { name: 'Roses', alt: 'Red roses in the harbour' }, ana))
  expect(await named({ search: 'red' })).toEqual([1, ['Roses']])
  expect((await named({ from: 1, count: 1 }))[0]).toBe(3)
  expect((await library.list(id, ana, { from: 1, count: 1 })).images).toHaveLength(1)
})

test('a picture of unpublished changes is in use', async () => {
  const { product, id, library, anImage } = await aLibrary()
  const files = [await anImage('text.png', 4), await anImage('cover.png', 5)]
  const [text = '', cover = ''] = files.map(imagePath)
  const { post } = requireDone(await product.posts.create(id, { title: 'Boats' }, ana))
  requireDone(await product.posts.publish(id, post.id, {}, ana))
  const change = { body: `![](${text})`, cover: { address: cover }, keepUnpublished: true }
  requireDone(await product.posts.change(id, post.id, change, ana))
  expect((await library.list(id, ana)).images.map(({ uses }) => uses)).toMatchObject([
    [{ id: '1' }],
    [{ id: '1' }],
  ])
})

test('a picture says what uses it', async () => {
  const { product, id, library, anImage } = await aLibrary()
  const file = await anImage('boats.png', 4)
  const address = imagePath(file)
  const body = `![Boats](${address}#4x8) and again ![Boats](${address})`
  requireDone(await product.posts.create(id, { title: 'Boats', body }, ana))
  requireDone(await product.posts.create(id, { kind: 'page', title: 'Home', cover: { address } }, ana))
  requireDone(await product.posts.authors.create(id, { name: 'Zoë', picture: { address } }, ana))
  requireDone(await product.posts.sites.change(id, { logo: address }, ana))
  await anImage('unused.png', 5)

  const { images } = await library.list(id, ana, { used: 'yes' })
  expect(images.map(({ name, uses }) => ({ name, uses }))).toEqual([
    {
      name: 'boats.png',
      uses: [
        { in: 'post', id: '1', title: 'Boats' },
        { in: 'page', id: '2', title: 'Home' },
        { in: 'author', id: 'zoe', title: 'Zoë' },
        { in: 'site', id: 'logo', title: 'Logo' },
      ],
    },
  ])
  expect((await library.list(id, ana, { used: 'no' })).images.map(({ name }) => name)).toEqual(['unused.png'])
})

test('a picture that is used is deleted only when that is confirmed; its file goes with it', async () => {
  const { product, id, library, anImage } = await aLibrary()
  const file = await anImage('boats.png', 500)
  requireDone(await product.posts.create(id, { title: 'Boats', body: `![](${imagePath(file)})` }, ana))
  const [path = '', copy = ''] = [
    await product.posts.images.find(file),
    await product.posts.images.find(file, 480),
  ]

  expect(problemMessages(await library.remove(id, file, {}, ana))).toEqual([
    '“boats.png” is used in “Boats”. Confirm that it may be deleted all the same.',
  ])
  expect(existsSync(path)).toBe(true)
  requireDone(await library.remove(id, file, { alsoIfUsed: true }, ana))
  expect([path, copy].map((one) => existsSync(one))).toEqual([false, false])
  expect(await library.find(id, file, ana)).toBeUndefined()
  expect(await product.posts.images.find(file)).toBeUndefined()
  expect(problemMessages(await library.remove(id, file, {}, ana))).toEqual([
    'There is no such image in this project.',
  ])
  // the same picture may come back
  expect(await anImage('boats.png', 500)).toBe(file)
  expect(await product.posts.images.find(file)).toBe(path)
})

test('a file that another project has is kept for it', async () => {
  const { product, id, library, anImage, aProject } = await aLibrary()
  const other = await aProject()
  const file = await anImage('ours.png', 4)
  await anImage('theirs.png', 4, other.id)
  requireDone(await library.remove(id, file, {}, ana))
  expect(await library.find(id, file, ana)).toBeUndefined()
  expect(await library.find(other.id, file, ana)).toMatchObject({ name: 'theirs.png' })
  expect(await product.posts.images.find(file)).toContain(file)
})

test('a picture that one front removed is deleted by the others, until it is uploaded again', async () => {
  const bucket = await anObjectStorage()
  const store = await openStore({ folder: aFolder() })
  const sharedPictures = bucketPictures({ address: bucket.address('pictures') })
  const front = () => new Images({ store, world: aWorld(), folder: aFolder(), sharedPictures })
  const [first, second] = [front(), front()]
  const stored = await first.keepFile(await aPicture(8))
  const file = stored.done ? stored.kept.file : ''
  const path = (await second.find(file)) ?? ''

  await markRemoved(store, file)
  await first.deleteFile(file)
  await second.deleteRemoved()
  expect([bucket.objects.size, existsSync(path)]).toEqual([0, false])
  expect(await second.find(file)).toBeUndefined()

  await first.keepFile(await aPicture(8))
  await second.deleteRemoved()
  expect(await second.find(file)).toBe(path)
  await second.deleteRemoved()
  expect(existsSync(path)).toBe(true)
})
