import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { asSent, stringKeysText, valueOfStoredText } from './sent-values'

test.each<[string, unknown]>([
  ['5', 5],
  ['-0.5', -0.5],
  ['1e+21', 1e21],
  ['1.0', undefined],
  ['007', undefined],
  ['5 apples', undefined],
  ['true', true],
  ['true story', undefined],
  ['[1,"a"]', [1, 'a']],
  ['[unclosed', undefined],
  ['{"a":null}', { a: null }],
  ['null', undefined],
  ['', undefined],
])('%j was sent as %j, or as a text', (text, value) => expect(valueOfStoredText(text)).toEqual(value))

test('values come back as they were sent', () => {
  const value = fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((one) => !Object.is(one, -0)),
    fc.boolean(),
    fc.integer().map(String),
    fc.array(fc.integer()),
  )
  fc.assert(
    fc.property(value, (sent) => {
      const text = typeof sent === 'object' ? JSON.stringify(sent) : String(sent)
      const keys = typeof sent === 'string' && valueOfStoredText(text) !== undefined ? ['it'] : []
      expect(asSent({ it: text }, stringKeysText(keys))).toEqual({ it: sent })
    }),
  )
})
