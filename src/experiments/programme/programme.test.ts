import { describe, expect, test } from 'vitest'
import { type Engine, EngineError } from '#engine/engine'
import { openTestProduct, present, problemMessages, requireDone } from '#test/product/fixture'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { operator } from '#projects/access'

const ana = operator('Ana')
const engine = anEngine()
/** The engine numbers the projects that it is told of; a test's own project has the next number. */
let projectsTold = 0

const orders = {
  id: 'orders',
  name: 'Orders',
  measured: { type: 'conversion', happening: { event: 'ordered' } },
}
const visits = { name: 'Visits', measured: { type: 'total', amount: { happening: { event: '$pageview' } } } }

/** An experiment with 400 people in each variant, and how many of them ordered. */
interface Story {
  flag: string
  ordered: Record<string, number>
  metrics?: object[]
  analysis?: object
  ends: { ships?: string; at?: string; note?: string }
  notes?: string
}

const size = 400

const eventsOf = ({ flag, ordered }: Story, from: Date): TestEvent[] =>
  Object.entries(ordered).flatMap(([variant, count]) =>
    Array.from({ length: size }, (_, i): TestEvent[] => {
      const person = `${flag} ${variant} ${i}`
      const at = (seconds: number) => new Date(from.getTime() + (i + seconds) * 1000).toISOString()
      const properties = { $feature_flag: flag, $feature_flag_response: variant }
      const seen = { person, event: '$feature_flag_called', at: at(1), properties }
      return i < count ? [seen, { person, event: 'ordered', at: at(60) }] : [seen]
    }).flat(),
  )

