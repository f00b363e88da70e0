import { describe, expect, test } from 'vitest'
import type { CollectionState } from '#ingest/collection-state'
import { openTestProduct, present, problemMessages, requireDone } from '#test/product/fixture'
import { anEngine, beginning, type TestEvent } from '#test/product/test-engine'
import { operator } from '#projects/access'
import type { Outcome } from '#projects/problems'

const ana = operator('Ana')

/** The problems of an outcome; none of a success. */
const problemsOf = (outcome: Outcome): string[] => (outcome.done ? [] : problemMessages(outcome))
const engine = anEngine()

const half = [
  { key: 'control', percentage: 50 },
  { key: 'test', percentage: 50 },
]
const orders = { name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }

async function setUp({
  variants = half,
  project = 1,
  collection = () => undefined,
}: {
  variants?: { key: string; percentage: number }[]
  project?: number
  collection?: () => CollectionState | undefined
} = {}) {
  const { product, world, aProject } = await openTestProduct({ engine: engine.engine(), collection })
  let { id } = await aProject()
  // the number under which the engine was told the events
  while (id < project) id = (await aProject({ name: `Project ${id + 1}` })).id
  requireDone(await product.flags.create(id, { key: 'checkout', kind: 'variants', variants }, ana))
  requireDone(await product.flags.turn(id, 'checkout', { isOn: true }, ana))
  const make = async (more: object = {}) =>
    await product.experiments.create(
      id,
      { name: 'Checkout', flag: 'checkout', metrics: [orders], ...more },
      ana,
    )
  const running = async (more: object = {}) => {
    const { experiment } = requireDone(await make(more))
    return requireDone(await product.experiments.start(id, experiment.id, {}, ana)).experiment
  }
  return { product, world, id, make, running }
}

test('a change that is based on an older state is refused', async () => {
  const { product, world, id, make } = await setUp()
  const { experiment } = requireDone(await make())
  const change = async (input: object) => await product.experiments.change(id, experiment.id, input, ana)
  const opened = experiment.changedAt.toISOString()
  world.advance('1 second')
  requireDone(await change({ name: 'First', changedAt: opened }))
  world.advance('1 second')
  expect(problemsOf(await change({ name: 'Second', changedAt: opened }))).toEqual([
    '“First” was changed by Ana at 10:00 UTC on 2026-03-02. Load it again, then repeat your change.',
  ])
  expect(requireDone(await change({ hypothesis: 'More' })).experiment).toMatchObject({
    name: 'First',
    hypothesis: 'More',
  })
})

test('null takes a prior away, and leaving it out does not', async () => {
  const { product, id, make } = await setUp()
  const prior = { mean: 0, standardDeviation: 0.1 }
  const { experiment } = requireDone(await make({ analysis: { prior } }))
  const change = async (analysis: object) =>
    requireDone(await product.experiments.change(id, experiment.id, { analysis }, ana)).experiment.analysis
  expect((await change({ level: 0.9 })).prior).toEqual(prior)
  expect((await change({ prior: null })).prior).toBeUndefined()
})

test('a draft has the flag’s first variant as control, and settings that fit most', async () => {
  const { make } = await setUp()
  const { experiment } = requireDone(await make())
  expect(experiment).toMatchObject({
    control: 'control',
    unit: { by: 'person' },
    exposure: { by: 'flag' },
    severalVariants: 'exclude',
    metrics: [{ id: 'metric-1', role: 'primary', goal: 'increase', margin: 5 }],
    analysis: { method: 'bayesian', level: 0.95, lookbackDays: 14, minimumUnits: 50 },
    startedAt: undefined,
  })
})

