import { expect, test } from 'vitest'
import { z } from 'zod'
import { applyChange, changeOf, newOf, partOf } from './change-of'

const paint = z.strictObject({
  name: z.string(),
  colour: z.string().default('green'),
  tags: z.array(z.string()).prefault(['new']),
  maker: z.string().optional(),
})
const red: z.infer<typeof paint> = { name: 'A', colour: 'red', tags: [], maker: 'Ana' }

test.each<[string, object, object]>([
  ['an absent field stays, also one with a default', {}, red],
  [
    'a field that is given is replaced',
    { colour: 'blue', tags: ['old'] },
    { ...red, colour: 'blue', tags: ['old'] },
  ],
  ['null removes an optional field', { maker: null }, { ...red, maker: undefined }],
])('%s', (_, input, changed) => {
  expect(applyChange(red, changeOf(paint).parse(input))).toEqual(changed)
})

test.each([
  ['null for a field that every paint has', { name: null }],
  ['an unknown field', { gloss: 1 }],
])('%s is refused', (_, input) => {
  expect(changeOf(paint).safeParse(input).success).toBe(false)
})

test('null in a new entity leaves out an optional field, and no other', () => {
  const { name, colour, tags } = red
  expect(newOf(paint).parse({ name, colour, tags, maker: null })).toEqual({ name, colour, tags })
  expect(newOf(paint).safeParse({ name, colour: null }).success).toBe(false)
})

test('the part of an entity has the fields of its schema alone', () => {
  expect(partOf(paint.pick({ name: true, maker: true }), { ...red, secret: 1 })).toEqual({
    name: 'A',
    maker: 'Ana',
  })
})
