import { expect, test } from 'vitest'
import { aFolder, openTestProduct } from '#test/product/fixture'
import { checkBackups } from './backup-check'
import { FolderTarget } from './internal/folder-target'
import { Repository, snapshotName } from './repository'
import { defaultSnapshotRetention } from './snapshot-retention'

const hour = 3_600_000

async function aBackupPlace({ snapshotAt }: { snapshotAt?: Date } = {}) {
  const place = aFolder()
  const repository = await Repository.openOrBegin(new FolderTarget(place), undefined)
  if (snapshotAt)
    await repository.addSnapshot({
      format: 1,
      name: snapshotName(snapshotAt),
      tilth: '0.1.0',
      point: {
        at: snapshotAt.toISOString(),
        journal: { id: 'j', storedUpTo: 0, segments: [] },
        engine: { form: 'remote' },
        answers: [],
      },
      store: { form: 'sqlite', steps: [], rows: {} },
      erasures: [],
      groups: [],
      leftOut: [],
      bytes: 3 * 1024 ** 2,
    })
  return place
}

const configOf = (dataFolder: string, place: string | undefined) => ({
  dataFolder,
  storeUrl: undefined,
  objectStorage: undefined,
  backup: { place, everyMs: hour, retention: defaultSnapshotRetention, keyFile: undefined },
})

test('without backups there is nothing to check', async () => {
  expect(await checkBackups(configOf(aFolder(), undefined))).toMatchObject({ verdict: 'skipped' })
})

test('a recent snapshot is said with its size', async () => {
  const place = await aBackupPlace({ snapshotAt: new Date(Date.now() - hour) })
  const finding = await checkBackups(configOf(aFolder(), place))
  expect(finding).toMatchObject({ verdict: 'ok', found: expect.stringContaining('holds 3.0 MB') })
})

test('a late snapshot is wrong', async () => {
  const place = await aBackupPlace({ snapshotAt: new Date(Date.now() - 3 * hour) })
  expect(await checkBackups(configOf(aFolder(), place))).toMatchObject({ verdict: 'wrong' })
})

test('a last run that failed is said with its reason, even beside a recent snapshot', async () => {
  const { folder, database } = await openTestProduct()
  database((store) =>
    store
      .prepare(
        `insert into backups (id, journal, state, process, target, asked_at, trouble) values ('b', 'j', 'failed', 1, 'there', ?, ?)`,
      )
      .run(new Date().toISOString(), 'The bucket is full.'),
  )
  const place = await aBackupPlace({ snapshotAt: new Date(Date.now() - hour) })
  expect(await checkBackups(configOf(folder, place))).toMatchObject({
    verdict: 'wrong',
    found: expect.stringContaining('failed: The bucket is full.'),
  })
})
