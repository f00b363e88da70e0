import { expect, test } from 'vitest'
import { z } from 'zod'
import { describedOnce } from './described-once'

const target = { target: 'draft-2020-12' } as const

test('a schema says the same as before, is described once, and still parses', () => {
  const schema = z.object({ limit: z.number().default(3) })
  const once = describedOnce(schema)['~standard']
  for (const side of ['input', 'output'] as const) {
    const first = once.jsonSchema[side](target)
    expect(first).toEqual(schema['~standard'].jsonSchema[side](target))
    expect(once.jsonSchema[side](target)).toBe(first)
  }
  expect(once.validate({})).toEqual({ value: { limit: 3 } })
})
