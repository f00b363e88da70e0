import { expect, test } from 'vitest'
import { type Span, aProjectWithStore, inMs, present, problemMessages, requireDone } from '#test/fixture'
import { operator } from '#projects/access'
import type { Outcome } from '#projects/problems'
import { Bandits } from './bandits'
import type { BanditArm } from './progress'

const ana = operator('Ana')
const orders = { name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }

const armsWith = (units: number, ...chances: number[]): BanditArm[] =>
  chances.map((chance, i) => ({ variant: ['control', 'test', 'third'][i] ?? '', units, mean: 0.1, chance }))

/** A running bandit that sees what a test says it sees. */
async function aStage({ bandit = {}, shares = [50, 50] }: { bandit?: object; shares?: number[] } = {}) {
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
    sees: (arms: BanditArm[] | Error | string) => (seen = arms),
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

test('it begins with equal weights, waits for its burn-in, and moves once in its interval', async () => {
  const stage = await aStage({ bandit: { interval: 'hour', burnInUnits: 200 }, shares: [80, 20] })
  await stage.start()
  expect(await stage.weights()).toEqual([50, 50])

  stage.sees(armsWith(150, 0.1, 0.9))
  await stage.passes('2 hours')
  expect(await stage.weights()).toEqual([50, 50])
  expect((await stage.report()).progress.why).toBe(
    'The weights stay equal until each variant has 200 exposed units; “control” has 150.',
  )

  stage.sees(armsWith(250, 0.1, 0.9))
  await stage.passes('1 minute')
  expect(await stage.weights()).toEqual([14, 86])
  stage.sees(armsWith(300, 0.02, 0.98))
  await stage.passes('59 minutes')
  expect(await stage.weights()).toEqual([14, 86])
  await stage.passes('1 minute')
  expect(await stage.weights()).toEqual([7, 93])
  stage.sees(armsWith(900, 0, 1))
  await stage.passes('1 hour')
  expect(await stage.weights()).toEqual([5, 95])
})

test('each move is in the log, the flag’s history and the audit log', async () => {
  const stage = await aStage()
  await stage.start()
  stage.sees(armsWith(250, 0.25, 0.75))
  await stage.passes('1 minute')
  const { changes, progress } = await stage.report()
  expect(changes).toEqual([
    {
      version: 3,
      at: stage.world.now(),
      weights: { control: 28, test: 72 },
      by: 'bandit',
      why: '“test” is the best with a probability of 75.0%.',
      movedPercent: 22,
      chances: { control: 0.25, test: 0.75 },
      units: { control: 250, test: 250 },
    },
    expect.objectContaining({ version: 2, weights: { control: 50, test: 50 }, by: 'Ana', movedPercent: 0 }),
  ])
  expect(progress.nextAt).toEqual(new Date(stage.world.now().getTime() + inMs('1 day')))
  const [newest] = await stage.product.flags.history(stage.id, 'checkout', ana)
  expect(newest).toMatchObject({
    version: 3,
    by: 'bandit',
    note: 'The bandit moved the weights. “test” is the best with a probability of 75.0%.',
  })
  const [entry] = await stage.product.projects.audit.list(stage.id, { action: 'flag.change' }, ana)
  expect(entry).toMatchObject({
    actor: { name: 'bandit' },
    before: { weights: { control: 50, test: 50 } },
    after: { weights: { control: 28, test: 72 } },
  })
})

test('weights that fit already stay, and no version is made', async () => {
  const stage = await aStage()
  await stage.start()
  await stage.passes('3 minutes')
  expect(stage.readings()).toBe(1)
  const { changes, progress } = await stage.report()
  expect(changes).toHaveLength(1)
  expect(progress.why).toBe('The weights fit what is known: none changes by a whole percent.')
})

test('while the numbers cannot be read nothing moves, and they are read again', async () => {
  const stage = await aStage()
  await stage.start()
  stage.sees(new Error('The engine is away.'))
  await stage.passes('3 minutes')
  expect(await stage.weights()).toEqual([50, 50])
  expect((await stage.report()).progress.why).toBe(
    'The numbers could not be read. They are read again every minute.',
  )
  stage.sees('The experiment has no events.')
  await stage.passes('1 minute')
  expect((await stage.report()).progress.why).toBe('The experiment has no events.')
  stage.sees(armsWith(400, 0.9, 0.1))
  await stage.passes('1 minute')
  expect(await stage.weights()).toEqual([86, 14])
})

test('weights that someone changed by hand stay, also when other changes follow, until it is resumed', async () => {
  const stage = await aStage({ bandit: { interval: 'hour' } })
  await stage.start()
  stage.sees(armsWith(400, 0.1, 0.9))
  const variants = [
    { key: 'control', percentage: 30 },
    { key: 'test', percentage: 70 },
  ]
  await stage.changeFlag({ variants, note: 'More of the new one' })
  const changedAt = stage.world.now()
  await stage.changeFlag({ environments: { production: { isOn: true, conditions: [{ percentage: 50 }] } } })
  await stage.passes('3 hours')
  expect(await stage.weights()).toEqual([30, 70])
  const { progress, changes } = await stage.report()
  expect(progress).toMatchObject({ state: 'paused', why: 'Ana changed the weights by hand.' })
  // the log has every weight that exposures were assigned by
  expect(changes.map(({ version, weights, by }) => [version, weights.test, by])).toEqual([
    [4, 70, 'Ana'],
    [3, 70, 'Ana'],
    [2, 50, 'Ana'],
  ])
  expect(changes[1]).toMatchObject({ at: changedAt, why: 'More of the new one', movedPercent: 20 })

  requireDone(await stage.bandits.resume(stage.id, stage.experiment, ana))
  await stage.passes('1 minute')
  expect(await stage.weights()).toEqual([14, 86])
})

test('a change of who is let in, or of a description, does not stop it', async () => {
  const stage = await aStage({ bandit: { interval: 'hour' } })
  await stage.start()
  await stage.changeFlag({ description: 'The new form' })
  await stage.changeFlag({ environments: { production: { isOn: true, conditions: [{ percentage: 50 }] } } })
  stage.sees(armsWith(400, 0.1, 0.9))
  await stage.passes('1 minute')
  expect(await stage.weights()).toEqual([14, 86])
  expect((await stage.report()).changes.map(({ version }) => version)).toEqual([5, 4, 2])
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
  const stage = await aStage()
  await stage.start()
  await stage.changeFlag(change)
  await stage.passes('1 minute')
  expect((await stage.report()).progress).toMatchObject({ state: 'paused', why })
  expect(problemMessages(await stage.bandits.resume(stage.id, stage.experiment, ana))).toEqual([why])
})

test('it is paused and resumed by hand, and a pause does not let it move sooner', async () => {
  const stage = await aStage({ bandit: { interval: 'hour' } })
  expect(problemMessages(await stage.bandits.pause(stage.id, stage.experiment, ana))).toEqual([
    'There is no running bandit with this id in this project.',
  ])
  await stage.start()
  stage.sees(armsWith(400, 0.1, 0.9))
  await stage.passes('1 minute')
  requireDone(await stage.bandits.pause(stage.id, stage.experiment, ana))
  expect(problemMessages(await stage.bandits.pause(stage.id, stage.experiment, ana))).toEqual([
    'It is paused already.',
  ])
  stage.sees(armsWith(900, 0, 1))
  requireDone(await stage.bandits.resume(stage.id, stage.experiment, ana))
  expect(problemMessages(await stage.bandits.resume(stage.id, stage.experiment, ana))).toEqual([
    'It is not paused.',
  ])
  await stage.passes('59 minutes')
  expect(await stage.weights()).toEqual([14, 86])
  await stage.passes('1 minute')
  expect(await stage.weights()).toEqual([5, 95])
})

test('a bandit that has ended is left alone, and a draft has no log', async () => {
  const stage = await aStage()
  expect(problemMessages(await stage.bandits.report(stage.id, stage.experiment, ana))).toEqual([
    'There is no started bandit with this id in this project.',
  ])
  await stage.start()
  requireDone(await stage.product.experiments.end(stage.id, stage.experiment, {}, ana))
  stage.sees(armsWith(900, 0, 1))
  await stage.passes('5 minutes')
  expect(stage.readings()).toBe(0)
  expect(await stage.weights()).toEqual([50, 50])
})

test('a bandit cannot start in the past', async () => {
  const stage = await aStage()
  const at = new Date(stage.world.now().getTime() - 60_000).toISOString()
  expect(
    problemMessages(await stage.product.experiments.start(stage.id, stage.experiment, { at }, ana)),
  ).toEqual([
    'A bandit starts now: its weights are equal from the start on, and earlier exposures had others.',
  ])
})
