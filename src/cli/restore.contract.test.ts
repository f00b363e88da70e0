import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { describeOnPostgres } from '#test/outside/postgres'
import { aFront, type Front } from '#test/product/a-front'
import { commandsFor } from '#test/product/commands'
import { aFolder, requireDone } from '#test/product/fixture'
import { anEnvelope, anEvent } from '#test/product/ingest-fixture'
import { sumsByMonth } from '#backups/internal/verification-queries'
import { hasUnfinishedRestore } from '#backups/restore'
import { exportSqlite } from '#backups/store-crossing'
import { EngineClient } from '#engine/client'
import { openEngine } from '#engine/open'
import { render, sql } from '#engine/sql'
import { type TemporaryServer, temporaryServer } from '#engine/internal/temporary'
import { personIdOf } from '#persons/person'
import { operator } from '#projects/access'
import { backupCommand } from './backup'
import { restoreCommand } from './restore'

const log = { info: () => {}, warn: () => {}, error: () => {} }

const everythingStored = async ({ product }: Front) =>
  await expect.poll(() => product.intake?.counts().pipeline.pending).toBe(0)

/** The state that two engines with the same rows share. */
async function stateOf({ engine }: Pick<Front, 'engine'>) {
  const persons = sql`
    select uniqExact(if(empty(o.to_person_id), events.person_id, o.to_person_id)) as persons, count() as events
    from events
    left join (select project_id, from_person_id, to_person_id from person_overrides final) as o
      on o.project_id = events.project_id and o.from_person_id = events.person_id`
  return { sums: await sumsByMonth(engine), persons: await engine.query(persons, { lane: 'ingest' }) }
}

/** A data folder with events of several months, persons who were merged and one who was erased. */
async function aDataFolder() {
  const front = await aFront(aFolder(afterAll))
  const { id } = requireDone(await front.product.projects.create({ name: 'Acme' }, operator())).project
  const send = async (n: number, changes: Parameters<typeof anEvent>[0] = {}) => {
    const receivedAt = new Date(Date.now() - (n % 5) * 30 * 86_400_000)
    const event = anEvent({ uuid: crypto.randomUUID(), distinctId: `visitor-${n % 20}`, ...changes })
    await front.product.intake?.accept([event], anEnvelope({ projectId: id, receivedAt }))
  }
  for (let n = 0; n < 200; n++) await send(n)
  for (let n = 0; n < 5; n++)
    await send(n, {
      name: '$identify',
      distinctId: `member-${n}`,
      properties: { $anon_distinct_id: `visitor-${n}`, $set: { plan: 'large' } },
      person: { set: { plan: 'large' }, setOnce: {}, unset: [], add: {} },
    })
  await everythingStored(front)
  requireDone(await front.product.people.erasures.ask(id, personIdOf(id, 'visitor-19'), operator()))
  const erasures = () => front.product.people.erasures.list(id, operator())
  await expect.poll(erasures).toMatchObject([{ finishedAt: expect.any(Date) }])
  await front.engine.command(sql`alter table events apply patches settings mutations_sync = 2`)
  const state = await stateOf(front)
  await front.close()
  return { folder: front.folder, state }
}

async function aServer() {
  const server = await temporaryServer()
  onTestFinished(() => server.remove())
  return server
}

const checksumsOf = async (folder: string) => {
  const { checksums } = await exportSqlite(folder, { form: 'sqlite', steps: [], rows: {} })
  const { migrations: _times, ...others } = checksums ?? {}
  return others
}

/** Is taken once: it takes longer than what the tests do with it. */
let snapshot: ReturnType<typeof takeSnapshot> | undefined
const aSnapshot = () => (snapshot ??= takeSnapshot())

async function takeSnapshot() {
  const { folder, state } = await aDataFolder()
  const backups = aFolder(afterAll)
  const runs = await commandsFor(folder)
  vi.stubEnv('TILTH_BACKUP', backups)
  expect(await runs(backupCommand)).toEqual({ code: 0, text: expect.stringMatching(/^Snapshot /) })
  return { folder, state, backups }
}

