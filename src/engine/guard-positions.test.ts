import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anEngine } from '#test/product/test-engine'
import type { Engine } from './engine'
import { refusalOf, refusalOfText, type EngineCatalog } from './guard'
import { sql } from './sql'
import { readEngineCatalog } from './engine-catalog'

/** Everything the engine has that the guard refuses, in every place where the engine takes an expression or a source. */

const tested = anEngine()
let engine: Engine
let surroundings: EngineCatalog
let functions: { name: string; is_alias: number }[]
let sources: { name: string }[]
let folder: string
let outside: Server
let connections = 0

beforeAll(async () => {
  engine = tested.engine()
  surroundings = await readEngineCatalog(engine)
  const functionNames = sql`select name, alias_to != '' as is_alias from system.functions order by name`
  functions = await engine.query(functionNames, { lane: 'ingest' })
  sources = await engine.query(sql`select name from system.table_functions order by name`, { lane: 'ingest' })
  folder = await mkdtemp(path.join(tmpdir(), 'tilth-guard-'))
  await writeFile(path.join(folder, 'secret'), 'content of a file\n')
  outside = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(outside, 'listening')
  await engine.insert('events', JSON.stringify({ project_id: 2, event: 'of another project' }))
})
afterAll(async () => {
  outside?.close()
  await rm(folder, { recursive: true, force: true })
})

const written = (text: string) => ({ text, projectId: 1, hasMerged: false })

