import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aFolder, aWorld, present } from '#test/product/fixture'
import { isSealed, Seal, sealFile } from './seal'

const secret = '{"token":"hush"}'

describe('a sealed text', () => {
  test('is JSON, holds nothing of what it hides, and is another one each time', () => {
    const seal = new Seal({ folder: aFolder(), world: aWorld() })
    const [one, other] = [seal.close(secret, '1 api'), seal.close(secret, '1 api')]

    expect(JSON.parse(one)).toEqual(expect.any(String))
    expect(isSealed(one)).toBe(true)
    expect(one).not.toContain('hush')
    expect(one).not.toBe(other)
    expect([one, other].map((text) => seal.open(text, '1 api'))).toEqual([secret, secret])
  })

  test.each<[string, (sealed: string) => string]>([
    ['one letter of it is another', (sealed) => swapped(sealed, sealed.length - 3)],
    ['its tag is another', (sealed) => swapped(sealed, '"sealed1.12345678.1234567890123456.'.length + 2)],
    ['it is cut off', (sealed) => `${sealed.slice(0, -5)}"`],
    ['it never was one', () => '"sealed1.x"'],
  ])('cannot be read when %s', (_, spoilt) => {
    const seal = new Seal({ folder: aFolder(), world: aWorld() })

    expect(seal.open(spoilt(seal.close(secret, '1 api')), '1 api')).toBeUndefined()
  })

  test('cannot be passed off as another flag’s', () => {
    const seal = new Seal({ folder: aFolder(), world: aWorld() })

    expect(seal.open(seal.close(secret, '1 api'), '2 api')).toBeUndefined()
  })

  test('is readable by every process on the folder, and not with another key', () => {
    const folder = aFolder()
    const sealed = new Seal({ folder, world: aWorld() }).close(secret, '1 api')

    expect(new Seal({ folder, world: aWorld('another') }).open(sealed, '1 api')).toBe(secret)
    expect(new Seal({ folder: aFolder(), world: aWorld('another') }).open(sealed, '1 api')).toBeUndefined()
  })
})

test('the key is for its owner alone, and is made once', () => {
  const folder = aFolder()
  new Seal({ folder, world: aWorld() }).close(secret, '1 api')
  const file = join(folder, sealFile)
  const key = readFileSync(file, 'utf8')
  new Seal({ folder, world: aWorld('another') }).close(secret, '1 api')

  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toBe(key)
})

test('a key that was there before is used, and never written over', () => {
  const folder = aFolder()
  const key = Buffer.alloc(32, 7).toString('base64url')
  writeFileSync(join(folder, sealFile), `${key}\n`)
  new Seal({ folder, world: aWorld() }).close(secret, '1 api')

  expect(readFileSync(join(folder, sealFile), 'utf8')).toBe(`${key}\n`)
})

function swapped(text: string, place: number): string {
  const letter = present(text[place])
  return text.slice(0, place) + (letter === 'A' ? 'B' : 'A') + text.slice(place + 1)
}
