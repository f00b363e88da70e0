import { expect, onTestFinished, test } from 'vitest'
import { aFolder, aWorld, requireDone, problemMessages, present } from '#test/product/fixture'
import { anEngine, type TestEvent, uuidFor } from '#test/product/test-engine'
import { FlagRequestCounts } from './request-counts/request-counts'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import { openProduct } from '#server/product'

const testEngine = anEngine()
const you = operator()

const asked = (
  flag: string,
  person: string,
  value: string,
  at: string,
  more: Partial<TestEvent> = {},
): TestEvent => ({
  person,
  event: '$feature_flag_called',
  at,
  columns: { lib: 'web' },
  ...more,
  properties: { $feature_flag: flag, $feature_flag_response: value, ...more.properties },
})

const everybody = { conditions: [], percentage: 100 }
const on = { production: { isOn: true, conditions: [everybody] } }
const half = { production: { isOn: true, conditions: [{ ...everybody, percentage: 50 }] } }

/** Ninety days after the flags were made, on the 31st of May 2026. */
async function setUp(events: readonly TestEvent[], flags: readonly object[]) {
  const number = await testEngine.addProject(events)
  const [world, folder] = [aWorld(`numbers ${number}`), aFolder()]
  const product = await openProduct({ store: { folder }, world, engine: testEngine.engine() })
  onTestFinished(() => product.close())
  // the engine's tables know the story by its number
  for (let i = 1; i < number; i++) await product.projects.create({ name: `Other ${i}` }, you)
  const { id } = requireDone(await product.projects.create({ name: 'Acme' }, you)).project
  for (const flag of flags) requireDone(await product.flags.create(id, flag, you))
  world.advance('90 days')
  return { product, id, numbers: product.flags.numbers, folder, world }
}

test('the list: who got what in the last thirty days, who asked last, and which may go', async () => {
  const { id, numbers } = await setUp(
    [
      asked('headline', 'ana', 'bold', '2026-04-01T10:00:00Z'),
      asked('headline', 'ana', 'bold', '2026-05-30T10:00:00Z'),
      asked('headline', 'ben', 'plain', '2026-05-29T10:00:00Z'),
      asked('headline', 'cleo', 'bold', '2026-05-29T10:00:00Z', { properties: { $environment: 'staging' } }),
      asked('settled', 'ana', 'true', '2026-05-30T10:00:00Z', { columns: { lib: 'posthog-node' } }),
      asked('forgotten', 'ana', 'true', '2026-04-10T10:00:00Z'),
      asked('lopsided', 'ana', 'false', '2026-04-10T10:00:00Z'),
      asked('lopsided', 'ben', 'false', '2026-05-10T10:00:00Z'),
      asked('never-made', 'ben', 'false', '2026-05-10T10:00:00Z'),
      // a survey’s own flag is not listed, and is no key that code has made up
      asked('survey-targeting-1a2b3c4d5e6f', 'ben', 'true', '2026-05-10T10:00:00Z'),
    ],
    [
      { key: 'headline', environments: half },
      { key: 'settled', environments: on },
      { key: 'forgotten', environments: half },
      { key: 'lopsided', environments: half },
      { key: 'unused', environments: half },
    ],
  )

  const { figures } = requireDone(await numbers.ofAll(id, {}, you))

  expect(figures.flags.get('headline')).toEqual({
    key: 'headline',
    times: 2,
    persons: 2,
    values: [
      { value: 'bold', times: 1, persons: 1 },
      { value: 'plain', times: 1, persons: 1 },
    ],
    firstAsked: new Date('2026-04-01T10:00:00Z'),
    lastAsked: new Date('2026-05-30T10:00:00Z'),
    askedBy: [{ library: 'web', times: 2, lastAsked: new Date('2026-05-30T10:00:00Z') }],
    stale: undefined,
  })
  expect([...figures.flags].map(([key, { stale }]) => [key, stale?.because])).toEqual([
    ['forgotten', 'not-asked'],
    ['headline', undefined],
    ['lopsided', 'one-answer'],
    ['settled', 'fully-rolled-out'],
    ['unused', 'never-asked'],
  ])
  expect(figures.unknown.map(({ key, persons }) => [key, persons])).toEqual([['never-made', 1]])

  const staging = requireDone(await numbers.ofAll(id, { environment: 'staging' }, you)).figures
  expect(staging.flags.get('headline')).toMatchObject({ persons: 1, stale: undefined })
  expect(requireDone(await numbers.ofOne(id, 'settled', {}, you)).figures).toMatchObject({
    stale: { because: 'fully-rolled-out', value: 'true' },
    askedBy: [{ library: 'posthog-node' }],
  })
  expect(requireDone(await numbers.ofOne(id, 'none', {}, you)).figures).toBeUndefined()
  expect(problemMessages(await numbers.ofAll(id, { period: 'soon' }, you))).toHaveLength(1)
})

