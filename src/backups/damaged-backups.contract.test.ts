import { backupSettings } from '#test/product/backup-settings'
import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { aFront } from '#test/product/a-front'
import { testSeed } from '#test/random/chance'
import { seededRandom } from '#test/random/seeded-random'
import { aFolder, present, requireDone } from '#test/product/fixture'
import { anEnvelope, anEvent } from '#test/product/ingest-fixture'
import { backUp, type BackupSettings } from './back-up'
import { checkBackups } from './backup-check'
import { FolderTarget } from './internal/folder-target'
import { Repository } from './repository'
import type { Manifest } from './manifest'
import { restore } from './restore'
import { verifyRestored } from './verify'
import type { Engine } from '#engine/engine'
import { openEngine } from '#engine/open'
import { sql } from '#engine/sql'
import { temporarySettings } from '#engine/internal/temporary'
import { operator } from '#projects/access'
import { defaultSnapshotRetention } from './snapshot-retention'

async function engineIn(folder: string): Promise<Engine> {
  const engine = openEngine({ ...(await temporarySettings()), folder: join(folder, 'engine') })
  onTestFinished(() => engine.close())
  await engine.ready()
  return engine
}

/** A folder with a project and events of two months, so that one damaged part is not all there is. */
async function aFilledFolder() {
  const folder = aFolder()
  const tilth = await aFront(folder)
  const { id } = requireDone(await tilth.product.projects.create({ name: 'Acme' }, operator())).project
  const someEvent = () => anEvent({ uuid: crypto.randomUUID(), properties: { page: crypto.randomUUID() } })
  const events = Array.from({ length: 50 }, someEvent)
  const envelope = anEnvelope({ projectId: id, receivedAt: new Date() })
  expect(await tilth.product.intake?.accept(events, envelope)).toMatchObject({ taken: true, kept: 50 })
  await expect.poll(() => tilth.product.intake?.counts().pipeline.pending).toBe(0)
  return tilth
}

const aRepository = async () => await Repository.openOrBegin(new FolderTarget(aFolder()), undefined)

const settingsFor = (folder: string, repository: Repository, isHeld: boolean): BackupSettings => ({
  dataFolder: folder,
  store: { folder },
  repository,
  ...backupSettings,
  retention: { ...backupSettings.retention, last: 1 },
  isHeld: () => isHeld,
  startEngine: async (aside) => openEngine({ ...(await temporarySettings()), folder: join(aside, 'engine') }),
})

/** Flips a bit in the middle of the values of an active part of the events. */
async function flipBitInPart(engine: Engine): Promise<void> {
  const [part] = await engine.query<{ path: string }>(
    sql`select path from system.parts where active and table = 'events' and rows > 0 order by rows desc limit 1`,
    { lane: 'ingest' },
  )
  flipBit(join(present(part).path, 'data.bin'))
}

function flipBit(file: string, share = 0.5): void {
  const bytes = readFileSync(file)
  const at = Math.floor(bytes.length * share)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  writeFileSync(file, bytes)
}

/** Of SQLite. */
const pageBytes = 4096

async function verified(repository: Repository, snapshot: string) {
  const folder = join(aFolder(), 'restored')
  const manifest = await restore({ repository, snapshot, folder, progress: () => {} })
  return await verifyRestored(folder, manifest, await engineIn(folder))
}

test.each([true, false])(
  'a bit that was flipped in the events is said by the backup, and by its verification (Tilth runs: %s)',
  async (isRunning) => {
    const { folder, engine, close } = await aFilledFolder()
    const repository = await aRepository()
    const sound = await backUp(settingsFor(folder, repository, true))
    expect(sound.manifest.damage).toBeUndefined()
    expect(await verified(repository, sound.manifest.name)).toMatchObject({
      parts: expect.any(Number),
      questions: 5,
      differences: [],
      notCompared: [],
    })

    await engine.command(sql`optimize table events final`)
    await flipBitInPart(engine)
    if (!isRunning) await close()
    const { manifest } = await backUp(settingsFor(folder, repository, isRunning))
    const found = expect.stringMatching(/^The part \S+ of the table events is damaged/)
    expect(manifest.damage).toContainEqual(found)
    expect((await verified(repository, manifest.name)).differences).toContainEqual(found)
    const names = (await repository.snapshots()).map(({ name }) => name)
    expect(names).toEqual([sound.manifest.name, manifest.name])
    const backup = { place: repository.target.address, keyFile: undefined, everyMs: 1e12 }
    const check = await checkBackups({
      dataFolder: folder,
      storeUrl: undefined,
      objectStorage: undefined,
      backup: { ...backup, retention: defaultSnapshotRetention },
    })
    expect(check).toMatchObject({ verdict: 'wrong', found: expect.stringMatching(/taken of damaged data/) })
  },
)

test('a snapshot of a Tilth that does not run is compared as one of a Tilth that runs', async () => {
  const { folder, close } = await aFilledFolder()
  await close()
  const repository = await aRepository()
  const { manifest } = await backUp(settingsFor(folder, repository, false))
  expect(manifest.point.engine).toEqual({ form: 'at-rest' })
  expect(manifest.groups.filter(({ path }) => path.includes('aside'))).toEqual([])
  expect(await verified(repository, manifest.name)).toMatchObject({
    questions: 5,
    differences: [],
    notCompared: [],
  })
})