/** Returns the refusal of the guard, or of the parser for a text that it cannot read. */
async function refusal(text: string): Promise<string | undefined> {
  const early = refusalOfText(text)
  if (early) return early
  return await engine.explainSyntax(written(text)).then(
    (tree) => refusalOf(text, tree, surroundings),
    (problem: unknown) => String(problem),
  )
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** The positions of an expression: as part of the statement, or in a text that the engine parses. */
const expressionPositions: readonly ((call: string) => string)[] = [
  (call) => `select ${call}`,
  (call) => `select 1 where ${call} = 1`,
  (call) => `select 1 from events prewhere ${call} = 1`,
  (call) => `select 1 from events group by ${call}`,
  (call) => `select 1 from events having ${call} = 1`,
  (call) => `select 1 from events order by ${call}`,
  (call) => `select 1 from events order by 1 with fill from ${call}`,
  (call) => `select 1 as a from events order by 1 with fill interpolate (a as ${call})`,
  (call) => `select 1 from events limit ${call}`,
  (call) => `select 1 from events limit 1 by ${call}`,
  (call) => `select 1 from events qualify ${call} = 1`,
  (call) => `select 1 from events array join [${call}] as x`,
  (call) => `select 1 from events join persons on ${call} = 1`,
  (call) => `with ${call} as x select x`,
  (call) => `with x as (select ${call}) select * from x`,
  (call) => `select (select ${call})`,
  (call) => `select 1 in (select ${call})`,
  (call) => `select 1 in ${call}`,
  (call) => `select exists(select ${call})`,
  (call) => `select 1 union all select ${call}`,
  (call) => `select 1 except select ${call}`,
  (call) => `select arrayMap(x -> ${call}, [1])`,
  (call) => `select if(1, ${call}, 1)`,
  (call) => `select case when ${call} = 1 then 1 end`,
  (call) => `select quantile(${call})(1)`,
  (call) => `select sum(${call}) over (order by ${call})`,
  (call) => `select sum(1) over w from events window w as (partition by ${call})`,
  (call) => `select cast(${call} as String), ${call}::String`,
  (call) => `select {from:DateTime64} in ${call}`,
  (call) => `select * from numbers(${call})`,
  (call) => `select * from generate_series(1, ${call})`,
  (call) => `select * from values('a String', ${call})`,
  (call) => `select * from values(${call}, 1)`,
  (call) => `select * from values((1, ${call}))`,
  (call) => `select * replace(${call} as event) from events`,
  (call) => `select * from events settings max_threads = ${call}`,
  ...['alias', 'default', 'materialized', 'ephemeral', 'ttl', 'codec', 'comment'].flatMap((word) => [
    (call: string) => `select b from values(${quoted(`a UInt8, b String ${word} ${call}`)}, 1)`,
    (call: string) => `select b from values(${quoted(`a UInt8, b ${word} ${call}`)}, 1)`,
    (call: string) => `with ${quoted(`a UInt8, b String ${word} ${call}`)} as s select b from values(s, 1)`,
    (call: string) => `select b from values(concat('a UInt8, ', ${quoted(`b String ${word} ${call}`)}), 1)`,
  ]),
  (call) => `select cast('x', ${quoted(call)})`,
  (call) => `select cast('x', concat('', ${quoted(call)}))`,
  (call) => `select accurateCastOrNull('x', ${quoted(`Tuple(a ${call})`)})`,
  (call) => `select reinterpret('x', ${quoted(`Array(${call})`)})`,
  (call) => `select JSONExtract('{}', 'a', ${quoted(call)})`,
  (call) => `select formatRow('CSV', ${call})`,
  (call) => `select arrayReduce(${quoted(call)}, [1])`,
  (call) => `select initializeAggregation(${quoted(call)}, 1)`,
  (call) => `select evalMLMethod(${quoted(call)}, 1)`,
  (call) => `select * from format('TSV', ${quoted(`a String alias ${call}`)}, 'x')`,
  (call) => `select * from generateRandom(${quoted(`a String alias ${call}`)})`,
  (call) => `select * from view(select ${call})`,
  (call) => `select * from (explain select ${call})`,
  (call) => `select * from eval(${quoted(`select ${call}`)})`,
]

/** The positions of a source of rows. */
const sourcePositions: readonly ((call: string) => string)[] = [
  (call) => `select * from ${call}`,
  (call) => `from ${call} select *`,
  (call) => `select * from events join ${call} as x on 1`,
  (call) => `select * from events, ${call}`,
  (call) => `select * from (select * from ${call})`,
  (call) => `with x as (select * from ${call}) select * from x`,
  (call) => `select 1 in (select * from ${call})`,
  (call) => `select 1 union all select * from ${call}`,
  (call) => `select * from ${call} final`,
  (call) => `select * from ${call} as events`,
]

const standIn = 'tilth_standIn'

test('every function that is refused is refused in every position', async () => {
  const passed: string[] = []
  const isRefused = (name: string) =>
    refusalOf(
      `select f(1)`,
      ['SelectWithUnionQuery', ' ExpressionList', `  Function ${name}`],
      surroundings,
    ) !== undefined
  const refused = functions.map(({ name }) => name).filter(isRefused)
  expect(refused.length).toBeGreaterThan(250)
  let positionsParsed = 0
  for (const position of expressionPositions) {
    // The parser makes one tree for every name, so each position is parsed once and read with all of them.
    const text = position(`${standIn}('x', 'LineAsString')`)
    const tree = await engine
      .explainSyntax({ ...written(text), period: { from: new Date(), until: new Date() } })
      .catch(() => undefined)
    if (!tree || refusalOfText(text)) continue
    positionsParsed += 1
    for (const name of refused) {
      const found = refusalOf(
        text.replaceAll(standIn, name),
        tree.map((line) => line.replaceAll(standIn, name)),
        surroundings,
      )
      if (!found) passed.push(position(`${name}()`))
    }
  }
  expect(positionsParsed).toBeGreaterThan(60)
  expect(passed).toEqual([])
})

test('every source of rows but those that make rows up is refused in every position', async () => {
  const harmless = ['numbers', 'generate_series', 'generateSeries', 'values']
  const passed: string[] = []
  for (const position of sourcePositions) {
    const text = position(`${standIn}('x', 'LineAsString')`)
    const tree = await engine.explainSyntax(written(text))
    for (const { name } of sources.filter(({ name: source }) => !harmless.includes(source)))
      if (
        !refusalOf(
          text.replaceAll(standIn, name),
          tree.map((line) => line.replaceAll(standIn, name)),
          surroundings,
        )
      )
        passed.push(position(`${name}()`))
  }
  expect(passed).toEqual([])
})

test('nothing that reads a file, an address or another project gets through, as the engine itself sees it', async () => {
  const { port } = outside.address() as AddressInfo // it listens on a port, so its address is not a text
  const calls = [
    `file('${path.join(folder, 'secret')}')`,
    `url('http://127.0.0.1:${port}/', 'LineAsString')`,
    `remote('127.0.0.1:${port}', 'tilth.events')`,
    `joinGet('tilth.events', 'event', 1)`,
  ]
  const passed: string[] = []
  for (const call of calls)
    for (const position of [...expressionPositions, ...sourcePositions]) {
      const text = position(call)
      if (await refusal(text)) continue
      const message = await engine.runUserQuery(written(text)).then(
        ({ rows }) => JSON.stringify(rows),
        (problem: unknown) => String(problem),
      )
      passed.push(`${text} => ${message}`)
    }
  expect(passed).toEqual([])
  expect(connections).toBe(0)
})

test('no function that is allowed parses a text that the guard has not read', async () => {
  const parsed: string[] = []
  const queue = functions
    .filter(({ is_alias }) => !is_alias)
    .map(({ name }) => `select \`${name}\`('1', 'a NoSuchType alias nothingLikeThis()')`)
  const worker = async () => {
    for (let text = queue.pop(); text; text = queue.pop()) {
      if (await refusal(text)) continue
      const message = await engine.runUserQuery(written(text)).then(
        () => '',
        (problem: unknown) => String(problem),
      )
      if (
        /data type|nothingLikeThis\(?\)?[`'"]? (does not|is not)|Syntax error/.test(
          message.split(' In scope ')[0] ?? '',
        )
      )
        parsed.push(`${text} => ${message}`)
    }
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  expect(parsed).toEqual([])
})
