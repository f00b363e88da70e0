import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { migrations } from '#migrations/engine/migrations'
import { aFolder } from '#test/product/fixture'
import { parseEngineUrl } from './address'
import { EngineClient } from './client'
import type { Engine } from './engine'
import type { Migration } from './migrate'
import { openEngine } from './open'
import { identifier, sql } from './sql'
import { sqlUserOf } from './internal/sql-user'
import { temporaryServer, type TemporaryServer } from './internal/temporary'
import { cloneBeforeUpgrade, removeUpgradeCopies } from './upgrade-copies'

const log = { info: () => {}, warn: () => {}, error: () => {} }
let server: TemporaryServer
beforeAll(async () => void (server = await temporaryServer(undefined, { hasSqlUser: true })))
afterAll(() => server.remove())

async function opened(history: readonly Migration[]): Promise<Engine> {
  const engine = openEngine({ form: 'remote', url: server.url, log, probeEveryMs: 50 }, [...history])
  onTestFinished(() => engine.close())
  await engine.ready()
  return engine
}

const next = migrations.length + 1
const later: Migration = {
  number: next,
  name: 'later',
  statements: () => [sql`alter table events drop column if exists path`],
}

const anEvent = (event: string): string =>
  JSON.stringify({
    project_id: 1,
    uuid: crypto.randomUUID(),
    event,
    timestamp: '2026-11-01 00:00:00.000',
    path: '/a',
  })

const clonesOf = (engine: Engine) =>
  engine.query(sql`
    select name from system.tables
    where database = currentDatabase() and startsWith(name, 'tilth_before_') order by name`)

test('a server that refuses to clone them is reported with what to do, and a copy by other means is accepted', async () => {
  const owner = await opened(migrations)
  const reader = new EngineClient({
    address: { ...parseEngineUrl(server.url), ...sqlUserOf(parseEngineUrl(server.url)) },
    queriesAtOnce: 1,
  })
  onTestFinished(() => reader.close())
  const client = { query: owner.query.bind(owner), command: reader.command.bind(reader) }
  expect(await cloneBeforeUpgrade(client, next)).toEqual({
    refused: expect.stringMatching(
      /could not clone them before \(.+\)\. Give the user of TILTH_ENGINE the rights/,
    ),
  })
  expect(await clonesOf(owner)).toEqual([])
  const byHand = `tilth_before_step_${next}_events`
  await owner.command(sql`
    create table ${identifier(byHand, [byHand])} (confirmed UInt8) engine = MergeTree order by tuple()`)
  expect(await cloneBeforeUpgrade(client, next)).toBeUndefined()
  await removeUpgradeCopies(owner, aFolder(), {})
})

test('tables of a server are cloned before they are changed, with all that updates wrote, and the clones can be removed', async () => {
  const before = await opened(migrations)
  await before.insert('events', anEvent('from before'))
  await before.command(sql`update events set path = '/renamed' where true`)
  await before.close()

  const after = await opened([...migrations, later])
  const copied = `tilth_before_step_${next}_events`
  const rows = await after.query(
    sql`select toString(event) as event, toString(path) as path from ${identifier(copied, [copied])}`,
  )
  expect(rows).toEqual([{ event: 'from before', path: '/renamed' }])
  await removeUpgradeCopies(after, aFolder(), { madeBefore: new Date('2020-01-01') })
  expect(await clonesOf(after)).toContainEqual({ name: copied })
  await removeUpgradeCopies(after, aFolder(), {})
  expect(await clonesOf(after)).toEqual([])
})
