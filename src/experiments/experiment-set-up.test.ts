import { expect, test } from 'vitest'
import { openTestProduct, problemMessages, requireDone } from '#test/fixture'
import { operator } from '#projects/access'

const ana = operator('Ana')
const flag = {
  key: 'checkout',
  variants: [
    { key: 'old', percentage: 50 },
    { key: 'new', percentage: 50 },
  ],
}

async function setUp() {
  const { product, aProject } = await openTestProduct()
  const { id } = await aProject()
  const flagFor = (experiment: object) =>
    product.experimentSetUp.flagFor(
      id,
      {
        flag,
        experiment: { name: 'Checkout', flag: 'checkout', ...experiment },
        environments: ['production', 'test'],
      },
      ana,
    )
  return { product, id, flagFor }
}

test('the flag of a new experiment is off everywhere, and decides by its unit', async () => {
  const { product, id, flagFor } = await setUp()
  requireDone(await product.environments.create(id, { name: 'test' }, ana))
  const input = requireDone(flagFor({ unit: { by: 'group', group: 'company' } })).flag
  expect(requireDone(await product.flags.create(id, input, ana)).flag).toMatchObject({
    kind: 'variants',
    bucketBy: { by: 'group', group: 'company' },
    environments: {
      production: { isOn: false, conditions: [{ percentage: 100 }] },
      test: { isOn: false, conditions: [{ percentage: 100 }] },
    },
  })
})

test('an experiment that would be refused gets no flag', async () => {
  const { flagFor } = await setUp()
  const outcome = flagFor({ name: '' })
  expect(outcome.done ? [] : problemMessages(outcome)).toEqual(['Name the experiment after what it changes.'])
})

test('saved insights are metrics, or say why not', async () => {
  const { product, id } = await setUp()
  const save = async (name: string, question: object) =>
    requireDone(await product.savedInsights.create(id, { name, question }, ana))
  await save('Orders', { kind: 'trend', series: [{ event: 'ordered' }] })
  await save('Ways', { kind: 'paths' })
  const { metrics } = requireDone(await product.experimentSetUp.insightMetrics(id, ana))
  expect(metrics.toSorted((one, other) => one.name.localeCompare(other.name))).toMatchObject([
    { name: 'Orders', measured: { type: 'total' } },
    { name: 'Ways', measured: undefined, refused: 'Only trends, funnels and retention can become metrics.' },
  ])
})
