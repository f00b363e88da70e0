import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '#test/product/fixture'
import { FolderTarget } from './internal/folder-target'
import type { Manifest } from './manifest'
import { Repository, snapshotName } from './repository'
import { chooseKeptSnapshots, parseSnapshotRetention } from './snapshot-retention'
import type { BackupTarget } from './internal/target'

const key = Buffer.alloc(32, 7)
const content = Buffer.from('an event that somebody was promised '.repeat(100))

async function aRepository({ sealedWith }: { sealedWith?: Buffer } = {}) {
  const folder = aFolder()
  const repository = await Repository.openOrBegin(new FolderTarget(folder), sealedWith)
  return { folder, repository }
}

const aManifest = (at: string, chunks: Manifest['groups'][number]['chunks']): Manifest => ({
  format: 1,
  name: snapshotName(new Date(at)),
  tilth: '0.1.0',
  point: {
    at: new Date(at).toISOString(),
    journal: { id: 'j', storedUpTo: 0, segments: [] },
    engine: { form: 'remote' },
    answers: [],
  },
  store: { form: 'sqlite', steps: [], rows: {} },
  erasures: [],
  groups: [{ path: 'store.db', files: [{ path: 'store.db', bytes: content.length, mode: 0o600 }], chunks }],
  leftOut: [],
  bytes: content.length,
})

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

const blobIn = (folder: string): string => filesIn(join(folder, 'blobs'))[0] ?? ''

for (const sealedWith of [undefined, key]) {
  const form = sealedWith ? 'an encrypted repository' : 'a plain repository'

  test(`${form} gives back what was put into it`, async () => {
    const { folder, repository } = await aRepository({ sealedWith })
    const chunk = await repository.storeContent(content)
    await repository.addSnapshot(aManifest('2026-11-01T10:00:00Z', [chunk]))
    const again = await Repository.open(new FolderTarget(folder), sealedWith)
    const manifest = await again.find()
    expect(manifest.groups[0]?.chunks).toEqual([chunk])
    expect((await again.fetch(chunk)).equals(content)).toBe(true)
    expect(await again.check()).toMatchObject({ snapshots: 1, blobs: 1, problems: [] })
  })

  test(`${form} keeps the same content once, also for the next backup`, async () => {
    const { folder, repository } = await aRepository({ sealedWith })
    await repository.storeContent(content)
    await repository.storeContent(content)
    const next = await Repository.open(new FolderTarget(folder), sealedWith)
    await next.storeContent(content)
    expect(next.bytesAdded).toBe(0)
    expect(filesIn(join(folder, 'blobs'))).toHaveLength(1)
  })

  test.each<[what: string, harm: (file: string) => void, complaint: RegExp]>([
    [
      'a flipped bit',
      (file) => {
        const bytes = readFileSync(file)
        bytes[40] = (bytes[40] ?? 0) ^ 1
        writeFileSync(file, bytes)
      },
      /is damaged: its bytes are not the ones that were written/,
    ],
    ['a blob cut short', (file) => truncateSync(file, 40), /is cut short: it has 40 bytes of \d+/],
    ['an empty blob', (file) => truncateSync(file, 0), /is cut short: it has 0 bytes/],
    ['a missing blob', (file) => rmSync(file), /is missing at/],
    ['a blob of something else', (file) => writeFileSync(file, randomBytes(300)), /is damaged/],
  ])(`${form}: %s is told by name, and nothing of it is given out`, async (_what, harm, complaint) => {
    const { folder, repository } = await aRepository({ sealedWith })
    const chunk = await repository.storeContent(content)
    await repository.addSnapshot(aManifest('2026-11-01T10:00:00Z', [chunk]))
    harm(blobIn(folder))
    await expect(repository.fetch(chunk)).rejects.toThrow(complaint)
    const { problems } = await repository.check()
    expect(problems).toEqual([expect.stringMatching(complaint)])
    expect(problems[0]).toContain(chunk.name)
  })

  test(`${form}: a blob that stands in another one’s place is not taken for it`, async () => {
    const { folder, repository } = await aRepository({ sealedWith })
    const chunk = await repository.storeContent(content)
    const right = blobIn(folder)
    const other = await repository.storeContent(Buffer.from('something else'))
    const wrong = filesIn(join(folder, 'blobs')).find((file) => file !== right) ?? ''
    writeFileSync(right, readFileSync(wrong))
    await expect(repository.fetch({ ...chunk, bytes: other.bytes })).rejects.toThrow(/is damaged/)
  })

  test(`${form}: a manifest that was changed is refused`, async () => {
    const { folder, repository } = await aRepository({ sealedWith })
    await repository.addSnapshot(aManifest('2026-11-01T10:00:00Z', [await repository.storeContent(content)]))
    const [file = ''] = filesIn(join(folder, 'snapshots'))
    const bytes = readFileSync(file)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 4
    writeFileSync(file, bytes)
    await expect(repository.find()).rejects.toThrow(/is damaged/)
    expect((await repository.check()).problems).toHaveLength(1)
    // the blobs that it names are not known, so none may go
    await expect(repository.prune({ last: 1, daily: 0, weekly: 0, monthly: 0 })).rejects.toThrow(/is damaged/)
    expect(filesIn(join(folder, 'blobs'))).toHaveLength(1)
  })
}