/** An engine that counts what it is asked, and does not answer in time while it is `isSlow`. */
function aCountingEngine(): { engine: Engine; counts: { queries: number; isSlow: boolean } } {
  const counts = { queries: 0, isSlow: false }
  const real = engine.engine()
  const query: Engine['query'] = async (statement, limits) => {
    if (counts.isSlow) throw new EngineError('deadline', 'Too slow.')
    counts.queries += 1
    return await real.query(statement, limits)
  }
  // methods of the real engine need it as `this`
  const counting = new Proxy(real, {
    get: (target, name) => {
      const member: unknown = name === 'query' ? query : Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  return { engine: counting, counts }
}

async function programmeOf(stories: readonly Story[]) {
  const { engine: counting, counts } = aCountingEngine()
  const { product, world, aProject } = await openTestProduct({ engine: counting })
  let { id } = await aProject()
  while (id <= projectsTold) id = (await aProject({ name: `Project ${id + 1}` })).id
  projectsTold += 1
  const from = world.now()
  expect(await engine.addProject(stories.flatMap((story) => eventsOf(story, from)))).toBe(id)
  const { experiments } = product
  const started: { story: Story; experiment: string }[] = []
  for (const story of stories) {
    const { flag: key, ordered, metrics = [orders], analysis = {}, notes = '' } = story
    const keys = Object.keys(ordered)
    const share = Math.floor(100 / keys.length)
    const variants = keys.map((variant, i) => ({
      key: variant,
      percentage: i === 0 ? 100 - share * (keys.length - 1) : share,
    }))
    requireDone(await product.flags.create(id, { key, kind: 'variants', variants }, ana))
    requireDone(await product.flags.turn(id, key, { isOn: true }, ana))
    const input = {
      name: `Test ${key}`,
      flag: key,
      metrics,
      notes,
      analysis: { lookbackDays: 0, ...analysis },
    }
    const { experiment } = requireDone(await experiments.create(id, input, ana))
    requireDone(await experiments.start(id, experiment.id, {}, ana))
    started.push({ story, experiment: experiment.id })
  }
  world.advance('3 days')
  for (const { story, experiment } of started) {
    const { ships, ...how } = story.ends
    const ended = ships
      ? await experiments.ship(id, experiment, { variant: ships, ...how }, ana)
      : await experiments.end(id, experiment, how, ana)
    requireDone(ended)
    world.advance('1 second')
  }
  const read = async (input: object = {}) =>
    requireDone(await experiments.programme.read(id, input, ana)).programme
  return { product, world, id, read, counts }
}

const half = { control: 100, test: 100 }

test('a project without an ended experiment has no figures', async () => {
  const { read, product, id } = await programmeOf([])
  expect(await read()).toMatchObject({
    metric: undefined,
    metrics: [],
    ended: 0,
    winRate: undefined,
    shippedEffect: undefined,
    pending: 0,
    experiments: [],
  })
  const unknown = await product.experiments.programme.read(id, { metric: 'other' }, ana)
  expect(problemMessages(unknown)).toEqual([
    'No experiment that ended in this period has the metric "other".',
  ])
})

test('wins, effects and what was shipped are read together, and a chosen winner is shrunk', async () => {
  const { read } = await programmeOf([
    { flag: 'checkout', ordered: { control: 80, test: 120 }, ends: { ships: 'test', note: 'More orders' } },
    { flag: 'price', ordered: { control: 100, test: 96 }, ends: {} },
    { flag: 'menu', ordered: { control: 100, test: 103 }, ends: { ships: 'control' } },
    { flag: 'colour', ordered: { control: 100, test: 99 }, metrics: [visits, orders], ends: {} },
  ])
  const programme = await read()
  expect(programme).toMatchObject({
    metric: { name: 'Orders', goal: 'increase', shape: 'share', experiments: 4 },
    metrics: [{ name: 'Orders' }, { name: 'Visits', experiments: 1 }],
    ended: 4,
    outcomes: { shipped: 2, stopped: 2, undecided: 0 },
    winRate: { wins: 1, of: 4 },
    shippedEffect: { variants: 1, unknown: 0 },
    pending: 0,
  })
  // R: binom::binom.wilson(1, 4)
  expect(programme.winRate?.low).toBeCloseTo(0.0456, 4)
  expect(programme.winRate?.high).toBeCloseTo(0.6994, 4)
  expect(programme.experiments.map(({ flag }) => flag)).toEqual(['colour', 'menu', 'price', 'checkout'])
  const { effect } = present(programme.experiments.at(-1))
  if (effect.state !== 'known') throw new Error(effect.reason)
  expect(effect).toMatchObject({ variant: 'test', level: 0.95 })
  expect(effect.measured.value).toBeCloseTo(0.5, 12)
  const shrunk = present(effect.shrunk)
  expect(shrunk.value).toBeLessThan(0.4)
  expect(shrunk.value).toBeGreaterThan(0)
  const shipped = present(programme.shippedEffect)
  expect(shipped.measured.value).toBeCloseTo(0.5, 12)
  expect(shipped.shrunk).toEqual(shrunk)
})

test('the effect is that of the shipped variant, otherwise of the one that looks best', async () => {
  const ordered = { control: 100, loud: 130, quiet: 110 }
  const { read } = await programmeOf([
    { flag: 'banner', ordered, ends: { ships: 'quiet' } },
    { flag: 'footer', ordered, ends: {} },
    { flag: 'errors', ordered, metrics: [{ ...orders, goal: 'decrease' }], ends: {} },
  ])
  const effectsBy = async (input: object = {}) =>
    (await read(input)).experiments.map(({ effect }) =>
      effect.state === 'known' ? effect.variant : effect.reason,
    )
  expect(await effectsBy()).toEqual(['no-metric', 'loud', 'quiet'])
  const fewer = present((await read()).metrics.find(({ goal }) => goal === 'decrease'))
  expect(await effectsBy({ metric: fewer.key })).toEqual(['quiet', 'no-metric', 'no-metric'])
})

test('periods choose by the end, and a search finds learnings without changing the figures', async () => {
  const { read, world } = await programmeOf([
    { flag: 'checkout', ordered: half, ends: { note: 'People want the long form' } },
    { flag: 'price', ordered: half, notes: 'Try a yearly price next.', ends: { ships: 'test' } },
    { flag: 'menu', ordered: half, ends: {} },
  ])
  const found = async (search: string) => {
    const { ended, experiments } = await read({ search })
    return [ended, ...experiments.map(({ flag }) => flag)]
  }
  expect(await found('LONG form')).toEqual([3, 'checkout'])
  expect(await found('yearly')).toEqual([3, 'price'])
  expect(await found('Test')).toEqual([3, 'menu', 'price', 'checkout'])
  world.advance('40 days')
  expect((await read({ period: '30d' })).ended).toBe(0)
  expect((await read({ period: 'all' })).ended).toBe(3)
})

test('an experiment whose variants did not get their shares of people says nothing about effects', async () => {
  const { read, product, world, id } = await programmeOf([])
  const begin = world.now()
  const people = ['control', ...Array(3).fill('test')].flatMap((variant: string, share) =>
    eventsOf({ flag: 'menu', ordered: { [variant]: 50 }, ends: {} }, begin).map((event) => ({
      ...event,
      person: `${share} ${event.person}`,
    })),
  )
  await engine.addEvents(id, people)
  const variants = ['control', 'test'].map((key) => ({ key, percentage: 50 }))
  requireDone(await product.flags.create(id, { key: 'menu', kind: 'variants', variants }, ana))
  requireDone(await product.flags.turn(id, 'menu', { isOn: true }, ana))
  const input = { name: 'Menu', flag: 'menu', metrics: [orders] }
  const { experiment } = requireDone(await product.experiments.create(id, input, ana))
  requireDone(await product.experiments.start(id, experiment.id, { at: begin.toISOString() }, ana))
  world.advance('1 day')
  requireDone(await product.experiments.end(id, experiment.id, {}, ana))
  expect((await read()).experiments).toMatchObject([{ effect: { state: 'unknown', reason: 'split' } }])
})

test('a prior of an experiment is seen in its own effect, and not counted twice', async () => {
  const ends = { ships: 'test' }
  const prior = { prior: { mean: 0, standardDeviation: 0.05 } }
  const { read } = await programmeOf([
    { flag: 'checkout', ordered: { control: 80, test: 120 }, analysis: prior, ends },
  ])
  const { experiments, shippedEffect } = await read()
  expect(shippedEffect).toMatchObject({ shrunk: undefined })
  expect(shippedEffect?.measured.value).toBeCloseTo(0.5, 12)
  expect(experiments).toMatchObject([{ effect: { measured: { value: expect.closeTo(0.06, 1) } } }])
})

describe('results of a list', () => {
  const story: Story = { flag: 'checkout', ordered: half, ends: {} }

  test('are kept after the first time', async () => {
    const { read, counts, world } = await programmeOf([story, { ...story, flag: 'price' }])
    const first = await read()
    expect(first.pending).toBe(0)
    const before = counts.queries
    expect(before).toBeGreaterThan(0)
    world.advance('2 minutes')
    expect((await read()).experiments).toEqual(first.experiments)
    expect(counts.queries).toBe(before)
  })

  test('that take long are pending, and the others are shown', async () => {
    const { read, counts } = await programmeOf([story])
    counts.isSlow = true
    expect(await read()).toMatchObject({
      pending: 1,
      winRate: { wins: 0, of: 1 },
      experiments: [{ effect: { state: 'unknown', reason: 'pending' } }],
    })
    counts.isSlow = false
    expect(await read()).toMatchObject({ pending: 0, experiments: [{ effect: { state: 'known' } }] })
  })
})
