import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aFlag, cohortRules, inProduction } from '#test/random/random-flags'
import { FlagDefinitions, type LoadedDefinitions } from './definitions'
import { type Flag, mainEnvironment } from './flag'

let folder: string
let snapshotFile: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'definitions-'))
  snapshotFile = join(folder, 'flags.json')
})
afterEach(() => rm(folder, { recursive: true }))

/** A store that can be written to, and stop answering. */
function aStore(...flags: Flag[]) {
  const listeners = new Set<(topic: string) => void>()
  const store = {
    flags,
    answers: true,
    loads: 0,
    failures: new Array<unknown>(),
    load: async (): Promise<LoadedDefinitions> => {
      store.loads++
      if (!store.answers) throw new Error('The store does not answer')
      return { flags: store.flags, cohorts: new Map([[1, cohortRules]]), projects: [], environments: [] }
    },
    onChange(listener: (topic: string) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change(...next: Flag[]) {
      store.flags = next
      store.announce('flags')
    },
    announce: (topic: string) => listeners.forEach((listener) => listener(topic)),
    fail: (error: unknown) => store.failures.push(error),
    isHeard: () => listeners.size > 0,
    retryMs: 10,
  }
  return store
}

async function opened(store: ReturnType<typeof aStore>, file: string | undefined = snapshotFile) {
  const definitions = new FlagDefinitions({ ...store, snapshotFile: file })
  await definitions.open()
  return definitions
}

const one = aFlag({ key: 'one' })
const other = aFlag({ key: 'two', id: 2, projectId: 2, archivedAt: new Date('2026-11-02') })

test('flags of every project are there', async () => {
  const definitions = await opened(aStore(one, other))
  expect(definitions.flagsOf(1)).toEqual([one])
  expect(definitions.find(2, 'two')).toEqual(other)
  expect(definitions.find(1, 'two')).toBeUndefined()
  expect(definitions.flagsOf(3)).toEqual([])
  expect(definitions.cohortsOf(1)).toEqual(cohortRules)
  expect(definitions.origin).toBe('store')
  await definitions.close()
})

test('definitions survive a store that does not answer', async () => {
  const store = aStore(one, other)
  const before = await opened(store)
  await before.close()
  store.answers = false
  const after = await opened(store)
  expect(after.origin).toBe('snapshot')
  expect([after.flagsOf(1), after.flagsOf(2)]).toEqual([[one], [other]])
  expect(after.cohortsOf(1)).toEqual(cohortRules)
  expect(after.fingerprint(1)).toBe(before.fingerprint(1))
  expect(store.failures).toHaveLength(1)
  await after.close()
})

test('definitions are not waited for when the store takes too long', async () => {
  const store = aStore(one)
  const before = await opened(store)
  await before.close()
  let answer = (_: LoadedDefinitions) => {}
  const load = () => new Promise<LoadedDefinitions>((resolve) => (answer = resolve))
  const after = new FlagDefinitions({ ...store, load, snapshotFile, startWaitMs: 5 })
  await after.open()
  expect([after.origin, after.flagsOf(1)]).toEqual(['snapshot', [one]])
  answer({ flags: [one, aFlag({ key: 'late', id: 3 })], cohorts: new Map(), projects: [], environments: [] })
  await vi.waitUntil(() => after.origin === 'store')
  expect(after.find(1, 'late')).toBeDefined()
  await after.close()
})

test('the snapshot is private, and never left half written', async () => {
  const definitions = await opened(aStore(one))
  await definitions.close()
  expect((await stat(snapshotFile)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['flags.json'])
})

test('a store that comes back is asked again', async () => {
  const store = aStore(one)
  store.answers = false
  const definitions = await opened(store, undefined)
  expect([definitions.origin, definitions.flagsOf(1)]).toEqual(['nothing', []])
  store.answers = true
  await vi.waitUntil(() => definitions.origin === 'store')
  expect(definitions.flagsOf(1)).toEqual([one])
  await definitions.close()
})

test('a change that could not be read is read later', async () => {
  const store = aStore(one)
  const definitions = await opened(store)
  store.answers = false
  const next = { ...one, version: 2 }
  store.change(next)
  await vi.waitUntil(() => store.failures.length > 0)
  expect(definitions.flagsOf(1)).toEqual([one])
  store.answers = true
  await vi.waitUntil(() => definitions.flagsOf(1)[0]?.version === 2)
  await definitions.close()
})

test.each(['{"form":1,"flags":[', '{"form":99}', ''])('a snapshot that reads %s is none', async (text) => {
  await writeFile(snapshotFile, text)
  const store = aStore(one)
  store.answers = false
  const definitions = await opened(store)
  expect(definitions.origin).toBe('nothing')
  await definitions.close()
})

test('a change reaches the listeners of its project alone, and the snapshot', async () => {
  const store = aStore(one, other)
  const definitions = await opened(store)
  const calls: number[] = []
  definitions.onChange((projectId) => calls.push(projectId))
  const compiled = definitions.compiled(2, mainEnvironment)
  store.change({ ...one, environments: inProduction() }, other)
  await vi.waitUntil(() => calls.length > 0)
  expect(calls).toEqual([1])
  expect(definitions.compiled(1, mainEnvironment).flags[0]?.sets).toEqual([])
  expect(definitions.compiled(2, mainEnvironment)).toBe(compiled)
  await vi.waitUntil(async () => (await readFile(snapshotFile, 'utf8')).includes('"conditions":[]'))
  await definitions.close()
})

test('a project that lost its last flag hears of it', async () => {
  const store = aStore(one, other)
  const definitions = await opened(store)
  const calls: number[] = []
  definitions.onChange((projectId) => calls.push(projectId))
  store.change(one)
  await vi.waitUntil(() => calls.length > 0)
  expect(calls).toEqual([2])
  expect(definitions.flagsOf(2)).toEqual([])
  await definitions.close()
})

test('a change of another topic causes no reload', async () => {
  const store = aStore(one)
  const definitions = await opened(store)
  store.announce('keys')
  store.announce('cohorts')
  await definitions.reload()
  // when it was opened, and once or twice for the cohorts and ourselves
  expect(store.loads).toBeLessThanOrEqual(3)
  await definitions.close()
  expect(store.isHeard()).toBe(false)
})

test('a change while they are being read is read after that', async () => {
  const store = aStore(one)
  const definitions = await opened(store)
  const reading = definitions.reload()
  store.change({ ...one, version: 7 })
  await reading
  expect(definitions.flagsOf(1)[0]?.version).toBe(7)
  await definitions.close()
})

test('a flag that did not change is the one it was', async () => {
  const store = aStore(one)
  const definitions = await opened(store)
  const [before] = definitions.flagsOf(1)
  store.flags = [structuredClone(one), aFlag({ key: 'new', id: 9 })]
  await definitions.reload()
  expect(definitions.flagsOf(1)[0]).toBe(before)
  await definitions.close()
})