test('a snapshot that was taken of damaged data is not whole', async () => {
  const { repository } = await aRepository()
  const damage = ['The part 202603_1_1_0 of the table events is damaged.']
  const manifest = aManifest('2026-11-01T10:00:00Z', [await repository.storeContent(content)])
  await repository.addSnapshot({ ...manifest, damage })
  expect((await repository.check()).problems).toEqual([
    `Snapshot ${manifest.name} was taken of damaged data: ${damage.join()}`,
  ])
})

test('blobs that no snapshot names are told, unless a backup is being written', async () => {
  const { folder, repository } = await aRepository()
  await repository.addSnapshot(aManifest('2026-11-01T10:00:00Z', [await repository.storeContent(content)]))
  await repository.storeContent(Buffer.from('of a snapshot that is gone'))
  expect((await repository.check()).problems).toEqual([
    expect.stringMatching(/^One blob belongs to no snapshot/),
  ])
  const holder = { token: 'x', host: hostname(), pid: process.ppid, at: new Date().toISOString() }
  writeFileSync(join(folder, 'lock.json'), JSON.stringify(holder))
  expect((await repository.check()).problems).toEqual([])
})

test('another key than the one it was begun with is told at once', async () => {
  const { folder } = await aRepository({ sealedWith: key })
  const target = new FolderTarget(folder)
  await expect(Repository.open(target, Buffer.alloc(32, 8))).rejects.toThrow(
    /This key does not open the backup/,
  )
  await expect(Repository.open(target, undefined)).rejects.toThrow(/is encrypted. Set TILTH_BACKUP_KEY_FILE/)
})

test('a repository that was begun without a key does not take one', async () => {
  const { folder } = await aRepository()
  await expect(Repository.openOrBegin(new FolderTarget(folder), key)).rejects.toThrow(/begun without a key/)
})

test('an encrypted repository shows a stranger neither content nor the hash of content', async () => {
  const plain = await aRepository()
  const encrypted = await aRepository({ sealedWith: key })
  const open = await plain.repository.storeContent(content)
  const hidden = await encrypted.repository.storeContent(content)
  expect(hidden.name).not.toBe(open.name)
  const bytes = filesIn(encrypted.folder).map((file) => readFileSync(file, 'latin1'))
  expect(bytes.join('')).not.toContain('promised')
})

test('a place that holds something else is not taken for backups', async () => {
  const folder = aFolder()
  writeFileSync(join(folder, 'holiday.jpg'), 'sand')
  await expect(Repository.openOrBegin(new FolderTarget(folder), undefined)).rejects.toThrow(
    /holds holiday.jpg and is no backup/,
  )
})

test('a write that was cut short leaves no object behind', async () => {
  const { folder, repository } = await aRepository()
  await repository.addSnapshot(aManifest('2026-11-01T10:00:00Z', [await repository.storeContent(content)]))
  const blob = blobIn(folder)
  writeFileSync(`${blob}.draft-0123456789ab`, 'half')
  expect(await repository.check()).toMatchObject({ problems: [] })
  expect((await new FolderTarget(folder).list('blobs/')).map(({ name }) => join(folder, name))).toEqual([
    blob,
  ])
})

