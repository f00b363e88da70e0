import { describe, expect, test } from 'vitest'
import { openTestProduct, problemMessages, requireDone } from '#test/product/fixture'
import { operator } from '#projects/access'

const ana = operator('Ana')
const ordered = { event: 'ordered' }
const orders = { name: 'Orders', measured: { type: 'conversion', happening: ordered } }

async function setUp(shares = [50, 50]) {
  const { product, aProject } = await openTestProduct()
  const { id } = await aProject()
  const variants = shares.map((percentage, i) => ({ key: `v${i}`, percentage }))
  requireDone(await product.flags.create(id, { key: 'checkout', kind: 'variants', variants }, ana))
  requireDone(await product.flags.turn(id, 'checkout', { isOn: true }, ana))
  const make = async (more: object = {}) =>
    await product.experiments.create(
      id,
      { name: 'Checkout', flag: 'checkout', kind: 'bandit', metrics: [orders], ...more },
      ana,
    )
  const change = async (experiment: { id: string }, input: object) =>
    await product.experiments.change(id, experiment.id, input, ana)
  return { product, id, make, change }
}

test('a bandit has settings that fit most, and counts people by what they saw first', async () => {
  const { make } = await setUp()
  expect(requireDone(await make({ severalVariants: 'exclude' })).experiment).toMatchObject({
    kind: 'bandit',
    severalVariants: 'first',
    bandit: { smallestPercent: 5, burnInUnits: 100, interval: 'day' },
  })
})

test('a draft changes its kind, a started experiment does not', async () => {
  const { product, id, make, change } = await setUp()
  const { experiment } = requireDone(await make())
  const changed = requireDone(await change(experiment, { bandit: { interval: 'hour' } })).experiment
  expect(changed.bandit).toEqual({ smallestPercent: 5, burnInUnits: 100, interval: 'hour' })
  expect(requireDone(await change(experiment, { kind: 'fixed' })).experiment.bandit).toBeUndefined()
  requireDone(await product.experiments.start(id, experiment.id, {}, ana))
  expect(problemMessages(await change(experiment, { kind: 'bandit' }))).toEqual([
    'The kind cannot change once the experiment has started. Duplicate it instead.',
  ])
})

test('a copy of a bandit is a bandit', async () => {
  const { product, id, make } = await setUp()
  const { experiment } = requireDone(await make({ bandit: { burnInUnits: 30 } }))
  expect(requireDone(await product.experiments.duplicate(id, experiment.id, ana)).experiment).toMatchObject({
    kind: 'bandit',
    bandit: { burnInUnits: 30 },
  })
})

describe('what cannot be a bandit is refused in a sentence', () => {
  test.each<[string, object, string]>([
    [
      'two primary metrics',
      { metrics: [orders, { ...orders, name: 'More' }] },
      'A bandit has one primary metric: its weights follow one number.',
    ],
    [
      'a ratio that decides',
      {
        metrics: [
          {
            name: 'Rate',
            measured: {
              type: 'ratio',
              numerator: { happening: ordered },
              denominator: { happening: { event: 'seen' } },
            },
          },
        ],
      },
      '“Rate” cannot decide a bandit: a ratio is a number of a variant, not of a unit. Use a conversion, a count, a sum or a funnel.',
    ],
    [
      'a mean over events that decides',
      {
        metrics: [
          { name: 'Price', measured: { type: 'value', of: 'mean', happening: ordered, property: 'p' } },
        ],
      },
      '“Price” cannot decide a bandit: the mean or the extreme of a property exists only for units that have one. Use a conversion, a count, a sum or a funnel.',
    ],
    [
      'a quantile as a guardrail',
      {
        metrics: [
          orders,
          {
            name: 'Speed',
            role: 'guardrail',
            measured: { type: 'quantile', happening: ordered, property: 'p', level: 0.75 },
          },
        ],
      },
      'A bandit cannot measure “Speed”: quantiles of times with other weights cannot be pooled. Use a count or a mean.',
    ],
    ['an update every minute', { bandit: { interval: 'minute' } }, 'Choose one of hour, day.'],
  ])('%s', async (_, more, message) => {
    const { make } = await setUp()
    expect(problemMessages(await make(more))).toEqual([message])
  })

  test('smallest weights that leave nothing to move', async () => {
    const { make } = await setUp([25, 25, 25, 25])
    expect(problemMessages(await make({ bandit: { smallestPercent: 25 } }))).toEqual([
      '4 variants with at least 25% each leave nothing to move. Choose a smaller weight than 25%.',
    ])
  })
})
