import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aWorld, requireDone, problemMessages, present } from '#test/product/fixture'
import { anEngine, type TestEvent, uuidFor } from '#test/product/test-engine'
import { Cohorts } from '#persons/cohorts/cohorts'
import { coinedName, markOf } from '#persons/naming/coined-name'
import { personIdOf } from '#persons/person'
import { saveClaims } from '#persons/store'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import type { Store } from '#store/store'
import { readQuery } from '../ask'
import { cohortReader } from './internal/cohort-members'
import { PersonDirectory } from './person-directory'

const testEngine = anEngine()
const viewer = operator()
const world = aWorld()
let folder: string
let store: Store
let cohorts: Cohorts
let acme = 0

const story: TestEvent[] = [
  {
    person: 'ana',
    event: '$pageview',
    at: '2026-03-20T10:00:00Z',
    session: 's1',
    columns: { path: '/', country: 'DE' },
  },
  {
    person: 'ana',
    event: 'buy',
    at: '2026-03-20T10:05:00Z',
    session: 's1',
    distinctId: 'ana-phone',
    columns: { revenue: 20, currency: 'EUR' },
    groups: { company: 'x' },
  },
  {
    person: 'ana',
    event: '$feature_flag_called',
    at: '2026-03-21T10:00:00Z',
    properties: { $feature_flag: 'new-nav', $feature_flag_response: 'test' },
  },
  { person: 'ben', event: 'buy', at: '2026-03-25T10:00:00Z', groups: { company: 'x' } },
  { person: 'ben', event: 'buy', at: '2026-03-25T10:00:00Z' },
  { person: 'eve', event: '$pageview', at: '2026-03-10T10:00:00Z' },
  { person: 'old', event: '$pageview', at: '2024-01-01T10:00:00Z' },
  { person: 'crawler', event: '$pageview', at: '2026-03-10T10:00:00Z', columns: { traffic: 'bot' } },
]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tilth-people-'))
  store = await openStore({ folder })
  cohorts = new Cohorts({ store, world })
  acme = await testEngine.addProject(story)
  await testEngine.fill('persons', [
    profile('ana', { email: 'Ana@example.com', plan: 'pro' }),
    profile('eve', { name: 'Eve Engel' }),
    profile('kim', { email: 'kim@example.com' }),
  ])
  await testEngine.fill('groups', [
    {
      project_id: acme,
      type: 'company',
      key: 'x',
      properties: { name: 'X-Ray' },
      created_at: born,
      version: 1,
    },
    { project_id: acme, type: 'company', key: 'y', properties: {}, created_at: born, version: 1 },
  ])
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const born = '2025-06-01 00:00:00.000'
const profile = (name: string, properties: object) => ({
  project_id: acme,
  person_id: uuidFor(name),
  properties,
  is_identified: 1,
  created_at: born,
  version: 1,
  is_deleted: 0,
})

async function scopeOf(projectId: number) {
  const reader = cohortReader(await cohorts.membership(projectId))
  const scope = testEngine.scope(projectId, {}, { cohort: (id) => reader(id, scope) })
  return scope
}

const people = () =>
  new PersonDirectory({
    store,
    world,
    cohorts,
    insights: {
      scope: scopeOf,
      peopleBehind: async (projectId, query, point) => {
        const scope = await scopeOf(projectId)
        const behind = present(requireDone(readQuery(query)).ready.personsBehind)
        const found = await behind(point, scope)
        return found.done ? { ...found, scope } : found
      },
    },
  })

async function listed(query: object): Promise<string[]> {
  const { persons, total } = requireDone(await people().list(acme, query, viewer))
  expect(total).toBe(persons.length)
  return persons.map(({ name }) => name)
}

