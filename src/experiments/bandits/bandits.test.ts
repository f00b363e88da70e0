import { expect, test } from 'vitest'
import {
  type Span,
  aProjectWithStore,
  inMs,
  present,
  problemMessages,
  requireDone,
} from '#test/product/fixture'
import { operator } from '#projects/access'
import type { Outcome } from '#projects/problems'
import { Bandits } from './bandits'
import type { BanditArm } from './progress'

const ana = operator('Ana')
const orders = { name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }

const armsWith = (units: number, ...chances: number[]): BanditArm[] =>
  chances.map((chance, i) => ({ variant: ['control', 'test', 'third'][i] ?? '', units, mean: 0.1, chance }))

/** A running bandit that sees what a test says it sees. */
async function openBanditFixture({
  bandit = {},
  shares = [50, 50],
}: { bandit?: object; shares?: number[] } = {}) {
  const { world, store, product, id } = await aProjectWithStore()
  const variants = shares.map((percentage, i) => ({ key: ['control', 'test', 'third'][i] ?? '', percentage }))
  const production = { isOn: true, conditions: [{ percentage: 100 }] }
  const flag = { key: 'checkout', kind: 'variants', variants, environments: { production } }
  requireDone(await product.flags.create(id, flag, ana))
  const input = { name: 'Checkout', flag: 'checkout', kind: 'bandit', bandit, metrics: [orders] }
  const { experiment } = requireDone(await product.experiments.create(id, input, ana))
  let seen: BanditArm[] | Error | string = armsWith(500, 0.5, 0.5)
  let readings = 0
  const readArms = async (): Promise<Outcome<{ arms: BanditArm[] }>> => {
    readings += 1
    if (seen instanceof Error) throw seen
    return typeof seen === 'string'
      ? { done: false, problems: [{ message: seen }] }
      : { done: true, arms: seen }
  }
  const bandits = new Bandits({ store, world, readArms })
  const found = async () => present(await product.flags.find(id, 'checkout', ana))
  return {
    id,
    product,
    world,
    bandits,
    experiment: experiment.id,
    start: async () => requireDone(await product.experiments.start(id, experiment.id, {}, ana)),
    setArms: (arms: BanditArm[] | Error | string) => (seen = arms),
    readings: () => readings,
    /** The job runs every minute. */
    async passes(span: Span) {
      for (let minute = 0; minute < inMs(span); minute += 60_000) {
        world.advance('1 minute')
        await bandits.run().catch(() => {})
      }
    },
    weights: async () => (await found()).variants.map(({ percentage }) => percentage),
    report: async () => requireDone(await bandits.report(id, experiment.id, ana)).report,
    changeFlag: async (change: object) =>
      requireDone(await product.flags.change(id, 'checkout', change, ana)),
  }
}

test('a bandit begins with equal weights, waits for its burn-in, and moves once in its interval', async () => {
  const fixture = await openBanditFixture({
    bandit: { interval: 'hour', burnInUnits: 200 },
    shares: [80, 20],
  })
  await fixture.start()
  expect(await fixture.weights()).toEqual([50, 50])

  fixture.setArms(armsWith(150, 0.1, 0.9))
  await fixture.passes('2 hours')
  expect(await fixture.weights()).toEqual([50, 50])
  expect((await fixture.report()).progress.why).toBe(
    'The weights stay equal until each variant has 200 exposed units; “control” has 150.',
  )

  fixture.setArms(armsWith(250, 0.1, 0.9))
  await fixture.passes('1 minute')
  expect(await fixture.weights()).toEqual([14, 86])
  fixture.setArms(armsWith(300, 0.02, 0.98))
  await fixture.passes('59 minutes')
  expect(await fixture.weights()).toEqual([14, 86])
  await fixture.passes('1 minute')
  expect(await fixture.weights()).toEqual([7, 93])
  fixture.setArms(armsWith(900, 0, 1))
  await fixture.passes('1 hour')
  expect(await fixture.weights()).toEqual([5, 95])
})

