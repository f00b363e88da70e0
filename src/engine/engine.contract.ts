import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { patienceMs } from '#test/running/patience'
import type { Engine, EngineFailure } from './engine'
import {
  bool,
  date,
  dateTime,
  float,
  floats,
  int,
  nullable,
  sql,
  string,
  strings,
  uint,
  uints,
  uuid,
  uuids,
  type Sql,
} from './sql'

/** An engine under test, and the faults that the tests inject. */
interface EngineUnderTest {
  engine: Engine
  readonly kill: () => Promise<void>
  /** Restarts the engine after a kill if it does not restart by itself. */
  readonly revive: () => Promise<void>
  readonly remove: () => Promise<void>
}

/** The behaviour that every implementation must have; runs once for each. */
export function engineContract(form: string, open: () => Promise<EngineUnderTest>): void {
  describe(`the ${form} engine`, () => {
    let tested: EngineUnderTest
    let engine: Engine

    beforeAll(async () => {
      tested = await open()
      engine = tested.engine
      await engine.ready()
      await engine.command(sql`
        create table if not exists notes (id UInt64, body String, at DateTime64(3, 'UTC'), tags Array(String))
        engine = MergeTree order by id`)
    })
    afterAll(() => tested.remove())

    const valueOf = async (value: Sql) =>
      (await engine.query<{ value: unknown }>(sql`select ${value} as value`))[0]?.value
    const notes = () => engine.query(sql`select * from notes order by id`)

    test('says in health that all is well', () => {
      expect(engine.health()).toMatchObject({ form, status: 'ready', restarts: 0, trouble: undefined })
      expect(engine.health().version).toMatch(/^\d+\.\d+/)
    })

    test('tells where it answers', async () => {
      const { url, username, password, database } = engine.address() ?? {}
      const asked = await fetch(`${url}/?database=${database}`, {
        method: 'POST',
        body: 'select count() from events',
        headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` },
      })
      expect(await asked.text()).toBe('0\n')
    })

    test.each([
      // bound                                        comes back as
      ['a word', string('word'), 'word'],
      ['an empty text', string(''), ''],
      ['quotes and backslashes', string(`it's "so" \\ \\' \\n \\\\`), `it's "so" \\ \\' \\n \\\\`],
      ['tab, newline, return', string('a\tb\nc\rd\be\ff'), 'a\tb\nc\rd\be\ff'],
      ['NUL', string('a\0b'), 'a\0b'],
      ['the mark of a missing value', string('\\N'), '\\N'],
      ['a place of a parameter', string('{p0:String}'), '{p0:String}'],
      ['an attack', string(`'; drop table events; --`), `'; drop table events; --`],
      ['percent and plus', string('100 % + 1&x=y#z?'), '100 % + 1&x=y#z?'],
      ['other scripts and emoji', string('Zoë 東京 🌱'), 'Zoë 東京 🌱'],
      ['half a surrogate pair', string('a\ud83cb'), 'a\ufffdb'],
      ['a long text', string("'ä🌱".repeat(100_000)), "'ä🌱".repeat(100_000)],
      ['the smallest uint', uint(0), 0],
      ['a large safe uint', uint(Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER],
      ['the largest uint', sql`toString(${uint(2n ** 64n - 1n)})`, '18446744073709551615'],
      ['the smallest int', sql`toString(${int(-(2n ** 63n))})`, '-9223372036854775808'],
      ['a float', float(-0.1), -0.1],
      ['a very large float', float(1.5e300), 1.5e300],
      ['infinity', sql`toString(${float(-Infinity)})`, '-inf'],
      ['not a number', sql`toString(${float(NaN)})`, 'nan'],
      ['true', bool(true), true],
      ['false', bool(false), false],
      ['a uuid', uuid('01A1FC88-2d2a-700f-b7c1-203a7a4d0950'), '01a1fc88-2d2a-700f-b7c1-203a7a4d0950'],
      ['a day', date('2028-02-29'), '2028-02-29'],
      ['a moment', dateTime(new Date('2026-11-21T05:15:45.322Z')), '2026-11-21T05:15:45.322Z'],
      ['a moment long ago', dateTime(new Date('1969-12-31T23:59:58.500Z')), '1969-12-31T23:59:58.500Z'],
      ['no text', nullable(string, null), null],
      ['a text that might not be', nullable(string, 'here'), 'here'],
      ['no number', nullable(uint, null), null],
      ['a moment that might not be', nullable(dateTime, new Date(0)), '1970-01-01T00:00:00.000Z'],
      ['no texts', strings([]), []],
      [
        'texts',
        strings(['a', `b'\\`, '', '\t\n', 'c,d', ']', '\0']),
        ['a', `b'\\`, '', '\t\n', 'c,d', ']', '\0'],
      ],
      ['uuids', uuids(['01a1fc88-2d2a-700f-b7c1-203a7a4d0950']), ['01a1fc88-2d2a-700f-b7c1-203a7a4d0950']],
      ['uints', uints([1, 2n]), [1, 2]],
      ['floats', floats([1.5, -2]), [1.5, -2]],
    ])('hands back what was bound: %s', async (_, bound, expected) => {
      expect(await valueOf(bound)).toEqual(expected)
    })

    test('takes a list of thirty thousand ids', async () => {
      const ids = Array.from({ length: 30_000 }, () => crypto.randomUUID())
      expect(await valueOf(sql`length(arrayDistinct(${uuids(ids)}))`)).toBe(30_000)
      const found = await engine.query(
        sql`select 1 as found where ${uuid(ids.at(-1) ?? '')} in ${uuids(ids)}`,
      )
      expect(found).toEqual([{ found: 1 }])
    })

    test('reads back what was inserted, however the times are written', async () => {
      await engine.insert(
        'notes',
        '{"id":1,"body":"line\\none","at":"2026-11-21T05:15:45.322Z","tags":["a","b"]}\n' +
          '{"id":2,"body":"Zoë 🌱","at":"2026-11-21 05:15:45.5"}\n',
      )
      await engine.insert(
        'notes',
        Buffer.from('{"id":3,"body":"no newline at the end","at":"2026-11-21T06:15:45.25+01:00"}'),
      )
      expect(await notes()).toEqual([
        { id: 1, body: 'line\none', at: '2026-11-21T05:15:45.322Z', tags: ['a', 'b'] },
        { id: 2, body: 'Zoë 🌱', at: '2026-11-21T05:15:45.500Z', tags: [] },
        { id: 3, body: 'no newline at the end', at: '2026-11-21T05:15:45.250Z', tags: [] },
      ])
    })

    test('inserts nothing of nothing', async () => {
      await engine.insert('notes', '')
      expect(await notes()).toHaveLength(3)
    })

    test.each([
      ['text that is not JSON', 'what?'],
      ['a row cut short', '{"id":9,"body":"x'],
      ['a word for a number', '{"id":"nine"}'],
      ['a column nobody knows', '{"id":9,"colour":"red"}'],
      ['an array instead of an object', '[9]'],
      ['a time that is none', '{"id":9,"at":"yesterday"}'],
    ])('refuses the whole batch for one bad row: %s', async (_, bad) => {
      const before = await notes()
      const good = (id: number) => JSON.stringify({ id, body: 'good' })
      const batch = [...Array.from({ length: 50 }, (_row, i) => good(100 + i)), bad, good(200)].join('\n')
      await expect(engine.insert('notes', batch)).rejects.toMatchObject({ failure: 'rejected' })
      expect(await notes()).toEqual(before)
    })

    test('keeps half a surrogate pair from failing its batch', async () => {
      await engine.insert('notes', '{"id":4,"body":"a\\ud83cb"}\n{"id":5,"body":"fine"}')
      expect((await notes()).slice(3)).toMatchObject([{ id: 4 }, { id: 5, body: 'fine' }])
      await engine.command(sql`delete from notes where id > 3`)
    })

    test.each([
      ['a table that is not there', () => engine.insert('no_such_table', '{}')],
      ['a table name that is a trick', () => engine.insert('notes (id) select 1 --', '{}')],
      ['a statement that is none', () => engine.query(sql`select from where`)],
      ['two statements in one', () => engine.query(sql`select 1; select 2`)],
      ['a question that writes', () => engine.query(sql`insert into notes (id) select 9`)],
      ['a question that writes, in any lane', () => engine.query(sql`drop table notes`, { lane: 'ingest' })],
    ])('rejects %s', async (_, attempt) => {
      await expect(attempt()).rejects.toMatchObject({ name: 'EngineError', failure: 'rejected' })
      expect(await notes()).toHaveLength(3)
    })

    test('carries ClickHouse’s own number and words along', async () => {
      await expect(engine.query(sql`select * from no_such_table`)).rejects.toMatchObject({
        code: '60',
        message: expect.stringContaining('no_such_table'),
      })
    })

    const endless = sql`select count() from numbers(1000000000000) where cityHash64(number) = 1`
    const running = () =>
      engine.query<{ query_id: string }>(
        sql`select query_id from system.processes where query like '%cityHash64(number) = 1%'
            and query not like '%system.processes%'`,
        { lane: 'ingest' },
      )
    const nothingRuns = () =>
      vi.waitFor(async () => expect(await running()).toEqual([]), { timeout: patienceMs })

    test('gives up at the deadline, here and in the engine', async () => {
      const controller = new AbortController()
      const patient = expect(
        engine.query(endless, { lane: 'ingest', deadlineMs: 86_400_000, signal: controller.signal }),
      ).rejects.toMatchObject({ failure: 'cancelled' })
      await expect(engine.query(endless, { deadlineMs: 300 })).rejects.toMatchObject({ failure: 'deadline' })
      // here, too, after a while; only the engine's own end of a query has a number
      await vi.waitFor(
        () =>
          expect(engine.query(endless, { deadlineMs: 300 })).rejects.toMatchObject({
            failure: 'deadline',
            code: '159',
          }),
        { timeout: patienceMs },
      )
      expect(await running()).toHaveLength(1)
      controller.abort()
      await patient
      await nothingRuns()
    })

    test('gives up when a query needs more memory than it may have', async () => {
      const greedy = sql`select length(groupArray(number)) from numbers(50000000)`
      await expect(engine.query(greedy, { memoryBytes: 20_000_000 })).rejects.toMatchObject({
        failure: 'memory',
      })
      expect(await valueOf(uint(1))).toBe(1)
    })

    test('gives up on an answer that is larger than anybody can hold', async () => {
      const flood = sql`select repeat(toString(number), 1000000) from numbers(100, 100)`
      await expect(engine.query(flood)).rejects.toMatchObject({ failure: 'memory' })
    })

    test.each(['dashboard', 'ingest'] as const)(
      'stops a cancelled query in the engine, too (%s)',
      async (lane) => {
        const controller = new AbortController()
        const request = expect(
          engine.query(endless, { lane, signal: controller.signal }),
        ).rejects.toMatchObject({
          failure: 'cancelled',
        })
        await vi.waitFor(async () => expect(await running()).toHaveLength(1), { timeout: patienceMs })
        controller.abort()
        await request
        await nothingRuns()
      },
    )

    test('stops a cancelled command in the engine, too, and it has done nothing', async () => {
      const controller = new AbortController()
      const writing = sql`insert into notes (id) select number from numbers(1000000000000) where cityHash64(number) = 1`
      const request = expect(engine.command(writing, { signal: controller.signal })).rejects.toMatchObject({
        failure: 'cancelled',
      })
      await vi.waitFor(async () => expect(await running()).toHaveLength(1), { timeout: patienceMs })
      controller.abort()
      await request
      await nothingRuns()
      expect(await notes()).toHaveLength(3)
    })

    test('does not even ask when it is cancelled beforehand', async () => {
      const request = engine.query(sql`select 1`, { signal: AbortSignal.abort() })
      await expect(request).rejects.toMatchObject({ failure: 'cancelled' })
    })

    test('answers many at once, each with its own', async () => {
      const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => valueOf(sql`${uint(i)} * 2`)))
      expect(answers).toEqual(Array.from({ length: 100 }, (_, i) => i * 2))
    })

    test('ingestion never waits in line behind dashboards', async () => {
      const controller = new AbortController()
      const dashboards = Array.from({ length: 20 }, () =>
        engine.query(endless, { signal: controller.signal }),
      )
      const outcomes = Promise.allSettled(dashboards)
      await vi.waitFor(async () => expect((await running()).length).toBeGreaterThan(1), {
        timeout: patienceMs,
      })

      await engine.insert('notes', '{"id":6}')
      expect(await engine.query(sql`select id from notes where id = 6`, { lane: 'ingest' })).toEqual([
        { id: 6 },
      ])
      expect((await running()).length).toBeLessThan(20)

      controller.abort()
      const failures = (await outcomes).map(
        (outcome) => outcome.status === 'rejected' && failureOf(outcome.reason),
      )
      expect(failures).toEqual(Array.from({ length: 20 }, () => 'cancelled'))
      await nothingRuns()
      await engine.command(sql`delete from notes where id = 6`)
    })

    test('a query waiting in line can be cancelled there', async () => {
      const [blockers, waiting] = [new AbortController(), new AbortController()]
      const ahead = Promise.allSettled(
        Array.from({ length: 10 }, () => engine.query(endless, { signal: blockers.signal })),
      )
      const last = expect(engine.query(sql`select 1`, { signal: waiting.signal })).rejects.toMatchObject({
        failure: 'cancelled',
      })
      waiting.abort()
      await last
      blockers.abort()
      await ahead
      expect(await valueOf(uint(7))).toBe(7)
    })

    test('says "unavailable" while it is away, and then works again with all it had', async () => {
      const before = await notes()
      const meanwhile = expect(engine.query(endless)).rejects.toMatchObject({ failure: 'unavailable' })
      await vi.waitFor(async () => expect(await running()).toHaveLength(1), { timeout: patienceMs })
      await tested.kill()
      await meanwhile
      await vi.waitFor(() => expect(engine.health().status).not.toBe('ready'), {
        timeout: patienceMs,
        interval: 5,
      })

      expect(engine.health()).toMatchObject({ trouble: expect.any(String) })
      await expect(engine.query(sql`select 1`)).rejects.toMatchObject({ failure: 'unavailable' })
      await expect(engine.insert('notes', '{"id":7}')).rejects.toMatchObject({ failure: 'unavailable' })

      await tested.revive()
      await vi.waitFor(() => expect(engine.health().status).toBe('ready'), {
        timeout: patienceMs,
        interval: 5,
      })
      expect(engine.health().trouble).toBeUndefined()
      expect(await notes()).toEqual(before)
    })

    test('is closed for good', async () => {
      await engine.close()
      expect(engine.health().status).toBe('stopped')
      await expect(engine.query(sql`select 1`)).rejects.toMatchObject({ failure: 'unavailable' })
      await engine.close()
    })
  })
}

function failureOf(reason: unknown): EngineFailure | undefined {
  // other errors have no failure, and then the comparison shows it
  return (reason as { failure?: EngineFailure }).failure
}