describeOnPostgres('a snapshot', (emptyDatabase) => {
  test('of a file and an embedded engine comes back on servers, and from these into a file and an embedded engine', async () => {
    const { folder, state, backups } = await aSnapshot()
    const runs = await commandsFor(folder)
    vi.stubEnv('TILTH_BACKUP', backups)
    const before = await checksumsOf(folder)

    const server = await aServer()
    const storeUrl = await emptyDatabase()
    vi.stubEnv('TILTH_ENGINE', server.url)
    vi.stubEnv('TILTH_STORE', storeUrl)
    const up = join(aFolder(), 'up')
    expect(await runs(restoreCommand, '--to', up)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/Start Tilth with TILTH_DATA=\S+ and TILTH_STORE and TILTH_ENGINE\.\n$/),
    })
    expect(readdirSync(up).filter((name) => /engine|store/.test(name))).toEqual([])
    const large = await aFront(up, server.url, { storeUrl })
    expect(await stateOf(large)).toEqual(state)
    await large.close()
    expect(await runs(restoreCommand, '--to', join(aFolder(), 'other'))).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^The database for the store is not empty/),
    })
    expect(await runs(restoreCommand, '--to', join(aFolder(), 'other'), '--store', 'sqlite')).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^The engine holds \d+ events already/),
    })

    vi.stubEnv('TILTH_DATA', up)
    vi.stubEnv('TILTH_BACKUP', aFolder())
    expect(await runs(backupCommand)).toMatchObject({ code: 0 })
    vi.stubEnv('TILTH_ENGINE', undefined)
    vi.stubEnv('TILTH_STORE', undefined)
    const down = join(aFolder(), 'down')
    expect(await runs(restoreCommand, '--to', down)).toMatchObject({
      code: 1,
      text: expect.stringMatching(/make it a file with --store sqlite/),
    })
    expect(existsSync(down)).toBe(false)
    expect(await runs(restoreCommand, '--to', down, '--store', 'sqlite')).toMatchObject({ code: 0 })
    const after = await checksumsOf(down)
    const changed = Object.keys(before).filter((table) => before[table] !== after[table])
    // the front that ran in between numbers its changes
    expect(changed.filter((table) => !['changes', 'jobs', 'installation'].includes(table))).toEqual([])
    const small = await aFront(down)
    expect(await stateOf(small)).toEqual(state)
  })

  test.each([
    ['an insert', 'insertNative', undefined],
    ['the exchange of a table', 'command', 'exchange tables `tilth_restoring_persons`'],
    ['the removal of a mark', 'command', 'drop table if exists `tilth_restoring_'],
  ] as const)(
    'is no half on a server that dies at %s, and comes back by the same command',
    async (_step, method, statement) => {
      const { folder, state, backups } = await aSnapshot()
      const runs = await commandsFor(folder)
      vi.stubEnv('TILTH_BACKUP', backups)
      const server = await aServer()
      vi.stubEnv('TILTH_ENGINE', server.url)
      const storeUrl = await emptyDatabase()
      vi.stubEnv('TILTH_STORE', storeUrl)
      const to = join(aFolder(), 'restored')

      const dying = dieAt(server, method, statement)
      expect(await runs(restoreCommand, '--to', to)).toMatchObject({
        code: 1,
        text: expect.stringMatching(/give the same command again/),
      })
      dying.mockRestore()
      await server.start()
      expect(hasUnfinishedRestore(to)).toBe(true)
      const refused = openEngine({ form: 'remote', url: server.url, log })
      await expect(refused.ready()).rejects.toThrow(
        /A restore into the database of TILTH_ENGINE was cut short/,
      )
      await refused.close()
      expect(await runs(restoreCommand, '--to', join(aFolder(), 'other'))).toMatchObject({
        code: 1,
        text: expect.stringMatching(/was cut short|is not empty/),
      })

      expect(await runs(restoreCommand, '--to', to)).toMatchObject({ code: 0 })
      expect(readdirSync(to).filter((name) => name.startsWith('.restoring'))).toEqual([])
      const front = await aFront(to, server.url, { storeUrl })
      expect(await stateOf(front)).toEqual(state)
      expect(await front.engine.query(marks, { lane: 'ingest' })).toEqual([])
    },
  )
})

const marks = sql`select name from system.tables where startsWith(name, 'tilth_restoring_')`

/** Kills the server before the third insert, or before a statement that begins so. */
function dieAt(server: TemporaryServer, method: 'insertNative' | 'command', statement: string | undefined) {
  const { prototype } = EngineClient
  if (method === 'command') {
    const command = Reflect.get(prototype, method)
    return vi.spyOn(prototype, method).mockImplementation(async function (this: EngineClient, ...call) {
      if (render(call[0]).text.startsWith(statement ?? '')) await server.kill()
      await command.apply(this, call)
    })
  }
  const insert = Reflect.get(prototype, method)
  let inserts = 0
  return vi.spyOn(prototype, method).mockImplementation(async function (this: EngineClient, ...call) {
    inserts += 1
    if (inserts === 3) await server.kill()
    await insert.apply(this, call)
  })
}