test('each move is in the log, the flag’s history and the audit log', async () => {
  const fixture = await openBanditFixture()
  await fixture.start()
  fixture.setArms(armsWith(250, 0.25, 0.75))
  await fixture.passes('1 minute')
  const { changes, progress } = await fixture.report()
  expect(changes).toEqual([
    {
      version: 3,
      at: fixture.world.now(),
      weights: { control: 28, test: 72 },
      by: 'bandit',
      why: '“test” is the best with a probability of 75.0%.',
      movedPercent: 22,
      chances: { control: 0.25, test: 0.75 },
      units: { control: 250, test: 250 },
    },
    expect.objectContaining({ version: 2, weights: { control: 50, test: 50 }, by: 'Ana', movedPercent: 0 }),
  ])
  expect(progress.nextAt).toEqual(new Date(fixture.world.now().getTime() + inMs('1 day')))
  const [newest] = await fixture.product.flags.history(fixture.id, 'checkout', ana)
  expect(newest).toMatchObject({
    version: 3,
    by: 'bandit',
    note: 'The bandit moved the weights. “test” is the best with a probability of 75.0%.',
  })
  const [entry] = await fixture.product.projects.audit.list(fixture.id, { action: 'flag.change' }, ana)
  expect(entry).toMatchObject({
    actor: { name: 'bandit' },
    before: { weights: { control: 50, test: 50 } },
    after: { weights: { control: 28, test: 72 } },
  })
})

test('weights that fit already stay, and no version is made', async () => {
  const fixture = await openBanditFixture()
  await fixture.start()
  await fixture.passes('3 minutes')
  expect(fixture.readings()).toBe(1)
  const { changes, progress } = await fixture.report()
  expect(changes).toHaveLength(1)
  expect(progress.why).toBe('The weights fit what is known: none changes by a whole percent.')
})

test('while the numbers cannot be read nothing moves, and they are read again', async () => {
  const fixture = await openBanditFixture()
  await fixture.start()
  fixture.setArms(new Error('The engine is away.'))
  await fixture.passes('3 minutes')
  expect(await fixture.weights()).toEqual([50, 50])
  expect((await fixture.report()).progress.why).toBe(
    'The numbers could not be read. They are read again every minute.',
  )
  fixture.setArms('The experiment has no events.')
  await fixture.passes('1 minute')
  expect((await fixture.report()).progress.why).toBe('The experiment has no events.')
  fixture.setArms(armsWith(400, 0.9, 0.1))
  await fixture.passes('1 minute')
  expect(await fixture.weights()).toEqual([86, 14])
})

test('weights that someone changed by hand stay, also when other changes follow, until it is resumed', async () => {
  const fixture = await openBanditFixture({ bandit: { interval: 'hour' } })
  await fixture.start()
  fixture.setArms(armsWith(400, 0.1, 0.9))
  const variants = [
    { key: 'control', percentage: 30 },
    { key: 'test', percentage: 70 },
  ]
  await fixture.changeFlag({ variants, note: 'More of the new one' })
  const changedAt = fixture.world.now()
  await fixture.changeFlag({ environments: { production: { isOn: true, conditions: [{ percentage: 50 }] } } })
  await fixture.passes('3 hours')
  expect(await fixture.weights()).toEqual([30, 70])
  const { progress, changes } = await fixture.report()
  expect(progress).toMatchObject({ state: 'paused', why: 'Ana changed the weights by hand.' })
  // the log has every weight that exposures were assigned by
  expect(changes.map(({ version, weights, by }) => [version, weights.test, by])).toEqual([
    [4, 70, 'Ana'],
    [3, 70, 'Ana'],
    [2, 50, 'Ana'],
  ])
  expect(changes[1]).toMatchObject({ at: changedAt, why: 'More of the new one', movedPercent: 20 })

  requireDone(await fixture.bandits.resume(fixture.id, fixture.experiment, ana))
  await fixture.passes('1 minute')
  expect(await fixture.weights()).toEqual([14, 86])
})