describe('bad input is answered by a sentence', () => {
  test.each<[string, object, string]>([
    ['an unknown flag', { flag: 'nope' }, 'There is no flag "nope" in this project. Make it first.'],
    [
      'an unknown control',
      { control: 'b' },
      'The flag "checkout" has no variant "b". It has "control", "test".',
    ],
    ['an unknown field', { metric: [] }, 'There is no "metric" here. Leave it out.'],
    [
      'two metrics with one id',
      {
        metrics: [
          { ...orders, id: 'a' },
          { ...orders, id: 'a' },
        ],
      },
      'Two metrics have the same id.',
    ],
    ['no name', { name: '' }, 'Name the experiment after what it changes.'],
    ['a level of 100 %', { analysis: { level: 1 } }, 'Use a level from 0.5 to 0.999.'],
  ])('%s', async (_, more, message) => {
    const { make } = await setUp()
    expect(problemMessages(await make(more))).toEqual([message])
  })

  test('a flag without variants', async () => {
    const { product, id, make } = await setUp()
    requireDone(await product.flags.create(id, { key: 'switch' }, ana))
    expect(problemMessages(await make({ flag: 'switch' }))).toEqual([
      'The flag "switch" has no variants. An experiment compares two to ten of them.',
    ])
  })

  test('a start without a primary metric, twice, on a flag that is off or in use, or in the future', async () => {
    const { product, id, make, running } = await setUp()
    const start = async (more: object, input: object = {}) => {
      const { experiment } = requireDone(await make(more))
      return problemMessages(await product.experiments.start(id, experiment.id, input, ana))
    }
    expect(await start({ metrics: [] })).toEqual(['Add a primary metric first: it is what decides.'])
    expect(await start({}, { at: '2999-01-01T00:00:00Z' })).toEqual([
      'An experiment cannot begin in the future.',
    ])
    requireDone(await product.flags.turn(id, 'checkout', { isOn: false }, ana))
    expect(await start({})).toEqual(['The flag "checkout" is off in production. Turn it on first.'])
    requireDone(await product.flags.turn(id, 'checkout', { isOn: true }, ana))
    const { id: first } = await running()
    expect(problemMessages(await product.experiments.start(id, first, {}, ana))).toEqual([
      'The experiment has started already.',
    ])
    expect(await start({})).toEqual([
      expect.stringMatching(
        /^The experiment “Checkout” has run on this flag since 20..-..-... End it first.$/,
      ),
    ])
  })

  test('an end before the start, twice, and a winner that is not there', async () => {
    const { product, id, make } = await setUp()
    const { experiment } = requireDone(await make())
    const end = async () => problemsOf(await product.experiments.end(id, experiment.id, {}, ana))
    expect(await end()).toEqual(['The experiment has not started.'])
    requireDone(await product.experiments.start(id, experiment.id, {}, ana))
    const shipped = await product.experiments.ship(id, experiment.id, { variant: 'b' }, ana)
    expect(problemMessages(shipped)).toEqual([
      'The flag "checkout" has no variant "b". It has "control", "test".',
    ])
    expect(await end()).toEqual([])
    expect(await end()).toEqual(['The experiment has ended already.'])
  })

  test('a past run that ends before it starts, later than now, or of an experiment that runs', async () => {
    const { product, id, make, running } = await setUp()
    const { experiment } = requireDone(await make())
    const record = async (from: string, until: string, which = experiment.id) =>
      problemMessages(await product.experiments.recordPastRun(id, which, { from, until }, ana))
    const over = ['A run that is over ended after its start, and before now.']
    expect(await record('2024-02-01T00:00:00Z', '2024-01-01T00:00:00Z')).toEqual(over)
    expect(await record('2024-02-01T00:00:00Z', '2999-01-01T00:00:00Z')).toEqual(over)
    const { id: other } = await running()
    expect(await record('2024-02-01T00:00:00Z', '2024-03-01T00:00:00Z', other)).toEqual([
      'The experiment has started already.',
    ])
  })

  test('who is exposed stays as it is once the experiment runs', async () => {
    const { product, id, running } = await setUp()
    const { id: experiment } = await running()
    const change = async (input: object) =>
      problemsOf(await product.experiments.change(id, experiment, input, ana))
    expect(await change({ unit: { by: 'session' } })).toEqual([
      expect.stringContaining('Duplicate it instead.'),
    ])
    expect(await change({ notes: 'Learned a lot.' })).toEqual([])
  })
})