describe('coined names', () => {
  const [ben, eve, kim] = ['ben', 'eve', 'kim'].map((name) => coinedName(uuidFor(name)))
  const ids = async (search: string, period = '30d') =>
    requireDone(await people().list(acme, { search, period }, viewer)).persons.map(({ id }) => id)

  test('label visitors and persons who told no name, and every person keeps a mark', async () => {
    const { persons } = requireDone(await people().list(acme, {}, viewer))
    const labels = new Map(persons.map(({ id, label }) => [id, label]))
    expect(labels.get(uuidFor('ben'))).toEqual({ name: ben, isCoined: true, mark: markOf(uuidFor('ben')) })
    expect(labels.get(uuidFor('eve'))).toEqual({
      name: 'Eve Engel',
      isCoined: false,
      mark: markOf(uuidFor('eve')),
    })
  })

  test('find visitors by the whole name or a part in any case, and named persons by the whole one', async () => {
    const [adjective = '', noun = ''] = present(ben).split(' ')
    expect(await ids(present(ben).toUpperCase())).toEqual([uuidFor('ben')])
    for (const part of [adjective, noun, noun.slice(0, 3)]) expect(await ids(part)).toContain(uuidFor('ben'))
    expect(await ids(present(eve))).toEqual([uuidFor('eve')])
    expect(await ids(present(eve).split(' ')[1] ?? '')).not.toContain(uuidFor('eve'))
    expect(await ids(`${noun} ${adjective}`)).toEqual([])
    expect((await people().search(acme, present(kim), viewer)).map(({ name }) => name)).toContain(
      'kim@example.com',
    )
  })

  test('are those of the visitor before, for a person who was identified', async () => {
    const acme2 = await testEngine.addProject([
      { person: 'account', event: '$pageview', at: '2026-03-20T10:00:00Z' },
    ])
    await testEngine.fill('persons', [
      { ...profile('account', {}), project_id: acme2, name_id: uuidFor('visitor') },
    ])
    const found = async (search: string) =>
      requireDone(await people().list(acme2, { search }, viewer)).persons.map(({ label }) => label.name)
    const name = coinedName(uuidFor('visitor'))
    expect(await found(name)).toEqual([name])
    expect(await found(coinedName(uuidFor('account')))).toEqual([])
  })

  test('the engine finds exactly the names that contain a text', async () => {
    const words = Array.from({ length: 500 }, (_, n) => `visitor ${n}`)
    const many = await testEngine.addProject(
      words.map((person) => ({ person, event: '$pageview', at: '2026-03-20T10:00:00Z' })),
    )
    const isFoundBy = (text: string, name: string, distinctId: string) =>
      ` ${name}`.toLowerCase().includes(` ${text.toLowerCase()}`) || distinctId.includes(text)
    for (const text of ['a', 'qu', 'calm d', 'dove', 'Y', 'no such name']) {
      const { total } = requireDone(await people().list(many, { search: text, perPage: 1000 }, viewer))
      const expected = words.filter((word) => isFoundBy(text, coinedName(uuidFor(word)), word))
      expect([text, total]).toEqual([text, expected.length])
    }
  })
})

test('a list tells each person’s story, source and last page, and finds them by place', async () => {
  const view = (path: string, title: string, columns: object = {}) => ({
    person: 'gil',
    event: '$pageview',
    columns: {
      path,
      title,
      channel: 'AI assistants',
      source: 'ChatGPT',
      country: 'NL',
      city: 'Delft',
      ...columns,
    },
  })
  const project = await testEngine.addProject([
    { ...view('/boards', 'Boards 2'), at: '2026-03-20T10:00:00Z' },
    { ...view('/pricing', 'Pricing', { channel: 'Direct', source: '' }), at: '2026-03-20T10:01:00Z' },
    { person: 'gil', event: 'signup', at: '2026-03-20T10:02:00Z' },
    {
      person: 'gil',
      event: '$feature_flag_called',
      at: '2026-03-20T10:03:00Z',
      properties: { $feature_flag: 'headline', $feature_flag_response: 'b' },
    },
    { person: 'gil', event: 'survey sent', at: '2026-03-20T10:04:00Z', properties: { $survey_name: 'NPS' } },
  ])
  const told = 'From ChatGPT, read “Pricing” and 1 more, signed up, saw variant B of headline'
  const list = async (search: string) => requireDone(await people().list(project, { search }, viewer)).persons
  expect(await list('netherl')).toMatchObject([
    { story: told, source: 'ChatGPT', lastPage: { path: '/pricing', title: 'Pricing' } },
  ])
  expect(await list('delft')).toHaveLength(1)
  expect(await list('germany')).toEqual([])
  const found = await people().find(project, uuidFor('gil'), viewer)
  expect(found?.story).toBe(`${told}, answered “NPS”`)
})

describe('search', () => {
  const search = async (text: string) =>
    (await people().search(acme, text, viewer)).map(({ name, email }) => ({ name, email }))

  test.each([
    // typed             found
    ['ana@EXAMPLE', ['Ana@example.com']],
    ['engel', ['Eve Engel']],
    ['pro', ['Ana@example.com']],
    ['100%', []],
  ])('"%s" finds %j', async (text, names) => {
    expect((await search(text)).map(({ name }) => name)).toEqual(names)
  })

  test('whose name fits comes before others', async () => {
    const names = (await search('e')).map(({ name }) => name)
    expect(new Set(names)).toEqual(new Set(['Ana@example.com', 'Eve Engel', 'kim@example.com']))
  })

  test('names of ids are in their order, unknown ids left out', async () => {
    const ids = [uuidFor('kim'), uuidFor('nowhere'), uuidFor('eve')]
    expect((await people().named(acme, ids, viewer)).map(({ name }) => name)).toEqual([
      'kim@example.com',
      'Eve Engel',
    ])
    expect(await people().named(acme, ['no-uuid'], viewer)).toEqual([])
  })
})

