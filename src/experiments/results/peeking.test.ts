import { expect, test } from 'vitest'
import { runs, testSeed } from '#test/random/chance'
import { openTestProduct, present, requireDone } from '#test/product/fixture'
import { seededRandom } from '#test/random/seeded-random'
import { boundsOf } from '#test/deep/simulate/simulations'
import { anEngine, type TestEvent, uuidFor } from '#test/product/test-engine'
import { operator } from '#projects/access'
import type { DecisionRule } from '../experiment'

const ana = operator('Ana')
const engine = anEngine()

const days = 7
const peopleADay = 120
const robotsADay = 8
/** So many flags without any effect, each of which divides the same people anew. */
const flagsWithoutEffect = runs(4)
const chance = 0.25
const lifted = 0.45

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

const metrics = [
  { name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } },
  {
    name: 'Revenue',
    measured: {
      type: 'total',
      amount: { happening: { event: 'ordered' }, property: 'price' },
      atMost: { percentile: 95 },
    },
  },
]

/** In percent, at a level of 95%. */
const falseVerdicts = { least: 0, most: 5 }

/** Half of the experiments decide at any time, the others when this many people are in each variant. */
const rules: readonly DecisionRule[] = [{ rule: 'any-time' }, { rule: 'planned-size', units: 300 }]

interface Told {
  at: TestEvent[]
  /** Known a day later: events of a phone without a network. */
  late: TestEvent[]
  /** The ids that turn out a day later to be the person's. */
  merged: string[]
}

/** The people of a day, who meet all experiments, and the robots that buy whatever the test shows them. */
class Visitors {
  readonly counted = new Map<string, { units: number; orders: number }>()
  private readonly random = seededRandom(testSeed)

  constructor(private readonly flags: readonly string[]) {}

  day(day: number, from: number): Told {
    const told: Told = { at: [], late: [], merged: [] }
    for (let i = 0; i < peopleADay; i++) this.visit(`person ${day} ${i}`, from + i * 60_000, told)
    for (let i = 0; i < robotsADay; i++) {
      const one = { person: `robot ${day} ${i}`, columns: { traffic: 'bot' as const } }
      told.at.push(...this.flags.map((flag) => ({ ...one, ...exposure(flag, 'test', from) })), {
        ...one,
        ...order(from + 1000, 1_000_000),
      })
    }
    return told
  }

  private visit(person: string, at: number, told: Told): void {
    const variants = this.flags.map((flag) => [flag, this.random() < 0.5 ? 'control' : 'test'] as const)
    const isLifted = variants.some(([flag, variant]) => flag === 'better' && variant === 'test')
    const orders = this.random() < (isLifted ? lifted : chance)
    const isMerged = this.random() < 0.1
    const seenAs = isMerged ? `${person} before signing in` : person
    if (isMerged) told.merged.push(person)
    told.at.push(...variants.map(([flag, variant]) => ({ person: seenAs, ...exposure(flag, variant, at) })))
    if (orders) {
      const price = Math.round(Math.exp(3 + 1.5 * normal(this.random)))
      const into = this.random() < 0.15 ? told.late : told.at
      into.push({ person, ...order(at + 30_000, price) })
    }
    for (const [flag, variant] of variants) {
      const { units, orders: before } = this.counted.get(`${flag} ${variant}`) ?? { units: 0, orders: 0 }
      this.counted.set(`${flag} ${variant}`, { units: units + 1, orders: before + (orders ? 1 : 0) })
    }
  }
}

const exposure = (flag: string, variant: string, at: number) => ({
  event: '$feature_flag_called',
  at: new Date(at).toISOString(),
  properties: { $feature_flag: flag, $feature_flag_response: variant },
})
const order = (at: number, price: number) => ({
  event: 'ordered',
  at: new Date(at).toISOString(),
  properties: { price: String(price) },
})

test('read every day, with robots, late events and merged people, it decides as seldom without an effect as it says, and finds one', async () => {
  const { product, world, aProject } = await openTestProduct({ engine: engine.engine() })
  const { id } = await aProject()
  expect(await engine.addProject([])).toBe(id)
  const flags = ['better', ...Array.from({ length: flagsWithoutEffect }, (_, i) => `same-${i}`)]
  const experiments = await Promise.all(flags.map((flag, i) => begun(flag, present(rules[i % 2]))))
  const visitors = new Visitors(flags)
  const decided = new Map<string, string>()
  let waiting: Told = { at: [], late: [], merged: [] }
  for (let day = 0; day < days; day++) {
    const told = day < days - 1 ? visitors.day(day, world.now().getTime() + 60_000) : noVisitors
    await sendEvents(told, waiting)
    waiting = told
    world.advance('1 day')
    for (const { flag, experiment } of experiments) {
      const { verdict } = requireDone(await product.experiments.results.result(id, experiment, ana)).result
      if (!decided.has(flag) && ['ship', 'stop'].includes(verdict.advice)) decided.set(flag, verdict.advice)
    }
  }

  expect(decided.get('better')).toBe('ship')
  decided.delete('better')
  const [, most] = boundsOf(falseVerdicts, flagsWithoutEffect)
  expect((100 * decided.size) / flagsWithoutEffect).toBeLessThanOrEqual(most)
  await expectCounts()

  async function begun(flag: string, decision: DecisionRule) {
    const variants = ['control', 'test'].map((key) => ({ key, percentage: 50 }))
    requireDone(await product.flags.create(id, { key: flag, kind: 'variants', variants }, ana))
    requireDone(await product.flags.turn(id, flag, { isOn: true }, ana))
    const input = { name: flag, flag, metrics, analysis: { lookbackDays: 0, decision } }
    const { experiment } = requireDone(await product.experiments.create(id, input, ana))
    requireDone(await product.experiments.start(id, experiment.id, {}, ana))
    return { flag, experiment: experiment.id, decision }
  }

  async function sendEvents({ at }: Told, { late, merged }: Told) {
    await engine.addEvents(id, [...at, ...late])
    if (merged.length === 0) return
    await engine.fill(
      'person_overrides',
      merged.map((person) => ({
        project_id: id,
        from_person_id: uuidFor(`${person} before signing in`),
        to_person_id: uuidFor(person),
        version: 1,
      })),
    )
  }

  /** Experiments that have no planned end count everyone, once. */
  async function expectCounts() {
    for (const { flag, experiment, decision } of experiments) {
      if (decision.rule !== 'any-time') continue
      const { report } = requireDone(await product.experiments.results.result(id, experiment, ana)).result
      const [orders] = present(report).metrics
      const found = present(orders).values.map(({ variant, units, value }) => [
        `${flag} ${variant}`,
        { units, orders: Math.round(units * (value ?? 0)) },
      ])
      expect(Object.fromEntries(found)).toEqual(
        Object.fromEntries(
          ['control', 'test'].map((one) => [`${flag} ${one}`, visitors.counted.get(`${flag} ${one}`)]),
        ),
      )
    }
  }
})

const noVisitors: Told = { at: [], late: [], merged: [] }
