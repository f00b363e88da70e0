import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { parseEngineUrl } from '#engine/address'
import { EngineClient } from '#engine/client'
import { openEngine } from '#engine/open'
import { sql } from '#engine/sql'
import { rightsAskedFor, temporaryServer, type TemporaryServer } from '#engine/internal/temporary'
import { agreeOnKey } from '#flags/key-agreement'
import { Seal, sealFile } from '#flags/seal'
import { migrations } from '#migrations/engine/migrations'
import { openStore } from '#store/open'
import { aFolder, aWorld } from '#test/product/fixture'
import { diagnose } from './doctor'

const folder = mkdtempSync(join(tmpdir(), 'tilth-doctor-'))
let server: TemporaryServer
let observer: EngineClient

beforeAll(async () => {
  server = await temporaryServer(undefined, { rights: [...rightsAskedFor(), 'select on system.*'] })
  const address = { ...parseEngineUrl(server.url), database: 'system' }
  observer = new EngineClient({ address, queriesAtOnce: 1 })
})
afterAll(async () => {
  await observer.close()
  await server.remove()
  rmSync(folder, { recursive: true, force: true })
})

async function keyFinding(dataFolder: string) {
  const installation = { root: process.cwd(), programs: join(process.cwd(), 'dist') }
  const settings = { TILTH_DATA: dataFolder, TILTH_ENGINE: server.url, PORT: '0' }
  const found = await diagnose(settings, installation, () => {})
  return found.find(({ name }) => name === 'key')?.finding
}

test('the doctor says whether the key of the folder is that of the store', async () => {
  const dataFolder = aFolder()
  expect(await keyFinding(dataFolder)).toMatchObject({
    verdict: 'ok',
    found: expect.stringContaining('first start'),
  })
  const store = await openStore({ folder: dataFolder })
  await agreeOnKey(store, new Seal({ folder: dataFolder, world: aWorld() }))
  await store.close()
  const file = join(dataFolder, sealFile)
  expect(await keyFinding(dataFolder)).toEqual({
    verdict: 'ok',
    found: `${file} is the key to what is encrypted in the store.`,
  })
  writeFileSync(file, Buffer.alloc(32, 7).toString('base64url'))
  expect(await keyFinding(dataFolder)).toMatchObject({
    verdict: 'wrong',
    found: `${file} is another key than the one that encrypts secrets in the store.`,
  })
  rmSync(file)
  expect(await keyFinding(dataFolder)).toMatchObject({
    verdict: 'wrong',
    found: expect.stringContaining('is missing'),
    remedy: expect.stringContaining('restore it from a backup'),
  })
})

async function engineFinding(url = server.url) {
  const installation = { root: process.cwd(), programs: join(process.cwd(), 'dist') }
  const settings = { TILTH_DATA: folder, TILTH_ENGINE: url, PORT: '0' }
  const found = await diagnose(settings, installation, () => {})
  return found.find(({ name }) => name === 'engine')?.finding
}

/** Everything of a server that a statement could have left. */
const everything = () =>
  observer.query(sql`
    select kind, name, definition
    from (
      select 'database' as kind, name, engine as definition from system.databases
      union all select 'table', concat(database, '.', name), create_table_query from system.tables
      union all select 'part', concat(table, '.', name), toString(rows) from system.parts
      union all select 'mutation', mutation_id, command from system.mutations
      union all select 'policy', name, '' from system.row_policies
      union all select 'user', name, '' from system.users
    )
    order by kind, name`)

const tilth = expect.objectContaining({ kind: 'database', name: 'tilth' })

test('the doctor says that a server is not prepared yet, and leaves it so', async () => {
  const before = await everything()
  expect(before).not.toContainEqual(tilth)
  expect(await engineFinding()).toEqual({
    verdict: 'ok',
    found: expect.stringMatching(/^The engine answers \(ClickHouse [\d.]+\)\. It is not prepared yet/),
  })
  expect(await everything()).toEqual(before)
})

test('the doctor names the rights that the account lacks', async () => {
  await server.grant(rightsAskedFor().filter((right) => !right.includes('kill')))
  onTestFinished(() => server.grant([...rightsAskedFor(), 'select on system.*']))
  expect(await engineFinding()).toMatchObject({
    verdict: 'wrong',
    found: expect.stringMatching(/has too few rights\. .*: grant kill query on \*\.\* to `tilth_owner`;$/),
  })
})

test('the doctor does not bring the tables of an earlier Tilth further', async () => {
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const earlier = openEngine({ form: 'remote', url: server.url, log }, migrations.slice(0, -1))
  await earlier.ready()
  await earlier.close()
  const before = await everything()
  expect(before).toContainEqual(tilth)

  // this server keeps no users, so the second wall is missing and the doctor says that first
  expect(await engineFinding()).toMatchObject({
    verdict: 'wrong',
    found: expect.stringContaining('GRANT CREATE USER'),
  })
  expect(await everything()).toEqual(before)
})

test('the doctor names what is wrong with the address of a server', async () => {
  expect(await engineFinding(server.url.replace(/:[^:@]*@/, ':wr0ng@'))).toMatchObject({
    verdict: 'wrong',
    found: expect.stringMatching(/refuses the user "tilth_owner" with this password/),
  })
  expect(await engineFinding('http://ana:secret@127.0.0.1:9/tilth')).toMatchObject({
    verdict: 'wrong',
    found: expect.stringMatching(/^Nothing answers as ClickHouse at http:\/\/127.0.0.1:9/),
  })
})
