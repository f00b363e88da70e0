import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aWorld, done } from '../../test/ground'
import { eventNumber } from '../../test/crashlab/events'
import { sql, uint } from '../engine/sql'
import { type TemporaryEngine, temporaryEngine } from '../engine/temporary'
import type { PreparedEvent } from '../events/event'
import { rowOf } from '../events/row'
import { operator } from '../projects/access'
import { openStore } from '../store/open'
import type { Store } from '../store/store'
import { Cohorts } from './cohorts'
import { Eraser } from './eraser'
import { Erasures } from './erasures'
import { Forgotten } from './forgotten'
import { knownAs } from './known-as'
import { People } from './people'

let temporary: TemporaryEngine
let folder: string
let store: Store
let people: People
let forgotten: Forgotten
let number = 0
let sequence = 0
let project = 0
let pending = 0
const world = aWorld()
const viewer = operator()

beforeAll(async () => {
  temporary = await temporaryEngine()
  await temporary.engine.ready()
})
afterAll(() => temporary.remove())

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tilth-erasing-'))
  store = await openStore({ folder })
  people = new People({ store, engine: temporary.engine, journal: 'test' })
  forgotten = new Forgotten(store)
  await forgotten.begin()
  project += 1
  pending = 0
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const anEraser = (engine: EraserEngine = temporary.engine) =>
  new Eraser({ store, engine, world, forgotten, whereabouts: () => ({ accepted: number, pending }) })
type EraserEngine = ConstructorParameters<typeof Eraser>[0]['engine']

function happened(distinctId: string, rest: Partial<PreparedEvent> = {}): PreparedEvent {
  const event = eventNumber(number++, { projectId: project, distinctId, hasPerson: true })
  return { ...event, at: world.now(), receivedAt: world.now(), ...rest }
}

const knownBy = (email: string) => ({ person: { set: { email }, setOnce: {}, unset: [], add: {} } })
const identified = (anonymous: string) => ({ identity: { kind: 'identify', anonymous } as const })

/** As the batches do it; says how many were kept. */
async function happens(...events: PreparedEvent[]): Promise<number> {
  const wanted = events.filter((event) => !forgotten.includes(event))
  const persons = await people.resolve(wanted, ++sequence)
  await people.mirror()
  const rows = wanted.map((event, i) => rowOf(event, persons[i] ?? ''))
  if (rows.length > 0) await temporary.engine.insert('events', rows.join('\n'))
  return wanted.length
}

async function anaAndBen(): Promise<string> {
  await happens(happened('anon-1'), happened('anon-1'), happened('ben', knownBy('ben@example.com')))
  await happens(happened('ana', { ...identified('anon-1'), ...knownBy('ana@example.com') }))
  return await personOf('ana')
}

async function personOf(distinctId: string): Promise<string> {
  const [person = ''] = await people.resolve([happened(distinctId, { hasPerson: false })], 0)
  return person
}

/** Every row that is left, of whatever kind, as text. */
async function everythingInTheEngine(): Promise<string> {
  const rows = await Promise.all(
    [sql`events`, sql`persons final`, sql`person_overrides`].map((table) =>
      temporary.engine.query(sql`select * from ${table} where project_id = ${uint(project)}`),
    ),
  )
  return JSON.stringify(rows)
}

async function everythingInTheStore(): Promise<string> {
  const tables = store.tables<Record<string, { project_id: number }>>()
  const names = [
    'persons',
    'distinct_ids',
    'person_overrides',
    'cohort_members',
    'erasures',
    'erased_persons',
    'audit',
  ]
  const rows = await Promise.all(names.map((name) => tables.selectFrom(name).selectAll().execute()))
  return JSON.stringify(rows)
}

async function erase(personId: string): Promise<void> {
  done(await new Erasures({ store, world }).ask(project, personId, viewer))
  await anEraser().run()
  people.forget()
}

const erasures = () => new Erasures({ store, world }).list(project, viewer)

describe('somebody who is erased', () => {
  test('is nowhere any more, under no id they ever had, and others are untouched', async () => {
    const ana = await anaAndBen()
    await erase(ana)

    for (const everything of [await everythingInTheEngine(), await everythingInTheStore()]) {
      expect(everything).not.toMatch(/"(ana|anon-1)"|ana@example/)
      expect(everything).toContain('ben@example.com')
    }
    expect(await erasures()).toMatchObject([{ events: 3, finishedAt: world.now() }])
  })

  test('leaves the cohorts they were picked for', async () => {
    const ana = await anaAndBen()
    const cohorts = new Cohorts({ store, world })
    const { cohort } = done(await cohorts.create(project, { name: 'Picked', persons: [ana] }, viewer))
    await erase(ana)
    expect((await cohorts.membership(project)).get(cohort.id)).toEqual([])
  })

  test('is not brought back by what comes late, nor by the journal read once more', async () => {
    const before = happened('anon-1', knownBy('ana@example.com'))
    await erase(await anaAndBen())
    world.advance('1 hour')
    const late = { ...happened('ana', knownBy('ana@example.com')), at: before.at }

    expect(await happens(before, late)).toBe(0)
    expect(await everythingInTheEngine()).not.toContain('ana')
    expect(await everythingInTheStore()).not.toContain('ana@example')
  })

  test('is somebody new when they come again', async () => {
    const ana = await anaAndBen()
    await erase(ana)
    world.advance('1 hour')

    expect(await happens(happened('ana'), happened('anon-1'))).toBe(2)
    expect(await personOf('anon-1')).not.toBe(await personOf('ana'))
    expect((await knownAs(store, project, await personOf('ana'))).distinctIds).toEqual([])
  })

  test('is not taken for somebody of the same name in another project', async () => {
    await erase(await anaAndBen())
    project += 1
    expect(await happens(happened('ana'))).toBe(1)
  })
})

describe('an erasure', () => {
  test('waits for what is on its way, and takes that along', async () => {
    const ana = await anaAndBen()
    const onItsWay = happened('ana')
    const [person = ''] = await people.resolve([onItsWay], 0)
    pending = 1
    await erase(ana)
    expect(await erasures()).toMatchObject([{ finishedAt: undefined }])

    await temporary.engine.insert('events', rowOf(onItsWay, person))
    pending = 0
    await anEraser().run()

    expect(await everythingInTheEngine()).not.toContain('"ana"')
    expect(await erasures()).toMatchObject([{ finishedAt: world.now() }])
  })

  test('that was cut short is finished by the next run', async () => {
    const ana = await anaAndBen()
    done(await new Erasures({ store, world }).ask(project, ana, viewer))
    const { engine } = temporary
    let commands = 0
    const dying = {
      query: engine.query.bind(engine),
      command: async (...given: Parameters<typeof engine.command>) => {
        if (++commands > 1) throw new Error('The power went out.')
        await engine.command(...given)
      },
    }
    await expect(anEraser(dying).run()).rejects.toThrow('The power went out.')
    expect(await anEraser().run()).toBe(1)
    expect(await everythingInTheEngine()).not.toContain('ana@example')
    expect(await erasures()).toMatchObject([{ events: 3 }])
  })

  test('finds somebody by a number they had before they were merged', async () => {
    const before = await personOf('anon-1')
    await anaAndBen()
    await erase(before)
    expect(await everythingInTheEngine()).not.toContain('ana@example')
  })
})
