import { describe, expect, test } from 'vitest'
import { openTestProduct, present, problemMessages, requireDone } from '#test/product/fixture'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import type { Flag } from '#flags/flag'
import { flagNamed, saveFlags } from '#flags/store'
import { operator } from '#projects/access'
import { openStore } from '#store/open'

const ana = operator('Ana')
const engine = anEngine()
/** The engine numbers the projects that it is told of; a test’s own project has the next number. */
let projectsTold = 0

const variantsOf = (...shares: number[]) =>
  shares.map((percentage, i) => ({ key: ['control', 'test', 'other'][i] ?? '', percentage }))

const orders = { name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }
const revenue = {
  name: 'Revenue',
  measured: { type: 'total', amount: { happening: { event: 'ordered' }, property: 'revenue' } },
}

async function setUp(metric: object = orders, shares = [50, 50]) {
  const { product, world, aProject, folder } = await openTestProduct({ engine: engine.engine() })
  let { id } = await aProject()
  while (id <= projectsTold) id = (await aProject()).id
  const variants = variantsOf(...shares)
  requireDone(await product.flags.create(id, { key: 'checkout', kind: 'variants', variants }, ana))
  requireDone(await product.flags.turn(id, 'checkout', { isOn: true }, ana))
  const start = async (more: object = {}) => {
    const body = {
      name: 'Checkout',
      flag: 'checkout',
      metrics: [metric],
      analysis: { lookbackDays: 0 },
      ...more,
    }
    const { experiment } = requireDone(await product.experiments.create(id, body, ana))
    return requireDone(await product.experiments.start(id, experiment.id, {}, ana)).experiment
  }
  const addProject = async (events: readonly TestEvent[]) => {
    projectsTold += 1
    expect(await engine.addProject(events)).toBe(id)
  }
  const result = async (experiment: { id: string }) =>
    requireDone(await product.experiments.results.result(id, experiment.id, ana)).result
  /** Changes the flag as an earlier Tilth let members do while an experiment ran. */
  const changeUnchecked = async (change: Partial<Flag>) => {
    const store = await openStore({ folder })
    await store.transaction(async (transaction) => {
      const before = present(await flagNamed(transaction, id, 'checkout'))
      const flag = { ...before, ...change, version: before.version + 1, changedAt: world.now() }
      await saveFlags(transaction, [{ flag, by: 'Ana', note: undefined }])
    })
    await store.close()
  }
  return { product, world, id, start, addProject, result, changeUnchecked }
}

interface ExposedPersons {
  persons: number
  ordered?: number
  total?: (i: number) => number
}

/** Persons who were exposed one minute after the other; some ordered a minute later. */
function exposedTo(
  variant: string,
  from: Date,
  { persons, ordered = 0, total }: ExposedPersons,
): TestEvent[] {
  return Array.from({ length: persons }, (_, i) => {
    const person = `${variant} ${from.getTime()} ${i}`
    const at = (minutes: number) => new Date(from.getTime() + (i + minutes) * 60_000).toISOString()
    const seen: TestEvent = {
      person,
      event: '$feature_flag_called',
      at: at(0),
      properties: { $feature_flag: 'checkout', $feature_flag_response: variant },
    }
    const properties = total && { revenue: String(total(i)) }
    const order: TestEvent = { person, event: 'ordered', at: at(1), ...(properties && { properties }) }
    return i < ordered ? [seen, order] : [seen]
  }).flat()
}

const startOf = ({ startedAt }: { startedAt?: Date | undefined }) => present(startedAt)

test('weights that do not add up are refused with their sum', async () => {
  const { product, id } = await setUp()
  const change = { variants: variantsOf(50, 40) }
  expect(problemMessages(await product.flags.change(id, 'checkout', change, ana))).toEqual([
    'The variants together are 90 percent. Make them 100.',
  ])
})

describe('never a verdict from nothing', () => {
  const noValues =
    'The primary metrics have too few values to compare, although people were exposed. Check that their events are sent. Wait.'

  test.each([
    ['a metric on an event that was never sent', orders],
    ['a number that is the same for everyone', revenue],
  ])('%s', async (_, metric) => {
    const { world, start, addProject, result } = await setUp(metric)
    const experiment = await start()
    const from = startOf(experiment)
    await addProject([
      ...exposedTo('control', from, { persons: 200 }),
      ...exposedTo('test', from, { persons: 200 }),
    ])
    world.advance('5 days')
    expect((await result(experiment)).sentence).toBe(noValues)
  })

  test('one person', async () => {
    const { world, start, addProject, result } = await setUp()
    const experiment = await start()
    await addProject(exposedTo('test', startOf(experiment), { persons: 1, ordered: 1 }))
    world.advance('5 days')
    const { verdict, sentence, report } = await result(experiment)
    expect(verdict).toMatchObject({ advice: 'wait', reason: 'too-few-units' })
    expect(sentence).toMatch(/^Too few people have been exposed to say anything\./)
    expect(report?.metrics[0]?.comparisons).toEqual([
      { variant: 'test', state: 'no-estimate', reason: 'too-few-units' },
    ])
  })

  test('an experiment that ended early does not claim that there is no difference', async () => {
    const { product, world, id, start, addProject, result } = await setUp()
    const experiment = await start()
    const from = startOf(experiment)
    await addProject([
      ...exposedTo('control', from, { persons: 100, ordered: 10 }),
      ...exposedTo('test', from, { persons: 100, ordered: 12 }),
    ])
    world.advance('1 day')
    requireDone(await product.experiments.end(id, experiment.id, {}, ana))
    expect((await result(experiment)).sentence).toBe('The experiment ended before anything was clear.')
  })
})

