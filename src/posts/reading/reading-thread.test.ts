import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { aPost } from '#test/product/posts'
import type { VersionedPost } from './internal/reading-tasks'
import { ReadingThread } from './reading-thread'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tilth-reading-')))
const program = join(folder, 'reading-program.mjs')

beforeAll(async () => {
  await build({
    entryPoints: [resolve(import.meta.dirname, 'internal/reading-program.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  })
})
afterAll(() => rmSync(folder, { recursive: true }))

function aThread(file = program) {
  const onTrouble = vi.fn<(problem: unknown) => void>()
  const thread = new ReadingThread({ program: file, onTrouble })
  onTestFinished(() => thread.close())
  return { thread, onTrouble }
}

const here = async () => []
const apples = aPost({ id: '1', title: 'Apples', body: 'On trees.' })
const pears = aPost({ id: '2', title: 'Pears', body: 'Unlike apples.' })

test('the thread reads what lists and feeds show of a text', async () => {
  const { thread } = aThread()
  expect(await thread.run('opening', 'Words *here*.\n\nMore.')).toBe('Words here. More.')
  const html = await thread.run('feedHtml', { body: '[a](/b)', origin: 'https://acme.example' })
  expect(html).toContain('href="https://acme.example/b"')
})

test('the thread searches the latest posts, and is handed only those that it does not know', async () => {
  const { thread } = aThread()
  const run = vi.spyOn(thread, 'run')
  const handedOver = () =>
    run.mock.calls.flatMap(([task, input]) => (task === 'learn' ? (input as VersionedPost[]) : []))
  const before = await thread.createSearch(1, [apples, pears], here)
  expect((await before('apple')).map(({ id }) => id)).toEqual(['1', '2'])
  const changed = aPost({ ...pears, body: 'On trees as well.' })
  const after = await thread.createSearch(1, [apples, changed], here)
  expect(await after('trees')).toEqual([apples, changed])
  expect(await after('apples')).toEqual([apples])
  expect(handedOver().map(({ id }) => id)).toEqual(['1', '2', '2'])
})

test('where the thread fails, nothing waits for it', async () => {
  const { thread, onTrouble } = aThread(join(folder, 'nothing.mjs'))
  expect(await thread.run('opening', 'Words.')).toBeUndefined()
  expect(onTrouble).toHaveBeenCalledOnce()
  const search = await thread.createSearch(1, [apples], async () => [pears])
  expect(await search('apples')).toEqual([pears])
})

test('a closed thread does nothing', async () => {
  const { thread } = aThread()
  await thread.close()
  expect(await thread.run('opening', 'Words.')).toBeUndefined()
})