describe('web experiments', () => {
  const headline = { transforms: [{ selector: 'h1', html: '<b>New</b>' }] }

  test.each<[string, object, string]>([
    [
      'a variant that is not there',
      { variants: { b: headline } },
      'The flag "checkout" has no variant "b". It has "control", "test".',
    ],
    [
      'a change for the control',
      { variants: { control: headline } },
      'posthog-js never changes a page for the variant "control".',
    ],
    [
      'conditions beside a flag',
      { variants: { test: { ...headline, conditions: { url: '/pricing' } } } },
      'posthog-js ignores conditions of pages where the flag assigns variants. Leave them out, or let conditions assign.',
    ],
    [
      'neither markup nor style',
      { variants: { test: { transforms: [{ selector: 'h1' }] } } },
      'Give the markup (html) or the style (css) of the elements.',
    ],
    [
      'a text, which posthog-js does not apply',
      { variants: { test: { transforms: [{ selector: 'h1', html: 'New', text: 'New' }] } } },
      'There is no "text" here. Leave it out.',
    ],
  ])('%s is refused', async (_, web, message) => {
    const { make } = await setUp()
    expect(problemMessages(await make({ web }))).toEqual([message])
  })

  test('a treatment cannot change while visitors see it, and a copy has it too', async () => {
    const { product, id, running } = await setUp()
    const { id: experiment, web } = await running({ web: { variants: { test: headline } } })
    expect(web).toMatchObject({ assignedBy: 'flag', previewsDraft: false })
    const change = async (input: object) =>
      problemsOf(await product.experiments.change(id, experiment, input, ana))
    expect(await change({ web: null })).toEqual([expect.stringContaining('What visitors see cannot change')])
    const { experiment: copy } = requireDone(await product.experiments.duplicate(id, experiment, ana))
    expect(copy.web).toEqual(web)
    requireDone(await product.experiments.change(id, copy.id, { web: null }, ana))
    expect((await product.experiments.find(id, copy.id, ana))?.web).toBeUndefined()
  })
})

test('a running experiment is told to SDKs, until it ends', async () => {
  const { product, id, running } = await setUp()
  const hasExperiment = async () => present(await product.flags.find(id, 'checkout', ana)).hasExperiment
  expect(await hasExperiment()).toBe(false)
  const { id: experiment } = await running()
  expect(await hasExperiment()).toBe(true)
  requireDone(await product.experiments.end(id, experiment, { outcome: 'undecided' }, ana))
  expect(await hasExperiment()).toBe(false)
})

test('shipping gives the variant to everyone, and closes the experiment', async () => {
  const { product, id, running } = await setUp()
  const { id: experiment } = await running()
  const { experiment: shipped } = requireDone(
    await product.experiments.ship(id, experiment, { variant: 'test', note: 'As hoped.' }, ana),
  )
  expect(shipped.conclusion).toMatchObject({
    outcome: 'shipped',
    variant: 'test',
    note: 'As hoped.',
    by: 'Ana',
  })
  const flag = present(await product.flags.find(id, 'checkout', ana))
  expect(flag.environments.production?.conditions).toMatchObject([
    { conditions: [], percentage: 100, variant: 'test' },
  ])
  expect(flag.hasExperiment).toBe(false)
})

test('shipping frees the slice of a layer, for everyone gets the variant', async () => {
  const { product, id, running } = await setUp()
  const { layer } = requireDone(await product.flags.layers.create(id, { name: 'Checkout' }, ana))
  const environments = { production: { layer: { id: layer.id, from: 0, until: 50 } } }
  requireDone(await product.flags.change(id, 'checkout', { environments }, ana))
  const { id: experiment } = await running()
  requireDone(await product.experiments.ship(id, experiment, { variant: 'test' }, ana))
  const flag = present(await product.flags.find(id, 'checkout', ana))
  expect(flag.environments.production?.layer).toBeUndefined()
})

