import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import type { Engine } from '#engine/engine'
import type { IdentityClaim, PreparedEvent } from '#events/event'
import { openStore } from '#store/open'
import type { Store } from '#store/store'
import { runs } from '#test/random/chance'
import { coinedName } from './naming/coined-name'
import { isMeaningfulId, nameIdOf, personIdOf } from './person'
import { IdentityResolver } from './identity-resolver'
import { personsOf } from './store'
import { loadMirrorBatch, markMirrored } from './internal/stored-mirror'

let folder: string
let store: Store

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tilth-people-'))
  cpSync(inject('migratedStore'), folder, { recursive: true })
  store = await openStore({ folder })
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

// finding out who is who never asks the engine
const noEngine = undefined as unknown as Engine

const people = () => new IdentityResolver({ store, engine: noEngine, journal: 'test' })

let clock = Date.parse('2026-10-01T00:00:00Z')

function happened(distinctId: string, rest: Partial<PreparedEvent> = {}): PreparedEvent {
  const at = new Date((clock += 1000))
  return {
    uuid: crypto.randomUUID(),
    projectId: 1,
    name: 'e',
    at,
    receivedAt: at,
    distinctId,
    sessionId: '',
    hasPerson: true,
    isCookieless: false,
    person: { set: {}, setOnce: {}, unset: [], add: {} },
    identity: undefined,
    groups: {},
    group: undefined,
    columns: {},
    properties: {},
    ...rest,
  }
}

const identifies = (distinctId: string, anonymous: string, rest: Partial<PreparedEvent> = {}) =>
  happened(distinctId, { name: '$identify', identity: { kind: 'identify', anonymous }, ...rest })
const aliases = (distinctId: string, alias: string) =>
  happened(distinctId, { identity: { kind: 'alias', alias } })
const mergesByForce = (distinctId: string, other: string) =>
  happened(distinctId, { identity: { kind: 'merge', other } })
const sets = (distinctId: string, person: Partial<PreparedEvent['person']>) =>
  happened(distinctId, { person: { set: {}, setOnce: {}, unset: [], add: {}, ...person } })

let sequence = 0
beforeEach(() => {
  sequence = 0
})
const read = (events: PreparedEvent[], by = people()) => by.resolve(events, ++sequence)

async function whoIs(...distinctIds: string[]): Promise<readonly string[]> {
  return await people().resolve(
    distinctIds.map((distinctId) => happened(distinctId, { hasPerson: false })),
    0,
  )
}

/** Returns the person that the engine would answer for a row once written under this person's number. */
async function overridden(personId: string): Promise<string> {
  const { overrides } = await loadMirrorBatch(store)
  return overrides.find(({ from }) => from === personId)?.to ?? personId
}

async function propertiesOf(distinctId: string): Promise<unknown> {
  const [id = ''] = await whoIs(distinctId)
  const [person] = await personsOf(store, 1, [id])
  return person?.properties
}

describe('who is who', () => {
  test('an id that was never merged stands for its own person, the same every time', async () => {
    expect(await whoIs('ana')).toEqual([personIdOf(1, 'ana')])
    expect(personIdOf(1, 'ana')).not.toBe(personIdOf(2, 'ana'))
    expect(personIdOf(1, 'ana')).toMatch(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  })

  test('identify makes the visitor before and the known one a single person, past rows included', async () => {
    const [before = ''] = await whoIs('anon-1')
    await read([identifies('ana', 'anon-1')])
    const [anonymous, ana = ''] = await whoIs('anon-1', 'ana')
    expect(anonymous).toBe(ana)
    expect(await overridden(before)).toBe(ana)
  })

  test('a person that another front has merged is known within a minute', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const here = new IdentityResolver({ store, engine: noEngine, journal: 'here', isOnlyWriter: false })
    const lookUp = () => here.resolve([happened('anon-1', { hasPerson: false })], 0)
    const [before] = await lookUp()
    await read([identifies('ana', 'anon-1')])
    // for as long as it is remembered here, an override corrects what is stored meanwhile
    expect(await lookUp()).toEqual([before])
    vi.advanceTimersByTime(60_000)
    expect(await lookUp()).toEqual([personIdOf(1, 'ana')])
  })

  test('a known person is not folded into another by a mere identify or alias, but by force', async () => {
    await read([identifies('ana', 'anon-1'), identifies('ben', 'ana'), aliases('ben', 'ana')])
    const [ana, ben] = await whoIs('ana', 'ben')
    expect(ana).not.toBe(ben)
    await read([mergesByForce('ben', 'ana')])
    const [merged, into, anonymous] = await whoIs('ana', 'ben', 'anon-1')
    expect([merged, anonymous]).toEqual([into, into])
  })

  test('an anonymous visitor goes to the first who claims them', async () => {
    await read([identifies('ana', 'shared-browser'), identifies('ben', 'shared-browser')])
    const [ana, ben, browser] = await whoIs('ana', 'ben', 'shared-browser')
    expect(browser).toBe(ana)
    expect(ana).not.toBe(ben)
  })

  test.each([
    'anonymous',
    'null',
    'undefined',
    '0',
    '',
    'NaN',
    '[object Object]',
    '$posthog_cookieless',
    '"guest"',
  ])('everyone who calls themselves %j stays apart', async (nobody) => {
    expect(isMeaningfulId(nobody)).toBe(false)
    await read([identifies('ana', nobody), identifies('ben', nobody)])
    const [ana, ben] = await whoIs('ana', 'ben')
    expect(ana).not.toBe(ben)
  })

  test('of two persons made one, the survivor’s word counts and the older beginning', async () => {
    const first = sets('anon-1', { set: { plan: 'free', colour: 'red' } })
    await read([first, sets('ana', { set: { plan: 'pro' } }), identifies('ana', 'anon-1')])
    expect(await propertiesOf('ana')).toEqual({ plan: 'pro', colour: 'red' })
    const [id = ''] = await whoIs('ana')
    const [person] = await personsOf(store, 1, [id])
    expect(person).toMatchObject({ createdAt: first.at, isIdentified: true })
  })
})

