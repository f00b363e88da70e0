import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { StaticFolder } from './static-folder'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tilth-static-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

async function publish(files: Record<string, string>, isComplete = true) {
  const opened = await StaticFolder.open(folder)
  for (const [file, text] of Object.entries(files)) await opened?.add(file, Buffer.from(text))
  return await opened?.publish({ isComplete })
}

const shown = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()

test('a second publication replaces what changed and removes what is gone, and nothing else', async () => {
  expect(await publish({ 'index.html': 'one', 'blog/a/index.html': 'a', 'same.txt': 'same' })).toEqual({
    written: 3,
    unchanged: 0,
    removed: 0,
  })
  writeFileSync(join(folder, 'CNAME'), 'garden.example')
  const untouched = statSync(join(folder, 'same.txt')).mtimeMs
  expect(await publish({ 'index.html': 'two', 'same.txt': 'same' })).toEqual({
    written: 1,
    unchanged: 1,
    removed: 1,
  })
  expect(shown()).toEqual(['CNAME', 'index.html', 'same.txt'])
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe('two')
  expect(statSync(join(folder, 'same.txt')).mtimeMs).toBe(untouched)
  expect(readdirSync(folder).filter((name) => name.includes('publishing'))).toEqual([])
})

test('an incomplete publication removes nothing, and the next complete one does', async () => {
  await publish({ 'index.html': 'one', 'blog/a/index.html': 'a' })
  expect(await publish({ 'index.html': 'two' }, false)).toEqual({ written: 1, unchanged: 0, removed: 0 })
  expect(shown()).toEqual(['blog/a/index.html', 'index.html'])
  expect(await publish({ 'index.html': 'two' })).toEqual({ written: 0, unchanged: 1, removed: 1 })
})

test('a folder with files of something else is left alone', async () => {
  writeFileSync(join(folder, 'index.html'), 'somebody else’s')
  expect(await StaticFolder.open(folder)).toBeUndefined()
  expect(shown()).toEqual(['index.html'])
})

test('a publication that is given up changes nothing', async () => {
  await publish({ 'index.html': 'one' })
  const opened = await StaticFolder.open(folder)
  await opened?.add('index.html', Buffer.from('two'))
  await opened?.discard()
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe('one')
})

test.each(['../outside.html', 'a/../../b', 'a//b'])('%s is not written', async (file) => {
  const opened = await StaticFolder.open(folder)
  await expect(opened?.add(file, Buffer.from(''))).rejects.toThrow('is not the name of a file')
})
