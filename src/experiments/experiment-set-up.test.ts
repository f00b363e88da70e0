import { expect, test } from 'vitest'
import { openTestProduct, problemMessages, requireDone } from '#test/product/fixture'
import { operator } from '#projects/access'

const ana = operator('Ana')
const variants = [
  { key: 'old', percentage: 50 },
  { key: 'new', percentage: 50 },
]
const orders = { name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }

async function setUp() {
  const { product, aProject } = await openTestProduct()
  const { id } = await aProject()
  const create = (more: object = {}, flag: object = { key: 'checkout', variants }) =>
    product.experiments.createWithFlag(
      id,
      { flag, experiment: { name: 'Checkout', flag: 'checkout', metrics: [orders], ...more } },
      ana,
    )
  const flagOf = () => product.flags.find(id, 'checkout', ana)
  return { product, id, create, flagOf }
}

test('the flag of a new experiment is off everywhere, and decides by its unit', async () => {
  const { product, id, create, flagOf } = await setUp()
  requireDone(await product.flags.environments.create(id, { name: 'test' }, ana))
  requireDone(await create({ unit: { by: 'group', group: 'company' } }))
  expect(await flagOf()).toMatchObject({
    kind: 'variants',
    bucketBy: { by: 'group', group: 'company' },
    environments: {
      production: { isOn: false, conditions: [{ percentage: 100 }] },
      test: { isOn: false, conditions: [{ percentage: 100 }] },
    },
  })
})

test('an experiment that is refused, before its flag is written or after it, leaves no flag', async () => {
  const { product, id, create, flagOf } = await setUp()
  expect(problemMessages(await create({ name: '' }))).toEqual(['Name the experiment after what it changes.'])
  expect(problemMessages(await create({ control: 'none' }))).toEqual([
    'The flag "checkout" has no variant "none". It has "old", "new".',
  ])
  expect(await flagOf()).toBeUndefined()
  expect(await product.flags.history(id, 'checkout', ana)).toEqual([])
  expect(await product.experiments.list(id, ana)).toEqual([])
})

test('a flag that is refused leaves no experiment, and its problems say that they are of the flag', async () => {
  const { product, id, create } = await setUp()
  requireDone(await product.flags.create(id, { key: 'checkout' }, ana))
  expect(await create()).toMatchObject({ done: false, problems: [{ field: 'newFlag.key' }] })
  expect(await product.experiments.list(id, ana)).toEqual([])
})

test('a start turns the flag on in the same version, and a refused one leaves it off', async () => {
  const { product, id, create, flagOf } = await setUp()
  const { experiment } = requireDone(await create({ metrics: [] }))
  const start = (input: object) => product.experiments.start(id, experiment.id, input, ana)
  expect((await start({ turnsFlagOn: true })).done).toBe(false)
  expect(await flagOf()).toMatchObject({ version: 1, environments: { production: { isOn: false } } })

  requireDone(await product.experiments.change(id, experiment.id, { metrics: [orders] }, ana))
  expect(problemMessages(await start({}))).toEqual([
    'The flag "checkout" is off in production. Turn it on first.',
  ])
  requireDone(await start({ turnsFlagOn: true }))
  expect(await flagOf()).toMatchObject({
    version: 2,
    hasExperiment: true,
    environments: { production: { isOn: true, conditions: [{ percentage: 100 }] } },
  })
})

test('saved insights are metrics, or say why not', async () => {
  const { product, id } = await setUp()
  const save = async (name: string, query: object) =>
    requireDone(await product.insights.saved.create(id, { name, question: query }, ana))
  await save('Orders', { kind: 'trend', series: [{ event: 'ordered' }] })
  await save('Ways', { kind: 'paths' })
  const { metrics } = requireDone(await product.experiments.setUp.insightMetrics(id, ana))
  expect(metrics.toSorted((one, other) => one.name.localeCompare(other.name))).toMatchObject([
    { name: 'Orders', measured: { type: 'total' } },
    { name: 'Ways', measured: undefined, refused: 'Only trends, funnels and retention can become metrics.' },
  ])
})
