import { describe, expect, test } from 'vitest'
import { openTestProduct, problemMessages, requireDone } from '#test/product/fixture'
import { anEngine, beginning, type TestEvent } from '#test/product/test-engine'
import { operator } from '#projects/access'

const ana = operator('Ana')
const engine = anEngine()

const variants = [
  { key: 'control', percentage: 50 },
  { key: 'test', percentage: 50 },
]
const metrics = [
  { id: 'orders', name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } },
  {
    id: 'steps',
    name: 'Steps',
    role: 'secondary',
    measured: { type: 'funnel', steps: [{ event: 'began' }, { event: 'ordered' }] },
  },
]

/** Persons of one plan; the first ones ordered something. */
const persons = (
  variant: string,
  plan: string,
  { size, ordered, goods = 'books' }: { size: number; ordered: number; goods?: string },
): TestEvent[] =>
  Array.from({ length: size }, (_, i) => {
    const [person, at] = [`${variant} ${plan} ${i}`, beginning.getTime() + i * 1000]
    const seen: TestEvent = {
      person,
      event: '$feature_flag_called',
      at: new Date(at).toISOString(),
      properties: { $feature_flag: 'checkout', $feature_flag_response: variant, plan },
    }
    const order: TestEvent = {
      person,
      event: 'ordered',
      at: new Date(at + 60_000).toISOString(),
      properties: { goods },
    }
    return i < ordered ? [seen, order] : [seen]
  }).flat()

async function anExperiment(events: readonly TestEvent[], more: object = {}) {
  const { product, world, aProject } = await openTestProduct({ engine: engine.engine() })
  const number = await engine.addProject(events)
  let { id } = await aProject()
  // the number under which the engine was told the events
  while (id < number) id = (await aProject({ name: `Project ${id + 1}` })).id
  requireDone(await product.flags.create(id, { key: 'checkout', kind: 'variants', variants }, ana))
  requireDone(await product.flags.turn(id, 'checkout', { isOn: true }, ana))
  const input = { name: 'Checkout', flag: 'checkout', metrics, ...more }
  const { experiment } = requireDone(await product.experiments.create(id, input, ana))
  requireDone(await product.experiments.start(id, experiment.id, {}, ana))
  world.advance('5 days')
  return { results: product.experiments.results, project: id, experiment: experiment.id }
}

const story = [
  ...persons('control', 'free', { size: 300, ordered: 30 }),
  ...persons('test', 'free', { size: 300, ordered: 90, goods: 'music' }),
  ...persons('control', 'pro', { size: 200, ordered: 20 }),
  ...persons('test', 'pro', { size: 200, ordered: 20 }),
]

describe('segments', () => {
  test('each has its own units and estimates, corrected for their number', async () => {
    const { results, project, experiment } = await anExperiment(story, {
      analysis: { method: 'frequentist' },
    })
    const { report } = requireDone(await results.segments(project, experiment, { key: 'plan' }, ana))
    expect(
      report.segments.map(({ value, variants: of }) => [value, ...of.map(({ units }) => units)]),
    ).toEqual([
      ['free', 300, 300],
      ['pro', 200, 200],
    ])
    const [free, pro] = report.segments.map(({ metrics: [orders] }) => orders?.comparisons[0])
    expect(free).toMatchObject({ reading: 'better' })
    // two comparisons, the funnel having too few conversions: the smaller p-value is doubled
    expect(free?.adjustedP).toBeCloseTo(2 * (free?.estimate.p ?? 0), 12)
    expect(pro).toMatchObject({ reading: 'unclear' })
    expect(report.isExploration).toBe(true)
  })

  test.each<[string, object, string]>([
    [
      'of the end of the session',
      { type: 'session', key: '$exit_pathname' },
      'known only once the session is over',
    ],
    ['of the person as of now', { type: 'person', key: 'plan' }, 'may have been set after the exposure'],
    ['that only later events have', { key: 'goods' }, 'No exposure has the property "goods"'],
  ])('a property %s is refused with the reason', async (_, input, reason) => {
    const { results, project, experiment } = await anExperiment(story)
    const [message] = problemMessages(await results.segments(project, experiment, input, ana))
    expect(message).toContain(reason)
  })
})

describe('decomposition', () => {
  test('each part is of all exposed units, and parts add up to the whole', async () => {
    const { results, project, experiment } = await anExperiment(story)
    const input = { metric: 'orders', key: 'goods' }
    const { report } = requireDone(await results.decomposition(project, experiment, input, ana))
    const valuesOf = ({ values }: { values: { units: number; value: number | null }[] }) =>
      values.map(({ units, value }) => [units, value])
    expect(valuesOf(report.whole)).toEqual([
      [500, 0.1],
      [500, 0.22],
    ])
    expect(report.parts.map(({ value, metric }) => [value, valuesOf(metric)])).toEqual([
      [
        'music',
        [
          [500, 0],
          [500, 0.18],
        ],
      ],
      [
        'books',
        [
          [500, 0.1],
          [500, 0.04],
        ],
      ],
    ])
  })

  test.each<[string, object, string]>([
    ['an unknown metric', { metric: 'nope', key: 'goods' }, 'The experiment has no metric "nope".'],
    ['a funnel', { metric: 'steps', key: 'goods' }, 'Only conversions, totals and ratios can be decomposed'],
  ])('%s is refused', async (_, input, reason) => {
    const { results, project, experiment } = await anExperiment(story)
    const [message] = problemMessages(await results.decomposition(project, experiment, input, ana))
    expect(message).toContain(reason)
  })
})

describe('exposures', () => {
  test('the persons behind a number', async () => {
    const { results, project, experiment } = await anExperiment(story)
    const { report } = requireDone(await results.exposures(project, experiment, {}, ana))
    expect(report.totals).toMatchObject([
      { variant: 'control', units: 500, served: 500, viewed: 0, converted: 50 },
      { variant: 'test', units: 500, converted: 110 },
    ])
    const point = { variant: 'test', state: 'counted', converted: true }
    const { total, persons: listed } = requireDone(await results.people(project, experiment, point, ana))
    expect([total, listed.length]).toEqual([110, 100])
    expect(problemMessages(await results.exposures(project, experiment, { metric: 'nope' }, ana))).toEqual([
      'The experiment has no metric "nope".',
    ])
  })
})