test('a change of who is let in, or of a description, does not stop it', async () => {
  const fixture = await openBanditFixture({ bandit: { interval: 'hour' } })
  await fixture.start()
  await fixture.changeFlag({ description: 'The new form' })
  await fixture.changeFlag({ environments: { production: { isOn: true, conditions: [{ percentage: 50 }] } } })
  fixture.setArms(armsWith(400, 0.1, 0.9))
  await fixture.passes('1 minute')
  expect(await fixture.weights()).toEqual([14, 86])
  expect((await fixture.report()).changes.map(({ version }) => version)).toEqual([5, 4, 2])
})

test.each<[string, object, string]>([
  [
    'another variant',
    { variants: ['control', 'test', 'third'].map((key, i) => ({ key, percentage: i === 0 ? 34 : 33 })) },
    'The variants of the flag are no longer those of the start. End the experiment, and start another.',
  ],
  [
    'a flag that is off',
    { environments: { production: { isOn: false, conditions: [{ percentage: 100 }] } } },
    'The flag is off in production. Turn it on to go on.',
  ],
  [
    'a fixed variant',
    { environments: { production: { isOn: true, conditions: [{ percentage: 100, variant: 'test' }] } } },
    'A condition set of the flag gives everyone in it one variant. Weights divide by chance: take the variant out of the condition set first.',
  ],
])('it pauses for %s, and cannot be resumed with it', async (_, change, why) => {
  const fixture = await openBanditFixture()
  await fixture.start()
  await fixture.changeFlag(change)
  await fixture.passes('1 minute')
  expect((await fixture.report()).progress).toMatchObject({ state: 'paused', why })
  expect(problemMessages(await fixture.bandits.resume(fixture.id, fixture.experiment, ana))).toEqual([why])
})

test('a bandit is paused and resumed by hand, and a pause does not let it move sooner', async () => {
  const fixture = await openBanditFixture({ bandit: { interval: 'hour' } })
  expect(problemMessages(await fixture.bandits.pause(fixture.id, fixture.experiment, ana))).toEqual([
    'There is no running bandit with this id in this project.',
  ])
  await fixture.start()
  fixture.setArms(armsWith(400, 0.1, 0.9))
  await fixture.passes('1 minute')
  requireDone(await fixture.bandits.pause(fixture.id, fixture.experiment, ana))
  expect(problemMessages(await fixture.bandits.pause(fixture.id, fixture.experiment, ana))).toEqual([
    'It is paused already.',
  ])
  fixture.setArms(armsWith(900, 0, 1))
  requireDone(await fixture.bandits.resume(fixture.id, fixture.experiment, ana))
  expect(problemMessages(await fixture.bandits.resume(fixture.id, fixture.experiment, ana))).toEqual([
    'It is not paused.',
  ])
  await fixture.passes('59 minutes')
  expect(await fixture.weights()).toEqual([14, 86])
  await fixture.passes('1 minute')
  expect(await fixture.weights()).toEqual([5, 95])
})

test('a bandit that has ended is left alone, and a draft has no log', async () => {
  const fixture = await openBanditFixture()
  expect(problemMessages(await fixture.bandits.report(fixture.id, fixture.experiment, ana))).toEqual([
    'There is no started bandit with this id in this project.',
  ])
  await fixture.start()
  requireDone(await fixture.product.experiments.end(fixture.id, fixture.experiment, {}, ana))
  fixture.setArms(armsWith(900, 0, 1))
  await fixture.passes('5 minutes')
  expect(fixture.readings()).toBe(0)
  expect(await fixture.weights()).toEqual([50, 50])
})

test('a bandit cannot start in the past', async () => {
  const fixture = await openBanditFixture()
  const at = new Date(fixture.world.now().getTime() - 60_000).toISOString()
  expect(
    problemMessages(await fixture.product.experiments.start(fixture.id, fixture.experiment, { at }, ana)),
  ).toEqual([
    'A bandit starts now: its weights are equal from the start on, and earlier exposures had others.',
  ])
})
