import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { build } from 'esbuild'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { describeOnPostgres, startBuiltInPostgres } from '#test/outside/postgres'
import { aFront, type Front } from '#test/product/a-front'
import { aProgramsFolder, commandsFor } from '#test/product/commands'
import { aFolder, requireDone } from '#test/product/fixture'
import {
  aGrownInstallation,
  erase,
  everythingStored,
  identify,
  send,
  stateOf,
} from '#test/product/grown-installation'
import { hasUnfinishedRestore } from '#backups/restore'
import { parseEngineUrl } from '#engine/address'
import { EngineClient } from '#engine/client'
import { temporaryServer } from '#engine/internal/temporary'
import { openEngine } from '#engine/open'
import { sql } from '#engine/sql'
import { operator } from '#projects/access'
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

  test('goes on after kill -9 at every step and within the copy, and copies no month again that is whole', async () => {
    const { front, folder } = await aGrownInstallation()
    const state = await settled(front)
    await front.close()
    const server = await aServer()
    const storeUrl = await emptyDatabase()
    const to = join(aFolder(), 'moved')
    const program = await aMoveProgram(folder)
    const args = ['--to', server.url, '--store', storeUrl, '--folder', to]

    for (const step of ['Taking', 'Copying', 'a month', 'Bringing', 'Asking', 'Switching']) {
      const signal =
        step === 'a month'
          ? await program.killedOnce(() => hasRows(server.url), args)
          : await program.killedAt(step, args)
      expect(signal).toBe('SIGKILL')
      expect(hasUnfinishedRestore(to)).toBe(true)
      const early = openEngine({ form: 'remote', url: server.url, log })
      // the first kill comes before the database of the engine has its tables
      if (step !== 'Taking') await expect(early.ready()).rejects.toThrow(/was cut short/)
      await early.close()
    }
    const { code, text } = await program.ends([...args, '--json'])
    expect(code).toBe(0)
    // all was compared, and found as it was copied before the kills
    expect(text).toMatch(/"isFinished": true,\s+"rows": 0,/)
    expect(existsSync(join(to, '.restoring'))).toBe(false)
    expect(readdirSync(folder).filter((name) => name.startsWith('moving-'))).toEqual([])
    const large = await aFront(to, server.url, { storeUrl })
    expect(await stateOf(large)).toEqual(state)
    expect(await large.engine.query(marks, { lane: 'ingest' })).toEqual([])
  })

  test('waits for the stop if told to, and of two at once one is refused', async () => {
    const { front, folder, projectId } = await aGrownInstallation()
    const stop = runsOn(folder)
    const server = await aServer()
    const to = join(aFolder(), 'moved')
    const program = await aMoveProgram(folder)
    const args = ['--to', server.url.replace('http:', 'clickhouse:'), '--folder', to]
    const waiting = program.start([...args, '--wait'])
    const exit = once(waiting, 'exit')
    const asked = new Promise<void>((resolve) => {
      waiting.stderr.on('data', (text) => String(text).includes('Stop Tilth now') && resolve())
    })
    await Promise.race([asked, exit])
    expect(await program.ends(args)).toMatchObject({ code: 1, text: expect.stringMatching(/^Another move/) })
    const other = ['--to', server.url, '--folder', join(aFolder(), 'other')]
    expect(await program.ends(other)).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^Another move or restore into the database of the new engine/),
    })
    expect(existsSync(join(other.at(-1) ?? '', '.restoring'))).toBe(false)
    await goesOn(front, projectId)
    const state = await settled(front)
    await front.close()
    stop()
    expect(await exit).toEqual([0, null])
    const moved = await aFront(to, server.url)
    expect(await stateOf(moved)).toEqual(state)
  })

  test('refuses to end while another front runs, or has events that are not stored, and says where they are', async () => {
    const server = await aServer()
    const storeUrl = await emptyDatabase()
    const front = await aFront(aFolder(), server.url, { storeUrl })
    const { id } = requireDone(await front.product.projects.create({ name: 'Acme' }, operator())).project
    const other = await aFront(aFolder(), server.url, { storeUrl })
    for (const [n, one] of [front, other].entries()) await send(one, id, n)
    for (const one of [front, other]) await everythingStored(one)
    await front.close()
    vi.stubEnv('TILTH_ENGINE', server.url)
    vi.stubEnv('TILTH_STORE', storeUrl)
    const runs = await commandsFor(front.folder)
    const down = join(aFolder(), 'down')
    const args = ['--to', 'embedded', '--store', 'sqlite', '--folder', down]
    expect(await runs(moveCommand, ...args)).toMatchObject({
      code: 1,
      text: expect.stringMatching(
        /other connections to the Postgres database|in the journal of another front/,
      ),
    })
    await server.kill()
    await send(other, id, 3, { name: 'held back' })
    await other.close()
    await server.start()
    const journal = readFileSync(join(other.folder, 'journal', 'id'), 'utf8')
    expect(await runs(moveCommand, ...args)).toMatchObject({
      code: 1,
      text: expect.stringContaining(`in the journal of another front: ${journal}. Its data folder`),
    })
    const back = await aFront(other.folder, server.url, { storeUrl })
    await everythingStored(back)
    await back.close()
    expect(await runs(moveCommand, ...args)).toMatchObject({ code: 0 })
    const small = await aFront(down)
    const held = sql`select count() as events from events where event = 'held back'`
    expect(await small.engine.query(held)).toEqual([{ events: 1 }])
  })

  test('of the store alone keeps an engine in the folder, and a slice that is lost on the way ends it with its days', async () => {
    const { front, folder } = await aGrownInstallation()
    const state = await settled(front)
    await front.close()
    const runs = await commandsFor(folder)
    const storeUrl = await emptyDatabase()
    const to = join(aFolder(), 'moved')
    const args = ['--store', storeUrl, '--folder', to]
    const insert = Reflect.get(EngineClient.prototype, 'insertNative')
    const losing = vi.spyOn(EngineClient.prototype, 'insertNative').mockImplementation(async function (
      this: EngineClient,
      ...call
    ) {
      if (losing.mock.calls.length !== 2) await insert.apply(this, call)
    })
    expect(await runs(moveCommand, ...args)).toMatchObject({
      code: 1,
      text: expect.stringMatching(
        /The events of the new form are not those of the old one:\nThe table events of \d{8} has/,
      ),
    })
    losing.mockRestore()
    expect(hasUnfinishedRestore(to)).toBe(true)
    expect(await runs(moveCommand, ...args)).toMatchObject({ code: 0 })
    const moved = await aFront(to, undefined, { storeUrl })
    expect(await stateOf(moved)).toEqual(state)
  })

  test('refuses databases with something else in them before it writes, and an engine that dies ends it with a sentence', async () => {
    const { front, folder } = await aGrownInstallation()
    const state = await settled(front)
    await front.close()
    const runs = await commandsFor(folder)
    const server = await aServer()
    const storeUrl = await emptyDatabase()
    const to = join(aFolder(), 'moved')
    const args = ['--to', server.url, '--store', storeUrl, '--folder', to]
    const client = new Client(storeUrl)
    await client.connect()
    await client.query('create table orders (id integer)')
    expect(await runs(moveCommand, ...args)).toMatchObject({
      code: 1,
      text: expect.stringMatching(/is not empty: it has the table orders/),
    })
    expect(existsSync(to)).toBe(false)
    await client.query('drop table orders')
    await client.end()

    const insert = Reflect.get(EngineClient.prototype, 'insertNative')
    const dying = vi.spyOn(EngineClient.prototype, 'insertNative').mockImplementation(async function (
      this: EngineClient,
      ...call
    ) {
      if (dying.mock.calls.length === 3) await server.kill()
      await insert.apply(this, call)
    })
    expect(await runs(moveCommand, ...args)).toMatchObject({
      code: 1,
      text: expect.stringMatching(/The engine failed: .*\n.*give the same command again/),
    })
    dying.mockRestore()
    await server.start()
    expect(await runs(moveCommand, ...args, '--to', 'embedded')).toMatchObject({
      code: 1,
      text: expect.stringMatching(/A move into .* was begun/),
    })
    expect(await runs(moveCommand, ...args)).toMatchObject({ code: 0 })
    const moved = await aFront(to, server.url, { storeUrl })
    expect(await stateOf(moved)).toEqual(state)
  })
})

