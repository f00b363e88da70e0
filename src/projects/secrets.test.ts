import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aWorld } from '#test/product/fixture'
import { realWorld } from '#world/world'
import {
  checksum,
  hashToken,
  newId,
  newSecretKey,
  newSetupCode,
  newToken,
  newWriteKey,
  normalizeSetupCode,
  randomText,
} from './secrets'

describe('chance written as text', () => {
  test('has the asked length and letters and digits alone, whatever the chance', () => {
    const worlds = fc.string().map((seed) => aWorld(seed))
    fc.assert(
      fc.property(worlds, fc.nat(300), (world, length) =>
        new RegExp(`^[0-9A-Za-z]{${length}}$`).test(randomText(length, world)),
      ),
    )
  })

  test('leaves out the bytes that would favour some letters', () => {
    const bytes = [255, 248, 0, 250, 61, 247, 62]
    const world = { ...aWorld(), random: () => Uint8Array.from(bytes) }

    // 248 and above fall through; 62 begins again at the first letter
    expect(randomText(4, world)).toBe('0zz0')
  })

  test('uses every letter about as often', () => {
    const counts = new Map<string, number>()
    for (const letter of randomText(62_000, aWorld())) counts.set(letter, (counts.get(letter) ?? 0) + 1)

    expect(counts.size).toBe(62)
    // a thousand of each expected; five standard deviations are about 160
    expect(Math.min(...counts.values())).toBeGreaterThan(840)
    expect(Math.max(...counts.values())).toBeLessThan(1160)
  })
})

test.each<[string, () => string, RegExp]>([
  ['a token', () => newToken(realWorld), /^[0-9A-Za-z]{43}$/],
  ['a write key', () => newWriteKey(realWorld), /^phc_[0-9A-Za-z]{40}$/],
  ['a secret key', () => newSecretKey(realWorld), /^tilth_[0-9A-Za-z]{43}[0-9a-z]{7}$/],
  ['a set-up code', () => newSetupCode(realWorld), /^(?:[2-9A-HJKMNP-TV-Z]{4}-){2}[2-9A-HJKMNP-TV-Z]{4}$/],
  ['an id', () => newId(realWorld), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
])('%s has its shape and is never the same twice', (_, make, shape) => {
  const made = Array.from({ length: 500 }, make)

  expect(made.filter((text) => !shape.test(text))).toEqual([])
  expect(new Set(made).size).toBe(made.length)
})

test('the end of a secret key tells a real one from one with a letter changed', () => {
  const body = newSecretKey(aWorld()).slice('tilth_'.length)
  const [secret, sum] = [body.slice(0, 43), body.slice(43)]

  expect(checksum(secret)).toBe(sum)
  for (let place = 0; place < secret.length; place++) {
    const changed = secret.slice(0, place) + (secret[place] === 'a' ? 'b' : 'a') + secret.slice(place + 1)
    expect(checksum(changed)).not.toBe(sum)
  }
})

test.each([
  ['ABCD-EFGH-JKMN', 'ABCDEFGHJKMN'],
  ['abcd efgh jkmn', 'ABCDEFGHJKMN'],
  ['  ABCDEFGHJKMN\n', 'ABCDEFGHJKMN'],
  ['', ''],
])('a set-up code typed as %j is read as %j', (typed, code) => {
  expect(normalizeSetupCode(typed)).toBe(code)
})

test('what is kept of a token is its SHA-256', () => {
  expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
