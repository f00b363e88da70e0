import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aSmallDisk, whyNoSmallDisk } from '#test/outside/small-disk'
import { lockHolderOf, lockFolder } from './lock'

let fixture: string
beforeEach(() => (fixture = mkdtempSync(join(tmpdir(), 'tilth-lock-'))))
afterEach(() => rmSync(fixture, { recursive: true, force: true }))

/** Another process that holds the folder as we would, until it is killed. */
async function somebodyOn(folder: string) {
  mkdirSync(folder, { recursive: true })
  const program = `
    const { DatabaseSync } = require('node:sqlite')
    const lock = new DatabaseSync(${JSON.stringify(join(folder, 'lock'))})
    lock.exec('pragma journal_mode = memory; begin exclusive')
    require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'pid'))}, String(process.pid))
    console.log('held')
    setInterval(() => lock, 1000)`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return {
    pid: child.pid,
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

test('a missing folder is made, readable by its owner alone', () => {
  const folder = join(fixture, 'a/b')
  const held = lockFolder(folder)
  expect(readdirSync(folder).sort()).toEqual(['lock', 'pid'])
  expect(lockHolderOf(folder)).toBe(`process ${process.pid}`)
  held.release('stopped')
  expect(readdirSync(folder)).toEqual(['lock'])
  expect(lockHolderOf(folder)).toBeUndefined()
})

test('a full disk, where the process id has no room, does not keep a folder from being held', ({ skip }) => {
  const disk = aSmallDisk(1)
  if (!disk) {
    skip(whyNoSmallDisk)
    return
  }
  const folder = join(disk.folder, 'data')
  lockFolder(folder).release('stopped')
  disk.fill()
  const held = lockFolder(folder)
  expect(lockHolderOf(folder)).toBe('another process')
  held.release('stopped')
  expect(lockHolderOf(folder)).toBeUndefined()
})

test('a second start is refused with the number of the process that holds the folder', async () => {
  const folder = join(fixture, 'data')
  const somebody = await somebodyOn(folder)
  expect(() => lockFolder(folder)).toThrow(`already running on ${folder} (process ${somebody.pid})`)
  expect(lockHolderOf(folder)).toBe(`process ${somebody.pid}`)
  await somebody.kill()
})

test('a kill -9 gives the folder back', async () => {
  const folder = join(fixture, 'data')
  const somebody = await somebodyOn(folder)
  await somebody.kill()
  expect(lockHolderOf(folder)).toBeUndefined()
  lockFolder(folder).release('stopped')
})

test('a start that comes to nothing leaves no trace, not even the folder', () => {
  lockFolder(join(fixture, 'a/b')).release('never-started')
  expect(readdirSync(fixture)).toEqual([])
})

test('a start that comes to nothing leaves what was there', () => {
  const folder = join(fixture, 'data')
  mkdirSync(folder)
  writeFileSync(join(folder, 'store.db'), 'kept')
  writeFileSync(join(folder, 'pid'), '4711')
  lockFolder(folder).release('never-started')
  expect(readdirSync(folder).sort()).toEqual(['pid', 'store.db'])
})

test.each([
  ['a file in its place', () => writeFileSync(join(fixture, 'data'), ''), 'data'],
  ['a file above it', () => writeFileSync(join(fixture, 'file'), ''), 'file/data'],
])('%s is refused with what to do about it', (_name, prepare, folder) => {
  prepare()
  expect(() => lockFolder(join(fixture, folder))).toThrow(
    /^Tilth cannot write in .*: give the user .* write access .*TILTH_DATA/,
  )
})

test('asking who holds a folder changes nothing', () => {
  const folder = join(fixture, 'data')
  expect(lockHolderOf(folder)).toBeUndefined()
  expect(existsSync(folder)).toBe(false)
})
