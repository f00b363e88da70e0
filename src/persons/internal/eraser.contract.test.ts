import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aWorld, requireDone, present } from '#test/product/fixture'
import { eventNumber } from '#test/deep/crashlab/events'
import { anEngine } from '#test/product/test-engine'
import { sql, uint } from '#engine/sql'
import type { PreparedEvent } from '#events/event'
import { rowOf } from '#events/row'
import { SetAsideRows } from '#ingest/set-aside-files'
import { Journal } from '#ingest/internal/journal'
import { formatJournalLine } from '#ingest/internal/journal-lines'
import { Quarantine } from '#ingest/internal/quarantine'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import type { Store } from '#store/store'
import { Cohorts } from '../cohorts/cohorts'
import { Eraser } from './eraser'
import { Erasures } from '../erasures/erasures'
import { ErasedPersons } from '../erased-persons'
import { findPersonAliases } from '../person-aliases'
import { IdentityResolver } from '../identity-resolver'

const tested = anEngine()
let folder: string
let store: Store
let people: IdentityResolver
let forgotten: ErasedPersons
let number = 0
let sequence = 0
let project = 0
let pending = 0
const world = aWorld()
const viewer = operator()

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tilth-erasing-'))
  store = await openStore({ folder })
  people = new IdentityResolver({ store, engine: tested.engine(), journal: 'test' })
  forgotten = await ErasedPersons.open(store)
  project += 1
  pending = 0
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const aQuarantine = () => new Quarantine(join(folder, 'journal', 'quarantine'), () => world.now())

const anEraser = (engine: EraserEngine = tested.engine(), rest: Partial<EraserSettings> = {}) =>
  new Eraser({
    store,
    engine,
    world,
    erasedPersons: forgotten,
    pipelineCounts: () => ({ accepted: number, pending }),
    rowsOnDisk: new SetAsideRows(join(folder, 'journal'), aQuarantine()),
    forgetStored: async () => {},
    deleteEvents: ({ run }) => run(),
    recordErasures: async () => {},
    removeUpgradeCopies: async () => {},
    ...rest,
  })
type EraserSettings = ConstructorParameters<typeof Eraser>[0]
type EraserEngine = ConstructorParameters<typeof Eraser>[0]['engine']

function happened(distinctId: string, rest: Partial<PreparedEvent> = {}): PreparedEvent {
  const event = eventNumber(number++, { projectId: project, distinctId, hasPerson: true })
  return { ...event, at: world.now(), receivedAt: world.now(), ...rest }
}

const knownBy = (email: string) => ({ person: { set: { email }, setOnce: {}, unset: [], add: {} } })
const identified = (anonymous: string) => ({ identity: { kind: 'identify', anonymous } as const })

/** Resolves and stores events as the batches do; returns the number that were kept. */
async function happens(...events: PreparedEvent[]): Promise<number> {
  const wanted = events.filter((event) => !forgotten.includes(event))
  const persons = await people.resolve(wanted, ++sequence)
  await people.mirror()
  const rows = wanted.map((event, i) => rowOf(event, persons[i] ?? ''))
  if (rows.length > 0) await tested.engine().insert('events', rows.join('\n'))
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
      tested.engine().query(sql`select * from ${table} where project_id = ${uint(project)}`),
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
  requireDone(await new Erasures({ store, world }).ask(project, personId, viewer))
  await anEraser().run()
  people.clearCache()
}

const erasures = () => new Erasures({ store, world }).list(project, viewer)

describe('an erased person', () => {
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
    const { cohort } = requireDone(await cohorts.create(project, { name: 'Picked', persons: [ana] }, viewer))
    await erase(ana)
    expect((await cohorts.membership(project)).get(cohort.id)).toEqual([])
  })

  test('is not restored by what comes late, nor by the journal read once more', async () => {
    const before = happened('anon-1', knownBy('ana@example.com'))
    await erase(await anaAndBen())
    world.advance('1 hour')
    const late = { ...happened('ana', knownBy('ana@example.com')), at: before.at }

    expect(await happens(before, late)).toBe(0)
    expect(await everythingInTheEngine()).not.toContain('ana')
    expect(await everythingInTheStore()).not.toContain('ana@example')
  })

  test('is a new person when they return', async () => {
    const ana = await anaAndBen()
    await erase(ana)
    world.advance('1 hour')

    expect(await happens(happened('ana'), happened('anon-1'))).toBe(2)
    expect(await personOf('anon-1')).not.toBe(await personOf('ana'))
    expect((await findPersonAliases(store, project, await personOf('ana'))).distinctIds).toEqual([])
  })

  test('is not confused with a person of the same id in another project', async () => {
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

    await tested.engine().insert('events', rowOf(onItsWay, person))
    pending = 0
    await anEraser().run()

    expect(await everythingInTheEngine()).not.toContain('"ana"')
    expect(await erasures()).toMatchObject([{ finishedAt: world.now() }])
  })

  test('that was cut short is finished by the next run', async () => {
    const ana = await anaAndBen()
    requireDone(await new Erasures({ store, world }).ask(project, ana, viewer))
    const engine = tested.engine()
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

  test('finds a person by an id from before a merge', async () => {
    const before = await personOf('anon-1')
    await anaAndBen()
    await erase(before)
    expect(await everythingInTheEngine()).not.toContain('ana@example')
  })
})

