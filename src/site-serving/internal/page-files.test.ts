import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { compressSlotted, compressWhole, gzipFilled } from './compressed-page'
import { PageFiles } from './page-files'
import type { StoredPage } from './stored-page'

const aPage = async (text: string): Promise<StoredPage> => ({
  status: 200,
  stem: text,
  headers: { 'content-type': 'text/html', link: ['</a>', '</b>'] },
  body: await compressWhole(Buffer.from(text), true),
  isDocument: true,
  title: 'Hello',
  uses: [],
  content: new Map([['post 1', 'abc']]),
  keepSeconds: 60,
  freshUntil: 12,
})

async function aFolder(settings: { build?: string; maxBytes?: number } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'tilth-pages-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const open = (more: typeof settings = {}) =>
    PageFiles.open({
      folder,
      build: 'one',
      maxBytes: 1_000_000,
      ...settings,
      ...more,
      onTrouble: (problem) => expect(problem).toBe('no trouble'),
    })
  const paths = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  }
  return { open, paths }
}

async function written(files: PageFiles, ...keys: string[]): Promise<void> {
  for (const key of keys) files.write(key, await aPage(key))
  await files.settled()
}

test('a page is read as it was written, also after a restart', async () => {
  const { open } = await aFolder()
  const files = await open()
  await written(files, '1 /hello')
  const expected = await aPage('1 /hello')
  expect(await files.read('1 /hello')).toEqual(expected)
  expect(await (await open()).read('1 /hello')).toEqual(expected)
  expect(await files.read('1 /other')).toBeUndefined()
})

test('a page with a slot and a picture are read as they were written', async () => {
  const { open } = await aFolder()
  const files = await open()
  const slotted = await compressSlotted(Buffer.from('before '), Buffer.from(' after'))
  const page = { ...(await aPage('x')), body: slotted }
  const picture = { ...page, body: await compressWhole(Buffer.from([0, 255, 10, 13]), false) }
  files.write('1 /slot', page)
  files.write('1 /picture', picture)
  await files.settled()
  const body = (await (await open()).read('1 /slot'))?.body
  expect(body).toEqual(slotted)
  const filled = body?.kind === 'slotted' ? gunzipSync(gzipFilled(body, Buffer.from('visitor'))) : ''
  expect(String(filled)).toBe('before visitor after')
  expect(await (await open()).read('1 /picture')).toEqual(picture)
})

test.each<[string, (bytes: Buffer) => Buffer]>([
  ['is cut short', (bytes) => bytes.subarray(0, bytes.length / 2)],
  ['is empty', () => Buffer.alloc(0)],
  [
    'has another byte',
    (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([1 ^ (bytes.at(-1) ?? 0)])]),
  ],
])('a file that %s counts as absent and is removed', async (_how, damage) => {
  const { open, paths } = await aFolder()
  const files = await open()
  await written(files, '1 /hello')
  const [path = ''] = await paths()
  await writeFile(path, damage(await readFile(path)))
  expect(await (await open()).read('1 /hello')).toBeUndefined()
  expect(await paths()).toEqual([])
})

test('a file in the place of another page counts as absent', async () => {
  const { open, paths } = await aFolder()
  const files = await open()
  await written(files, '1 /secret')
  const secret = await readFile((await paths())[0] ?? '')
  await written(files, '1 /hello')
  for (const path of await paths()) await writeFile(path, secret)
  expect(await files.read('1 /hello')).toBeUndefined()
  expect((await files.read('1 /secret'))?.stem).toBe('1 /secret')
})

test('pages of another build are removed', async () => {
  const { open, paths } = await aFolder()
  await written(await open(), '1 /hello')
  expect(await (await open({ build: 'two' })).read('1 /hello')).toBeUndefined()
  expect(await paths()).toEqual([])
})

test('a page that is removed while it waits is not written', async () => {
  const { open, paths } = await aFolder()
  const files = await open()
  files.write('1 /hello', await aPage('hello'))
  files.remove('1 /hello')
  await files.settled()
  expect(await files.read('1 /hello')).toBeUndefined()
  expect(await paths()).toEqual([])
})

test('the pages of a project go with it', async () => {
  const { open, paths } = await aFolder()
  const files = await open()
  await written(files, '1 /a', '2 /a')
  await files.keepProjects([2])
  expect([(await files.read('1 /a'))?.stem, (await files.read('2 /a'))?.stem]).toEqual([undefined, '2 /a'])
  expect(await paths()).toHaveLength(1)
})

test('of more than there is room for, the least recently used goes', async () => {
  const { open, paths } = await aFolder()
  await written(await open(), '1 /a')
  const bytes = (await readFile((await paths())[0] ?? '')).length
  const small = await open({ maxBytes: 2.5 * bytes })
  await written(small, '1 /b')
  await small.read('1 /a')
  await written(small, '1 /c')
  const kept = await Promise.all(['1 /a', '1 /b', '1 /c'].map(async (key) => (await small.read(key))?.stem))
  expect(kept).toEqual(['1 /a', undefined, '1 /c'])
})

test('a disk that takes no page is reported once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tilth-pages-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const troubles: unknown[] = []
  const files = await PageFiles.open({
    folder,
    build: 'one',
    maxBytes: 1_000_000,
    onTrouble: (problem) => troubles.push(problem),
  })
  const [name = ''] = await readdir(folder)
  await rm(join(folder, name), { recursive: true })
  await writeFile(join(folder, name), 'in the way')
  await written(files, '1 /a', '1 /b', '1 /c')
  expect(troubles).toHaveLength(1)
  expect(await files.read('1 /a')).toBeUndefined()
})