describe('the list of persons', () => {
  test.each([
    // asked                                   who, in which order
    [{}, ['ben', 'Ana@example.com', 'Eve Engel']],
    [{ sort: 'events' }, ['Ana@example.com', 'ben', 'Eve Engel']],
    [{ sort: 'last', descending: false }, ['Eve Engel', 'Ana@example.com', 'ben']],
    [{ sort: 'first', descending: true }, ['ben', 'Ana@example.com', 'Eve Engel']],
    [{ period: '2020-01-01..2026-03-31', search: 'old' }, ['old']],
    [{ search: 'EXAMPLE.com' }, ['Ana@example.com']],
    [{ search: 'phone' }, ['Ana@example.com']],
    [{ search: 'engel' }, ['Eve Engel']],
    [{ search: uuidFor('ben') }, ['ben']],
    [{ search: '%_\'"' }, []],
    [{ filter: { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] } }, ['Ana@example.com']],
    [{ filter: { type: 'person', key: 'plan', operator: 'is_not_set' } }, ['ben', 'Eve Engel']],
  ])('asked for %o', async (query, names) => {
    expect((await listed(query)).toSorted()).toEqual(names.toSorted())
    if (!('search' in query)) expect((await listed(query))[0]).toBe(names[0])
  })

  test('can be narrowed to a cohort, and says so when there is none', async () => {
    const definition = { did: { event: 'buy' }, times: { at: 'least', count: 2 } }
    const { cohort } = requireDone(await cohorts.create(acme, { name: 'Regulars', definition }, viewer))
    expect(await listed({ cohort: cohort.id })).toEqual(['ben'])
    expect(problemMessages(await people().list(acme, { cohort: 'gone' }, viewer))).toEqual([
      'There is no such cohort.',
    ])
  })

  test('of another project is empty', async () => {
    expect(requireDone(await people().list(acme + 100_000, {}, viewer))).toMatchObject({
      persons: [],
      total: 0,
    })
  })
})

describe('a person', () => {
  test('is shown with everything that is known', async () => {
    const { cohort } = requireDone(
      await cohorts.create(acme, { name: 'Buyers', definition: { did: { event: 'buy' } } }, viewer),
    )
    const ana = present(await people().find(acme, uuidFor('ana'), viewer))

    expect(ana).toMatchObject({
      name: 'Ana@example.com',
      properties: { plan: 'pro' },
      events: 3,
      sessions: 1,
      firstSeen: '2025-06-01T00:00:00.000Z',
      lastSeen: '2026-03-21T10:00:00.000Z',
      lastPlace: { country: 'DE' },
      revenue: [{ currency: 'EUR', sum: 20 }],
      groups: [{ type: 'company', key: 'x', name: 'X-Ray' }],
      flags: [{ flag: 'new-nav', variant: 'test', lastSeen: '2026-03-21T10:00:00.000Z' }],
    })
    expect(ana.distinctIds.toSorted()).toEqual(['ana', 'ana-phone'])
    expect(ana.cohorts).toContainEqual({ id: cohort.id, name: 'Buyers' })
  })

  test.each([
    ['nobody', uuidFor('nobody')],
    ['no number at all', 'DROP TABLE'],
    ['whom another project knows', ''],
  ])('that is %s is not found', async (_, id) =>
    expect(await people().find(id === '' ? acme + 1 : acme, id || uuidFor('ana'), viewer)).toBeUndefined(),
  )

  test('shows events page by page, none twice and none left out, ties in time too', async () => {
    const seen: string[] = []
    for (let before: { at: string; uuid: string } | undefined; ;) {
      const { events, hasMore } = requireDone(
        await people().events(acme, uuidFor('ben'), { before, limit: 1 }, viewer),
      )
      seen.push(...events.map(({ uuid }) => uuid))
      const last = events.at(-1)
      if (!hasMore || !last) break
      before = { at: last.at, uuid: last.uuid }
    }
    expect(new Set(seen).size).toBe(2)
    expect(seen).toHaveLength(2)
  })

  test('shows only events of one name when asked', async () => {
    const { events } = requireDone(await people().events(acme, uuidFor('ana'), { event: 'buy' }, viewer))
    expect(events).toMatchObject([{ event: 'buy', properties: { $revenue: '20' }, groups: { company: 'x' } }])
  })

  test('is exported whole, as one JSON text', async () => {
    const { json } = requireDone(await people().export(acme, uuidFor('ana'), viewer))
    let text = ''
    for await (const piece of json) text += piece
    const { person, events } = JSON.parse(text) as { person: { id: string }; events: unknown[] } // as it was written
    expect(person.id).toBe(uuidFor('ana'))
    expect(events).toHaveLength(3)
  })
})

