import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { queryInput } from '#insights/query-input'
import { endpoints } from '../endpoints'
import { unknownFields, unknownParameters } from './unknown-fields'

const messages = (schema: z.ZodType, input: unknown) =>
  unknownFields(schema, input).map(({ field, message }) => [field, message])

const inner = z.object({ filter: z.string().optional(), limit: z.number().default(10) })
const schema = z.object({
  name: z.string(),
  inner: inner.optional(),
  list: z.array(inner).default([]),
  byKey: z.record(z.string(), inner).optional(),
  either: z.union([z.object({ one: z.number() }), z.object({ two: z.number() })]).optional(),
  anything: z.looseObject({ kind: z.string() }).optional(),
  later: z.lazy(() => inner).optional(),
  changed: inner.transform(({ limit }) => limit).optional(),
  prepared: z.preprocess((value) => value, inner).optional(),
})

describe('a field that no schema knows', () => {
  test.each<[input: object, field: string, message: string]>([
    [{ name: 'x', nmae: 'y' }, 'nmae', 'There is no field "nmae" here. Did you mean "name"?'],
    [{ inner: { filters: 1 } }, 'inner.filters', 'There is no field "filters" here. Did you mean "filter"?'],
    [{ list: [{}, { zzz: 1 }] }, 'list.1.zzz', 'There is no field "zzz" here. Known: filter, limit.'],
    [{ byKey: { a: { zzz: 1 } } }, 'byKey.a.zzz', 'There is no field "zzz" here. Known: filter, limit.'],
    [{ either: { two: 2, tow: 1 } }, 'either.tow', 'There is no field "tow" here. Did you mean "two"?'],
    [{ later: { limits: 1 } }, 'later.limits', 'There is no field "limits" here. Did you mean "limit"?'],
    [{ changed: { limits: 1 } }, 'changed.limits', 'There is no field "limits" here. Did you mean "limit"?'],
    [
      { prepared: { limits: 1 } },
      'prepared.limits',
      'There is no field "limits" here. Did you mean "limit"?',
    ],
    [JSON.parse('{"__proto__": 1}') as object, '__proto__', expect.stringContaining('no field "__proto__"')],
  ])('of %j is named', (input, field, message) => {
    expect(messages(schema, input)).toEqual([[field, message]])
  })

  test.each([
    [{ name: 'x', inner: { limit: 3 }, list: [{ filter: 'f' }], either: { one: 1 } }],
    [{ anything: { kind: 'x', more: 1 } }],
    [{ inner: 'not an object', list: { 0: { zzz: 1 } } }],
    [undefined],
    [[{ zzz: 1 }]],
  ])('is not seen in %j', (input) => {
    expect(messages(schema, input)).toEqual([])
  })

  test('of a query is looked for among those of its kind, under its earlier name too', () => {
    const trend = { kind: 'trend', series: [{ event: 'signup', filters: [] }], periode: '7d' }
    expect(messages(z.object({ question: queryInput }), { question: trend })).toEqual([
      ['question.series.0.filters', 'There is no field "filters" here. Did you mean "filter"?'],
      ['question.periode', 'There is no field "periode" here. Did you mean "period"?'],
    ])
    expect(messages(queryInput, { kind: 'led', periode: '7d' })).toHaveLength(1)
    expect(messages(queryInput, { kind: 'no such kind', periode: '7d' })).toEqual([])
  })

  test('is left to the parsers, which have limits, in an input that is nested too deep', () => {
    const filter: z.ZodType = z.lazy(() =>
      z.union([z.object({ all: z.array(filter) }), z.object({ one: z.string() })]),
    )
    const deep = JSON.parse('{"all":['.repeat(50_000) + ']}'.repeat(50_000)) as unknown
    expect(messages(filter, deep)).toEqual([])
  })
})

test('a query parameter that an endpoint does not know is named once', () => {
  const query = new URLSearchParams('perid=7d&perid=30d&limit=1')
  expect(unknownParameters(z.object({ period: z.string(), limit: z.number() }), query)).toEqual([
    { field: 'perid', message: 'There is no query parameter "perid" here. Did you mean "period"?' },
  ])
  expect(unknownParameters(undefined, query)).toMatchObject([
    { field: 'perid', message: 'There is no query parameter "perid" here. Leave it out.' },
    { field: 'limit' },
  ])
})

test('every input of the API can be walked', () => {
  const inputs = endpoints.flatMap(({ input }) => input ?? [])
  expect(inputs.length).toBeGreaterThan(50)
  for (const input of inputs) expect(() => unknownFields(input, { zzz: [{ zzz: {} }] })).not.toThrow()
})
