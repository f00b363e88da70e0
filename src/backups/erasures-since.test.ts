import { expect, onTestFinished, test } from 'vitest'
import { aFolder, openTestProduct } from '#test/product/fixture'
import { reapplyErasures, everyErasureEver } from '#persons/erasures/erasures'
import { personIdOf } from '#persons/person'
import { openStore } from '#store/open'
import { FolderTarget } from './internal/folder-target'
import type { ErasureRecord, Manifest } from './manifest'
import { Repository } from './repository'
import { erasuresSince } from './restore'

const ben: ErasureRecord = {
  projectId: 1,
  numbers: [personIdOf(1, 'ben')],
  askedAt: '2026-11-02T12:00:00.000Z',
}
const eve: ErasureRecord = { ...ben, numbers: [personIdOf(1, 'eve')], askedAt: '2026-10-01T12:00:00.000Z' }

const aSnapshot = (name: string, erasures: ErasureRecord[]): Manifest => ({
  format: 1,
  name,
  tilth: '0.1.0',
  point: {
    at: '2026-11-01T10:00:00.000Z',
    journal: { id: 'j', storedUpTo: 0, segments: [] },
    engine: { form: 'remote' },
    answers: [],
  },
  store: { form: 'sqlite', steps: [], rows: {} },
  erasures,
  groups: [],
  leftOut: [],
  bytes: 0,
})

test('a snapshot of before an erasure is told of it by the snapshots that came later', async () => {
  const repository = await Repository.openOrBegin(new FolderTarget(aFolder()), undefined)
  const first = aSnapshot('2026-11-01T10-00-00-000Z-000001', [eve])
  const second = aSnapshot('2026-11-03T10-00-00-000Z-000002', [eve, ben])
  for (const snapshot of [first, second]) await repository.addSnapshot(snapshot)
  expect(await erasuresSince(repository, first)).toEqual([ben])
  expect(await erasuresSince(repository, second)).toEqual([])
})

test('a clock that was set back between two snapshots hides no erasure', async () => {
  const repository = await Repository.openOrBegin(new FolderTarget(aFolder()), undefined)
  const restored = aSnapshot('2026-11-03T10-00-00-000Z-000001', [])
  const made = aSnapshot('2026-11-01T10-00-00-000Z-000002', [ben])
  for (const snapshot of [restored, made]) await repository.addSnapshot(snapshot)
  expect(await erasuresSince(repository, restored)).toEqual([ben])
})

test('a restored store forgets once more who was erased, once', async () => {
  const { folder, world, aProject } = await openTestProduct()
  const { id } = await aProject()
  const store = await openStore({ folder })
  onTestFinished(() => store.close())
  const erasure = { ...ben, projectId: id, askedAt: new Date(ben.askedAt) }
  expect(await reapplyErasures({ store, world }, [erasure])).toBe(1)
  expect(await reapplyErasures({ store, world }, [erasure])).toBe(0)
  expect(await everyErasureEver(store)).toMatchObject([
    { projectId: id, numbers: erasure.numbers, askedAt: erasure.askedAt, finishedAt: undefined },
  ])
})
