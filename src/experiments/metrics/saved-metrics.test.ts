import { expect, test } from 'vitest'
import { openTestProduct, present, problemMessages, requireDone } from '#test/product/fixture'
import { operator } from '#projects/access'

const ana = operator('Ana')

const orders = {
  name: 'Orders',
  measured: { type: 'conversion', happening: { event: 'ordered' } },
  tags: ['shop'],
}
const errors = {
  name: 'Errors',
  goal: 'decrease',
  measured: { type: 'total', amount: { happening: { event: '$exception' } } },
  tags: ['shop', 'health'],
}

async function setUp() {
  const { product, aProject } = await openTestProduct()
  const { id } = await aProject()
  const variants = [
    { key: 'control', percentage: 50 },
    { key: 'test', percentage: 50 },
  ]
  requireDone(await product.flags.create(id, { key: 'checkout', kind: 'variants', variants }, ana))
  requireDone(await product.flags.turn(id, 'checkout', { isOn: true }, ana))
  const save = async (input: object) =>
    requireDone(await product.experiments.metrics.create(id, input, ana)).metric.id
  const make = async (more: object = {}) =>
    requireDone(await product.experiments.create(id, { name: 'Checkout', flag: 'checkout', ...more }, ana))
      .experiment.id
  const metricsOf = async (experiment: string) =>
    present(await product.experiments.find(id, experiment, ana)).metrics
  return { product, id, save, make, metricsOf }
}

test('a group of saved metrics is added once, as guardrails for example', async () => {
  const { product, id, save, make, metricsOf } = await setUp()
  await save(orders)
  const saved = await save(errors)
  const experiment = await make()
  const add = async (input: object) => await product.experiments.addSavedMetrics(id, experiment, input, ana)
  requireDone(await add({ ids: [saved], role: 'guardrail' }))
  requireDone(await add({ tag: 'shop', role: 'primary' }))
  expect(await metricsOf(experiment)).toMatchObject([
    { name: 'Errors', role: 'guardrail', goal: 'decrease', savedMetric: saved },
    { name: 'Orders', role: 'primary', measured: orders.measured },
  ])
  expect(problemMessages(await add({ tag: 'nope' }))).toEqual(['No saved metric has this tag.'])
  expect(problemMessages(await add({ ids: ['nope'] }))).toEqual([
    'There is no saved metric "nope" in this project.',
  ])
  expect(problemMessages(await add({}))).toEqual(['Name saved metrics by their ids, or a group by its tag.'])
})

test('a draft takes over a change of a saved metric when it starts, and a running experiment does not', async () => {
  const { product, id, save, make, metricsOf } = await setUp()
  const saved = await save(orders)
  const experiment = await make()
  const input = { ids: [saved], role: 'primary' }
  requireDone(await product.experiments.addSavedMetrics(id, experiment, input, ana))
  const rename = async (name: string) =>
    requireDone(await product.experiments.metrics.change(id, saved, { name }, ana))
  const namesOf = async () => (await metricsOf(experiment)).map(({ name }) => name)
  await rename('Paid orders')
  requireDone(await product.experiments.start(id, experiment, {}, ana))
  expect(await namesOf()).toEqual(['Paid orders'])
  await rename('Refunds')
  expect(await namesOf()).toEqual(['Paid orders'])
  expect(problemMessages(await product.experiments.addSavedMetrics(id, experiment, input, ana))).toEqual([
    'The experiment has started. Add a metric of its own, which says how it was chosen.',
  ])
})

test('an experiment keeps a metric whose saved one is removed', async () => {
  const { product, id, save, make, metricsOf } = await setUp()
  const saved = await save(orders)
  const experiment = await make({
    metrics: [{ name: orders.name, measured: orders.measured, savedMetric: saved }],
  })
  requireDone(await product.experiments.metrics.remove(id, saved, ana))
  requireDone(await product.experiments.start(id, experiment, {}, ana))
  expect(await metricsOf(experiment)).toMatchObject([{ name: 'Orders', measured: orders.measured }])
})

test('every template is an experiment', async () => {
  const { product, id, make, metricsOf } = await setUp()
  for (const { name, input } of product.experiments.templates(id, ana)) {
    const metrics = await metricsOf(await make({ ...input, name }))
    expect(metrics.map(({ name: of, role }) => ({ name: of, role }))).toEqual(
      input.metrics.map(({ name: of, role }) => ({ name: of, role })),
    )
    expect(metrics.some(({ role }) => role === 'primary')).toBe(true)
  }
})
