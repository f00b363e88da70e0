import { beforeAll, describe, expect, test } from 'vitest'
import { anEngine } from '#test/product/test-engine'
import type { Engine } from './engine'
import { refusalOf, refusalOfText, type EngineCatalog } from './guard'
import { readEngineCatalog } from './engine-catalog'

const tested = anEngine()
let engine: Engine
let surroundings: EngineCatalog

beforeAll(async () => {
  engine = tested.engine()
  surroundings = await readEngineCatalog(engine)
})

/** Why the guard refuses it; what the parser cannot read, it refuses in its own words. */
async function refusal(text: string): Promise<string | undefined> {
  const written = { text, projectId: 1, hasMerged: false }
  const tree = async () => {
    try {
      return refusalOf(text, await engine.explainSyntax(written), surroundings)
    } catch (problem) {
      return String(problem)
    }
  }
  return refusalOfText(text) ?? (await tree())
}

describe('the guard lets through', () => {
  test.each([
    'select 1',
    'select count() from events',
    'SELECT * FROM events LIMIT 10;',
    'from events select count()',
    '-- how many\nselect count() from events /* all */',
    'select event, count() as n from events where timestamp >= now() - interval 7 day group by event order by n desc',
    "select toStartOfDay(timestamp) as day, uniq(person_id) from events where event = '$pageview' group by day",
    "with buyers as (select person_id from events where event = 'buy') select count() from persons where person_id in buyers",
    'with 5 as n select n',
    'with recursive t as (select 1 as n union all select n + 1 from t where n < 5) select sum(n) from t',
    "select properties['plan'], quantile(0.9)(toFloat64OrNull(properties['ms'])) from events group by 1",
    'select e.event, p.properties from events as e left join persons as p on p.person_id = e.person_id',
    'select * except (properties) from events',
    "select columns('utm_.*') from events",
    'select number from numbers(100)',
    'select * from generate_series(1, 10)',
    "select * from values('a UInt8', 1, 2)",
    "select * from values('a UInt8, b Nullable(DateTime64(3, ''UTC'')), c Tuple(x UInt8, y String)', (1, null, (2, 'x')))",
    "select * from values((1, 'alias file(''x'')'), (-2, 'b'))",
    "select '(alias x', 'it''s \\\\ (alias y)' as z, 1::Nullable(UInt8), accurateCast(1, 'LowCardinality(String)')",
    "select JSONExtract(properties['x'], 'a', 'Tuple(a UInt8, b Array(Nullable(String)))') from events",
    "select cast(event as Enum8('a' = 1, 'b' = 2)), cast(1 as decimal(10, 2)), event::JSON from events",
    'with a as (select 1 as n) select n from a union all select n from (select n + 1 as n from a)',
    '/* a /* comment */ in a comment */ select 1',
    '(select 1) union all (select 2)',
    'select 1 intersect select 1',
    'select sumIf(revenue, revenue > 0), uniqArrayIf([1], true), countDistinct(event), argMaxIf(event, timestamp, 1) from events',
    'select event, row_number() over (partition by person_id order by timestamp) from events',
    'select sum(revenue) over w from events window w as (partition by event)',
    "select windowFunnel(3600)(toDateTime(timestamp), event = 'a', event = 'b') from events group by person_id",
    'select arrayMap(x -> x + 1, [1, 2]), map(1, 2), (1, 2).1, cast(1 as String), 1::Int8, if(1, 2, 3)',
    "select case when event = 'a' then 1 else 2 end, event in ('a', 'b'), event like 'a%', not 1, coalesce(null, 1) from events",
    "select extract(year from timestamp), date_trunc('week', timestamp), formatDateTime(timestamp, '%Y') from events",
    'select entry_path, avg(duration) from sessions group by entry_path having count() > 3',
    "select key, properties['name'] from groups where type = 'company'",
    'select (select count() from events) as all_of_them, exists(select 1 from persons)',
    'select "Unique visitors (%)" from (select 1 as "Unique visitors (%)")',
    "select 'select 1; drop table events -- file(''x'')'",
    'select day, n from (select toDate(timestamp) as day, count() as n from events group by day) order by day with fill',
  ])('%s', async (text) => expect(await refusal(text)).toBeUndefined())
})

