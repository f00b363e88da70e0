import { expect, test } from 'vitest'
import { isPlainColumns, isPlainType } from './column-types'

test.each([
  'UInt8',
  ' Nullable( String ) ',
  "DateTime64(3, 'Europe/Berlin')",
  'Map(LowCardinality(String), Array(Tuple(a UInt8, Nullable(Float64))))',
  "Enum8('a' = 1, 'b' = -2)",
  'decimal(10, 2)',
  'varchar(255)',
])('%s is a plain type', (text) => expect(isPlainType(text)).toBe(true))

test.each([
  '',
  'AggregateFunction(count)',
  'SimpleAggregateFunction(sum, UInt64)',
  'Array(AggregateFunction(uniq, String))',
  "Object('json')",
  'JSON(max_dynamic_paths = 1)',
  'Dynamic(max_types = 255)',
  'Nullable(UInt8',
  'UInt8)',
  'UInt8, String',
  'UInt8()',
  'UInt8 default 1',
  "Enum8('a\\'' = 1)",
  'Array(UInt8 default 1)',
  'Tuple(a UInt8 alias 1)',
  `${'Array('.repeat(30)}UInt8${')'.repeat(30)}`,
])('%s is not', (text) => expect(isPlainType(text)).toBe(false))

test('columns are names with plain types and nothing beside them', () => {
  expect(isPlainColumns('a UInt8, `b c` String,"d" Nested(e UInt8)')).toBe(true)
  for (const more of [
    'alias 1',
    'default 1',
    'materialized 1',
    'ephemeral',
    'codec(LZ4)',
    "comment 'x'",
    'ttl now()',
    'not null',
  ])
    expect([more, isPlainColumns(`a UInt8, b String ${more}`)]).toEqual([more, false])
  for (const text of [
    'a',
    'a UInt8,',
    'a UInt8; b String',
    'a UInt8 /* */',
    'a = 1',
    'index i a type minmax',
  ])
    expect([text, isPlainColumns(text)]).toEqual([text, false])
})