describe('who is behind a number', () => {
  const query = {
    kind: 'trend',
    period: '2026-03-01..2026-03-31',
    series: [{ event: 'buy', measure: { math: 'total' } }],
  }
  const point = { series: 0 }

  test('can be seen, and kept as a cohort', async () => {
    const { persons } = requireDone(await people().personsBehind(acme, query, point, viewer))
    expect(persons.map(({ name }) => name).toSorted()).toEqual(['Ana@example.com', 'ben'])

    const { cohort } = requireDone(
      await people().saveBehindAsCohort(acme, query, point, { name: 'These' }, viewer),
    )
    const members = (await cohorts.membership(acme)).get(cohort.id)
    expect(members).toHaveLength(2)
    expect(members).toContain(uuidFor('ben'))
  })
})

describe('a cohort of lines', () => {
  beforeAll(async () => {
    const claim = { projectId: acme, distinctId: 'ana-laptop', personId: uuidFor('ana') }
    await store.transaction((transaction) => saveClaims(transaction, [claim]), 'every person')
    await testEngine.fill('persons', [{ ...profile('x', {}), person_id: personIdOf(acme, 'lone') }])
  })

  test.each([
    // the file                                                     how many found   those who are not
    ['ana-laptop\nlone\nghost\n', 2, ['ghost']],
    ['name,email\nAna,ANA@example.com\nKim,kim@example.com', 2, []],
    ['\uFEFF"distinct_id";"seats"\r\n"ana-laptop";1\r\n', 1, []],
    ['ana-laptop\nana-laptop\n\n', 1, []],
  ])('%j', async (text, found, missing) => {
    expect(
      requireDone(await people().cohortFromLines(acme, { name: 'From a file', text }, viewer)),
    ).toMatchObject({
      found,
      missing,
    })
  })

  test.each([
    ['', 'There is no line with an id in it.'],
    ['ghost', 'None of the 1 lines is the distinct id or e-mail of a person.'],
  ])('%j is refused', async (text, sentence) => {
    expect(problemMessages(await people().cohortFromLines(acme, { name: 'None', text }, viewer))).toEqual([
      sentence,
    ])
  })
})

test('what a definition would match is counted among those seen in the last 30 days', async () => {
  const definition = { not: { did: { event: 'buy' } } }
  expect(requireDone(await people().matching(acme, definition, viewer))).toMatchObject({ matching: 1, of: 3 })
})

test('groups are listed with how many persons they have, and one shows who they are', async () => {
  const { groups } = requireDone(await people().groups(acme, { type: 'company' }, viewer))
  expect(groups.map(({ name, persons }) => [name, persons])).toEqual([
    ['X-Ray', 2],
    ['y', 0],
  ])
  const { group, persons, events } = requireDone(
    await people().group(acme, { type: 'company', key: 'x' }, viewer),
  )
  expect(group.name).toBe('X-Ray')
  expect(persons.map(({ name }) => name).toSorted()).toEqual(['Ana@example.com', 'ben'])
  expect(events).toHaveLength(2)
})

test('a list is sorted by a property: numbers by size, words by letter, and persons without it last', async () => {
  const page = await testEngine.addProject(
    ['two', 'ten', 'word', 'none'].map((person) => ({
      person,
      event: '$pageview',
      at: '2026-03-20T10:00:00Z',
    })),
  )
  const scored = (person: string, score: string) => ({ ...profile(person, { score }), project_id: page })
  await testEngine.fill('persons', [scored('two', '2'), scored('ten', '10'), scored('word', 'high')])
  const order = async (descending: boolean) =>
    requireDone(await people().list(page, { sort: 'property:score', descending }, viewer)).persons.map(
      ({ id }) => ['two', 'ten', 'word', 'none'].find((one) => uuidFor(one) === id),
    )

  expect(await order(false)).toEqual(['two', 'ten', 'word', 'none'])
  expect(await order(true)).toEqual(['ten', 'two', 'word', 'none'])
  expect(problemMessages(await people().list(page, { sort: 'property:' }, viewer))).toHaveLength(1)
})