test('negative revenue, as refunds send it, is counted as it is, in the project’s currency', async () => {
  const { product, id, world, start, addProject, result } = await setUp(revenue)
  requireDone(await product.projects.changeSettings(id, { answers: { currency: 'CHF' } }, ana))
  const experiment = await start()
  const from = startOf(experiment)
  const paid = (i: number) => 20 + (i % 5)
  await addProject([
    ...exposedTo('control', from, { persons: 300, ordered: 300, total: paid }),
    ...exposedTo('test', from, { persons: 300, ordered: 300, total: (i) => -paid(i) }),
  ])
  world.advance('5 days')
  const { verdict, sentence, report } = await result(experiment)
  expect(report?.metrics[0]?.values.map(({ value }) => value)).toEqual([22, -22])
  expect(report?.metrics[0]).toMatchObject({ shape: 'mean', currency: 'CHF' })
  expect(verdict).toMatchObject({ advice: 'stop', unit: { shape: 'mean', currency: 'CHF' } })
  expect(sentence).toMatch(/^Stop: “test” is worse, Revenue −200\.0%/)
})

describe('the flag under a running experiment', () => {
  test('a variant that is removed stays in the results, and begins a phase', async () => {
    const { world, start, addProject, result, changeUnchecked } = await setUp(orders, [40, 30, 30])
    const experiment = await start()
    await addProject([
      ...exposedTo('control', startOf(experiment), { persons: 40 }),
      ...exposedTo('test', startOf(experiment), { persons: 30 }),
      ...exposedTo('other', startOf(experiment), { persons: 30 }),
    ])
    world.advance('1 day')
    const variants = variantsOf(50, 50).map((variant) => ({ ...variant, name: '' }))
    await changeUnchecked({ variants })
    world.advance('1 day')
    const { verdict, report } = await result(experiment)
    expect(report?.variants).toMatchObject([{ units: 40 }, { units: 30 }, { key: 'other', units: 30 }])
    expect(report?.phases.map(({ ratio }) => ratio && ratio.p > 0.5)).toEqual([true, true])
    expect(verdict).toMatchObject({ advice: 'wait', reason: 'too-few-units' })
  })

  test('one that lost its variants still has results, and cannot be shipped', async () => {
    const { product, world, id, start, addProject, result, changeUnchecked } = await setUp()
    const experiment = await start()
    await addProject(exposedTo('control', startOf(experiment), { persons: 60 }))
    world.advance('1 day')
    await changeUnchecked({ kind: 'switch', variants: [] })
    world.advance('1 day')
    expect((await result(experiment)).report?.variants).toMatchObject([{ units: 60 }, { units: 0 }])
    const shipped = await product.experiments.ship(id, experiment.id, { variant: 'test' }, ana)
    expect(problemMessages(shipped)).toEqual([
      'The flag "checkout" has no variants. An experiment compares two to ten of them.',
    ])
    requireDone(await product.experiments.end(id, experiment.id, {}, ana))
  })

  test('a second experiment on the same flag counts only exposures of its own time', async () => {
    const { product, world, id, start, addProject, result } = await setUp()
    const first = await start()
    await addProject(exposedTo('control', startOf(first), { persons: 60 }))
    world.advance('5 days')
    requireDone(await product.experiments.end(id, first.id, {}, ana))
    const second = await start({ name: 'Again' })
    const firstId = (await result(first)).report?.variants.map(({ units }) => units)
    expect(firstId).toEqual([60, 0])
    world.advance('1 day')
    expect((await result(second)).report?.variants.map(({ units }) => units)).toEqual([0, 0])
  })
})

test('a beginning after the end, or before the flag, is answered by a sentence', async () => {
  const { product, world, id, start, result } = await setUp()
  const draft = await product.experiments.create(
    id,
    { name: 'Early', flag: 'checkout', metrics: [orders] },
    ana,
  )
  const { experiment } = requireDone(draft)
  const early = { at: '2001-01-01T00:00:00Z' }
  requireDone(await product.experiments.start(id, experiment.id, early, ana))
  expect((await result(experiment)).sentence).toBe('No one has been exposed yet. Wait.')
  requireDone(await product.experiments.end(id, experiment.id, {}, ana))
  const late = { at: new Date(world.now().getTime() + 60_000).toISOString() }
  const second = await product.experiments.create(
    id,
    { name: 'Late', flag: 'checkout', metrics: [orders] },
    ana,
  )
  expect(
    problemMessages(await product.experiments.start(id, requireDone(second).experiment.id, late, ana)),
  ).toEqual(['An experiment cannot begin in the future.'])
  // an end in the same instant leaves no time for exposures
  const { id: instant } = await start()
  requireDone(await product.experiments.end(id, instant, {}, ana))
  expect((await result({ id: instant })).sentence).toBe('The experiment ended before anything was clear.')
})

test('conversions that a clock puts before the exposure are not its effect', async () => {
  const { world, start, addProject, result } = await setUp()
  const experiment = await start()
  const from = startOf(experiment)
  const hoursOff = exposedTo('test', from, { persons: 60, ordered: 60 }).map((event) =>
    event.event === 'ordered'
      ? { ...event, at: new Date(Date.parse(String(event.at)) - 6 * 3_600_000).toISOString() }
      : event,
  )
  await addProject([...hoursOff, ...exposedTo('control', from, { persons: 60, ordered: 30 })])
  world.advance('5 days')
  const { report } = await result(experiment)
  expect(report?.metrics[0]?.values).toMatchObject([
    { variant: 'control', value: 0.5 },
    { variant: 'test', value: 0 },
  ])
})