describe('the flag of a running experiment', () => {
  const sentence = 'The experiment “Checkout” runs on this flag. End it, or ship a variant, first.'
  const renamed = [
    { key: 'control', percentage: 50 },
    { key: 'new', percentage: 50 },
  ]
  const posthogFlag = {
    key: 'checkout',
    filters: {
      groups: [{ rollout_percentage: 100 }],
      multivariate: { variants: renamed.map(({ key }) => ({ key, rollout_percentage: 50 })) },
    },
  }

  test('is not archived, and keeps the variants that are compared', async () => {
    const { product, id, running } = await setUp({ variants: renamed })
    requireDone(await product.flags.change(id, 'checkout', { variants: half }, ana))
    const { id: experiment } = await running()
    const { flags } = product
    const attempts = async () => [
      ...problemsOf(await flags.archive(id, 'checkout', ana, { anyway: true })),
      ...problemsOf(await flags.change(id, 'checkout', { variants: renamed }, ana)),
      ...problemsOf(await flags.change(id, 'checkout', { kind: 'switch', variants: [] }, ana)),
      ...problemsOf(await flags.revert(id, 'checkout', 1, ana)),
      ...requireDone(await flags.importFrom(id, posthogFlag, ana)).refused.flatMap(({ problems }) =>
        problems.map(({ message }) => message),
      ),
    ]
    expect(await attempts()).toEqual(Array.from({ length: 5 }, () => sentence))
    expect(await flags.find(id, 'checkout', ana)).toMatchObject({ variants: half, archivedAt: undefined })

    requireDone(await product.experiments.end(id, experiment, {}, ana))
    requireDone(await flags.change(id, 'checkout', { variants: renamed }, ana))
    requireDone(await flags.archive(id, 'checkout', ana, { anyway: true }))
  })

  test('may change its weights and conditions, get another variant and go back', async () => {
    const { product, id, running } = await setUp()
    await running()
    const change = async (input: object) => problemsOf(await product.flags.change(id, 'checkout', input, ana))
    const third = { key: 'third', percentage: 0 }
    expect(await change({ variants: [...half, third] })).toEqual([])
    const weighed = half.map(({ key }, i) => ({ key, percentage: i === 0 ? 90 : 10 }))
    expect(await change({ variants: [...weighed, third] })).toEqual([])
    expect(await change({ environments: { production: { conditions: [{ percentage: 20 }] } } })).toEqual([])
    const before = present(await product.flags.find(id, 'checkout', ana)).version - 1
    const { flag } = requireDone(await product.flags.revert(id, 'checkout', before, ana))
    expect(flag.hasExperiment).toBe(true)
  })

  test('goes back to a version from before the start, and SDKs hear of the experiment all the same', async () => {
    const { product, id, running } = await setUp()
    await running()
    const { flag } = requireDone(await product.flags.revert(id, 'checkout', 2, ana))
    expect(flag.hasExperiment).toBe(true)
  })

  test('is said to be off in the results and on the checklist', async () => {
    const { product, world, id, running } = await setUp()
    const { id: experiment } = await running()
    world.advance('1 day')
    requireDone(await product.flags.turn(id, 'checkout', { isOn: false }, ana))
    const { result } = requireDone(await product.experiments.results.result(id, experiment, ana))
    expect(result.sentence).toBe(
      'The flag is off in production: no one gets a variant until it is on again. No one has been exposed yet. Wait.',
    )
    requireDone(await product.experiments.end(id, experiment, {}, ana))
    const { result: ended } = requireDone(await product.experiments.results.result(id, experiment, ana))
    expect(ended.sentence).toBe('The experiment ended before anything was clear.')
  })

  test('is not on in production while it is archived', async () => {
    const { product, id, make } = await setUp()
    const { experiment } = requireDone(await make())
    requireDone(await product.flags.archive(id, 'checkout', ana, { anyway: true }))
    const { readiness } = requireDone(await product.experiments.planning.readiness(id, experiment.id, ana))
    expect(readiness.checks.find(({ name }) => name === 'production')).toMatchObject({
      severity: 'error',
      sentence: 'The flag "checkout" is archived. Restore it first.',
    })
  })
})