describe('files with rows of an erased person', () => {
  const everyFile = () =>
    readdirSync(join(folder, 'journal'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      .join('\n')

  const aDamagedPiece = (...texts: (string | Buffer)[]) => {
    mkdirSync(join(folder, 'journal', 'damaged'), { recursive: true })
    writeFileSync(
      join(folder, 'journal', 'damaged', '0000000000000001-32'),
      Buffer.concat(texts.map((text) => Buffer.from(text))),
    )
  }

  test('lose them, and the report says how many and what could not be searched', async () => {
    const ana = await anaAndBen()
    const ofAna = happened('ana')
    const ofBen = happened('ben')
    await aQuarantine().keep([
      { row: rowOf(ofAna, ana), reason: 'It is no number.' },
      { row: formatJournalLine(happened('anon-1')), reason: 'It cannot be read.' },
      { row: rowOf(ofBen, await personOf('ben')), reason: 'It is no number.' },
    ])
    const header = Buffer.alloc(16, 1)
    const unreadable = `{"project_id":${project},"uu\u0000${'x'.repeat(80)}\n`
    aDamagedPiece(header, `${formatJournalLine(ofAna)}\n${unreadable}${formatJournalLine(ofBen)}`)
    await erase(ana)

    expect(everyFile()).not.toMatch(/"(ana|anon-1)"/)
    expect(everyFile().match(/"ben"/g)).toHaveLength(1)
    expect(everyFile().match(/\\"ben\\"/g)).toHaveLength(1)
    const breakBefore = 1
    expect(await erasures()).toMatchObject([
      { rowsOnDisk: 3, unsearchedBytes: breakBefore + unreadable.length },
    ])
  })

  test('lose those that are put aside after the erasure as well, but nothing of the new person', async () => {
    const ana = await anaAndBen()
    const before = happened('ana')
    const eraser = anEraser()
    requireDone(await new Erasures({ store, world }).ask(project, ana, viewer))
    await eraser.run()
    world.advance('1 hour')
    const again = happened('ana')
    aDamagedPiece(`${formatJournalLine(before)}\n${formatJournalLine(again)}`)
    await eraser.run()

    expect(everyFile()).not.toContain(before.uuid)
    expect(everyFile()).toContain(again.uuid)
    expect(await erasures()).toMatchObject([{ rowsOnDisk: 1 }])
  })

  test('are left alone while nothing has changed', async () => {
    const ana = await anaAndBen()
    aDamagedPiece(formatJournalLine(happened('ben')))
    const rowsOnDisk = new SetAsideRows(join(folder, 'journal'), aQuarantine())
    let searches = 0
    const forget = rowsOnDisk.forget.bind(rowsOnDisk)
    rowsOnDisk.forget = (erasureOf) => ((searches += 1), forget(erasureOf))
    const eraser = anEraser(tested.engine(), { rowsOnDisk })
    requireDone(await new Erasures({ store, world }).ask(project, ana, viewer))
    for (let n = 0; n < 4; n++) await eraser.run()

    // while it is being done, and once more when it is finished
    expect(searches).toBe(2)
  })

  test('include the file of the journal that is written to at the moment', async () => {
    const ana = await anaAndBen()
    const journal = await Journal.open({ folder: join(folder, 'journal'), now: () => world.now() })
    await journal.append([happened('ana')])
    const records = await journal.read(1000)
    await journal.checkpoint(present(records.at(-1)).sequence)
    expect(everyFile()).toContain('"ana"')
    requireDone(await new Erasures({ store, world }).ask(project, ana, viewer))
    await anEraser(tested.engine(), { forgetStored: () => journal.forgetStored() }).run()

    expect(everyFile()).not.toContain('"ana"')
    expect(await journal.append([happened('ben')])).toBe('written')
    expect(await journal.read(1000)).toHaveLength(1)
    await journal.close()
  })
})

test('events that are about to be deleted are announced by one name, so that nothing takes them for lost', async () => {
  const announced: [name: string, events: unknown][] = []
  const ana = await anaAndBen()
  requireDone(await new Erasures({ store, world }).ask(project, ana, viewer))
  pending = 1
  const eraser = anEraser(tested.engine(), {
    deleteEvents: async ({ name, of, run }) => {
      const matching = await tested.engine().query(sql`select count() as events from events where ${of}`)
      announced.push([name, matching])
      await run()
    },
  })
  await eraser.run()
  pending = 0
  await eraser.run()

  const [[name] = []] = announced
  expect(name).toMatch(/^erasure ./)
  expect(announced).toEqual([
    [name, [{ events: 3 }]],
    [name, [{ events: 0 }]],
  ])
})
