import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { aFront, type Front } from '#test/product/a-front'
import { aFolder, requireDone, present } from '#test/product/fixture'
import { anEnvelope, anEvent } from '#test/product/ingest-fixture'
import { backUp, type BackupSettings } from './back-up'
import { FolderTarget } from './internal/folder-target'
import { Repository } from './repository'
import { repeatErasures } from './repeat-erasures'
import { hasUnfinishedRestore, restore } from './restore'
import { addBackup, listBackups } from './internal/store'
import { verifyRestored } from './verify'
import { openEngine } from '#engine/open'
import { sql, uuids } from '#engine/sql'
import { temporaryServer, temporarySettings } from '#engine/internal/temporary'
import { operator } from '#projects/access'
import { realWorld } from '#world/world'
import { personIdOf } from '#persons/person'
import { openStore } from '#store/open'

async function aRepository(key?: Buffer): Promise<Repository> {
  return await Repository.openOrBegin(new FolderTarget(aFolder()), key)
}

const settingsFor = (folder: string, repository: Repository, isHeld: boolean): BackupSettings => ({
  dataFolder: folder,
  store: { folder },
  repository,
  retention: { last: 10, daily: 0, weekly: 0, monthly: 0 },
  world: realWorld,
  tilth: 'test',
  withKeys: repository.isEncrypted,
  progress: () => {},
  isHeld: () => isHeld,
  hold: () => ({ release: () => {} }),
})

/** Sends numbered events without pause, and knows which of them were taken. */
function traffic({ product }: Front, projectId: number) {
  const taken = new Set<string>()
  const ending = new AbortController()
  const sending = (async () => {
    for (let n = 0; !ending.signal.aborted; n++) {
      const uuid = crypto.randomUUID()
      const identifies = n % 10 === 0
      const event = anEvent({
        uuid,
        name: identifies ? '$identify' : `event ${n % 7}`,
        distinctId: `visitor-${n % 50}`,
        properties: identifies ? { $anon_distinct_id: `before-${n}`, $set: { visits: n } } : { n },
      })
      const envelope = anEnvelope({ projectId, receivedAt: new Date() })
      const receipt = await product.intake?.accept([event], envelope)
      if (receipt?.taken && receipt.kept === 1) taken.add(uuid)
    }
  })()
  return {
    taken,
    stop: async () => {
      ending.abort()
      await sending
    },
  }
}

const uuidsIn = async ({ engine }: Pick<Front, 'engine'>): Promise<string[]> => {
  const rows = await engine.query<{ uuid: string }>(sql`select toString(uuid) as uuid from events`)
  return rows.map(({ uuid }) => uuid)
}

const visitorsIn = async ({ engine }: Front): Promise<string[]> => {
  const rows = await engine.query<{ visitor: string }>(
    sql`select distinct distinct_id as visitor from events order by visitor`,
  )
  return rows.map(({ visitor }) => visitor)
}

const aProject = async ({ product }: Front) =>
  requireDone(await product.projects.create({ name: 'Acme' }, operator())).project

const everythingStored = async ({ product }: Front) =>
  await expect.poll(() => product.intake?.counts().pipeline.pending).toBe(0)

test('events that were taken before a backup are all in what is restored, each once, whatever went on meanwhile', async () => {
  const front = await aFront(aFolder())
  const { id } = await aProject(front)
  const picture = join(front.folder, 'uploads', 'garden.webp')
  await writeInto(picture, 'green')
  await writeInto(join(front.folder, 'flags.key'), 'secret')
  const repository = await aRepository(Buffer.alloc(32, 1))
  const visitors = traffic(front, id)
  await expect.poll(() => visitors.taken.size).toBeGreaterThan(200)
  await expect.poll(async () => (await uuidsIn(front)).length).toBeGreaterThan(0)

  const first = await backUp(settingsFor(front.folder, repository, true))
  const before = new Set(visitors.taken)
  const second = await backUp(settingsFor(front.folder, repository, true))
  await expect.poll(() => visitors.taken.size).toBeGreaterThan(before.size + 100)
  await visitors.stop()
  expect((await front.product.backupScheduler?.status())?.lastDone).toMatchObject({
    snapshot: second.manifest.name,
  })
  await everythingStored(front)
  const live = await uuidsIn(front)
  await front.close()

  const folder = join(aFolder(), 'restored')
  const manifest = await restore({ repository, snapshot: undefined, folder, progress: () => {} })
  expect(manifest.name).toBe(second.manifest.name)
  expect(manifest.point.answers).toHaveLength(5)
  expect(first.manifest.point.projects?.[0]?.events).toBeGreaterThan(0)
  expect(readFileSync(join(folder, 'uploads', 'garden.webp'), 'utf8')).toBe('green')
  expect(readFileSync(join(folder, 'flags.key'), 'utf8')).toBe('secret')
  expect(existsSync(join(front.folder, 'salts'))).toBe(true)
  expect(existsSync(join(folder, 'salts'))).toBe(false)
  expect(readdirSync(join(front.folder, 'backups')).filter((name) => name.startsWith('point'))).toEqual([])

  // the engine as it was at that moment, before the journal is read
  const settings = { ...(await temporarySettings()), folder: join(folder, 'engine') }
  const engine = openEngine(settings)
  onTestFinished(() => engine.close())
  await engine.ready()
  expect(await verifyRestored(folder, manifest, engine)).toMatchObject({ questions: 5, differences: [] })
  await engine.close()

  const again = await aFront(folder)
  const missing = async () => {
    const there = new Set(await uuidsIn(again))
    return [...before].filter((uuid) => !there.has(uuid))
  }
  await expect.poll(missing).toEqual([])
  await everythingStored(again)
  const restored = await uuidsIn(again)
  expect(new Set(restored).size).toBe(restored.length)
  expect(restored.filter((uuid) => !live.includes(uuid))).toEqual([])
})

