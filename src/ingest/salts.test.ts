import { createSecretKey, type KeyObject } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aSaltKeeper, aSetWorld } from '#test/product/ingest-fixture'
import { cookielessId, saltFileStorage, Salts } from './salts'

const fail = (error: unknown): never => {
  throw error
}

async function openSalts(at: string, keeper = aSaltKeeper()) {
  const world = aSetWorld(at, at)
  return { world, keeper, salts: await Salts.open(world, keeper, fail) }
}

const hex = (salt: KeyObject | undefined): string | undefined => salt?.export().toString('hex')
const base64 = (salt: KeyObject): string => salt.export().toString('base64')

describe('salts', () => {
  test('one lasts from midnight to midnight, and is 32 bytes', async () => {
    const { world, salts } = await openSalts('2026-03-02T00:00:00Z')
    const first = hex(salts.current())
    expect(first).toHaveLength(64)
    world.set('2026-03-02T23:59:59.999Z')
    expect(hex(salts.current())).toBe(first)
    world.set('2026-03-03T00:00:00Z')
    expect(hex(salts.current())).not.toBe(first)
  })

  test('yesterday’s is at hand for an hour, and then is nowhere', async () => {
    const { world, salts, keeper } = await openSalts('2026-03-02T23:50:00Z')
    const first = salts.current()
    world.set('2026-03-03T00:10:00Z')
    expect(hex(salts.previous())).toBe(hex(first))
    world.set('2026-03-03T01:00:00Z')
    expect(salts.previous()).toBeUndefined()
    await salts.saved()
    expect(keeper.kept).not.toContain(base64(first))
  })

  test('it is destroyed on time without any visit', async () => {
    const { world, salts, keeper } = await openSalts('2026-03-02T23:50:00Z')
    const first = base64(salts.current())
    world.set('2026-03-04T23:50:00Z')
    salts.rotate()
    await salts.saved()
    expect(keeper.kept).not.toContain(first)
  })

  test('a restart on the same day keeps the same one', async () => {
    const { salts, keeper } = await openSalts('2026-03-02T10:00:00Z')
    const again = await openSalts('2026-03-02T11:00:00Z', aSaltKeeper(keeper.kept))
    expect(hex(again.salts.current())).toBe(hex(salts.current()))
  })

  test('a restart days later finds no usable salt', async () => {
    const { salts, keeper } = await openSalts('2026-03-02T10:00:00Z')
    const later = await openSalts('2026-03-05T10:00:00Z', aSaltKeeper(keeper.kept))
    expect(hex(later.salts.current())).not.toBe(hex(salts.current()))
    expect(later.keeper.kept).not.toContain(base64(salts.current()))
  })

  test.each([
    ['three days ahead', '2026-03-05T10:00:00Z'],
    ['three days back', '2026-02-27T10:00:00Z'],
  ])('a clock set %s destroys both and starts new ones', async (_name, jumped) => {
    const { world, salts, keeper } = await openSalts('2026-03-02T10:00:00Z')
    const first = hex(salts.current())
    world.set(jumped)
    const second = hex(salts.current())
    expect(second).not.toBe(first)
    expect(salts.previous()).toBeUndefined()
    world.set('2026-03-02T10:00:01Z')
    expect(hex(salts.current())).not.toBe(first)
    await salts.saved()
    expect(JSON.parse(keeper.kept ?? '')).toHaveLength(1)
  })

  test('a clock put right by a second at midnight does not count anybody twice', async () => {
    const { world, salts } = await openSalts('2026-03-02T23:59:00Z')
    world.set('2026-03-03T00:00:00.500Z')
    const next = hex(salts.current())
    world.set('2026-03-02T23:59:59.900Z')
    expect(hex(salts.current())).toBe(next)
    world.set('2026-03-03T00:00:10Z')
    expect(hex(salts.current())).toBe(next)
  })

  test.each(['', 'no json', '{}', '[1,null,{"day":"x"},{"day":20514,"salt":"dG9vIHNob3J0"}]'])(
    'a file with %o in it is as good as none',
    async (text) => {
      const { salts } = await openSalts('2026-03-02T10:00:00Z', aSaltKeeper(text))
      expect(hex(salts.current())).toHaveLength(64)
    },
  )
})