describe('an end in the past', () => {
  const friday = '2026-03-06T17:00:00.000Z'

  test('counts until then, and is concluded now', async () => {
    const { product, world, id, running } = await setUp()
    const { id: experiment } = await running()
    world.advance('7 days')
    const { experiment: ended } = requireDone(
      await product.experiments.end(id, experiment, { at: friday }, ana),
    )
    expect(ended).toMatchObject({ endedAt: new Date(friday), conclusion: { at: world.now() } })
    const { result } = requireDone(await product.experiments.results.result(id, experiment, ana))
    expect(result.report?.phases).toHaveLength(1)
  })

  test.each([
    ['before the start', '2026-03-01T00:00:00Z', 'An experiment ends after its start.'],
    ['in the future', '2999-01-01T00:00:00Z', 'An experiment cannot end in the future.'],
  ])('not %s', async (_, at, sentence) => {
    const { product, world, id, running } = await setUp()
    const { id: experiment } = await running()
    world.advance('7 days')
    expect(problemsOf(await product.experiments.end(id, experiment, { at }, ana))).toEqual([sentence])
  })
})

describe('reopening', () => {
  /** An experiment that has ended. */
  async function anEnd(more: object = {}) {
    const stage = await setUp()
    const { id: experiment, startedAt } = await stage.running(more)
    stage.world.advance('3 days')
    requireDone(await stage.product.experiments.end(stage.id, experiment, { note: 'Too early' }, ana))
    stage.world.advance('1 day')
    const reopen = async () => await stage.product.experiments.reopen(stage.id, experiment, ana)
    return { ...stage, experiment, startedAt, reopen }
  }

  test('lets an experiment run on from its start, and tells SDKs', async () => {
    const { product, world, id, startedAt, reopen } = await anEnd()
    const { experiment } = requireDone(await reopen())
    expect(experiment).toMatchObject({
      startedAt,
      endedAt: undefined,
      conclusion: undefined,
      changedAt: world.now(),
    })
    expect(await product.flags.find(id, 'checkout', ana)).toMatchObject({ hasExperiment: true })
    expect((await product.projects.audit.list(id, {}, ana))[0]).toMatchObject({
      action: 'experiment.reopen',
      subject: 'Checkout',
    })
    expect(problemsOf(await reopen())).toEqual(['The experiment has not ended.'])
  })

  test('is refused while the flag is archived, or lacks a variant', async () => {
    const { product, id, reopen } = await anEnd()
    requireDone(await product.flags.archive(id, 'checkout', ana, { anyway: true }))
    expect(problemsOf(await reopen())).toEqual(['The flag "checkout" is archived. Restore it first.'])
    requireDone(await product.flags.restore(id, 'checkout', ana))
    const variants = ['control', 'new'].map((key) => ({ key, percentage: 50 }))
    requireDone(await product.flags.change(id, 'checkout', { variants }, ana))
    expect(problemsOf(await reopen())).toEqual([
      'The flag "checkout" has no variant "test" any more, which was compared. Add it again first.',
    ])
  })

  test('is refused once another experiment has run on the flag', async () => {
    const { product, id, running, reopen } = await anEnd()
    const { id: other } = await running({ name: 'Second' })
    const sentence =
      'The experiment “Second” has run on this flag since, and its people would count here too. Duplicate this one, and start the copy.'
    expect(problemsOf(await reopen())).toEqual([sentence])
    requireDone(await product.experiments.end(id, other, {}, ana))
    expect(problemsOf(await reopen())).toEqual([sentence])
  })

  test('is for experiments with fixed weights that are not archived', async () => {
    const bandit = await anEnd({ kind: 'bandit' })
    expect(problemsOf(await bandit.reopen())).toEqual([
      'Only an experiment with fixed weights can be reopened. Duplicate it, and start the copy.',
    ])
    const { product, id, experiment, reopen } = await anEnd()
    requireDone(await product.experiments.archive(id, experiment, ana))
    expect(problemsOf(await reopen())).toEqual(['The experiment is archived. Restore it first.'])
  })
})

