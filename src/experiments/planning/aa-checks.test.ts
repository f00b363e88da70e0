import { expect, test } from 'vitest'
import { openTestProduct, problemMessages, requireDone } from '#test/product/fixture'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { operator } from '#projects/access'
import { runAaCheck } from './aa-check'
import { AaChecks } from './aa-checks'

const ana = operator('Ana')
const engine = anEngine()
const orders = { name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }
const median = {
  name: 'Median',
  role: 'secondary',
  measured: { type: 'quantile', happening: { event: 'ordered' }, property: 'price', level: 0.5 },
}

/** Six hundred visitors of the last weeks; a third of them orders. */
const visitors = (now: number): TestEvent[] =>
  Array.from({ length: 600 }, (_, i) => {
    const at = now - (3 + (i % 20)) * 86_400_000
    const person = `visitor ${i}`
    const view = { person, event: '$pageview', at: new Date(at).toISOString() }
    return i % 3 === 0
      ? [view, { person, event: 'ordered', at: new Date(at + 60_000).toISOString() }]
      : [view]
  }).flat()

async function setUp() {
  const { product, world, aProject } = await openTestProduct({ engine: engine.engine() })
  const told = await engine.addProject(visitors(world.now().getTime()))
  let { id } = await aProject()
  while (id < told) ({ id } = await aProject())
  const variants = ['control', 'test'].map((key) => ({ key, percentage: 50 }))
  requireDone(await product.flags.create(id, { key: 'checkout', kind: 'variants', variants }, ana))
  const make = async (metrics: readonly object[]) =>
    requireDone(await product.experiments.create(id, { name: 'Checkout', flag: 'checkout', metrics }, ana))
      .experiment.id
  const checksWith = (run: ConstructorParameters<typeof AaChecks>[0]['run']) =>
    new AaChecks({ world, experiments: product.experiments, insights: product.insights, run })
  return { product, id, make, checksWith, checks: checksWith(async (...input) => runAaCheck(...input)) }
}

test('the history is divided at random, and the result stays until the metrics change', async () => {
  const { product, id, make, checks } = await setUp()
  const experiment = await make([orders, median])
  const state = async () => requireDone(await checks.state(id, experiment, ana)).check
  expect(await state()).toEqual({ state: 'none' })

  expect(requireDone(await checks.begin(id, experiment, ana)).check).toEqual({
    state: 'running',
    progress: 0,
  })
  await checks.settled()

  const done = await state()
  if (done.state !== 'done') throw new Error(done.state)
  const [first, second] = done.result.metrics
  expect(first).toMatchObject({ state: 'checked', units: 600, finding: 'as-promised' })
  expect(second).toMatchObject({ state: 'not-checked', reason: 'quantile' })
  expect(done.sentences).toEqual([
    expect.stringMatching(
      /^“Orders”: \d+ of 1,000 random divisions showed a difference \(\d\.\d%\), (?:no more than|within chance of) the promised 5\.0%\. With 600 units, an effect of 5% is found in \d+\.\d% of them\.$/,
    ),
    '“Median” was not checked: a quantile has no value of a single unit.',
  ])
  requireDone(await product.experiments.change(id, experiment, { metrics: [orders] }, ana))
  expect(await state()).toEqual({ state: 'none' })
})

test('a second request joins the check that runs, whose progress is told', async () => {
  const { id, make, checksWith } = await setUp()
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  let runs = 0
  const checks = checksWith(async (input, onProgress) => {
    runs += 1
    onProgress(0.5)
    begun.resolve()
    await end.promise
    return runAaCheck({ ...input, times: 20 }, onProgress)
  })
  const experiment = await make([orders])
  requireDone(await checks.begin(id, experiment, ana))
  await begun.promise
  const half = { state: 'running', progress: 0.5 }
  expect(requireDone(await checks.begin(id, experiment, ana)).check).toEqual(half)
  end.resolve()
  await checks.settled()
  expect(runs).toBe(1)
  expect(requireDone(await checks.state(id, experiment, ana)).check.state).toBe('done')
})

test('a check that breaks says so, and the next one works', async () => {
  const { id, make, checksWith } = await setUp()
  let isBroken = true
  const checks = checksWith(async (...input) => {
    if (isBroken) throw new Error('no thread')
    return runAaCheck(...input)
  })
  const experiment = await make([orders])
  const check = async () => {
    requireDone(await checks.begin(id, experiment, ana))
    await checks.settled()
    return requireDone(await checks.state(id, experiment, ana)).check
  }
  expect(await check()).toEqual({ state: 'failed', sentence: 'The check failed: no thread' })
  isBroken = false
  expect((await check()).state).toBe('done')
})

test('bad input is answered by a sentence', async () => {
  const { id, make, checks } = await setUp()
  expect(problemMessages(await checks.begin(id, await make([]), ana))).toEqual(['Add a metric first.'])
  expect(problemMessages(await checks.begin(id, 'nope', ana))).toEqual([
    'There is no such experiment in this project.',
  ])
})
