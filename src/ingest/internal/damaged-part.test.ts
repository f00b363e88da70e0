import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ClickHouseError } from '@clickhouse/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eventNumbers, noon } from '#test/deep/crashlab/events'
import { LosingDisk } from '#test/deep/crashlab/losing-disk'
import { PeopleInMemory } from '#test/deep/crashlab/people-in-memory'
import type { Engine } from '#engine/engine'
import { engineError, toEngineError } from '#engine/failures'
import { sql } from '#engine/sql'
import { temporaryEngine } from '#engine/internal/temporary'
import { patienceMs } from '#test/running/patience'
import { Batches } from './batches'
import { findStoredByDate } from './duplicates'
import { Journal } from './journal'

async function aCollection() {
  const logged: string[] = []
  const note = (_: unknown, words: string) => void logged.push(words)
  const log = { info: () => {}, warn: note, error: note }
  const temporary = await temporaryEngine({ log })
  onTestFinished(temporary.remove)
  const { engine } = temporary
  await engine.ready()
  const disk = new LosingDisk()
  const now = () => new Date(noon)
  const journal = await Journal.open({ folder: '/data/journal', files: disk.files(), now })
  const batches = new Batches({
    journal,
    engine,
    personResolver: new PeopleInMemory(),
    now,
    // something else may have stored the same events, so every batch is looked up in the engine
    trustsFilter: () => false,
    everyMs: 0,
    quarantine: { keep: () => Promise.reject(new Error('Nothing here is to be quarantined.')) },
  })
  batches.start()
  onTestFinished(() => batches.close())
  const store = async (from: number, amount: number) => {
    expect(await journal.append(eventNumbers(from, amount))).toBe('written')
    expect(await batches.drain(5 * patienceMs)).toBe(true)
  }
  return { ...temporary, batches, store, logged }
}

async function partOf(engine: Engine): Promise<{ name: string; path: string; rows: number }> {
  const parts = await engine.query<{ name: string; path: string; rows: number }>(
    sql`select name, path, rows from system.parts where table = 'events' and active order by rows desc`,
    { lane: 'ingest' },
  )
  const [largest] = parts
  if (!largest) throw new Error('Nothing is stored yet.')
  return largest
}

function flipBit(file: string, at: number): void {
  const bytes = readFileSync(file)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

const salvageTables = (engine: Engine): Promise<{ name: string }[]> =>
  engine.query(sql`select name from system.tables where startsWith(name, 'tilth_salvage_')`, {
    lane: 'ingest',
  })

async function stored(engine: Engine): Promise<number> {
  const [row] = await engine.query<{ rows: number }>(sql`select count() as rows from events`)
  return row?.rows ?? 0
}

test('one flipped bit in a part stops nothing: events are stored, and the part is detached and reported', async () => {
  const { engine, signal, batches, store, logged } = await aCollection()
  await store(0, 500)
  const part = await partOf(engine)
  flipBit(path.join(part.path, 'data.bin'), 2000)

  await store(500, 100)
  await vi.waitFor(() => expect(engine.health().detached).toHaveLength(1), { timeout: patienceMs })

  expect(engine.health().detached).toEqual([{ table: 'events', name: part.name, rows: 500 }])
  expect(logged.join('\n')).toMatch(/The part \w+ of the table events is damaged .* 500 rows.* from a backup/)
  await store(600, 100)
  expect(await stored(engine)).toBe(200)
  expect(batches.counts()).toMatchObject({ accepted: 700, stored: 700, pending: 0 })
  expect(batches.trouble).toBeUndefined()

  signal('SIGKILL')
  await vi.waitFor(() => expect(engine.health()).toMatchObject({ status: 'ready', restarts: 1 }), {
    timeout: patienceMs,
  })
  expect(engine.health().detached).toEqual([{ table: 'events', name: part.name, rows: 500 }])
})

test('one flipped bit in a large part costs only the rows that cannot be read', async () => {
  const { engine, signal, store, logged } = await aCollection()
  await store(0, 60_000)
  await engine.command(sql`optimize table events final`)
  const part = await partOf(engine)
  expect(part.rows).toBe(60_000)
  const file = path.join(part.path, 'data.bin')
  const columns = path.join(part.path, 'properties.bin')
  const harmed = existsSync(file) ? file : columns
  flipBit(harmed, Math.floor(readFileSync(harmed).length * 0.95))

  const everyColumn = sql`select sum(length(toString(tuple(*)))) as bytes from events`
  await expect(engine.query(everyColumn)).rejects.toMatchObject({ failure: 'corrupted' })
  await vi.waitFor(() => expect(engine.health().detached).toHaveLength(1), { timeout: patienceMs })

  const [detached] = engine.health().detached ?? []
  const lost = detached?.rows ?? 0
  expect(lost).toBeGreaterThan(0)
  expect(lost).toBeLessThan(30_000)
  expect(logged).toEqual([expect.stringContaining(`${lost} of its 60000 rows cannot be read`)])
  await vi.waitFor(async () => expect(await stored(engine)).toBe(60_000 - lost), { timeout: patienceMs })
  await engine.query(everyColumn)
  expect(await engine.query(sql`select uniqExact(uuid) as uuids from events`)).toEqual([
    { uuids: 60_000 - lost },
  ])
  expect(await salvageTables(engine)).toEqual([])

  signal('SIGKILL')
  await vi.waitFor(() => expect(engine.health()).toMatchObject({ status: 'ready', restarts: 1 }), {
    timeout: patienceMs,
  })
  expect(engine.health().detached).toEqual([detached])
  expect(await stored(engine)).toBe(60_000 - lost)
})

test('a part that only a query of another process meets is detached as well', async () => {
  const { engine, store } = await aCollection()
  await store(0, 500)
  const part = await partOf(engine)
  writeFileSync(
    path.join(part.path, 'data.bin'),
    readFileSync(path.join(part.path, 'data.bin')).subarray(0, 900),
  )

  const { url, username, password, database } = engine.address() ?? {}
  const answer = await fetch(`${url}/?database=${database}`, {
    method: 'POST',
    body: 'select uniq(uuid), any(properties) from events',
    headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` },
  })
  expect(answer.status).toBe(500)

  await vi.waitFor(() => expect(engine.health().detached).toHaveLength(1), { timeout: patienceMs })
  expect(await stored(engine)).toBe(0)
})

test('events are told from those stored before even where a damaged part cannot be detached', async () => {
  const requests: string[] = []
  const engine: Pick<Engine, 'query'> = {
    query: async (statement) => {
      requests.push(JSON.stringify(Object.values(statement)))
      if (requests.length > 1) return []
      throw engineError('corrupted', '', new Error('(while reading from part /x/202603_1_1_0/ in table t)'))
    },
  }

  await expect(findStoredByDate(engine, eventNumbers(0, 3))).resolves.toEqual(new Set())
  expect(requests).toHaveLength(2)
})

test('events of a part that cannot be opened for want of descriptors are not taken for new', async () => {
  let asked = 0
  const engine: Pick<Engine, 'query'> = {
    query: async () => {
      asked += 1
      throw toEngineError(
        new ClickHouseError({
          code: '76',
          type: 'CANNOT_OPEN_FILE',
          message:
            'Cannot open file /x/202603_1_1_0/data.bin, errno: 24, strerror: Too many open files: (while reading from part /x/202603_1_1_0/ in table t)',
        }),
      )
    },
  }

  await expect(findStoredByDate(engine, eventNumbers(0, 3))).rejects.toMatchObject({ failure: 'unavailable' })
  expect(asked).toBe(1)
})