describe('salts that several share', () => {
  /** The shared salts by day; out of reach while the keeper is away. */
  function aSharedKeeper() {
    const kept = new Map<number, string>()
    const keeper = {
      isShared: true,
      isAway: false,
      kept,
      load: async () => JSON.stringify([...kept].map(([day, salt]) => ({ day, salt }))),
      async save(text: string) {
        if (keeper.isAway) throw new Error('away')
        for (const { day, salt } of JSON.parse(text)) if (!kept.has(day)) kept.set(day, salt)
      },
    }
    return keeper
  }

  async function two(at: string) {
    const [keeper, world, troubles] = [aSharedKeeper(), aSetWorld(at), [] as unknown[]]
    const open = () => Salts.open(world, keeper, (trouble) => troubles.push(trouble))
    return { keeper, world, troubles, one: await open(), other: await open() }
  }

  test('are the same from the start, and across midnight, without asking at midnight', async () => {
    const { world, one, other } = await two('2026-03-02T22:30:00Z')
    expect(hex(one.current())).toBe(hex(other.current()))
    world.set('2026-03-02T23:05:00Z')
    for (const salts of [one, other]) await salts.synchronize()
    const monday = hex(one.current())
    world.set('2026-03-03T00:00:00Z')
    expect(hex(one.current())).toBe(hex(other.current()))
    expect(hex(one.current())).not.toBe(monday)
    expect([hex(one.previous()), hex(other.previous())]).toEqual([monday, monday])
  })

  test('differ while the store is away, and are the same again when it is back', async () => {
    const { keeper, world, troubles, one, other } = await two('2026-03-02T12:00:00Z')
    keeper.isAway = true
    world.set('2026-03-03T12:00:00Z')
    for (const salts of [one, other]) await salts.synchronize()
    expect(troubles).not.toEqual([])
    expect(hex(one.current())).not.toBe(hex(other.current()))
    keeper.isAway = false
    for (const salts of [one, other]) await salts.synchronize()
    expect(hex(one.current())).toBe(hex(other.current()))
  })

  test('tomorrow’s is made in the last hour, and today’s is used until then', async () => {
    const { keeper, world, one } = await two('2026-03-02T22:59:59Z')
    await one.synchronize()
    expect(keeper.kept.size).toBe(1)
    const monday = hex(one.current())
    world.set('2026-03-02T23:00:00Z')
    await one.synchronize()
    expect(keeper.kept.size).toBe(2)
    world.set('2026-03-02T23:59:59.999Z')
    expect(hex(one.current())).toBe(monday)
  })

  test('a front that starts in the last hour uses today’s, too', async () => {
    const { keeper, world, one } = await two('2026-03-02T23:30:00Z')
    const late = await Salts.open(world, keeper, fail)
    expect(hex(late.current())).toBe(hex(one.current()))
  })
})

describe('the file of the salts', () => {
  function aFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'tilth-salts-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  }

  test('is readable by its owner only, in a folder of its own', async () => {
    const folder = aFolder()
    const salts = await Salts.open(aSetWorld(), saltFileStorage(folder), fail)
    const file = join(folder, 'salts', 'salts.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'salts')).mode & 0o777).toBe(0o700)
    expect(readFileSync(file, 'utf8')).toContain(base64(salts.current()))
  })

  test('is private again after its permissions were widened', async () => {
    const folder = aFolder()
    const world = aSetWorld()
    const keeper = saltFileStorage(folder)
    const salts = await Salts.open(world, keeper, fail)
    writeFileSync(join(folder, 'salts', 'salts.json.new'), 'left over', { mode: 0o666 })
    world.set('2026-03-03T12:00:00Z')
    salts.rotate()
    await salts.saved()
    expect(statSync(join(folder, 'salts', 'salts.json')).mode & 0o777).toBe(0o600)
  })

  test('that cannot be written is reported, and nothing stops', async () => {
    const troubles: unknown[] = []
    const broken = {
      load: async () => undefined,
      save: async () => {
        throw new Error('no space left')
      },
    }
    const salts = await Salts.open(aSetWorld(), broken, (error) => troubles.push(error))
    expect(hex(salts.current())).toHaveLength(64)
    expect(troubles).toHaveLength(1)
  })
})

describe('a visitor without an id', () => {
  const trail = { projectId: 1, domain: 'example.com', address: '203.0.113.7', userAgent: 'Firefox' }
  const salt = createSecretKey(new Uint8Array(32).fill(7))

  test('is the same for as long as the salt is', () => {
    expect(cookielessId(salt, trail)).toBe(cookielessId(salt, { ...trail }))
    expect(cookielessId(salt, trail)).toMatch(/^cookieless_[\w-]{22}$/)
  })

  test.each([
    [{ projectId: 2 }],
    [{ domain: 'example.net' }],
    [{ address: '203.0.113.8' }],
    [{ userAgent: 'Chrome' }],
  ])('is another one with %o', (other) => {
    expect(cookielessId(salt, { ...trail, ...other })).not.toBe(cookielessId(salt, trail))
  })

  test('is another one with another salt', () => {
    expect(cookielessId(createSecretKey(new Uint8Array(32).fill(8)), trail)).not.toBe(
      cookielessId(salt, trail),
    )
  })
})
