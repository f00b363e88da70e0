import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { describeOnPostgres } from '#test/outside/postgres'
import { aFront } from '#test/product/a-front'
import { commandsFor } from '#test/product/commands'
import { aFolder } from '#test/product/fixture'
import { aGrownInstallation, checksumsOf, stateOf } from '#test/product/grown-installation'
import { hasUnfinishedRestore } from '#backups/restore'
import { EngineClient } from '#engine/client'
import { openEngine } from '#engine/open'
import { render, sql } from '#engine/sql'
import { type TemporaryServer, temporaryServer } from '#engine/internal/temporary'
import { backupCommand } from './backup'
import { restoreCommand } from './restore'

const log = { info: () => {}, warn: () => {}, error: () => {} }

/** A data folder with events of several months, persons who were merged and one who was erased. */
async function aDataFolder() {
  const { front, folder } = await aGrownInstallation()
  const state = await stateOf(front)
  await front.close()
  return { folder, state }
}

async function aServer() {
  const server = await temporaryServer()
  onTestFinished(() => server.remove())
  return server
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
