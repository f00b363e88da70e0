import { expect, test } from 'vitest'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { readQuery } from '#insights/ask'
import type { ExperimentExposuresAnswer, ExposureDimension } from './answer'

const engine = anEngine()

const exposed = (
  person: string,
  value: string,
  at: number,
  { properties, ...more }: Partial<TestEvent> = {},
): TestEvent => ({
  person,
  event: '$feature_flag_called',
  at,
  properties: { $feature_flag: 'checkout', $feature_flag_response: value, ...properties },
  ...more,
})
const did = (person: string, event: string, at: number): TestEvent => ({ person, event, at })

const query = {
  kind: 'experiment-exposures',
  flag: 'checkout',
  variants: ['control', 'test'],
  phases: ['2026-03-02T00:00:00Z'],
  until: '2026-03-09T00:00:00Z',
}
const bought = { type: 'conversion', happening: { event: 'bought' } }

const ask = async (events: readonly TestEvent[], more: object = {}) =>
  await engine.ask<ExperimentExposuresAnswer>(await engine.addProject(events), { ...query, ...more })

const statesIn = ({ cells }: ExperimentExposuresAnswer) =>
  Object.fromEntries(
    cells.flatMap(({ dimension, state, units }) => (dimension === 'all' ? [[state, units]] : [])),
  )
const valuesIn = ({ cells }: ExperimentExposuresAnswer, dimension: ExposureDimension) =>
  Object.fromEntries(cells.flatMap((one) => (one.dimension === dimension ? [[one.value, one.units]] : [])))

const everyState = [
  exposed('ana', 'test', 1),
  exposed('ben', 'control', 1),
  exposed('ben', 'test', 2),
  exposed('cleo', 'test', 1, { columns: { traffic: 'bot' } }),
  exposed('dan', 'test', 1, { properties: { $override_feature_flags: '{}' } }),
  exposed('eve', 'false', 1),
]

test('each unit is counted, or has the reason why not', async () => {
  expect(statesIn(await ask(everyState))).toEqual({
    counted: 1,
    several: 1,
    robot: 1,
    preview: 1,
    other: 1,
  })
})

test('a unit that does not meet the entry filter, and one that was served without being seen', async () => {
  const entry = { type: 'event', key: 'plan', operator: 'exact', value: ['pro'] }
  expect(statesIn(await ask([exposed('ana', 'test', 1)], { entry }))).toEqual({ entry: 1 })
  const answer = await ask([exposed('ana', 'test', 1)], { exposure: { by: 'view' } })
  expect(statesIn(answer)).toEqual({ 'not-exposed': 1 })
  expect(answer.cells[0]).toMatchObject({ variant: 'test', served: 1, viewed: 0 })
})

test('units are grouped by what their first counted exposure says', async () => {
  const answer = await ask([
    exposed('ana', 'test', 1, {
      distinctId: 'phone',
      columns: { lib: 'web', lib_version: '1.2.3', browser: 'Firefox', os: 'Linux', country: 'DE' },
    }),
    exposed('ana', 'test', 5, { distinctId: 'ana', columns: { lib: 'posthog-node', browser: 'Chrome' } }),
  ])
  expect(valuesIn(answer, 'library')).toEqual({ 'web 1.2.3': 1 })
  expect(valuesIn(answer, 'browser')).toEqual({ Firefox: 1 })
  expect(valuesIn(answer, 'os')).toEqual({ Linux: 1 })
  expect(valuesIn(answer, 'country')).toEqual({ DE: 1 })
  expect(valuesIn(answer, 'ids')).toEqual({ several: 1 })
  expect(valuesIn(answer, 'day')).toEqual({ '2026-03-02': 1 })
})

const causes: [string, TestEvent[], object, string][] = [
  [
    'two ids with a variant each',
    [exposed('ana', 'control', 1, { distinctId: 'a' }), exposed('ana', 'test', 2, { distinctId: 'b' })],
    {},
    'merge',
  ],
  [
    'other rules between',
    [exposed('ana', 'control', 1), exposed('ana', 'test', 26 * 60)],
    { phases: ['2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z'] },
    'rules',
  ],
  [
    'two devices',
    [
      exposed('ana', 'control', 1, { properties: { $device_id: 'd' } }),
      exposed('ana', 'test', 2, { properties: { $device_id: 'e' } }),
    ],
    {},
    'device',
  ],
  [
    'a forced variant beside them',
    [
      exposed('ana', 'control', 1),
      exposed('ana', 'test', 2),
      exposed('ana', 'test', 3, { properties: { $override_feature_flags: '{}' } }),
    ],
    {},
    'override',
  ],
  ['nothing that tells', [exposed('ana', 'control', 1), exposed('ana', 'test', 2)], {}, 'unknown'],
]

test.each(causes)('several variants by %s', async (_, events, more, cause) => {
  const { several } = await ask(events, more)
  expect(several).toEqual([{ seen: ['control', 'test'], cause, units: 1 }])
})

test('conversions in the window, after it, and only before the exposure', async () => {
  const answer = await ask(
    [
      exposed('ana', 'test', 10),
      did('ana', 'bought', 20),
      exposed('ben', 'test', 10),
      did('ben', 'bought', 300),
      did('cleo', 'bought', 5),
      exposed('cleo', 'test', 10),
    ],
    { metric: { ...bought, windowHours: 1 } },
  )
  expect(answer.cells[0]).toMatchObject({ units: 3, converted: 1 })
  expect(answer).toMatchObject({ onlyBefore: 1, onlyOutside: 1 })
})

test('the persons of a cell are those of its number', async () => {
  const project = await engine.addProject([...everyState, did('ana', 'bought', 9)])
  const personsAt = async (point: object) => {
    const read = readQuery({ ...query, metric: bought })
    if (!read.done || !read.ready.personsBehind) throw new Error('The question has no persons.')
    const found = await read.ready.personsBehind(point, engine.scope(project))
    if (!found.done) throw new Error(found.problems.map(({ message }) => message).join(' '))
    return await engine.scope(project).run<{ person: string }>(found.statement)
  }
  const { cells } = await engine.ask<ExperimentExposuresAnswer>(project, { ...query, metric: bought })
  for (const { dimension, value, variant, phase, state, units } of cells)
    expect(await personsAt({ dimension, value, variant, phase, state })).toHaveLength(units)
  expect(await personsAt({ seen: ['test', 'control'] })).toHaveLength(1)
  expect(await personsAt({ cause: 'unknown' })).toHaveLength(1)
  expect(await personsAt({ converted: true })).toHaveLength(1)
  const sumOf = (of: (cell: (typeof cells)[number]) => number) =>
    cells.filter(({ dimension }) => dimension === 'all').reduce((sum, cell) => sum + of(cell), 0)
  for (const isServed of [true, false])
    expect(await personsAt({ served: isServed })).toHaveLength(
      sumOf(({ served, units }) => (isServed ? served : units - served)),
    )
  expect(await personsAt({ viewed: true })).toHaveLength(sumOf(({ viewed }) => viewed))
  for (const counted of [true, false])
    expect(await personsAt({ counted })).toHaveLength(
      sumOf(({ state, units }) => ((state === 'counted') === counted ? units : 0)),
    )
})
