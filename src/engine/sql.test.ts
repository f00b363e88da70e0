import { expect, test } from 'vitest'
import {
  bool,
  date,
  dateTime,
  float,
  identifier,
  int,
  nullable,
  render,
  sql,
  string,
  strings,
  uint,
  uints,
  uuid,
  uuids,
  type Sql,
} from './sql'

test('values never become part of the text: they go to numbered places of their type', () => {
  const statement = sql`select ${string(`'; drop table events`)}, ${uint(7)}, ${bool(true)} from events`
  expect(render(statement)).toEqual({
    text: 'select {p0:String}, {p1:UInt64}, {p2:Bool} from events',
    parameters: { p0: `'; drop table events`, p1: 7n, p2: true },
  })
})

test('fragments fit into statements and into one another, and their parameters are numbered again', () => {
  const inProject = (id: number) => sql`project_id = ${uint(id)}`
  const recent = sql`timestamp >= ${dateTime(new Date('2026-11-21T05:15:45.322Z'))} and ${inProject(2)}`
  expect(render(sql`select 1 from events where ${inProject(1)} or (${recent}) or ${inProject(3)}`)).toEqual({
    text:
      'select 1 from events where project_id = {p0:UInt64} or ' +
      "(timestamp >= {p1:DateTime64(3, 'UTC')} and project_id = {p2:UInt64}) or project_id = {p3:UInt64}",
    parameters: { p0: 1n, p1: '2026-11-21 05:15:45.322', p2: 2n, p3: 3n },
  })
})

test('one fragment may be used twice', () => {
  const name = string('a')
  expect(render(sql`${name} = ${name}`)).toEqual({
    text: '{p0:String} = {p0:String}',
    parameters: { p0: 'a' },
  })
})

test('the same value is sent once for each type, and nothing else is taken for the same', () => {
  const parts = [string('1'), strings(['1']), uint(1), string('1'), float(1), uint(1)]
  expect(render(sql.join(parts))).toEqual({
    text: '{p0:String}, {p1:Array(String)}, {p2:UInt64}, {p0:String}, {p3:Float64}, {p2:UInt64}',
    parameters: { p0: '1', p1: ['1'], p2: 1n, p3: 1 },
  })
})

test.each([
  // parts                            joined
  [[], ''],
  [[string('a')], '{p0:String}'],
  [[string('a'), sql`b`, uint(1)], '{p0:String}, b, {p1:UInt64}'],
])('parts are joined by a comma', (parts, text) => {
  expect(render(sql`${sql.join(parts)}`).text).toBe(text)
})

test('parts are joined by whatever is asked for, bound values included', () => {
  const joined = sql.join([sql`a = 1`, sql`b = ${int(-2)}`], sql` and ${bool(true)} and `)
  expect(render(joined)).toEqual({
    text: 'a = 1 and {p0:Bool} and b = {p1:Int64}',
    parameters: { p0: true, p1: -2n },
  })
})

test.each([
  ['a text', 'events; drop table events'],
  ['a number', 7],
  ['nothing', undefined],
  ['what looks like a fragment but came from JSON', { pieces: ['drop table events'] }],
  ['a list', [sql`a`]],
])('%s is not taken for a part of a statement', (_, value) => {
  // The compiler refuses these; what comes from outside it may not.
  const part = value as unknown as Sql
  expect(() => sql`select ${part}`).toThrow('Give the value a type')
})

test.each([
  // made how                                    complaint
  ['a negative uint', () => uint(-1), '-1 is not between 0 and 18446744073709551615.'],
  ['a uint too large', () => uint(2n ** 64n), 'is not between'],
  ['a fraction', () => int(1.5), '1.5 is not a whole number.'],
  ['a number that has lost its last digits', () => uint(2 ** 53), '9007199254740992 is not a whole number.'],
  ['not a number', () => int(Number.NaN), 'NaN is not a whole number.'],
  ['one bad uint among good ones', () => uints([1, -1]), '-1 is not between'],
  ['a word for a uuid', () => uuid('nobody'), '"nobody" is not a UUID.'],
  [
    'one bad uuid among good ones',
    () => uuids(['01a1fc88-2d2a-700f-b7c1-203a7a4d0950', '']),
    '"" is not a UUID.',
  ],
  ['a word for a day', () => date('today'), '"today" is not a day. Write it like 2026-11-21.'],
  ['a day that does not exist', () => date('2026-02-30'), '"2026-02-30" is not a day.'],
  ['a moment that is none', () => dateTime(new Date('never')), 'Invalid time value'],
])('%s is refused before it reaches the engine', (_, make, complaint) => {
  expect(make).toThrow(complaint)
})

test('a name must be in the catalogue, and be a name', () => {
  const columns = ['browser', 'os', 'the best']
  expect(render(sql`select ${identifier('os', columns)}`).text).toBe('select `os`')
  expect(() => identifier('password', columns)).toThrow('Unknown name in a statement: "password".')
  expect(() => identifier('the best', columns)).toThrow('cannot be a name')
  expect(() => identifier('a` from secrets --', ['a` from secrets --'])).toThrow('cannot be a name')
})

test.each([
  [nullable(string, null), 'Nullable(String)', null],
  [nullable(string, ''), 'Nullable(String)', ''],
  [nullable(uint, 0), 'Nullable(UInt64)', 0n],
  [nullable(bool, false), 'Nullable(Bool)', false],
  [nullable(float, 0), 'Nullable(Float64)', 0],
])('a value that may be missing keeps its type: %#', (fragment, type, value) => {
  expect(render(fragment)).toEqual({ text: `{p0:${type}}`, parameters: { p0: value } })
})

test('a long text travels in portions that are never cut inside a character', () => {
  const text = `x${'🌱'.repeat(50_000)}`
  const { text: statement, parameters } = render(sql`${string(text)} = ${string('short')}`)
  const portions = Object.values(parameters)
  expect(portions.pop()).toBe('short')
  expect(statement).toBe('concat({p0:String}, {p1:String}, {p2:String}) = {p3:String}')
  expect(portions.join('')).toBe(text)
  expect(portions.every((portion) => String(portion).isWellFormed())).toBe(true)
})

test('a long list travels in portions, a short one does not', () => {
  const names = Array.from({ length: 20_000 }, (_, i) => `name ${i}`)
  const { text, parameters } = render(strings(names))
  expect(text).toMatch(/^arrayConcat\(\{p0:Array\(String\)\}, \{p1:Array\(String\)\}/)
  expect(Object.values(parameters).flat()).toEqual(names)
  expect(render(strings([]))).toEqual({ text: '{p0:Array(String)}', parameters: { p0: [] } })
})