test('who asks without telling is known by the askings, and no flag seems forgotten for it', async () => {
  const { id, numbers, folder, world, product } = await setUp([], [{ key: 'beta', environments: half }])
  const store = await openStore({ folder })
  onTestFinished(() => store.close())
  const requestCounts = new FlagRequestCounts({ store, world })
  const one = { projectId: id, environment: 'production', key: 'beta', client: 'OpenFeature' }
  const figures = async () => requireDone(await numbers.ofOne(id, 'beta', {}, you)).figures

  expect(await figures()).toMatchObject({ lastAsked: undefined, stale: { because: 'never-asked' } })
  requestCounts.note({ ...one, environment: 'staging' }, world.now())
  await requestCounts.keep()
  expect(await figures()).toMatchObject({ stale: { because: 'never-asked' } })

  requestCounts.note(one, world.now())
  await requestCounts.keep()
  world.advance('1 hour')
  requestCounts.note(one, world.now())
  requestCounts.note(one, world.now())
  await requestCounts.keep()
  expect(await figures()).toMatchObject({
    lastAsked: world.now(),
    askedBy: [{ library: 'OpenFeature', times: 3, lastAsked: world.now() }],
    stale: undefined,
  })
  // the use in any environment counts
  expect(problemMessages(await product.flags.archive(id, 'beta', you))).toEqual([
    expect.stringContaining('OpenFeature 4 times'),
  ])
  world.advance('31 days')
  expect(await figures()).toMatchObject({ stale: { because: 'never-asked' } })
  requestCounts.note({ ...one, key: undefined }, world.now())
  await requestCounts.keep()
  expect(await figures()).toMatchObject({ lastAsked: undefined, stale: undefined })
})

test('fully rolled out last week is not long enough, however long it was before', async () => {
  const { id, numbers, product } = await setUp(
    [
      asked('late', 'ana', 'true', '2026-05-01T10:00:00Z'),
      asked('late', 'ben', 'false', '2026-05-20T10:00:00Z'),
      asked('late', 'ana', 'true', '2026-05-30T10:00:00Z'),
    ],
    [{ key: 'late', environments: half }],
  )
  requireDone(await product.flags.change(id, 'late', { environments: on }, you))
  expect(requireDone(await numbers.ofOne(id, 'late', {}, you)).figures?.stale).toBeUndefined()
})

test('over time it is a trend, a line for each value', async () => {
  const { id, numbers } = await setUp(
    [
      asked('headline', 'ana', 'bold', '2026-05-29T10:00:00Z'),
      asked('headline', 'ana', 'bold', '2026-05-29T11:00:00Z'),
      asked('headline', 'ben', 'bold', '2026-05-30T10:00:00Z'),
      asked('headline', 'cleo', 'plain', '2026-05-30T10:00:00Z'),
      asked('other', 'cleo', 'plain', '2026-05-30T10:00:00Z'),
    ],
    [{ key: 'headline' }],
  )
  const lines = async (counts: string) => {
    const answered = requireDone(await numbers.overTime(id, 'headline', { period: '3d', counts }, you))
    // the query is a trend
    const { lines: drawn } = answered.answer
    return drawn.map(({ label, values, total }) => [label, values, total])
  }
  expect(await lines('persons')).toEqual([
    ['bold', [1, 1, 0], 2],
    ['plain', [0, 1, 0], 1],
  ])
  expect(await lines('times')).toEqual([
    ['bold', [2, 1, 0], 3],
    ['plain', [0, 1, 0], 1],
  ])
})