describe('taking back a ship', () => {
  async function aShip(more: object = {}) {
    const stage = await setUp()
    const { product, id } = stage
    const { id: experiment } = await stage.running(more)
    const before = present(await product.flags.find(id, 'checkout', ana))
    requireDone(await product.experiments.ship(id, experiment, { variant: 'test' }, ana))
    const takeBack = async () => await product.experiments.takeBack(id, experiment, ana)
    return { ...stage, experiment, before, takeBack }
  }

  test('makes the flag what it was, and the experiment runs on', async () => {
    const { product, id, before, takeBack } = await aShip()
    const { experiment } = requireDone(await takeBack())
    expect(experiment).toMatchObject({ endedAt: undefined, conclusion: undefined })
    expect(await product.flags.find(id, 'checkout', ana)).toEqual({ ...before, version: before.version + 2 })
    const actions = (await product.projects.audit.list(id, {}, ana)).map(({ action }) => action)
    expect(actions.slice(0, 2)).toEqual(['experiment.take-back', 'flag.revert'])
    expect(problemsOf(await takeBack())).toEqual(['The experiment has not ended.'])
  })

  test('is refused once the flag has changed; then the experiment can be reopened', async () => {
    const { product, id, experiment, takeBack } = await aShip()
    const ben = operator('Ben')
    const { flag } = requireDone(await product.flags.turn(id, 'checkout', { isOn: false }, ben))
    expect(problemsOf(await takeBack())).toEqual([
      'Ben has changed the flag since. Reopen the experiment, and change the flag by hand.',
    ])
    expect(await product.flags.find(id, 'checkout', ana)).toEqual(flag)
    requireDone(await product.experiments.reopen(id, experiment, ana))
    expect(await product.flags.find(id, 'checkout', ana)).toEqual({
      ...flag,
      version: flag.version + 1,
      hasExperiment: true,
    })
  })

  test('leaves the experiment as it is if the slice of its layer was given away', async () => {
    const { product, id, running } = await setUp()
    const { layer } = requireDone(await product.flags.layers.create(id, { name: 'Checkout' }, ana))
    const environments = { production: { layer: { id: layer.id, from: 0, until: 50 } } }
    requireDone(await product.flags.change(id, 'checkout', { environments }, ana))
    const { id: experiment } = await running()
    requireDone(await product.experiments.ship(id, experiment, { variant: 'test' }, ana))
    requireDone(await product.flags.create(id, { key: 'banner', environments }, ana))

    expect(problemsOf(await product.experiments.takeBack(id, experiment, ana))).toEqual([
      '“banner” has 0 to 50 percent of this layer. Choose a slice beside it.',
    ])
    expect(await product.experiments.find(id, experiment, ana)).toMatchObject({
      conclusion: { outcome: 'shipped' },
    })
  })

  test('is for a shipped variant', async () => {
    const { product, id, running } = await setUp()
    const { id: experiment } = await running()
    requireDone(await product.experiments.end(id, experiment, {}, ana))
    expect(problemsOf(await product.experiments.takeBack(id, experiment, ana))).toEqual([
      'No variant was shipped. Reopen the experiment instead.',
    ])
  })

  test('is for experiments with fixed weights', async () => {
    const { takeBack } = await aShip({ kind: 'bandit' })
    expect(problemsOf(await takeBack())).toEqual([
      'Only an experiment with fixed weights can be reopened. Duplicate it, and start the copy.',
    ])
  })
})

test('a copy is a draft of its own', async () => {
  const { product, id, running } = await setUp()
  const { id: experiment } = await running({ analysis: { level: 0.9 } })
  const { experiment: copy } = requireDone(await product.experiments.duplicate(id, experiment, ana))
  expect(copy).toMatchObject({ name: 'Checkout (copy)', startedAt: undefined, analysis: { level: 0.9 } })
  expect(copy.metrics).toHaveLength(1)
})