test('that loses Postgres on the way says so in a sentence, and goes on when it is back', async () => {
  const { front, folder } = await aGrownInstallation()
  const state = await settled(front)
  await front.close()
  const runs = await commandsFor(folder)
  const postgres = await startBuiltInPostgres()
  onTestFinished(() => postgres.stop())
  const storeUrl = await postgres.emptyDatabase()
  const to = join(aFolder(), 'moved')
  const args = ['--store', storeUrl, '--folder', to]
  const query = Reflect.get(Client.prototype, 'query')
  let leaving: Promise<void> | undefined
  const losing = vi.spyOn(Client.prototype, 'query').mockImplementation(function (
    this: Client,
    ...call: unknown[]
  ) {
    if (/^insert/i.test(textOf(call[0]))) leaving ??= postgres.disconnect()
    return Reflect.apply(query, this, call)
  })
  expect(await runs(moveCommand, ...args)).toMatchObject({
    code: 1,
    text: expect.stringMatching(/cannot be used: it hangs up\. .*give the same command again\.\n$/),
  })
  losing.mockRestore()
  await leaving
  expect(await runs(moveCommand, ...args)).toMatchObject({
    code: 1,
    text: expect.stringMatching(/cannot be used: nothing answers there\./),
  })
  await postgres.reconnect()
  expect(await runs(moveCommand, ...args)).toMatchObject({ code: 0 })
  const moved = await aFront(to, undefined, { storeUrl })
  expect(await stateOf(moved)).toEqual(state)
})

