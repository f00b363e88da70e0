import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { describeOnPostgres } from '#test/outside/postgres'
import { aFront, type Front } from '#test/product/a-front'
import { commandsFor } from '#test/product/commands'
import { aFolder } from '#test/product/fixture'
import {
  aGrownInstallation,
  erase,
  everythingStored,
  identify,
  send,
  stateOf,
} from '#test/product/grown-installation'
import { hasUnfinishedRestore } from '#backups/restore'
import { temporaryServer } from '#engine/internal/temporary'
import { sql } from '#engine/sql'
import { lockFolder } from '#server/start/lock'
import { moveCommand } from './move'

async function aServer() {
  const server = await temporaryServer(undefined, { hasSqlUser: true })
  onTestFinished(() => server.remove())
  return server
}

const marks = sql`select name from system.tables where startsWith(name, 'tilth_restoring_')`

/** Locks a folder, as the Tilth that the front belongs to would. */
function runsOn(folder: string) {
  const held = lockFolder(folder)
  let isHeld = true
  const release = () => {
    if (isHeld) held.release('stopped')
    isHeld = false
  }
  onTestFinished(release)
  return release
}

/** Events, merges and an erasure, on days that were copied already. */
async function goesOn(front: Front, projectId: number) {
  for (let n = 0; n < 30; n++) await send(front, projectId, n)
  await identify(front, projectId, 7)
  await everythingStored(front)
  await erase(front, projectId, 'visitor-18')
}

const settled = async (front: Front) => {
  await front.engine.command(sql`alter table events apply patches settings mutations_sync = 2`)
  return await stateOf(front)
}

describeOnPostgres('a move', (emptyDatabase) => {
  test('to servers and back brings what arrived meanwhile, with the same answers, and leaves the old form as it was', async () => {
    const { front, folder, projectId } = await aGrownInstallation()
    const runs = await commandsFor(folder)
    const server = await aServer()
    const storeUrl = await emptyDatabase()
    const up = join(aFolder(), 'up')
    const toServers = ['--to', server.url, '--store', storeUrl, '--folder', up]
    const stop = runsOn(folder)
    expect(await runs(moveCommand, ...toServers)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/Stop Tilth, and give the same command again/),
    })
    expect(hasUnfinishedRestore(up)).toBe(true)

    await goesOn(front, projectId)
    const state = await settled(front)
    await front.close()
    stop()
    const salts = readFileSync(join(folder, 'salts', 'salts.json'), 'utf8')
    expect(await runs(moveCommand, ...toServers)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/14 questions have the same answers in both\./),
    })
    expect(readdirSync(up).filter((name) => /engine|store|restoring/.test(name))).toEqual([])
    const large = await aFront(up, server.url, { storeUrl })
    expect(await stateOf(large)).toEqual(state)
    expect(await large.engine.query(marks, { lane: 'ingest' })).toEqual([])
    await goesOn(large, projectId)
    const grown = await settled(large)
    await large.close()

    const old = await aFront(folder)
    expect(await stateOf(old)).toEqual(state)
    await old.close()

    vi.stubEnv('TILTH_DATA', up)
    vi.stubEnv('TILTH_ENGINE', server.url)
    vi.stubEnv('TILTH_STORE', storeUrl)
    const down = join(aFolder(), 'down')
    expect(await runs(moveCommand, '--to', 'embedded', '--store', 'sqlite', '--folder', down)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/14 questions have the same answers in both\./),
    })
    expect(readFileSync(join(down, 'salts', 'salts.json'), 'utf8')).toBe(salts)
    expect(existsSync(join(down, '.restoring'))).toBe(false)
    const small = await aFront(down)
    expect(await stateOf(small)).toEqual(grown)
  })
})
