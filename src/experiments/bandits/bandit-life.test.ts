import { expect, test } from 'vitest'
import { openTestProduct, present, requireDone } from '#test/product/fixture'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { operator } from '#projects/access'

const ana = operator('Ana')
const engine = anEngine()
const orders = { name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }

interface Crowd {
  day: number
  variant: string
  version: number
  persons: number
  ordered: number
}

/** Persons who are exposed in the first hours of a day; some order at once. */
function crowd(start: Date, { day, variant, version, persons, ordered }: Crowd): TestEvent[] {
  return Array.from({ length: persons }, (_, i) => {
    const at = new Date(start.getTime() + day * 86_400_000 + (i + 1) * 10_000).toISOString()
    const person = `${variant} ${day} ${i}`
    const exposed: TestEvent = {
      person,
      event: '$feature_flag_called',
      at,
      properties: {
        $feature_flag: 'checkout',
        $feature_flag_response: variant,
        $feature_flag_version: String(version),
      },
    }
    return i < ordered ? [exposed, { person, event: 'ordered', at }] : [exposed]
  }).flat()
}

async function aRunningBandit() {
  const { product, world, aProject } = await openTestProduct({ engine: engine.engine() })
  const { id } = await aProject()
  const variants = [
    { key: 'control', percentage: 70 },
    { key: 'test', percentage: 30 },
  ]
  requireDone(await product.flags.create(id, { key: 'checkout', kind: 'variants', variants }, ana))
  requireDone(await product.flags.turn(id, 'checkout', { isOn: true }, ana))
  const input = {
    name: 'Checkout',
    flag: 'checkout',
    kind: 'bandit',
    metrics: [orders],
    analysis: { lookbackDays: 0 },
  }
  const { experiment } = requireDone(await product.experiments.create(id, input, ana))
  const { startedAt } = requireDone(await product.experiments.start(id, experiment.id, {}, ana)).experiment
  return { product, world, id, experiment: experiment.id, startedAt: present(startedAt) }
}

test('a bandit from its start to its end: the better variant gets the people, and a trend deceives no one', async () => {
  const { product, world, id, experiment, startedAt } = await aRunningBandit()
  const version = present(await product.flags.find(id, 'checkout', ana)).version
  const told = await engine.addProject([
    ...crowd(startedAt, { day: 0, variant: 'control', version, persons: 200, ordered: 20 }),
    ...crowd(startedAt, { day: 0, variant: 'test', version, persons: 200, ordered: 50 }),
    // on the second day everyone orders more, and most are in the better variant
    ...crowd(startedAt, { day: 1, variant: 'control', version: version + 1, persons: 20, ordered: 8 }),
    ...crowd(startedAt, { day: 1, variant: 'test', version: version + 1, persons: 380, ordered: 228 }),
  ])
  expect(told).toBe(id)
  const result = async () => requireDone(await product.experiments.results.result(id, experiment, ana)).result
  expect((await result()).sentence).toBe('No one has been exposed yet. Wait.')

  world.advance('23 hours')
  await product.experiments.bandits.run()
  const { report: log } = requireDone(await product.experiments.bandits.report(id, experiment, ana))
  expect(log.changes.map(({ version: of, weights }) => [of, weights])).toEqual([
    [version + 1, { control: 5, test: 95 }],
    [version, { control: 50, test: 50 }],
  ])
  expect(log.progress.arms.map(({ variant, units, mean }) => [variant, units, mean])).toEqual([
    ['control', 200, expect.closeTo(0.1, 10)],
    ['test', 200, expect.closeTo(0.25, 10)],
  ])

  world.advance('23 hours')
  await product.experiments.bandits.run()
  const { report, sentence, verdict, arms, byPhase } = await result()
  // of all together, 28 of 220 and 278 of 580 ordered: 12.7% and 47.9%
  expect(present(report).metrics[0]?.values.map(({ value }) => value)).toEqual([
    expect.closeTo((0.1 + 0.4) / 2, 10),
    expect.closeTo((0.25 + 0.6) / 2, 10),
  ])
  expect(arms?.[1]).toMatchObject({ variant: 'test', units: 580 })
  expect(verdict).toMatchObject({ advice: 'ship-best', variant: 'test' })
  expect(sentence).toMatch(/^Ship “test”: it is the best with a probability of \d\d\.\d%\.$|over 99.9%\.$/)
  expect(byPhase).toEqual([])
  expect(present(report).phases.map(({ ratio }) => ratio)).toEqual([undefined, undefined])
  expect(present(report).weightedSplit).toMatchObject({
    p: 1,
    units: 800,
    largestDeviation: expect.closeTo(0),
  })

  const exposures = requireDone(await product.experiments.results.exposures(id, experiment, {}, ana)).report
  expect(exposures).toMatchObject({ isSplitTested: false, sentence: undefined, mismatch: { p: 1 } })
  const { course } = requireDone(await product.experiments.results.course(id, experiment, ana))
  const known = course[0]?.variants[0]?.points.map(({ units }) => units)
  expect(known?.at(0)).toEqual({ control: 200, variant: 200 })
  expect(known?.at(-1)).toEqual({ control: 220, variant: 580 })

  requireDone(await product.experiments.ship(id, experiment, { variant: 'test' }, ana))
  world.advance('2 days')
  await product.experiments.bandits.run()
  expect(
    requireDone(await product.experiments.bandits.report(id, experiment, ana)).report.changes,
  ).toHaveLength(2)
  expect((await result()).verdict).toMatchObject({ advice: 'ship-best', isEnded: true })
})