describe('what is known of a person', () => {
  test('set, set once, unset and add, in the order they came', async () => {
    await read([
      sets('ana', { set: { plan: 'free', seats: 1 }, setOnce: { first: 'a', never: null } }),
      sets('ana', { set: { plan: 'pro' }, setOnce: { first: 'b' }, add: { seats: 2, visits: 1 } }),
      sets('ana', { unset: ['plan'] }),
    ])
    expect(await propertiesOf('ana')).toEqual({ seats: 3, first: 'a', visits: 1 })
  })

  test('an event without a person creates no person', async () => {
    await read([
      happened('ana', {
        hasPerson: false,
        person: { set: { plan: 'pro' }, setOnce: {}, unset: [], add: {} },
      }),
    ])
    expect(await propertiesOf('ana')).toBeUndefined()
  })

  test('a batch read twice after a crash adds nothing twice', async () => {
    const batch = [sets('ana', { add: { visits: 1 } }), identifies('ana', 'anon-1')]
    await people().resolve(batch, 7)
    const again = await people().resolve(batch, 7)
    expect(again).toEqual(await whoIs('ana', 'ana'))
    expect(await propertiesOf('ana')).toEqual({ visits: 1 })
  })

  test('a page view teaches how its person came and what they use', async () => {
    await read([
      happened('ana', {
        name: '$pageview',
        columns: { browser: 'Firefox', country: 'DE', utm_source: 'news' },
      }),
      happened('ana', { name: '$pageview', columns: { browser: 'Safari', country: 'DE' } }),
    ])
    expect(await propertiesOf('ana')).toMatchObject({
      $browser: 'Safari',
      $initial_browser: 'Firefox',
      $initial_utm_source: 'news',
    })
  })
})

type Step = { id: number; claim: { kind: IdentityClaim['kind']; id: number } | undefined }

const step: fc.Arbitrary<Step> = fc.record({
  id: fc.integer({ min: 0, max: 5 }),
  claim: fc.option(
    fc.record({ kind: fc.constantFrom('identify', 'alias', 'merge'), id: fc.integer({ min: 0, max: 5 }) }),
    { nil: undefined },
  ),
})

/** The rules in a few lines, without batches, numbers or tables. */
function plainly(steps: readonly Step[]): number[] {
  const owner = [0, 1, 2, 3, 4, 5]
  const identified = new Set<number>()
  for (const { id, claim } of steps) {
    if (!claim || claim.id === id) continue
    const [from, to] = [owner[claim.id], owner[id]]
    if (from === undefined || to === undefined) continue
    if (from !== to && (claim.kind === 'merge' || !identified.has(from))) {
      for (const [index, one] of owner.entries()) if (one === from) owner[index] = to
      if (identified.has(from)) identified.add(to)
    }
    const now = owner[id]
    if (claim.kind === 'identify' && now !== undefined) identified.add(now)
  }
  return owner
}

function eventOf({ id, claim }: Step): PreparedEvent {
  if (!claim) return happened(`u${id}`)
  const other = `u${claim.id}`
  if (claim.kind === 'identify') return identifies(`u${id}`, other)
  return claim.kind === 'alias' ? aliases(`u${id}`, other) : mergesByForce(`u${id}`, other)
}