describe('the guard refuses', () => {
  test.each([
    // the text            the refusal
    ['', 'Write a query'],
    ['   -- nothing', 'Write a query'],
    ['insert into events values (1)', 'not with "insert"'],
    ['drop table events', 'not with "drop"'],
    ['set readonly = 0', 'not with "set"'],
    ['show tables', 'not with "show"'],
    ['explain select 1', 'not with "explain"'],
    ['kill query where 1', 'not with "kill"'],
    ['graph = 1 select 1', 'not with "graph"'],
    ['system shutdown', 'not with "system"'],
    ['select 1; select 2', 'one statement at a time'],
    ["select 1; select * from file('/etc/hostname','LineAsString')", 'one statement at a time'],
    ['select 1 parallel with select 2', 'one only asks'],
    [`select ${'1,'.repeat(10_000)} 1`, 'at most 20000 characters'],
    ['select 1 as `x\n Function count`', 'no line breaks'],
    ['select 1 as "a\\nb"', 'no line breaks'],
    ['select 1 format JSON', 'FORMAT'],
    ["select 1 into outfile '/tmp/x'", 'INTO OUTFILE'],
    ['select 1 settings max_threads = 9', 'setting in readonly mode'],
    ['select * from (select 1 settings readonly = 0)', 'SETTINGS'],
    ["select file('/etc/hostname')", 'outside of the project'],
    ["select FILE('/etc/hostname')", 'not available here'],
    ["select * apply(file) from values('a String', '/etc/hostname')", 'APPLY'],
    ["select columns('a') apply(x -> file(x)) from values('a String', '/etc/hostname')", 'APPLY'],
    ["select * replace(file('/etc/hostname') as event) from events", 'REPLACE'],
    ["select * from file('/etc/hostname', 'LineAsString')", 'reads from elsewhere'],
    ["select * from url('http://127.0.0.1:9/', 'LineAsString')", 'reads from elsewhere'],
    ["select * from remote('127.0.0.1', system.one)", 'reads from elsewhere'],
    ["select * from cluster('default', system.one)", 'reads from elsewhere'],
    ["select * from merge(tilth, '^events$')", 'reads from elsewhere'],
    ['select * from mergeTreeIndex(tilth, events)', 'reads from elsewhere'],
    ["select * from input('a String')", 'reads from elsewhere'],
    ['select * from view(select 1)', 'reads from elsewhere'],
    ['select * from (explain ast select 1)', 'viewExplain'],
    ["select * from s3('http://127.0.0.1/x')", 'reads from elsewhere'],
    ["select * from executable('id', 'TSV', 'a String')", 'reads from elsewhere'],
    ["select * from mysql('127.0.0.1', 'a', 'b', 'c', 'd')", 'reads from elsewhere'],
    ["select * from dictionary('d')", 'reads from elsewhere'],
    ['select * from generateRandom()', 'reads from elsewhere'],
    ['select * from numbers(1000000000000)', 'plain numbers'],
    ['select * from numbers(10 * 10)', 'plain numbers'],
    ['select * from generate_series(1, 100000000000)', 'plain numbers'],
    ['select * from tilth.events', 'not yours to read'],
    ['select * from `tilth`.`events`', 'not yours to read'],
    ['select * from tilth_sql.events', 'not yours to read'],
    ['select * from system.users', 'not yours to read'],
    ['select * from information_schema.tables', 'not yours to read'],
    ['select * from person_overrides', 'no table "person_overrides"'],
    ['select * from tilth_migrations', 'no table "tilth_migrations"'],
    ['select * from "/etc/passwd"', 'no table "/etc/passwd"'],
    ['select * from `events (alias x)`', 'common signs'],
    ['with x as (select 1) select * from y', 'no table "y"'],
    ['with person_overrides as (select 1) select * from person_overrides', 'something else'],
    ['select * from (with tilth_migrations as (select 1) select 1) as a, tilth_migrations', 'something else'],
    ['with events as (select * from events) select * from events', 'something else'],
    ['select 1 where 1 in tilth.person_overrides', 'names a database'],
    ['select 1 where 1 in person_overrides', 'no column "person_overrides"'],
    ['select system.users.name from events', 'names a database'],
    ["select dictGet('d', 'a', 1)", 'outside of the project'],
    ["select dictGetString('d', 'a', 1)", 'outside of the project'],
    ["select joinGet('tilth.j', 'a', 1)", 'outside of the project'],
    ["select hasColumnInTable('tilth', 'events', 'x')", 'not available here'],
    ['select sleep(3)', 'holds things up'],
    ['select sleepEachRow(3) from events', 'holds things up'],
    ["select throwIf(event = 'x', 'leak') from events", 'holds things up'],
    ["select getSetting('max_threads')", 'not available here'],
    ["select getServerSetting('path')", 'not available here'],
    ["select getClientHTTPHeader('Authorization')", 'not available here'],
    ["select getMacro('x')", 'not available here'],
    ['select hostName()', 'not available here'],
    ['select fqdn()', 'not available here'],
    ['select version()', 'not available here'],
    ['select currentUser()', 'not available here'],
    ['select user()', 'not available here'],
    ['select uptime()', 'not available here'],
    ['select queryID()', 'not available here'],
    ['select filesystemAvailable()', 'not available here'],
    ['select addressToLine(1)', 'not available here'],
    ['select showCertificate()', 'not available here'],
    ["select aiGenerate('x')", 'not available here'],
    ["select catboostEvaluate('/x', 1)", 'not available here'],
    ["select encrypt('aes-128-ecb', 'a', 'b')", 'not available here'],
    ['select regionToName(1)', 'not available here'],
    ['select uniqState(event) from events', 'aggregate the rows themselves'],
    ['select uniqMerge(x) from events', 'aggregate the rows themselves'],
    ["select cast('x' as AggregateFunction(uniq, String))", 'States of aggregate functions'],
    ["select finalizeAggregation('x')", 'not available here'],
    ['select nothingLikeThis(1)', 'no function "nothingLikeThis"'],
    ['select count() from events sample 0.1', 'SAMPLE'],
    ['select e.columns(1) from events as e', 'no function'],
    [
      "select 1 from events order by 1 with fill interpolate (a as file('/etc/hostname'))",
      'not available here',
    ],
    ["select arrayMap(x -> file(x), ['/etc/hostname'])", 'outside of the project'],
    ["select 1 from events group by file('/etc/hostname')", 'outside of the project'],
    ["select 1 having file('/etc/hostname') = ''", 'outside of the project'],
    ["select sum(length(file('/etc/hostname'))) over () from events", 'outside of the project'],
    ["select 1 from events join persons on file('/etc/hostname') = ''", 'outside of the project'],
    ["with file('/etc/hostname') as x select x", 'outside of the project'],
    ["select 1 from events limit length(file('/etc/hostname'))", 'outside of the project'],
    ["select 1 from events prewhere file('/etc/hostname') = ''", 'outside of the project'],
    ["select 1 from events array join [file('/etc/hostname')] as x", 'outside of the project'],
    ["select 1 from events qualify file('/etc/hostname') = ''", 'outside of the project'],
    ["select quantile(length(file('/etc/hostname')))(1)", 'outside of the project'],
    ["select 1 union all select file('/etc/hostname')", 'outside of the project'],
    ["select 1 except select file('/etc/hostname')", 'outside of the project'],
    ["select * from values('a String', file('/etc/hostname'))", 'outside of the project'],
    ['select {x:String}', 'not set'],
    // a text that the engine reads as columns, with what may stand beside a column
    [
      "select a, b from values('a UInt8, b String ALIAS file(''/etc/hostname'')', 1)",
      'names and plain types',
    ],
    ["select b from values('a UInt8, b String default file(''/etc/hostname'')', 1)", 'names and plain types'],
    ["select b from values('a UInt8, b MATERIALIZED file(''/etc/hostname'')', 1)", 'names and plain types'],
    ["select b from values('a UInt8, b EPHEMERAL file(''/etc/hostname'')', 1)", 'names and plain types'],
    [
      "select b from values('a UInt8 ttl now() + length(file(''/etc/hostname'')) + interval 1 day', 1)",
      'names and plain',
    ],
    ["select b from values('a UInt8 codec(LZ4), b String', 1)", 'names and plain types'],
    ["select b from values($$a UInt8, b String ALIAS file('/etc/hostname')$$, 1)", 'names and plain types'],
    [
      "select b from values('a UInt8, b String /* */ ALIAS file(''/etc/hostname'')' as x, 1)",
      'names and plain types',
    ],
    ["select a from values('a AggregateFunction(count)', '')", 'names and plain types'],
    [
      "with 'a UInt8, b String ALIAS file(''/etc/hostname'')' as s select b from values(s, 1)",
      'and nothing else',
    ],
    [
      "select b from values(concat('a UInt8, b String ALIAS ', 'file(''/etc/hostname'')'), 1)",
      'and nothing else',
    ],
    [
      "select b from values((select 'a UInt8, b String ALIAS file(''/etc/hostname'')'), 1)",
      'and nothing else',
    ],
    // a text that the engine reads as a type
    ["select cast('x', concat('Aggregate', 'Function(count)'))", 'as it is, in quotes'],
    ["with 'UInt8' as t select cast('x', t)", 'as it is, in quotes'],
    ["select accurateCastOrNull('x', concat('UInt', '8'))", 'as it is, in quotes'],
    ["select _CAST('x', lower('x'))", 'as it is, in quotes'],
    ["select reinterpret('x', 'Object(''json'')')", 'cannot be used as a type'],
    ["select 'x'::JSON(max_dynamic_paths = 9999)", 'cannot be used as a type'],
    ["select JSONExtract('{}', 'a', concat('UInt', '8'))", 'as it is, in quotes'],
    ["select arrayMap(t -> cast('x', t), ['UInt8'])", 'as it is, in quotes'],
    ["select groupFormat('CSV')(event) from events", 'not available here'],
    ["select estimateCompressionRatio('LZ4')(event) from events", 'not available here'],
    // a name that stands for one thing here and for another elsewhere
    ['select * from (with `tilth.events` as (select 1) select 1), `tilth.events`', 'letters, digits and _'],
    ['with `system.users` as (select 1) select * from `system.users`', 'letters, digits and _'],
    ['with "system.users" as (select 1) select * from system.users', 'letters, digits and _'],
    ['with system as (select 1) select * from system', 'something else'],
    ['with “system.users” as (select 1) select * from “system.users”', 'outside of quotes'],
    ['select * from (with a as (select 1) select * from a), a', 'only within the brackets'],
    ['select * from (with a as (select 1) select * from a) as b join a on 1', 'only within the brackets'],
    ['select * from a union all with a as (select 1) select * from a', 'only within the brackets'],
    ['select 1 where 1 in (with a as (select 1) select * from a) and 1 in a', 'only within the brackets'],
    // comments to the engine, which a reader of the text might not take for any
    ['/* /* */ , `system.users` as (select 1) */ select * from system.users', 'not yours to read'],
  ])('%s', async (text, message) => expect(await refusal(text)).toContain(message))
})

test('a function of a newer engine is refused, though its category is one of those that only compute', () => {
  const functions = new Map([
    ...surroundings.functions,
    ['brandNew', { isAggregate: false, category: 'String' }],
  ])
  const tree = ['SelectWithUnionQuery (children 1)', ' ExpressionList', '  Function brandNew']
  expect(refusalOf('select brandNew(1)', tree, { ...surroundings, functions })).toContain(
    'not available here',
  )
})