test('while a backup takes its moment nothing is told the engine of persons, which the copied store does not know', async () => {
  const front = await aFront(aFolder())
  const { id } = await aProject(front)
  const identifying = anEvent({
    uuid: crypto.randomUUID(),
    name: '$identify',
    distinctId: 'ana',
    identity: { kind: 'identify', anonymous: 'before' },
  })
  const intake = present(front.product.intake)
  await intake.accept([identifying], anEnvelope({ projectId: id, receivedAt: new Date() }))
  await everythingStored(front)
  const merged = async () => {
    const rows = await front.engine.query<{ into: string }>(sql`
      select toString(argMax(to_person_id, version)) as into
      from person_overrides
      where from_person_id in ${uuids([personIdOf(id, 'before')])}`)
    return rows.map(({ into }) => into)
  }
  const seen = new Set<string>()
  await intake.whileIngestIsPaused(async () => {
    const split = { distinctId: 'before' }
    requireDone(await front.product.people.splits.ask(id, personIdOf(id, 'ana'), split, operator()))
    // the split is carried out at once otherwise
    for (let look = 0; look < 100; look++) for (const into of await merged()) seen.add(into)
  })
  expect([...seen]).toEqual([personIdOf(id, 'ana')])

  await expect.poll(merged).toEqual([personIdOf(id, 'before')])
})

test('what an update has changed is in the backup, although its patch is not merged yet', async () => {
  const front = await aFront(aFolder())
  const visitors = traffic(front, (await aProject(front)).id)
  await expect.poll(() => visitors.taken.size).toBeGreaterThan(50)
  await visitors.stop()
  await everythingStored(front)
  const someone = '00000000-0000-4000-8000-000000000001'
  await front.engine.command(
    sql`update events set person_id = '00000000-0000-4000-8000-000000000001' where true`,
  )
  const patches = sql`select name from system.parts where active and name like 'patch-%'`
  expect(await front.engine.query(patches, { lane: 'ingest' })).not.toEqual([])
  const repository = await aRepository()
  await backUp(settingsFor(front.folder, repository, true))
  const folder = join(aFolder(), 'restored')
  const manifest = await restore({ repository, snapshot: undefined, folder, progress: () => {} })
  const engine = openEngine({ ...(await temporarySettings()), folder: join(folder, 'engine') })
  onTestFinished(() => engine.close())
  await engine.ready()
  const persons = await engine.query(sql`select distinct toString(person_id) as person from events`)
  expect(persons).toEqual([{ person: someone }])
  expect(await verifyRestored(folder, manifest, engine)).toMatchObject({ differences: [] })
})

test('a second backup writes only what is new; one of a stopped Tilth is as good', async () => {
  const front = await aFront(aFolder())
  const visitors = traffic(front, (await aProject(front)).id)
  await expect.poll(() => visitors.taken.size).toBeGreaterThan(300)
  await visitors.stop()
  await everythingStored(front)
  const repository = await aRepository()
  await writeInto(join(front.folder, 'flags.key'), 'secret')
  const first = await backUp(settingsFor(front.folder, repository, true))
  const live = await uuidsIn(front)
  await front.close()

  const next = await Repository.open(repository.target, undefined)
  const second = await backUp(settingsFor(front.folder, next, false))
  expect(second.manifest.point.engine).toEqual({ form: 'at-rest' })
  expect(second.manifest.leftOut).toEqual([expect.stringMatching(/^flags.key is left out/)])
  const parts = second.manifest.groups.filter(({ path }) => path.includes('/store/'))
  const before = new Map(first.manifest.groups.map(({ mark, chunks }) => [mark, chunks]))
  const unchanged = parts.filter(({ mark }) => before.has(mark))
  expect(unchanged.length).toBeGreaterThan(0)
  for (const { mark, chunks } of unchanged) expect(chunks).toEqual(before.get(mark))

  const folder = join(aFolder(), 'restored')
  await restore({ repository: next, snapshot: undefined, folder, progress: () => {} })
  const again = await aFront(folder)
  await expect.poll(async () => (await uuidsIn(again)).toSorted()).toEqual(live.toSorted())
})

