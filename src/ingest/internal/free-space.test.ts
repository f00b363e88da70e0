import { expect, test } from 'vitest'
import { FreeSpace } from './free-space'

/** A room whose clock and answers the test sets; `measured` counts how often the disk was asked. */
function aDisk() {
  const disk = { trouble: undefined as string | undefined, measured: 0, now: 0 }
  const measure = async () => {
    disk.measured += 1
    return { trouble: disk.trouble }
  }
  return { disk, room: new FreeSpace(measure, 1e6, () => disk.now) }
}

test('the disk is asked once a second, and its last answer holds in between', async () => {
  const { disk, room } = aDisk()
  await room.refresh()
  for (const at of [100, 500, 1000]) {
    disk.now = at
    expect(room.isAvailable()).toBe(true)
  }
  expect(disk.measured).toBe(1)

  disk.trouble = 'It is nearly full.'
  disk.now = 1001
  expect(room.isAvailable()).toBe(true)
  await expect.poll(() => room.isAvailable()).toBe(false)
  expect(room.shortage).toBe('It is nearly full.')
  expect(disk.measured).toBe(2)
})

test('the free space is measured sooner when much was written', async () => {
  const { disk, room } = aDisk()
  await room.refresh()
  disk.trouble = 'It is nearly full.'
  room.recordWrite(3 * 1024 ** 2)
  room.isAvailable()
  await expect.poll(() => room.isAvailable()).toBe(false)
})

test('a disk that does not answer counts as full until it does', async () => {
  let isDeaf = true
  const freeSpace = new FreeSpace(async () => {
    if (isDeaf) throw new Error('EIO')
    return { trouble: undefined }
  }, 1e6)
  await freeSpace.refresh()
  expect(freeSpace.shortage).toMatch(/does not say how much room it has: EIO/)

  isDeaf = false
  await freeSpace.refresh()
  expect(freeSpace.isAvailable()).toBe(true)
})