describe('results', () => {
  /** Persons who were exposed at a time; some ordered. */
  const exposedAt = (at: Date, variant: string, persons: number, ordered: number): TestEvent[] =>
    Array.from({ length: persons }, (_, i) => {
      const person = `${variant} ${at.toISOString()} ${i}`
      const when = new Date(at.getTime() + i * 1000)
      const seen: TestEvent = {
        person,
        event: '$feature_flag_called',
        at: when.toISOString(),
        properties: { $feature_flag: 'checkout', $feature_flag_response: variant },
      }
      const order = { person, event: 'ordered', at: new Date(when.getTime() + 60_000).toISOString() }
      return i < ordered ? [seen, order] : [seen]
    }).flat()

  test('before the start there are none', async () => {
    const { product, id, make } = await setUp()
    const { experiment } = requireDone(await make())
    const { result } = requireDone(await product.experiments.results.result(id, experiment.id, ana))
    expect(result).toEqual({
      at: expect.any(Date),
      tookMs: 0,
      isRenewed: false,
      waitingEvents: 0,
      isBehind: false,
      verdict: { advice: 'not-started' },
      sentence: 'The experiment has not started.',
      rule: 'Decides at any time: its intervals hold at every look.',
      look: 'early',
      until: expect.any(Date),
      flagVariants: [],
      report: undefined,
      byPhase: [],
    })
  })

  test('a change of the weights begins a phase; other changes do not', async () => {
    const { product, world, id, running } = await setUp()
    const { id: experiment } = await running()
    world.advance('1 day')
    requireDone(await product.flags.change(id, 'checkout', { description: 'The new checkout' }, ana))
    world.advance('1 day')
    const variants = [
      { key: 'control', percentage: 10 },
      { key: 'test', percentage: 90 },
    ]
    requireDone(await product.flags.change(id, 'checkout', { variants }, ana))
    world.advance('1 day')
    const { result } = requireDone(await product.experiments.results.result(id, experiment, ana))
    expect(result.report?.phases.map(({ weights }) => weights)).toEqual([
      { control: 50, test: 50 },
      { control: 10, test: 90 },
    ])
    expect(result.sentence).toBe('No one has been exposed yet. Wait.')
  })

  test('exposures and conversions become a verdict', async () => {
    const { product, world, id, running } = await setUp()
    const { id: experiment, startedAt } = await running({ analysis: { lookbackDays: 0 } })
    const at = new Date(present(startedAt).getTime() + 60_000)
    const events = [...exposedAt(at, 'control', 400, 40), ...exposedAt(at, 'test', 400, 100)]
    // the engine’s first project, as this product’s
    expect(await engine.addProject(events)).toBe(id)
    world.advance('5 days')
    const { result } = requireDone(await product.experiments.results.result(id, experiment, ana))
    expect(result.report?.variants).toMatchObject([
      { key: 'control', units: 400 },
      { key: 'test', units: 400 },
    ])
    expect(result.sentence).toMatch(/^Ship “test”: Orders \+150% \(95% interval/)
  })

  test('exposures after an end in the past count only once the experiment is reopened', async () => {
    const day = (number: number) => new Date(beginning.getTime() + number * 86_400_000)
    const project = await engine.addProject([
      ...exposedAt(day(1), 'control', 60, 10),
      ...exposedAt(day(1), 'test', 60, 10),
      ...exposedAt(day(3), 'test', 40, 10),
    ])
    const { product, world, id, running } = await setUp({ project })
    const { id: experiment } = await running({ analysis: { lookbackDays: 0 } })
    world.advance('5 days')
    const units = async () => {
      const { result } = requireDone(await product.experiments.results.result(id, experiment, ana))
      return result.report?.variants.map((one) => one.units)
    }
    expect(await units()).toEqual([60, 100])
    requireDone(await product.experiments.end(id, experiment, { at: day(2).toISOString() }, ana))
    expect(await units()).toEqual([60, 60])
    requireDone(await product.experiments.reopen(id, experiment, ana))
    expect(await units()).toEqual([60, 100])
  })

  test('people who came while a variant was shipped are compared with no one', async () => {
    const day = (number: number) => new Date(beginning.getTime() + number * 86_400_000)
    const before = [...exposedAt(day(1), 'control', 400, 40), ...exposedAt(day(1), 'test', 400, 100)]
    const meanwhile = exposedAt(day(3), 'test', 300, 300)
    const project = await engine.addProject([...before, ...meanwhile])
    const { product, world, id, running } = await setUp({ project })
    const { id: experiment } = await running({ analysis: { lookbackDays: 0 } })
    world.advance('2 days')
    requireDone(await product.experiments.ship(id, experiment, { variant: 'test' }, ana))
    world.advance('2 days')
    requireDone(await product.experiments.takeBack(id, experiment, ana))
    world.advance('1 day')
    const { result } = requireDone(await product.experiments.results.result(id, experiment, ana))
    expect(result.report?.variants).toMatchObject([{ units: 400 }, { units: 700 }])
    expect(result.sentence).toMatch(/^Ship “test”: Orders \+150% \(95% interval/)
  })

  test.each([
    ['a moment ago', 1, /^Ship “test”/],
    ['a while ago', 3, /^132 events are still being stored\. Decide once they are counted\.$/],
  ])('what arrived %s and is not stored yet is said', async (_when, secondsAgo, sentence) => {
    const at = new Date(beginning.getTime() + 60_000)
    const project = await engine.addProject([
      ...exposedAt(at, 'control', 400, 40),
      ...exposedAt(at, 'test', 400, 100),
    ])
    const waiting: { state?: CollectionState } = {}
    const { product, world, id, running } = await setUp({ project, collection: () => waiting.state })
    const { id: experiment } = await running({ analysis: { lookbackDays: 0 } })
    world.advance('5 days')
    const oldestAt = new Date(world.now().getTime() - secondsAgo * 1000).toISOString()
    waiting.state = { backlog: 132, backlogByProject: {}, isEstimate: false, oldestAt, troubles: [] }

    const { result } = requireDone(await product.experiments.results.result(id, experiment, ana))

    expect(result).toMatchObject({ at: world.now(), waitingEvents: 132 })
    expect(result.sentence).toMatch(sentence)
  })

  test('the course has the estimates that were known at the end of each day', async () => {
    const at = beginning.getTime() + 60_000
    const late = (variant: string, persons: number): TestEvent[] =>
      exposedAt(new Date(at), variant, persons, persons).flatMap((event) =>
        event.event === 'ordered'
          ? [{ ...event, at: new Date(Date.parse(String(event.at)) + 48 * 3_600_000).toISOString() }]
          : [],
      )
    const events = [
      ...exposedAt(new Date(at), 'control', 400, 40),
      ...exposedAt(new Date(at), 'test', 400, 40),
      ...late('test', 100),
    ]
    const { product, world, id, running } = await setUp({ project: await engine.addProject(events) })
    const { id: experiment } = await running({ analysis: { lookbackDays: 0 } })
    world.advance('3 days')
    const { result } = requireDone(await product.experiments.results.result(id, experiment, ana))
    const { course } = requireDone(await product.experiments.results.course(id, experiment, ana))
    const points = course[0]?.variants[0]?.points ?? []
    // the late orders were not known before they happened
    expect(points.map(({ units, values }) => [units.variant, values.variant])).toEqual([
      [400, 0.1],
      [400, 0.1],
      [400, 0.25],
      [400, 0.25],
    ])
    const [whole] = result.report?.metrics[0]?.comparisons ?? []
    expect(whole).toMatchObject({ state: 'estimated', relative: { low: points.at(-1)?.estimate?.low } })
  })

  test('nothing of another project is seen', async () => {
    const { product, id } = await setUp()
    expect(problemMessages(await product.experiments.results.result(id, 'nope', ana))).toEqual([
      'There is no such experiment in this project.',
    ])
  })
})
