import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aSmallDisk, whyNoSmallDisk } from '#test/outside/small-disk'
import { isFull, keepReserve, releaseReserve } from './disk-reserve'

test('a start with room leaves the reserve as it is, and does without one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tilth-reserve-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  releaseReserve(join(folder, 'missing'))
  releaseReserve(folder)
  keepReserve(folder)
  const { mtimeMs } = statSync(join(folder, 'reserve'))
  releaseReserve(folder)
  keepReserve(folder)
  expect(statSync(join(folder, 'reserve')).mtimeMs).toBe(mtimeMs)
  expect(isFull(folder)).toBe(false)
})

test('where a file system has no room, none is kept', () => {
  // as /proc says of itself
  expect(isFull('/proc')).toBe(true)
  keepReserve('/proc')
  expect(existsSync('/proc/reserve')).toBe(false)
})

test('a start on a full disk gets the room that was kept for it', ({ skip }) => {
  const disk = aSmallDisk(24)
  if (!disk) {
    skip(whyNoSmallDisk)
    return
  }
  const folder = join(disk.folder, 'data')
  mkdirSync(folder)
  keepReserve(folder)
  disk.fill()
  expect(isFull(folder)).toBe(true)
  releaseReserve(folder)
  expect(isFull(folder)).toBe(false)
  expect(existsSync(join(folder, 'reserve'))).toBe(false)
  keepReserve(folder)
  expect(existsSync(join(folder, 'reserve'))).toBe(false)
})
