import { expect, test } from 'vitest'
import { Room } from './disk'

/** A room whose clock and answers the test sets; `measured` counts how often the disk was asked. */
function aRoom() {
  const disk = { trouble: undefined as string | undefined, measured: 0, now: 0 }
  const measure = async () => {
    disk.measured += 1
    return { trouble: disk.trouble }
  }
  return { disk, room: new Room(measure, () => disk.now) }
}

test('the disk is asked once a second, and its last answer holds in between', async () => {
  const { disk, room } = aRoom()
  await room.look()
  for (const at of [100, 500, 1000]) {
    disk.now = at
    expect(room.isThere()).toBe(true)
  }
  expect(disk.measured).toBe(1)

  disk.trouble = 'It is nearly full.'
  disk.now = 1001
  expect(room.isThere()).toBe(true)
  await expect.poll(() => room.isThere()).toBe(false)
  expect(room.lack).toBe('It is nearly full.')
  expect(disk.measured).toBe(2)
})

test('it is asked sooner when much was written', async () => {
  const { disk, room } = aRoom()
  await room.look()
  disk.trouble = 'It is nearly full.'
  room.wrote(3 * 1024 ** 2)
  room.isThere()
  await expect.poll(() => room.isThere()).toBe(false)
})

test('a disk that does not answer counts as full until it does', async () => {
  let isDeaf = true
  const room = new Room(async () => {
    if (isDeaf) throw new Error('EIO')
    return { trouble: undefined }
  })
  await room.look()
  expect(room.lack).toMatch(/does not say how much room it has: EIO/)

  isDeaf = false
  await room.look()
  expect(room.isThere()).toBe(true)
})
