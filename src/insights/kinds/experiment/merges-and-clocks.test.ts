import { expect, test } from 'vitest'
import { anEngine, type TestEvent, uuidFor } from '#test/product/test-engine'
import type { ExperimentAnswer } from './answer'
import type { ExperimentExposuresAnswer } from '../experiment-exposures/answer'

const engine = anEngine()

const exposed = (person: string, variant: string, at: number): TestEvent => ({
  person,
  event: '$feature_flag_called',
  at,
  properties: { $feature_flag: 'checkout', $feature_flag_response: variant },
})
const bought = (person: string, at: number): TestEvent => ({ person, event: 'bought', at })

const query = {
  kind: 'experiment',
  flag: 'checkout',
  variants: ['control', 'test'],
  phases: ['2026-03-02T00:00:00Z'],
  until: '2026-03-09T00:00:00Z',
  lookbackDays: 1,
  metrics: [{ type: 'total', amount: { happening: { event: 'bought' } } }],
}

/** Asks after persons turned out to be others. */
async function askMerged<Answer>(
  events: readonly TestEvent[],
  merges: Readonly<Record<string, string>>,
  more: object = {},
): Promise<Answer> {
  const project = await engine.addProject(events)
  await engine.fill(
    'person_overrides',
    Object.entries(merges).map(([from, to]) => ({
      project_id: project,
      from_person_id: uuidFor(from),
      to_person_id: uuidFor(to),
      version: 1,
    })),
  )
  return await engine.ask<Answer>(project, { ...query, ...more }, {}, { hasMerged: true })
}

const meansIn = ({ cells }: ExperimentAnswer) =>
  cells.map(({ variant, units, metrics: [one] }) => [variant, units, one && 'means' in one && one.means])

test.each<[string, Record<string, string>]>([
  ['into the person who bought', { visitor: 'ana' }],
  ['into the person who was exposed', { ana: 'visitor' }],
])('a merge after the exposure, %s, brings what they did before and after it', async (_, merges) => {
  const events = [bought('ana', -60), exposed('visitor', 'test', 0), bought('ana', 5), bought('visitor', 6)]
  const answer = await askMerged<ExperimentAnswer>(events, merges)
  expect(meansIn(answer)).toEqual([['test', 1, [2, 1]]])
})

test('the first exposure of all merged ids counts, and begins the window', async () => {
  const events = [
    exposed('ana', 'test', 30),
    exposed('visitor', 'test', 0),
    bought('ana', 10),
    bought('visitor', 70),
  ]
  const metrics = [{ type: 'conversion', happening: { event: 'bought' }, windowHours: 0.5 }]
  const answer = await askMerged<ExperimentAnswer>(events, { visitor: 'ana' }, { metrics, lookbackDays: 0 })
  expect(meansIn(answer)).toEqual([['test', 1, [1]]])
})

test('two ids of other variants that merge are one unit of both, which does not count, and its cause is the merge', async () => {
  const events = [
    { ...exposed('ana', 'test', 30), distinctId: 'ana@example.com' },
    { ...exposed('visitor', 'control', 0), distinctId: 'anonymous' },
    exposed('ben', 'test', 1),
  ]
  const answer = await askMerged<ExperimentAnswer>(events, { visitor: 'ana' })
  expect(answer.cells.map(({ variant, units }) => [variant, units])).toEqual([['test', 1]])
  expect(answer.exposed).toContainEqual({ seen: ['control', 'test'], units: 1 })
  const { kind: _, lookbackDays: _days, metrics: _metrics, ...exposures } = query
  const forensics = await askMerged<ExperimentExposuresAnswer>(
    events,
    { visitor: 'ana' },
    {
      ...exposures,
      kind: 'experiment-exposures',
    },
  )
  expect(forensics.several).toEqual([{ seen: ['control', 'test'], cause: 'merge', units: 1 }])
})

/** The bounds of a window, by its definition: from the exposure and the delay on, without the end. */
const borders: [string, object, [at: number, isCounted: boolean][]][] = [
  [
    'from the exposure on',
    {},
    [
      [-1, false],
      [0, true],
      [1, true],
    ],
  ],
  [
    'until an hour later, without its end',
    { windowHours: 1 },
    [
      [59_999, true],
      [3_599_999, true],
      [3_600_000, false],
    ],
  ],
  [
    'after a delay',
    { delayHours: 1 },
    [
      [3_599_999, false],
      [3_600_000, true],
    ],
  ],
  [
    'for so long after the delay',
    { delayHours: 1, windowHours: 2 },
    [
      [3_599_999, false],
      [3_600_000, true],
      [10_799_999, true],
      [10_800_000, false],
    ],
  ],
]
test.each(
  borders.flatMap(([name, window, moments]) => moments.map(([ms, is]) => [name, ms, is, window] as const)),
)('an event counts %s: %d ms after the exposure it is %s', async (_, ms, isCounted, window) => {
  const at = new Date(Date.parse('2026-03-02T10:00:00Z') + ms).toISOString()
  const project = await engine.addProject([exposed('ana', 'test', 0), { ...bought('ana', 0), at }])
  const metrics = [{ type: 'conversion', happening: { event: 'bought' }, ...window }]
  const answer = await engine.ask<ExperimentAnswer>(project, { ...query, metrics, lookbackDays: 0 })
  expect(meansIn(answer)).toEqual([['test', 1, [isCounted ? 1 : 0]]])
})

test.each([
  [-86_400_001, 0],
  [-86_400_000, 1],
  [-1, 1],
  [0, 0],
])('an event %d ms from the exposure is in %d of its one day before', async (ms, before) => {
  const at = new Date(Date.parse('2026-03-02T10:00:00Z') + ms).toISOString()
  const project = await engine.addProject([exposed('ana', 'test', 0), { ...bought('ana', 0), at }])
  const [one] = meansIn(await engine.ask<ExperimentAnswer>(project, query))
  expect(one?.[2]).toEqual([ms >= 0 ? 1 : 0, before])
})