test('one backup at a time writes; a holder that has died does not keep the next one away', async () => {
  const { folder, repository } = await aRepository()
  const lock = (pid: number) =>
    writeFileSync(
      join(folder, 'lock.json'),
      JSON.stringify({ token: 'x', host: hostname(), pid, at: new Date().toISOString() }),
    )
  lock(process.ppid)
  await expect(repository.withLock(async () => 'done')).rejects.toThrow(/Another backup is writing/)
  lock(2 ** 22 - 3)
  expect(await repository.withLock(async () => 'done')).toBe('done')
  expect(filesIn(folder).map((file) => file.slice(folder.length + 1))).toEqual(['repository.json'])
})

test('pruning takes the blobs that no snapshot needs any more, and none that one needs', async () => {
  const { folder, repository } = await aRepository()
  const old = await repository.storeContent(Buffer.from('only in the old one'))
  const both = await repository.storeContent(content)
  const left = await repository.storeContent(Buffer.from('left by a backup that was killed'))
  await repository.addSnapshot(aManifest('2026-11-01T10:00:00Z', [old, both]))
  await repository.addSnapshot(aManifest('2026-11-02T10:00:00Z', [both]))
  const report = await repository.prune({ last: 1, daily: 0, weekly: 0, monthly: 0 })
  expect(report).toMatchObject({ snapshots: [expect.stringMatching(/^2026-11-01/)], blobs: 2 })
  expect(await repository.check()).toMatchObject({ snapshots: 1, blobs: 1, problems: [] })
  const again = await Repository.open(new FolderTarget(folder), undefined)
  expect([await again.has(old), await again.has(left), await again.has(both)]).toEqual([false, false, true])
})

test('a target that fails while pruning leaves every snapshot that stays whole', async () => {
  const folder = aFolder()
  const target: BackupTarget = new FolderTarget(folder)
  const repository = await Repository.openOrBegin(target, undefined)
  const both = await repository.storeContent(content)
  for (const day of ['01', '02', '03'])
    await repository.addSnapshot(
      aManifest(`2026-11-${day}T10:00:00Z`, [await repository.storeContent(Buffer.from(day)), both]),
    )
  const remove = target.remove.bind(target)
  let left = 1
  target.remove = async (name) => {
    if (left-- === 0) throw new Error('away')
    await remove(name)
  }
  await expect(repository.prune({ last: 1, daily: 0, weekly: 0, monthly: 0 })).rejects.toThrow('away')
  expect((await repository.check()).problems).toEqual([
    expect.stringMatching(/^One blob belongs to no snapshot/),
  ])
})

test.each([
  // rule              the days of November that stay, of one snapshot every six hours from the 1st to the 22nd
  ['last=2', ['22T18', '22T12']],
  ['daily=3', ['22T18', '21T18', '20T18']],
  ['last=1 daily=2', ['22T18', '21T18']],
  ['weekly=3', ['22T18', '15T18', '08T18']],
  ['monthly=2', ['22T18']],
])('%s keeps the newest of each', (rule, stay) => {
  const all = Array.from({ length: 22 * 4 }, (_, n) => {
    const at = new Date(Date.UTC(2026, 10, 1, 6 * n))
    return { name: at.toISOString().slice(8, 13), at }
  })
  const retention = parseSnapshotRetention(rule)
  expect(retention && [...chooseKeptSnapshots(all, retention)].toSorted().toReversed()).toEqual(stay)
})

test.each(['', 'last=0', 'daily', 'hourly=3', 'last=-1', 'last=3 weekly=x'])('“%s” is no rule', (rule) => {
  expect(parseSnapshotRetention(rule)).toBeUndefined()
})

test('of two snapshots made within one second, the later is the newest', async () => {
  const repository = await Repository.openOrBegin(new FolderTarget(aFolder()), undefined)
  for (let millisecond = 0; millisecond < 8; millisecond += 1) {
    const manifest = aManifest(`2026-11-01T10:00:00.00${millisecond}Z`, [])
    await repository.addSnapshot(manifest)
    expect(await repository.find()).toMatchObject({ name: manifest.name })
  }
})
