import sharp from 'sharp'
import { expect, test } from 'vitest'
import { aFolder, aWorld } from '#test/product/fixture'
import { anObjectStorage } from '#test/outside/object-storage'
import { Images } from '../images'
import { PicturesUnavailableError } from '../shared-pictures'
import { openStore } from '#store/open'
import { bucketPictures } from './bucket-pictures'

async function twoFolders() {
  const bucket = await anObjectStorage()
  const world = aWorld()
  const store = await openStore({ folder: aFolder() })
  const sharedPictures = bucketPictures({ address: bucket.address('pictures') })
  const front = () => new Images({ store, world, folder: aFolder(), sharedPictures })
  return { bucket, fronts: [front(), front()] as const }
}

const aPicture = () =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: 'green' } })
    .png()
    .toBuffer()

test('a picture given to one front is shown by another, from a bucket', async () => {
  const { bucket, fronts } = await twoFolders()
  const outcome = await fronts[0].keepFile(await aPicture())
  const file = outcome.done ? outcome.kept.file : ''

  expect(await fronts[1].find(file)).toContain(file)
  expect([...bucket.objects.keys()]).toEqual([`pictures/${file}`])
  expect(bucket.objects.get(`pictures/${file}`)?.contentType).toBe('image/png')
  expect(await fronts[1].find(`${'0'.repeat(32)}.png`)).toBeUndefined()
})

test('a picture is not stored while the bucket is away, which is told from a fault of ours', async () => {
  const { bucket, fronts } = await twoFolders()
  await bucket.stop()

  await expect(fronts[0].keepFile(await aPicture())).rejects.toThrow(PicturesUnavailableError)
})

test('pictures from before there was a bucket are put into it', async () => {
  const { bucket, fronts } = await twoFolders()
  await fronts[0].keepFile(await aPicture())
  bucket.objects.clear()
  await fronts[0].shareAll()

  expect(bucket.objects.size).toBe(1)
})