/** The text of a statement as it is given to the client of Postgres. */
const textOf = (statement: unknown): string =>
  String(statement instanceof Object && 'text' in statement ? statement.text : statement)

test.skipIf(process.getuid?.() !== 0)(
  'of another user’s folder is refused before anything is written',
  async () => {
    const folder = aFolder()
    chownSync(folder, 65_534, 65_534)
    const runs = await commandsFor(folder)
    const to = join(aFolder(), 'moved')
    expect(await runs(moveCommand, '--to', 'http://localhost:1', '--folder', to)).toEqual({
      code: 1,
      text: `${folder} belongs to another user. Give this command as the user that Tilth runs as.\n`,
    })
    expect(existsSync(to)).toBe(false)
  },
)

const log = { info: () => {}, warn: () => {}, error: () => {} }

/** Whether a server has events already. */
async function hasRows(url: string): Promise<boolean> {
  const client = new EngineClient({ address: parseEngineUrl(url), queriesAtOnce: 1 })
  try {
    const rows = await client.query<{ events: number }>(sql`select count() as events from events`)
    return rows[0] !== undefined && rows[0].events > 0
  } finally {
    await client.close()
  }
}

/** The command as a process of its own, which can be killed. */
async function aMoveProgram(dataFolder: string) {
  const programs = await aProgramsFolder()
  const file = join(programs, 'move.mjs')
  const installation = JSON.stringify({ root: process.cwd(), programs })
  await build({
    stdin: {
      contents: `
        import { moveCommand } from './src/cli/move'
        const { KILLED_AT: step } = process.env
        const write = process.stderr.write.bind(process.stderr)
        process.stderr.write = (text) => {
          if (step && String(text).includes(step)) process.kill(process.pid, 'SIGKILL')
          return write(text)
        }
        await moveCommand(${installation}).parseAsync(process.argv.slice(2), { from: 'user' })`,
      resolveDir: process.cwd(),
    },
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  const { TILTH_TEST_POSTGRES: _server, ...env } = process.env
  const start = (args: readonly string[], killedAt = '') =>
    spawn(process.execPath, [file, ...args], { env: { ...env, TILTH_DATA: dataFolder, KILLED_AT: killedAt } })
  return {
    /** Has it killed where it says that a step begins, and before the step. Returns the signal that ended it. */
    async killedAt(step: string, args: readonly string[]) {
      const [, signal] = await once(start(args, step), 'exit')
      return signal as NodeJS.Signals | null // as Node says it
    },
    /** Kills it as soon as something has come about. */
    async killedOnce(isSo: () => Promise<boolean>, args: readonly string[]) {
      const command = start(args)
      const exit = once(command, 'exit')
      while (!(await isSo())) await setImmediate()
      command.kill('SIGKILL')
      const [, signal] = await exit
      return signal as NodeJS.Signals | null // as Node says it
    },
    start,
    async ends(args: readonly string[]) {
      const command = start(args)
      const texts: string[] = []
      for (const stream of [command.stdout, command.stderr])
        stream.on('data', (text) => texts.push(String(text)))
      const [code] = await once(command, 'close')
      return { code: Number(code), text: texts.join('') }
    },
  }
}