describe('the coined name', () => {
  const nameOf = async (distinctId: string): Promise<string> => {
    const [id = ''] = await whoIs(distinctId)
    const [person] = await personsOf(store, 1, [id])
    return coinedName(person ? nameIdOf(person) : id)
  }

  test.each<[string, PreparedEvent[][], string, string]>([
    // the visitor keeps their name                 batches                              of       is that of
    ['while no one identifies them', [[happened('v1')]], 'v1', 'v1'],
    ['when they are identified', [[happened('v1')], [identifies('ana', 'v1')]], 'ana', 'v1'],
    ['without a profile of their own', [[identifies('ana', 'v1')]], 'ana', 'v1'],
    ['where a server knew the account first', [[sets('ana', {})], [identifies('ana', 'v1')]], 'ana', 'v1'],
    ['in one batch', [[happened('v1'), identifies('ana', 'v1'), happened('ana')]], 'ana', 'v1'],
    ['later too', [[identifies('ana', 'v1')], [sets('ana', { set: { plan: 'pro' } })]], 'ana', 'v1'],
    ['on a second device', [[identifies('ana', 'v1')], [identifies('ana', 'v2')]], 'ana', 'v1'],
    ['when the account gets an alias', [[happened('v1')], [aliases('v1', 'ana')]], 'ana', 'v1'],
    [
      'when an account is renamed',
      [[identifies('ana', 'v1')], [mergesByForce('a.lima', 'ana')]],
      'a.lima',
      'v1',
    ],
    [
      'when two accounts are merged',
      [[identifies('ana', 'v1'), identifies('ben', 'v2')], [mergesByForce('ben', 'ana')]],
      'ana',
      'v2',
    ],
  ])('stays %s', async (_, batches, distinctId, expected) => {
    for (const batch of batches) await read(batch)
    expect(await nameOf(distinctId)).toBe(coinedName(personIdOf(1, expected)))
  })
})

test('however the journal is cut into batches, the same ids are one person, and every row ever written leads to them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 6 }), async (batches) => {
      const own = mkdtempSync(join(tmpdir(), 'tilth-people-'))
      cpSync(inject('migratedStore'), own, { recursive: true })
      store = await openStore({ folder: own })
      const one = people()
      const written: { id: number; personId: string }[] = []
      for (const [index, batch] of batches.entries()) {
        const personIds = await one.resolve(batch.map(eventOf), index + 1)
        for (const [at, { id }] of batch.entries()) written.push({ id, personId: personIds[at] ?? '' })
      }
      const owner = plainly(batches.flat())
      const now = await whoIs('u0', 'u1', 'u2', 'u3', 'u4', 'u5')
      for (const a of owner.keys()) {
        for (const b of owner.keys()) expect(now[a] === now[b], `u${a} and u${b}`).toBe(owner[a] === owner[b])
      }
      for (const { id, personId } of written) expect(await overridden(personId)).toBe(now[id])
      await store.close()
      rmSync(own, { recursive: true })
    }),
    { numRuns: runs(150) },
  )
  store = await openStore({ folder })
})

describe('what the engine has of persons', () => {
  const unmirrored = async () => {
    const { persons, overrides } = await loadMirrorBatch(store)
    return [...persons.map(({ person }) => person.properties['name']), ...overrides.map(({ from }) => from)]
  }

  test('is marked, however often each person and override has changed', async () => {
    await read([sets('ana', { set: { name: 'Ana' } }), sets('ben', { set: { name: 'Ben' } })])
    await read([sets('ben', { set: { name: 'Benedict' } })])
    await read([happened('device-1'), happened('device-2'), identifies('ana', 'device-1')])
    await read([identifies('ben', 'device-2')])
    const batch = await loadMirrorBatch(store)
    expect(new Set(batch.persons.map(({ version }) => version)).size).toBeGreaterThan(1)
    expect(batch.overrides.length).toBeGreaterThan(0)
    await markMirrored(store, batch, store.form)
    expect(await unmirrored()).toEqual([])
  })

  test('is behind for a person who has changed since it was read, and for no other', async () => {
    await read(['ana', 'ben', 'cem'].map((name) => sets(name, { set: { name } })))
    const batch = await loadMirrorBatch(store)
    await read([sets('ben', { set: { name: 'Benedict' } })])
    await markMirrored(store, batch, store.form)
    expect(await unmirrored()).toEqual(['Benedict'])
  })
})

test('a batch with thousands of persons lets others have the event loop', async () => {
  const events = Array.from({ length: 4000 }, (_, n) =>
    happened(`visitor ${n}`, { person: { set: { plan: 'team', n }, setOnce: {}, unset: [], add: {} } }),
  )
  let [turns, isOver] = [0, false]
  const countTurn = (): void => {
    turns++
    if (!isOver) setImmediate(countTurn)
  }
  setImmediate(countTurn)
  await people().resolve(events, 1)
  isOver = true
  expect(turns).toBeGreaterThan(4)
})
