import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { engineBudgetFor } from '../budget'
import { eventNumbers, uuidNumber } from '#test/deep/crashlab/events'
import { rowOf } from '#events/row'
import { findStoredByDate } from '#ingest/internal/duplicates'
import { patienceMs } from '#test/running/patience'
import { EngineClient } from '../client'
import type { EmbeddedSettings } from './embedded'
import type { Engine } from '../engine'
import { engineError, toEngineError } from '../failures'
import { openEngine } from '../open'
import { sql, string, uint } from '../sql'
import { temporaryEngine, temporarySettings, type TemporaryEngine } from './temporary'

async function aReadyEngine(changes: Partial<EmbeddedSettings> = {}): Promise<TemporaryEngine> {
  const temporary = await temporaryEngine(changes)
  onTestFinished(temporary.remove)
  await temporary.engine.ready()
  return temporary
}

/** One engine for tests that leave it as it was. */
function aSharedEngine(changes: Partial<EmbeddedSettings> = {}): () => Promise<TemporaryEngine> {
  let shared: Promise<TemporaryEngine> | undefined
  afterAll(async () => await (await shared)?.remove())
  return async () => {
    const temporary = await (shared ??= temporaryEngine(changes))
    await temporary.engine.ready()
    return temporary
  }
}

const becomes = (engine: Engine, status: string, timeout = 20_000) =>
  vi.waitFor(() => expect(engine.health().status).toBe(status), { timeout, interval: 5 })

describe('who may speak to it', () => {
  const shared = aSharedEngine()
  const secrets = (engine: Engine) => {
    const { url, username, password } = engine.address() ?? {}
    if (!url || !username || !password) throw new Error('The engine has no address.')
    return { url, username, password }
  }
  const knock = async (
    url: string,
    headers: Record<string, string> = {},
    statement = 'select currentUser()',
  ) => {
    const answer = await fetch(url, { method: 'POST', body: statement, headers })
    return `${answer.status} ${(await answer.text()).slice(0, 200)}`
  }
  const basic = (user: string, password: string) => ({
    authorization: `Basic ${btoa(`${user}:${password}`)}`,
  })

  test('no client without the right password, however it is sent', async () => {
    const { engine } = await shared()
    const { url, username, password } = secrets(engine)
    expect(await knock(url, basic(username, password))).toBe(`200 ${username}\n`)

    const strangers: [string, Record<string, string>][] = [
      ['/', {}],
      ['/', basic(username, '')],
      ['/', basic(username, `${password}x`)],
      ['/', basic('tilth_owner', password)],
      ['/', basic('default', '')],
      ['/', basic('default', password)],
      ['/', { 'x-clickhouse-user': 'default', 'x-clickhouse-key': '' }],
      ['/?user=default', {}],
      ['/?user=default&password=', basic(username, password)],
      ['/?user=default&session_id=1', {}],
      ['/?user=default&max_sessions_for_user=9', {}],
      ['/?user=default&profile=owner', {}],
    ]
    for (const [query, headers] of strangers) {
      const refusal = await knock(url + query, headers)
      expect(refusal, `${query} ${JSON.stringify(headers)}`).toMatch(/^(403 Code: 516|500 Code: 700)\./)
    }
    const lookInside = await fetch(`${url}/?query=${encodeURIComponent(`select file('/etc/hostname')`)}`)
    expect([lookInside.status, await lookInside.text()]).toEqual([500, expect.stringContaining('Code: 700')])
  })

  test('no client from another machine: it listens on the loopback address alone', async () => {
    const { engine } = await shared()
    const { port } = new URL(secrets(engine).url)
    // All of 127/8 is this machine, so a server that listened everywhere would be found here, too.
    await expect(fetch(`http://127.0.0.2:${port}/ping`)).rejects.toThrow('fetch failed')
  })

  test('the user of queries may read Tilth’s tables, and nothing else of anything', async () => {
    const { engine } = await shared()
    const { url, username, password } = secrets(engine)
    const asReader = (statement: string) =>
      knock(`${url}/?database=tilth`, basic(username, password), statement)
    expect(await asReader('select count() from events')).toBe('200 0\n')

    const forbidden = [
      'drop table events',
      'insert into events (event) values (1)',
      'alter table events delete where 1',
      'create table mine (a UInt8) engine = Memory',
      `create user me identified by 'x'`,
      'set readonly = 0',
      'select 1 settings readonly = 0',
      'select 1 settings max_memory_usage = 0',
      'select 1 settings max_memory_usage = 99999999999',
      'select 1 settings max_threads = 64',
      'select 1 settings os_thread_priority = 0',
      `select * from file('/etc/hostname', LineAsString)`,
      `select * from url('${url}', LineAsString)`,
      `select 1 into outfile '/tmp/tilth-should-not-exist'`,
      'select * from system.users',
      'system shutdown',
      'system stop listen http',
    ]
    for (const statement of forbidden)
      expect(await asReader(statement), statement).toMatch(/^[45]\d\d Code: /)
  })

  test('passwords are new at every start, and are written down only as hashes, for the owner of the folder', async () => {
    const { engine, settings } = await aReadyEngine()
    const first = secrets(engine).password
    const files = ['config.xml', 'users.xml'].map((file) => path.join(settings.folder, file))
    for (const file of files) {
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(readFileSync(file, 'utf8')).not.toContain(first)
    }
    await engine.close()

    const again = openEngine(settings)
    await again.ready()
    expect(secrets(again).password).not.toBe(first)
    await again.close()
  })
})