test('a condition set counts its people, of the people of the last thirty days', async () => {
  const seen = (person: string, at: string, country: string, browser: string): TestEvent => ({
    person,
    event: '$pageview',
    at,
    columns: { country, browser },
  })
  const events = [
    seen('ana', '2026-05-20T10:00:00Z', 'DE', 'Firefox'),
    seen('ben', '2026-05-20T10:00:00Z', 'DE', 'Safari'),
    seen('ben', '2026-05-21T10:00:00Z', 'FR', 'Firefox'),
    seen('cleo', '2026-05-20T10:00:00Z', 'FR', 'Firefox'),
    seen('dan', '2026-05-20T10:00:00Z', 'DE', ''),
    seen('old', '2026-03-05T10:00:00Z', 'DE', 'Firefox'),
  ]
  const { id, numbers, product } = await setUp(events, [])
  const known = { project_id: id, created_at: '2026-01-01 00:00:00.000', version: 1 }
  await testEngine.fill('persons', [
    {
      ...known,
      person_id: uuidFor('ana'),
      properties: { plan: 'pro' },
      is_identified: 1,
      is_deleted: 0,
    },
  ])
  const { cohort } = requireDone(
    await product.people.cohorts.create(id, { name: 'Chosen', persons: [uuidFor('ben')] }, you),
  )
  const counted = async (conditions: object[], percentage = 100) =>
    requireDone(await numbers.matching(id, { conditions, percentage }, you)).matching

  const german = { type: 'person', key: '$geoip_country_code', operator: 'exact', value: ['DE'] }
  const firefox = { type: 'person', key: '$browser', operator: 'exact', value: ['Firefox'] }
  const notFirefox = { ...firefox, operator: 'is_not' }
  const pro = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }
  const chosen = { type: 'cohort', cohort: cohort.id, operator: 'in' }
  const all = { of: 4, left: [], usesRequest: false }
  expect(await counted([])).toEqual({ ...all, matching: 4, share: 1, letIn: 4 })
  // ben was last in France, with Firefox
  expect(await counted([german], 50)).toEqual({
    ...all,
    matching: 2,
    share: 0.5,
    letIn: 1,
    filter: { all: [german] },
    usesRequest: true,
  })
  expect(await counted([german, firefox])).toMatchObject({ matching: 1 })
  // dan's browser is unknown: the evaluator gives such a visitor the flag as well
  expect(await counted([notFirefox])).toMatchObject({ matching: 1 })
  expect(await counted([pro])).toMatchObject({ matching: 1 })
  expect(await counted([chosen, { ...pro, operator: 'is_not' }])).toMatchObject({ matching: 1 })
  expect(await counted([{ type: 'flag', flag: 'beta', value: true }])).toMatchObject({
    matching: 4,
    left: ['This count ignores the condition on flag “beta”.'],
  })
})

test('a thousand events by chance, counted with a pencil as well', async () => {
  let state = 11
  const chance = (of: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * of)
  }
  const begin = Date.parse('2026-03-03T00:00:00Z')
  const events = Array.from({ length: 1000 }, () =>
    asked(
      `flag-${chance(4)}`,
      `person ${chance(30)}`,
      ['true', 'false', 'bold'][chance(3)] ?? '',
      new Date(begin + chance(89 * 24) * 3_600_000).toISOString(),
      chance(10) === 0 ? { properties: { $environment: 'staging' } } : {},
    ),
  )
  const { id, numbers } = await setUp(
    events,
    [0, 1, 2, 3].map((i) => ({ key: `flag-${i}` })),
  )

  const { figures } = requireDone(await numbers.ofAll(id, {}, you))

  const counting = events.filter(({ properties }) => properties?.['$environment'] === undefined)
  // thirty days, today among them
  const lately = counting.filter(({ at }) => String(at) >= '2026-05-02T00:00:00.000Z')
  for (const [key, told] of figures.flags) {
    const about = (all: readonly TestEvent[]) =>
      all.filter(({ properties }) => properties?.['$feature_flag'] === key)
    const times = about(counting)
      .map(({ at }) => String(at))
      .toSorted()
    expect(told).toMatchObject({
      times: about(lately).length,
      persons: new Set(about(lately).map(({ person }) => person)).size,
      firstAsked: new Date(present(times[0])),
      lastAsked: new Date(present(times.at(-1))),
    })
    for (const { value, times: often, persons } of told.values) {
      const got = about(lately).filter(({ properties }) => properties?.['$feature_flag_response'] === value)
      expect([often, persons]).toEqual([got.length, new Set(got.map(({ person }) => person)).size])
    }
  }
})