test('a person who was erased after a snapshot is gone after a restore that was cut short and repeated', async () => {
  const front = await aFront(aFolder())
  const { id } = await aProject(front)
  for (const distinctId of ['ben', 'eve']) {
    const identifying = anEvent({ uuid: crypto.randomUUID(), name: '$identify', distinctId })
    await front.product.intake?.accept([identifying], anEnvelope({ projectId: id, receivedAt: new Date() }))
  }
  await everythingStored(front)
  const repository = await aRepository()
  const { manifest: before } = await backUp(settingsFor(front.folder, repository, true))
  requireDone(await front.product.people.erasures.ask(id, personIdOf(id, 'ben'), operator()))
  await expect.poll(() => visitorsIn(front)).toEqual(['eve'])
  await front.close()
  await backUp(settingsFor(front.folder, repository, false))

  const folder = join(aFolder(), 'restored')
  const repeated: number[] = []
  const restoreWith = async (afterErasures: () => void) =>
    await restore({
      repository,
      snapshot: before.name,
      folder,
      prepare: async (incomingFolder, manifest) => {
        const store = { folder: incomingFolder }
        repeated.push(await repeatErasures({ store, repository, manifest, additional: [] }))
        afterErasures()
      },
      progress: () => {},
    })
  const killed = new Error('killed')
  await expect(
    restoreWith(() => {
      throw killed
    }),
  ).rejects.toBe(killed)
  expect(hasUnfinishedRestore(folder)).toBe(true)
  const manifest = await restoreWith(() => {})
  expect(manifest.point.projects).toEqual([{ id, events: 2 }])
  expect(repeated).toEqual([1, 1])
  const again = await aFront(folder)
  await everythingStored(again)
  await expect.poll(() => visitorsIn(again)).toEqual(['eve'])
  const erasures = () => again.product.people.erasures.list(id, operator())
  await expect.poll(erasures).toMatchObject([{ events: 1, finishedAt: expect.any(Date) }])
})

test('events on a server are in the backup that a running Tilth takes, and no clone stays there', async () => {
  const server = await temporaryServer()
  onTestFinished(() => server.remove())
  const front = await aFront(aFolder(), server.url)
  const { id } = await aProject(front)
  const envelope = anEnvelope({ projectId: id, receivedAt: new Date() })
  await front.product.intake?.accept([anEvent({ uuid: crypto.randomUUID() })], envelope)
  await everythingStored(front)
  const settings = settingsFor(front.folder, await aRepository(), true)
  const { manifest } = await backUp({ ...settings, engineUrl: server.url })
  expect(manifest.point.engine).toMatchObject({ form: 'remote', clone: expect.any(String) })
  expect(manifest.point.projects).toEqual([{ id, events: 1 }])
  expect(manifest.leftOut).toEqual([])
  expect(manifest.groups.map(({ path }) => path)).toContainEqual(
    expect.stringMatching(/^engine-export\/events\//),
  )
  const clones = sql`select name from system.tables where startsWith(name, 'tilth_backup_')`
  expect(await front.engine.query(clones, { lane: 'ingest' })).toEqual([])
})

test('a command that dies while events are held back lets them go on, and leaves nothing behind', async () => {
  const front = await aFront(aFolder())
  const { id } = await aProject(front)
  const store = await openStore({ folder: front.folder })
  onTestFinished(() => store.close())
  const journal = present(front.product.intake).journalId
  const asked = { id: 'a', journal, target: '/nowhere', askedAt: new Date(), endedAt: undefined }
  const rest = { snapshot: undefined, trouble: undefined, bytes: undefined, bytesAdded: undefined }
  await addBackup(store, { ...asked, ...rest, tookMs: undefined, process: 2 ** 22 - 5 })
  const visitors = traffic(front, id)
  await expect.poll(() => visitors.taken.size).toBeGreaterThan(20)
  await visitors.stop()
  await everythingStored(front)
  await expect.poll(() => listBackups(store, journal)).toMatchObject([{ state: 'failed' }])
  expect(existsSync(join(front.folder, 'backups', 'point-a'))).toBe(false)
})

test('a folder that holds something is not restored into; a restore that was cut short starts from the beginning', async () => {
  const stopped = aFolder()
  await (await openStore({ folder: stopped })).close()
  const repository = await aRepository()
  await backUp(settingsFor(stopped, repository, false))
  const folder = aFolder()
  writeFileSync(join(folder, 'thesis.txt'), 'ten years of work')
  const asked = { repository, snapshot: undefined, folder, progress: () => {} }
  await expect(restore(asked)).rejects.toThrow(/is not empty/)
  expect(readdirSync(folder)).toEqual(['thesis.txt'])
  await writeInto(join(folder, '.restoring', 'store.db'), 'half of it')
  await restore(asked)
  expect(readdirSync(folder)).toContain('store.db')
  expect(readdirSync(folder)).not.toContain('.restoring')
})

async function writeInto(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