test('a verification names what it could not compare, and fails if that is everything', async () => {
  const { folder, close } = await aFilledFolder()
  await close()
  const repository = await aRepository()
  const { manifest } = await backUp({ ...settingsFor(folder, repository, false), startEngine: undefined })
  const verification = await verified(repository, manifest.name)
  expect(verification).toMatchObject({ questions: 0, differences: [] })
  expect(verification.parts).toBeGreaterThan(0)
  expect(verification.notCompared).toContainEqual(
    expect.stringMatching(/^The number of events was not compared/),
  )
  const nothing = { ...manifest, groups: [] }
  const empty = await engineIn(aFolder())
  const { differences } = await verifyRestored(folder, nothing, empty)
  expect(differences).toEqual(['Nothing of the events could be compared.'])
})

test('a bit that was flipped in an index of the store is said by the backup, and by its verification', async () => {
  const { folder, product, close } = await aFilledFolder()
  requireDone(await product.projects.create({ name: 'Brettspielverleih' }, operator()))
  await close()
  const file = join(folder, 'store.db')
  const database = new DatabaseSync(file)
  const pages = database.prepare(
    `select rootpage from sqlite_schema where type = 'index' and tbl_name = 'projects'`,
  )
  const indexes = pages.all().map(({ rootpage }) => (Number(rootpage) - 1) * pageBytes)
  database.close()
  const bytes = readFileSync(file)
  const places = indexes.map(
    (page) => page + bytes.subarray(page, page + pageBytes).indexOf('brettspielverleih'),
  )
  const [place] = places.filter((found, n) => found >= (indexes[n] ?? 0))
  bytes.writeUInt8(bytes.readUInt8(present(place)) ^ 1, present(place))
  writeFileSync(file, bytes)
  const repository = await aRepository()
  const { manifest } = await backUp(settingsFor(folder, repository, false))
  const found = expect.stringMatching(/^store\.db is damaged: /)
  expect(manifest.damage).toContainEqual(found)
  expect((await verified(repository, manifest.name)).differences).toContainEqual(found)
})

test('a bit that was flipped at the target is written again by the next backup once it was found', async () => {
  const { folder } = await aFilledFolder()
  const repository = await aRepository()
  await backUp(settingsFor(folder, repository, true))
  const blobs = readdirSync(join(repository.target.address, 'blobs'), {
    recursive: true,
    withFileTypes: true,
  })
  for (const { parentPath, name } of blobs.filter((entry) => entry.isFile())) flipBit(join(parentPath, name))

  expect((await repository.check()).problems).not.toEqual([])
  const again = await Repository.open(repository.target, undefined)
  const { manifest } = await backUp(settingsFor(folder, again, true))
  expect(await verified(again, manifest.name)).toMatchObject({ differences: [] })
})

/** The files of a repository by what they hold: one of each kind of a snapshot's content, the manifest and the head. */
function filesByKind({ groups, name }: Manifest): [kind: string, file: string][] {
  const kindOf = (path: string) => path.replace(/^engine\/data\/.*/, 'a part of the engine')
  const byKind = new Map(
    groups.filter(({ chunks }) => chunks.length > 0).map((one) => [kindOf(one.path), one]),
  )
  const blobs = [...byKind].map(([kind, { chunks }]): [string, string] => {
    const blob = present(chunks[0]).name
    return [kind, join('blobs', blob.slice(0, 2), blob)]
  })
  return [['the head', 'repository.json'], ['the manifest', join('snapshots', name)], ...blobs]
}

test('a check finds a flipped bit, a cut, a missing and a foreign file, whatever the file holds', async () => {
  const { folder } = await aFilledFolder()
  const repository = await aRepository()
  const { manifest } = await backUp(settingsFor(folder, repository, true))
  const random = seededRandom(testSeed)
  const harms: Record<string, (file: string) => void> = {
    flipped: (file) => flipBit(file, random()),
    'cut short': (file) => truncateSync(file, Math.floor(random() * statSync(file).size)),
    missing: (file) => rmSync(file),
    'beside a foreign one': (file) => cpSync(file, `${file}0`),
  }
  const problemsAfter = async (harm: (place: string) => void): Promise<string[]> => {
    const place = aFolder()
    cpSync(repository.target.address, place, { recursive: true })
    harm(place)
    const opening = Repository.open(new FolderTarget(place), undefined)
    return await opening.then(
      async (opened) => (await opened.check()).problems,
      (problem: unknown) => [String(problem)],
    )
  }
  expect(await problemsAfter(() => {})).toEqual([])
  const files = filesByKind(manifest)
  expect(files.map(([kind]) => kind)).toEqual(
    expect.arrayContaining([
      'the head',
      'the manifest',
      'store.db',
      'a part of the engine',
      'engine/definitions',
    ]),
  )
  const unnoticed: string[] = []
  for (const [kind, file] of files)
    for (const [what, harm] of Object.entries(harms)) {
      // the place may hold other files beside its blobs and snapshots
      if (kind === 'the head' && what === 'beside a foreign one') continue
      const problems = await problemsAfter((place) => harm(join(place, file)))
      if (problems.length === 0) unnoticed.push(`${kind}, ${what}`)
    }
  expect(unnoticed).toEqual([])
})
