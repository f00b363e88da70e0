import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aFolder } from '#test/product/fixture'
import { parseEngineUrl } from '#engine/address'
import { EngineClient } from '#engine/client'
import type { Engine } from '#engine/engine'
import { openEngine } from '#engine/open'
import { sql, string } from '#engine/sql'
import { temporaryServer, temporarySettings } from '#engine/internal/temporary'
import { cloneRemote, describeClone } from './describe-engine'
import { applyPatches, cloneIdentifier, cloneTableName, dropClones, engineTables } from './engine-clone'
import { exportEngine } from './engine-export'
import { importEngine } from '../engine-import'
import { FolderTarget } from './folder-target'
import type { FileGroup, Manifest } from '../manifest'
import { compareQueryResults } from './verification-queries'
import { Repository } from '../repository'
import { restore } from '../restore'

const log = { info: () => {}, warn: () => {}, error: () => {} }

/** A snapshot with nothing but the events of a remote engine. */
async function aSnapshot(
  client: EngineClient,
  { repository, id, before }: { repository: Repository; id: string; before: FileGroup[] },
): Promise<Manifest> {
  expect(await cloneRemote(client, id)).toBeUndefined()
  // events that another front stores after the moment of the clone are not in it
  await client.command(sql`insert into events (project_id, event, timestamp) select 2, 'late', '2026-03-01'`)
  const described = await describeClone(client, id)
  const groups = await exportEngine(client, id, { repository, before })
  await dropClones(client, () => false)
  const at = '2026-11-01T10:00:00.000Z'
  const bytes = groups.flatMap(({ files }) => files).reduce((sum, file) => sum + file.bytes, 0)
  const manifest: Manifest = {
    format: 1,
    name: `2026-11-01T10-00-00-000Z-00000${id}`,
    tilth: '0.1.0',
    point: { at, journal: { id: 'j', storedUpTo: 0, segments: [] }, ...described },
    store: { form: 'sqlite', steps: [], rows: {} },
    erasures: [],
    groups,
    leftOut: [],
    bytes,
  }
  await repository.addSnapshot(manifest)
  return manifest
}

async function opened(engine: Engine): Promise<Engine> {
  onTestFinished(() => engine.close())
  await engine.ready()
  return engine
}

test('events on a server are in the backup as of one moment, only what is new is written, and they come back', async () => {
  const server = await temporaryServer()
  onTestFinished(() => server.remove())
  const remote = await opened(openEngine({ form: 'remote', url: server.url, log }))
  const client = new EngineClient({ address: parseEngineUrl(server.url), queriesAtOnce: 1 })
  onTestFinished(() => client.close())
  const tables = sql`
    select name from system.tables
    where database = currentDatabase() and name != 'tilth_migrations' order by name`
  expect((await client.query<{ name: string }>(tables)).map(({ name }) => name)).toEqual(
    engineTables.toSorted(),
  )
  await client.command(sql`
    insert into events (project_id, uuid, event, timestamp, distinct_id, properties)
    select 1, generateUUIDv4(), 'read', toDateTime64('2026-01-05 00:00:00', 3) + number * 60, toString(number % 50),
      map('n', toString(number), 'text', repeat('ü', 200))
    from numbers(45000)`)
  await client.command(
    sql`insert into persons (project_id, person_id, version) select 1, generateUUIDv4(), 1`,
  )
  await client.command(sql`insert into installation (id) select 'this-one'`)
  await client.command(
    sql`update events set person_id = '00000000-0000-4000-8000-000000000001' where distinct_id = '7'`,
  )

  const repository = await Repository.openOrBegin(new FolderTarget(aFolder()), Buffer.alloc(32, 1))
  await applyPatches(client)
  const first = await aSnapshot(client, { repository, id: '1', before: [] })
  const slices = first.groups.filter(({ path }) => path.startsWith('engine-export/events/'))
  expect(slices.flatMap(({ files }) => files).length).toBeGreaterThan(slices.length)
  expect(first.point.projects).toEqual([{ id: 1, events: 45000 }])
  const after = repository.bytesAdded

  await client.command(sql`delete from events where distinct_id = '8' and timestamp >= '2026-02-01'`)
  const second = await aSnapshot(client, { repository, id: '2', before: first.groups })
  expect(repository.bytesAdded - after).toBeLessThan(after * 0.6)
  const january = ({ path }: FileGroup) => path.startsWith('engine-export/events/202601')
  expect(second.groups.find(january)?.chunks).toEqual(first.groups.find(january)?.chunks)
  expect((await client.query<{ name: string }>(tables)).length).toBe(engineTables.length)

  const folder = join(aFolder(), 'restored')
  await restore({ repository, snapshot: second.name, folder, progress: () => {} })
  const engine = await opened(openEngine(await temporarySettings()))
  expect(await importEngine(engine, folder, second)).toBeGreaterThan(3)
  expect(second.point.answers).toHaveLength(5)
  expect(await compareQueryResults(engine, second.point.answers)).toEqual([])
  const [updated] = await engine.query<{ events: number; ids: string[] }>(sql`
    select countIf(person_id = '00000000-0000-4000-8000-000000000001') as events,
      (select groupArray(id) from installation) as ids
    from events`)
  expect(updated).toEqual({ events: 900, ids: ['this-one'] })
  await expect(importEngine(engine, folder, second)).rejects.toThrow(/holds \d+ events already/)
  await expect(importEngine(remote, folder, second)).rejects.toThrow(/Name an empty database in TILTH_ENGINE/)
})

test('a clone is not merged while its parts are exported one by one', async () => {
  const server = await temporaryServer()
  onTestFinished(() => server.remove())
  await opened(openEngine({ form: 'remote', url: server.url, log }))
  const client = new EngineClient({ address: parseEngineUrl(server.url), queriesAtOnce: 1 })
  onTestFinished(() => client.close())
  for (let n = 0; n < 3; n++)
    await client.command(
      sql`insert into events (project_id, event, timestamp) select 1, 'read', '2026-01-05' from numbers(100)`,
    )
  const partsOf = (table: string) =>
    client.query(sql`select name from system.parts where active and table = ${string(table)} order by name`)
  await cloneRemote(client, 'a')
  await describeClone(client, 'a')
  const parts = await partsOf(cloneTableName('a', 'events'))
  expect(parts.length).toBeGreaterThan(1)
  await client.command(sql`optimize table ${cloneIdentifier('a', 'events')}`)
  expect(await partsOf(cloneTableName('a', 'events'))).toEqual(parts)
})