describe('what it may use', () => {
  const twoCores = aSharedEngine({ memoryBytes: 2 * 1024 ** 3, cores: 2 })
  const oneGigabyte = aSharedEngine({ memoryBytes: 1024 ** 3, cores: 2 })
  const valueOf = async (engine: Engine, statement: ReturnType<typeof sql>) =>
    (await engine.query<{ value: unknown }>(statement, { lane: 'ingest' }))[0]?.value

  test('its budget is what the server goes by', async () => {
    const { engine, settings } = await twoCores()
    const { engineBytes, markCacheBytes, queryThreads } = engineBudgetFor(
      settings.memoryBytes,
      settings.cores,
    )
    const rows = await engine.query<{ name: string; value: string }>(
      sql`select name, value from system.server_settings
          where name in ('max_server_memory_usage', 'mark_cache_size', 'background_pool_size')
          order by name`,
      { lane: 'ingest' },
    )
    expect(rows.map(({ value }) => Number(value))).toEqual([1, markCacheBytes, engineBytes])
    const statement = sql`select toUInt64(getSetting('max_threads')) as threads, toInt64(getSetting('os_thread_priority')) as nice`
    expect(await engine.query(statement)).toEqual([{ threads: queryThreads, nice: 19 }])
  })

  test('a query alone has all cores, and several at once share them', async () => {
    const { engine } = await twoCores()
    const statement = sql`select toUInt64(getSetting('max_threads')) as threads`
    expect(await engine.query(statement)).toEqual([{ threads: 2 }])
    const together = await Promise.all([
      engine.query(statement),
      engine.query(statement),
      engine.query(statement),
    ])
    expect(together.flat()).toContainEqual({ threads: 1 })
  })

  test('a query has its threads however little memory is free: the budget has counted with them', async () => {
    const { engine } = await twoCores()
    const plan = await engine.query<{ explain: string }>(
      sql`explain pipeline select number % 10 as digit, count() from numbers_mt(100000000) group by digit`,
    )
    expect(plan.map(({ explain }) => explain).join('\n')).toMatch(/AggregatingTransform × 2/)
  })

  test('a query too big for the budget fails alone: the engine lives, and the next one is answered', async () => {
    const { engine } = await oneGigabyte()
    const greedy = sql`select length(groupArray(toString(number))) as n from numbers(100000000)`
    const attempts = await Promise.allSettled([1, 2, 3].map(() => engine.query(greedy)))
    for (const attempt of attempts) expect(attempt).toMatchObject({ reason: { failure: 'memory' } })
    expect(await engine.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    expect(engine.health()).toMatchObject({ status: 'ready', restarts: 0 })
  })

  test('a grouping too big for memory is finished on disk', async () => {
    const { engine } = await oneGigabyte()
    const many = sql`select count() as groups from (select number, count() from numbers(${uint(3_000_000)}) group by number)`
    expect(await engine.query(many)).toEqual([{ groups: 3_000_000 }])
  })

  test('as many queries run at once as the budget says', async () => {
    const { engine } = await twoCores()
    const enough = new AbortController()
    const endless = sql`select count() from numbers(1000000000000) where cityHash64(number) = 1`
    const queries = Promise.allSettled(
      Array.from({ length: 8 }, () => engine.query(endless, { signal: enough.signal })),
    )
    const running = sql`select count() as value from system.processes
                        where query like '%cityHash64(number) = 1%' and query not like '%system.processes%'`
    await vi.waitFor(async () => expect(await valueOf(engine, running)).toBe(2), { timeout: patienceMs })
    enough.abort()
    await queries
  })

  test('what was merged is kept for as long as the merged part may not be on disk yet', async () => {
    const { engine } = await twoCores()
    const lifetime = sql`select toUInt64(value) as value from system.merge_tree_settings where name = 'old_parts_lifetime'`
    expect(await valueOf(engine, lifetime)).toBe(480)
  })

  test('nothing grows but the tables of Tilth: no log is kept in tables, none on disk', async () => {
    const { engine, settings } = await twoCores()
    expect(
      await valueOf(
        engine,
        sql`select count() as value from system.tables where database = 'system' and engine like '%MergeTree'`,
      ),
    ).toBe(0)
    expect(readdirSync(settings.folder).sort()).toEqual(['config.xml', 'data', 'users.xml', 'work'])
    expect(readdirSync(path.join(settings.folder, 'work'))).toEqual([])
  })
})

describe('what happens to it', () => {
  test('killed, it comes back at the address it had, with another password', async () => {
    const { engine, signal } = await aReadyEngine()
    const before = engine.address()
    signal('SIGKILL')
    await becomes(engine, 'restarting')
    expect(engine.health().trouble).toContain('The engine was killed by SIGKILL; it is being started again.')
    await becomes(engine, 'ready')
    expect(engine.address()?.url).toBe(before?.url)
    expect(engine.address()?.password).not.toBe(before?.password)
    expect(engine.health()).toMatchObject({ restarts: 1, trouble: undefined })
  })

  test('when another process took its port, it finds another, reports it, and the passwords sent to that process are useless', async () => {
    const { engine, signal } = await aReadyEngine()
    const before = engine.address()
    signal('SIGKILL')
    await becomes(engine, 'restarting')
    const messages: string[] = []
    const squatter = createServer((socket) => {
      socket.on('data', (words) => messages.push(String(words)))
      onTestFinished(() => void socket.destroy())
    })
    onTestFinished(() => void squatter.close())
    squatter.listen(Number(new URL(before?.url ?? '').port), '127.0.0.1')
    await once(squatter, 'listening')

    await becomes(engine, 'ready')
    expect(engine.address()?.url).not.toBe(before?.url)
    expect(await engine.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    const { password = '' } = engine.address() ?? {}
    expect(password).not.toBe(before?.password)
    const now = btoa(`${before?.username}:${password}`)
    expect(messages.filter((words) => words.includes(now))).toEqual([])
  })

  test('frozen, it is killed and started again', async () => {
    const { engine, signal } = await aReadyEngine({
      probeTimings: { probeEveryMs: 50, deafAfterMs: 500 },
    })
    signal('SIGSTOP')
    await becomes(engine, 'restarting')
    expect(engine.health().trouble).toContain('did not answer for 500 ms')
    await becomes(engine, 'ready')
  })

  test('a Ctrl-C at the terminal does not reach it: it is in a process group of its own', async () => {
    const { settings } = await aReadyEngine()
    const pid = /PID: (\d+)/.exec(readFileSync(path.join(settings.folder, 'data/status'), 'utf8'))?.[1] ?? ''
    expect(execFileSync('ps', ['-o', 'pgid=', '-p', pid], { encoding: 'utf8' }).trim()).toBe(pid)
  })

  const signalled = aSharedEngine()
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s is for its parent to obey: it goes on',
    async (signal) => {
      const { engine, signal: harm } = await signalled()
      harm(signal)
      harm(signal)
      await engine.insert('events', JSON.stringify({ project_id: 1, event: `after ${signal}` }))
      const after = sql`select event from events where event = ${string(`after ${signal}`)}`
      expect(await engine.query(after)).toEqual([{ event: `after ${signal}` }])
      expect(engine.health()).toMatchObject({ status: 'ready', restarts: 0 })
    },
  )

  test('what an insert has answered for is still there after a kill', async () => {
    const { engine, signal } = await aReadyEngine()
    const answered: number[] = []
    for (let round = 0; round < 2; round++) {
      const stream = (async () => {
        for (let number = round * 1000; ; number++) {
          await engine.insert('events', JSON.stringify({ project_id: number, event: 'numbered' }))
          answered.push(number)
        }
      })()
      await vi.waitFor(() => expect(answered.length).toBeGreaterThan(round * 10 + 5), { timeout: patienceMs })
      signal('SIGKILL')
      await expect(stream).rejects.toMatchObject({ failure: 'unavailable' })
      await vi.waitFor(
        () => expect(engine.health()).toMatchObject({ status: 'ready', restarts: round + 1 }),
        { timeout: patienceMs },
      )
    }
    const stored = await engine.query<{ project_id: number }>(sql`select project_id from events`)
    const found = new Set(stored.map(({ project_id }) => project_id))
    expect(answered.filter((number) => !found.has(number))).toEqual([])
    expect(found.size).toBe(stored.length)
  })

  test('after its parent was killed with kill -9 the folder can be opened again at once', async () => {
    const { parent, settings } = await anotherTilth()
    parent.kill('SIGKILL')
    await once(parent, 'exit')

    const engine = openEngine(settings)
    onTestFinished(() => engine.close())
    await engine.ready()
    expect(await engine.query(sql`select count() as events from events`)).toEqual([{ events: 0 }])
  })

  test('one that was stopped when its Tilth was killed does not keep the folder', async () => {
    const { parent, settings } = await anotherTilth()
    const pid = Number(
      /PID: (\d+)/.exec(readFileSync(path.join(settings.folder, 'data/status'), 'utf8'))?.[1],
    )
    process.kill(pid, 'SIGSTOP')
    parent.kill('SIGKILL')
    await once(parent, 'exit')

    const engine = openEngine(settings)
    onTestFinished(() => engine.close())
    await engine.ready()
    expect(await engine.query(sql`select count() as events from events`)).toEqual([{ events: 0 }])
  })

  test('when its disk is full, inserts say so, and queries are answered', async () => {
    const { engine, settings } = await aReadyEngine()
    await engine.insert('events', '{"project_id":1}')
    await engine.close()

    const full = openEngine({ ...settings, keepFreeBytes: 1e15 })
    onTestFinished(() => full.close())
    await full.ready()
    await expect(full.insert('events', '{"project_id":2}')).rejects.toMatchObject({ failure: 'disk-full' })
    expect(await full.query(sql`select project_id from events`)).toEqual([{ project_id: 1 }])
    expect(full.health()).toMatchObject({ status: 'ready', restarts: 0 })
  })

  test('with no room on its disk it does not start, because definitions that are written then are cut short', async () => {
    const { settings } = await aReadyEngine()
    // a file system without room, as it says of itself
    const engine = openEngine({ ...settings, folder: '/proc' })
    onTestFinished(() => engine.close())
    await expect.poll(() => engine.health().trouble).toContain('could not be started: its disk is full')
  })

  // A limit on the size of files fails a write in its middle, as a disk does that fills up just then, and needs no root.
  const allowFilesOf = (bytes: number, { folder }: EmbeddedSettings) => {
    const pid = /PID: (\d+)/.exec(readFileSync(path.join(folder, 'data/status'), 'utf8'))?.[1] ?? ''
    // The engine's own user sets the limit: root may lack the right to limit others.
    const { uid, gid } = statSync(`/proc/${pid}`)
    execFileSync('prlimit', ['--pid', pid, `--fsize=${bytes}:unlimited`], { uid, gid })
  }
  const aBatch = (size: number, from = 0) =>
    Array.from({ length: size }, (_, i) =>
      JSON.stringify({ project_id: from + i, event: crypto.randomUUID() }),
    ).join('\n')

  test.skipIf(process.platform !== 'linux')(
    'an insert that could not be written is never answered for, and is put aside (needs prlimit, of Linux)',
    async () => {
      const { engine, settings } = await aReadyEngine()
      await engine.insert('events', aBatch(10))
      allowFilesOf(10_000, settings)
      await expect(engine.insert('events', aBatch(5000))).rejects.toMatchObject({ failure: 'disk-full' })
      await becomes(engine, 'restarting')
      expect(engine.health().trouble).toContain('A file could not be written: the disk is full, or broken.')

      await becomes(engine, 'ready')
      expect(await engine.query(sql`select count() as events from events`)).toEqual([{ events: 10 }])
      await engine.insert('events', aBatch(5000))
      expect(await engine.query(sql`select count() as events from events`)).toEqual([{ events: 5010 }])
      const aside = sql`select distinct reason from system.detached_parts`
      expect(await engine.query(aside, { lane: 'ingest' })).toEqual([{ reason: 'broken-on-start' }])
    },
  )

  test.skipIf(process.platform !== 'linux')(
    'a merge that could not be written costs nothing (needs prlimit, of Linux)',
    async () => {
      const { engine, settings } = await aReadyEngine({
        probeTimings: { probeEveryMs: 100, deafAfterMs: 10_000 },
      })
      for (let batch = 0; batch < 3; batch++) await engine.insert('events', aBatch(2000, batch * 2000))
      allowFilesOf(40_000, settings)
      // the supervisor may hear of it before the statement's answer is here, and has ended the engine then
      await expect(engine.command(sql`optimize table events final`)).rejects.toMatchObject({
        failure: expect.stringMatching(/^(?:disk-full|unavailable)$/),
      })
      await vi.waitFor(() => expect(engine.health().restarts).toBeGreaterThan(0), 20_000)
      await becomes(engine, 'ready')
      const kept = sql`select count() as events, uniqExact(project_id) as numbers from events`
      expect(await engine.query(kept)).toEqual([{ events: 6000, numbers: 6000 }])
    },
  )

  test.skipIf(process.platform !== 'linux')(
    'no event is missing from a look-up that reads a merge that could not be written (needs prlimit, of Linux)',
    async () => {
      // no probe finds the failed write before the look-up does
      const { engine, settings } = await aReadyEngine({
        probeTimings: { probeEveryMs: 600_000, deafAfterMs: 700_000 },
      })
      const events = eventNumbers(0, 3000)
      const rows = events.map((event) => rowOf(event, uuidNumber(1)))
      for (let from = 0; from < rows.length; from += 1000)
        await engine.insert('events', rows.slice(from, from + 1000).join('\n'))
      allowFilesOf(40_000, settings)
      // as a merge in the background, after which the client does not read the count of failed writes
      const unread = vi.spyOn(EngineClient.prototype, 'failedWrites').mockResolvedValue(0)
      onTestFinished(() => unread.mockRestore())
      await engine.command(sql`optimize table events final`)
      unread.mockRestore()

      await expect(findStoredByDate(engine, events)).rejects.toMatchObject({
        failure: expect.stringMatching(/^(?:disk-full|unavailable)$/),
      })
      await becomes(engine, 'restarting')
      await becomes(engine, 'ready')
      expect((await findStoredByDate(engine, events)).size).toBe(3000)
      expect(engine.health().detached).toEqual([])
    },
  )

  test.skipIf(process.platform !== 'linux')(
    'no event is missing from a look-up whose answer finds no room on the disk (needs prlimit, of Linux)',
    async () => {
      const { engine, settings } = await aReadyEngine({
        probeTimings: { probeEveryMs: 600_000, deafAfterMs: 700_000 },
      })
      const events = eventNumbers(0, 3000)
      await engine.insert('events', events.map((event) => rowOf(event, uuidNumber(1))).join('\n'))
      allowFilesOf(0, settings)
      const found = findStoredByDate(engine, events).then(
        ({ size }) => size,
        (problem: unknown) => toEngineError(problem).failure,
      )
      // the engine may have failed to write a file of its own meanwhile, and then the look-up is repeated later
      expect([3000, 'disk-full', 'unavailable']).toContain(await found)
    },
  )

  test.skipIf(process.platform !== 'linux')(
    'a long answer that finds no room on the disk fails (needs prlimit, of Linux)',
    async () => {
      const { engine, settings } = await aReadyEngine({
        probeTimings: { probeEveryMs: 600_000, deafAfterMs: 700_000 },
      })
      allowFilesOf(0, settings)
      const long = sql`select number, repeat('x', 1000) as text from system.numbers limit 20000`
      await expect(engine.query(long, { lane: 'ingest' })).rejects.toMatchObject({
        failure: expect.stringMatching(/^(?:disk-full|unavailable)$/),
      })
    },
  )

  test.skipIf(process.platform !== 'linux')(
    'a merge that could not be written is not detached while the engine is too busy to tell (needs prlimit, of Linux)',
    async () => {
      const { engine, settings } = await aReadyEngine({
        probeTimings: { probeEveryMs: 100, deafAfterMs: 700_000 },
      })
      for (let batch = 0; batch < 3; batch++) await engine.insert('events', aBatch(2000, batch * 2000))
      const unread = vi
        .spyOn(EngineClient.prototype, 'failedWrites')
        .mockRejectedValue(engineError('deadline'))
      onTestFinished(() => unread.mockRestore())
      allowFilesOf(40_000, settings)
      await expect(engine.command(sql`optimize table events final`)).rejects.toMatchObject({
        failure: 'deadline',
      })
      await expect(engine.query(sql`select uniq(event) from events`)).rejects.toMatchObject({
        failure: 'deadline',
      })
      const { length } = unread.mock.calls
      await vi.waitFor(() => expect(unread.mock.calls.length).toBeGreaterThan(length + 20), 20_000)
      unread.mockRestore()

      await vi.waitFor(() => expect(engine.health().restarts).toBeGreaterThan(0), 20_000)
      await becomes(engine, 'ready')
      const kept = sql`select count() as events, uniqExact(project_id) as numbers from events`
      expect(await engine.query(kept)).toEqual([{ events: 6000, numbers: 6000 }])
      expect(engine.health().detached).toEqual([])
    },
  )
})

describe('when there is no use in starting it', () => {
  const whatItLogged: string[] = []
  const log = {
    info: () => {},
    warn: () => {},
    error: (_: object, message: string) => whatItLogged.push(message),
  }
  beforeEach(() => (whatItLogged.length = 0))
  afterEach(() => vi.unstubAllEnvs())

  async function aRefusedEngine(settings: EmbeddedSettings, sentence: RegExp) {
    const engine = openEngine({ ...settings, log })
    onTestFinished(() => engine.close())
    await expect(engine.ready()).rejects.toThrow(sentence)
    expect(engine.health()).toMatchObject({ status: 'stopped', trouble: expect.stringMatching(sentence) })
    await expect(engine.query(sql`select 1`)).rejects.toMatchObject({
      failure: 'unavailable',
      message: expect.stringMatching(/^The engine is not available: /),
    })
    expect(whatItLogged).toEqual([expect.stringMatching(sentence)])
    return engine.health()
  }

  test('another one on the same folder: it names the folder and the process, and leaves both alone', async () => {
    const first = await aReadyEngine()
    const { restarts } = await aRefusedEngine(
      first.settings,
      /Another Tilth \(engine process \d+\) is using .*tilth-engine-\w+\. Stop it, or give this one a folder of its own with TILTH_DATA\./,
    )
    expect(restarts).toBeLessThanOrEqual(5)
    expect(await first.engine.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    expect(first.engine.health().restarts).toBe(0)

    first.signal('SIGKILL')
    await becomes(first.engine, 'restarting')
    await becomes(first.engine, 'ready')
  })

  test('another one that is just going is waited for', async () => {
    const { engine, settings } = await aReadyEngine()
    const second = openEngine({ ...settings, log })
    onTestFinished(() => second.close())
    await becomes(second, 'restarting')
    await engine.close()
    await second.ready()
    expect(whatItLogged).toEqual([])
  })

  test.each([
    ['not installed', '/no/such/file'],
    ['made for another system', fileURLToPath(import.meta.url)],
  ])('its native package is %s: it says what would do', async (_, library) => {
    vi.stubEnv('CHDB_LIBCHDB_PATH', library)
    const settings = await temporarySettings()
    onTestFinished(() => rmSync(settings.folder, { recursive: true }))
    const { restarts } = await aRefusedEngine(
      settings,
      /cannot run on this machine \(\w+ \w+\).*glibc.*TILTH_ENGINE=https:/s,
    )
    expect(restarts).toBe(0)
  })

  test('its tables were made by a newer Tilth', async () => {
    const { engine, settings } = await aReadyEngine()
    await engine.command(sql`insert into tilth_migrations (number, name) select 99, 'from the future'`)
    await engine.close()
    await aRefusedEngine(settings, /made by a newer Tilth \(step 99; .*restore a backup/)
  })
})

/** Starts another process with an engine of its own, which is ready. */
async function anotherTilth() {
  const settings = await temporarySettings()
  onTestFinished(() => rmSync(settings.folder, { recursive: true }))
  const parent = fork(await aParentProgram(), [JSON.stringify({ ...settings, log: undefined })])
  expect(await once(parent, 'message')).toEqual(['ready', undefined])
  return { parent, settings }
}

/** A program that opens the engine its parent describes, says when it is ready, and then waits for its end. */
async function aParentProgram(): Promise<string> {
  const outfile = fileURLToPath(
    new URL(`../../../node_modules/.cache/tilth/parent-${process.pid}.mjs`, import.meta.url),
  )
  onTestFinished(() => rmSync(outfile))
  const contents = `
    import { openEngine } from '../open'
    const log = { info() {}, warn() {}, error() {} }
    const engine = openEngine({ ...JSON.parse(process.argv[2]), log })
    await engine.ready()
    process.send('ready')`
  await build({
    stdin: { contents, loader: 'ts', resolveDir: import.meta.dirname },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  return outfile
}
