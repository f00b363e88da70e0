import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '#events/event'
import { runs } from '#test/random/chance'
import { type JsonBounds, JsonRefusedError, parseInSlices, defaultBounds } from './json-slices'

function parse(text: string, bounds: JsonBounds = defaultBounds): { value: Json; slices: number } {
  const work = parseInSlices(text, bounds)
  for (let slices = 1; ; slices++) {
    const step = work.next()
    if (step.done) return { value: step.value, slices }
  }
}

const filler = 'x'.repeat(70_000)

/** Texts that are cut into slices wherever something long stands. */
const long = fc
  .json({ maxDepth: 4 })
  .map((text) =>
    JSON.stringify(JSON.parse(text), (_key, value: unknown) => (value === null ? filler : value)),
  )

test('what is parsed in slices is what JSON.parse makes of it', () => {
  fc.assert(
    fc.property(long, fc.array(long, { maxLength: 3 }), (one, more) => {
      for (const text of [one, `[${more.join(' , ')}]`, `{"a":${one},"__proto__":[${more.join()}],"a":1}`])
        expect(parse(text).value).toEqual(JSON.parse(text))
    }),
    { numRuns: runs(150) },
  )
})

test('keys keep their order, and one named like the prototype stays a key', () => {
  const text = `{"first":1,"long":{"a":"${filler}","__proto__":{"x":1}},"last":["${filler}",{}]}`
  const { value } = parse(text)
  expect(JSON.stringify(value)).toBe(text)
  expect(Reflect.get({}, 'x')).toBeUndefined()
})

test('what JSON.parse refuses is refused wherever the fault stands', () => {
  const good = `{"api_key":"k","batch":[{"event":"${filler}"},{"n":1},{"event":"${filler}"}] , "n": -1.5e3}`
  expect(parse(good).value).toEqual(JSON.parse(good))
  const faults = [',', ':', '}', ']', '{', '[', '"', 'null', ',,', '1', ' x ']
  const places = Array.from({ length: good.length }, (_, at) => at).filter((at) => good[at] !== 'x')
  const isRefused = (text: string): boolean => {
    try {
      parse(text)
      return false
    } catch (problem) {
      if (!(problem instanceof JsonRefusedError)) throw problem
      return true
    }
  }
  const isRefusedByNative = (text: string): boolean => {
    try {
      JSON.parse(text)
      return false
    } catch {
      return true
    }
  }
  for (const at of places)
    for (const fault of faults) {
      const text = good.slice(0, at) + fault + good.slice(at)
      expect([at, fault, isRefused(text)]).toEqual([at, fault, isRefusedByNative(text)])
    }
})

test('a text of megabytes is parsed in many slices', () => {
  const batch = Array.from({ length: 20_000 }, (_, n) => ({
    event: 'e',
    distinct_id: `u${n}`,
    properties: { n },
  }))
  const { value, slices } = parse(JSON.stringify({ api_key: 'k', batch }))
  expect(value).toEqual({ api_key: 'k', batch })
  expect(slices).toBeGreaterThan(20)
})

test.each<[string, string, JsonRefusedError['why']]>([
  ['more events than a request may hold', `{"batch":[${'{},'.repeat(20_000)}{}]}`, 'too-large'],
  ['more events in a bare list', `[${'{},'.repeat(20_000)}{}]`, 'too-large'],
  ['more levels than an application nests', `${'['.repeat(201)}${']'.repeat(201)}`, 'unreadable'],
  ['more keys than an event may have', `{${'"a":1,'.repeat(150_000)}"b":1}`, 'unreadable'],
  ['more objects than fit into memory', `[[[[${'{},'.repeat(400_000)}{}]]]]`, 'unreadable'],
])('%s: refused before anything of it is made', (_what, text, why) => {
  expect(() => parse(text)).toThrow(expect.objectContaining({ name: 'JsonRefusedError', why }))
})
