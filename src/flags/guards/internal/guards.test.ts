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
import { type Guard, type GuardReading } from '../../guard'
import { GuardEngine } from '../guard-engine'
import { Guards } from './guards'

const ana = operator('Ana')

const well: GuardReading = { state: 'well', got: 0.02, others: 0.02, people: { got: 500, others: 4500 } }
const tooFew: GuardReading = { state: 'too-few', got: 0, others: 0, people: { got: 12, others: 180 } }
const broken: GuardReading = {
  state: 'broken',
  got: 0.3111,
  others: 0.08,
  people: { got: 500, others: 4500 },
}

const everybody = { description: '', conditions: [], percentage: 100, isLast: false }
const ramp = {
  flag: 'checkout',
  steps: [
    { percentage: 10, afterMinutes: 0 },
    { percentage: 50, afterMinutes: 60 },
    { percentage: 100, afterMinutes: 120 },
  ],
  metrics: [{ type: 'exceptions', worse: 20 }],
}

/** A flag that lets in 1 %, and guards that see what a test says they see. */
async function setUp(setting: object = { isOn: true, conditions: [{ ...everybody, percentage: 1 }] }) {
  const { world, store, product, id } = await aProjectWithStore()
  const variants = [
    { key: 'bold', percentage: 50 },
    { key: 'plain', percentage: 50 },
  ]
  const flag = { key: 'checkout', kind: 'variants', variants, environments: { production: setting } }
  requireDone(await product.flags.create(id, flag, ana))
  let seen: GuardReading | Error = well
  const look = async ({ metrics }: Guard): Promise<GuardReading[]> => {
    if (seen instanceof Error) throw seen
    const reading = seen
    return metrics.map(() => reading)
  }
  const objectionTo = async () => undefined
  const engine = new GuardEngine({ store, world, readMetrics: look })
  const guards = new Guards({ store, engine, objectionTo })
  const found = async () => present(await product.flags.find(id, 'checkout', ana))
  return {
    id,
    product,
    guards,
    begin: async (wanted: object = ramp) => requireDone(await guards.create(id, wanted, ana)).guard.id,
    setReading: (reading: GuardReading | Error) => (seen = reading),
    /** The job looks every minute; what it could not look at it throws, for the log. */
    async passes(span: Span) {
      for (let minute = 0; minute < inMs(span); minute += 60_000) {
        world.advance('1 minute')
        await guards.run().catch(() => {})
      }
    },
    guard: async () => present((await guards.list(id, ana))[0]),
    async letIn() {
      const { isOn, conditions } = present((await found()).environments['production'])
      return isOn ? present(conditions[0]).percentage : 'off'
    },
    notes: async () => (await product.flags.history(id, 'checkout', ana)).map(({ note }) => note),
    by: async () => (await product.flags.history(id, 'checkout', ana)).map(({ by }) => by),
  }
}

test('while all is well, each step is taken at its time, and at 100 % it is over', async () => {
  const stage = await setUp()
  await stage.begin()
  expect(await stage.letIn()).toBe(10)
  await stage.passes('59 minutes')
  expect(await stage.letIn()).toBe(10)
  await stage.passes('1 minute')
  expect(await stage.letIn()).toBe(50)
  await stage.passes('60 minutes')
  expect(await stage.letIn()).toBe(100)
  expect(await stage.guard()).toMatchObject({ state: 'running' })
  await stage.passes('1 minute')
  expect(await stage.guard()).toMatchObject({
    state: 'completed',
    why: 'Nothing got worse than it may; it stays at 100%.',
  })
  expect((await stage.notes()).slice(0, 3)).toEqual([
    'Let in 100%, as the guarded rollout of Ana has it.',
    'Let in 50%, as the guarded rollout of Ana has it.',
    'Let in 10%, as the guarded rollout of Ana has it.',
  ])
  expect((await stage.by())[0]).toBe('guarded rollout')
})

test('a limit that is broken takes it back to where it began, and says why', async () => {
  const stage = await setUp()
  await stage.begin()
  const steps = [{ at: '2026-03-02T15:00:00Z', percentage: 100 }]
  requireDone(await stage.product.flags.schedules.create(stage.id, 'checkout', { steps }, ana))
  await stage.passes('61 minutes')
  expect(await stage.letIn()).toBe(50)

  stage.setReading(broken)
  await stage.passes('1 minute')

  expect(await stage.letIn()).toBe(1)
  const why =
    'Exceptions per visitor: 0.311 for those who get it, 0.08 for the others. ' +
    'That is over 20% more, and hardly chance.'
  expect(await stage.guard()).toMatchObject({ state: 'rolled-back', why, readings: [broken] })
  expect((await stage.notes())[0]).toBe(`Rolled back by itself. ${why}`)
  expect(await stage.product.flags.schedules.list(stage.id, ana)).toEqual([])
  const [entry] = await stage.product.projects.audit.list(stage.id, { action: 'guard.stop' }, ana)
  expect(entry).toMatchObject({ actor: { name: 'guarded rollout' }, after: { state: 'rolled-back', why } })

  stage.setReading(well)
  await stage.passes('2 hours')
  expect(await stage.letIn()).toBe(1)
})

test('a flag that was off goes back to off', async () => {
  const stage = await setUp({ isOn: false, conditions: [everybody] })
  await stage.begin()
  expect(await stage.letIn()).toBe(10)
  stage.setReading(broken)
  await stage.passes('1 minute')
  expect(await stage.letIn()).toBe('off')
})

test('a step that is due waits for people, unless it is not to', async () => {
  const stage = await setUp()
  const id = await stage.begin()
  stage.setReading(tooFew)
  await stage.passes('90 minutes')
  expect(await stage.letIn()).toBe(10)
  expect((await stage.guard()).why).toBe(
    'The next step waits until there are 100 people on each side: ' +
      'of “Exceptions per visitor” 12 who get it are known, and 180 who do not.',
  )
  requireDone(await stage.guards.change(stage.id, id, { waitsForPeople: false }, ana))
  await stage.passes('1 minute')
  expect(await stage.letIn()).toBe(50)
})

test('a step that was late lasts its full time', async () => {
  const stage = await setUp()
  await stage.begin()
  stage.setReading(tooFew)
  await stage.passes('110 minutes')
  stage.setReading(well)
  await stage.passes('1 minute')
  expect(await stage.letIn()).toBe(50)
  await stage.passes('59 minutes')
  expect(await stage.letIn()).toBe(50)
  await stage.passes('1 minute')
  expect(await stage.letIn()).toBe(100)
})

test('while it is paused no step is taken, and the interrupted one lasts its full time afterwards', async () => {
  const stage = await setUp()
  const id = await stage.begin()
  await stage.passes('30 minutes')
  requireDone(await stage.guards.pause(stage.id, id, ana))
  expect(problemMessages(await stage.guards.pause(stage.id, id, ana))).toEqual([
    'The rollout is paused already.',
  ])
  await stage.passes('90 minutes')
  expect(await stage.letIn()).toBe(10)
  expect(await stage.guard()).toMatchObject({ state: 'running', why: 'Ana paused the rollout.' })

  requireDone(await stage.guards.resume(stage.id, id, ana))
  expect(problemMessages(await stage.guards.resume(stage.id, id, ana))).toEqual([
    'The rollout is not paused.',
  ])
  await stage.passes('59 minutes')
  expect(await stage.letIn()).toBe(10)
  await stage.passes('1 minute')
  expect(await stage.letIn()).toBe(50)
  expect((await stage.guard()).log.map(({ event }) => event)).toEqual([
    'began',
    'step',
    'paused',
    'resumed',
    'step',
  ])
})

test('a paused rollout still goes back when a limit is broken', async () => {
  const stage = await setUp()
  const id = await stage.begin()
  requireDone(await stage.guards.pause(stage.id, id, ana))
  stage.setReading(broken)
  await stage.passes('1 minute')
  expect(await stage.letIn()).toBe(1)
  expect(await stage.guard()).toMatchObject({ state: 'rolled-back', pausedAt: undefined })
})

test('while the engine is unavailable the rollout goes neither forth nor back', async () => {
  const stage = await setUp()
  await stage.begin()
  stage.setReading(new Error('The engine is away.'))
  await stage.passes('61 minutes')
  expect(await stage.letIn()).toBe(10)
  expect((await stage.guard()).why).toBe('The next step waits: the numbers could not be looked at.')
  await expect(stage.guards.run()).rejects.toThrow('Some guarded rollouts could not be looked at.')
  stage.setReading(well)
  await stage.passes('1 minute')
  expect(await stage.letIn()).toBe(50)
})

test('below 100 % it is looked after for a while after the last step', async () => {
  const stage = await setUp()
  await stage.begin({ ...ramp, steps: [{ percentage: 20, afterMinutes: 5 }], watchMinutes: 30 })
  expect((await stage.guard()).why).toBe('It has not begun yet.')
  await stage.passes('34 minutes')
  expect(await stage.guard()).toMatchObject({ state: 'running', why: 'All is well.' })
  await stage.passes('1 minute')
  expect(await stage.guard()).toMatchObject({ state: 'completed' })
})

test.each<[string, (stage: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>, string]>([
  [
    'changes the percentage',
    ({ product, id }) =>
      product.flags.change(
        id,
        'checkout',
        { environments: { production: { conditions: [{ ...everybody, percentage: 15 }] } } },
        ana,
      ),
    'The rollout was changed by hand.',
  ],
  [
    'turns it off',
    ({ product, id }) => product.flags.turn(id, 'checkout', { isOn: false }, ana),
    'The rollout was changed by hand.',
  ],
  [
    'archives it',
    ({ product, id }) => product.flags.archive(id, 'checkout', ana, { anyway: true }),
    'The flag was archived.',
  ],
])('who %s has the flag to themselves from then on', async (_, does, why) => {
  const stage = await setUp()
  await stage.begin()
  await does(stage)
  const before = await stage.letIn()
  stage.setReading(broken)
  await stage.passes('61 minutes')
  expect(await stage.guard()).toMatchObject({ state: 'stopped', why })
  expect(await stage.letIn()).toBe(before)
})

test('who changes something else of the flag does not disturb it', async () => {
  const stage = await setUp()
  await stage.begin()
  requireDone(await stage.product.flags.change(stage.id, 'checkout', { description: 'New' }, ana))
  await stage.passes('60 minutes')
  expect(await stage.letIn()).toBe(50)
  expect(await stage.product.flags.find(stage.id, 'checkout', ana)).toMatchObject({ description: 'New' })
})

test.each([
  ['where it is', {}, 10],
  ['and back', { rollsBack: true }, 1],
])('it can be stopped, %s', async (_, how, percentage) => {
  const stage = await setUp()
  const id = await stage.begin()
  requireDone(await stage.guards.stop(stage.id, id, how, ana))
  expect(await stage.letIn()).toBe(percentage)
  expect(await stage.guard()).toMatchObject({ state: 'stopped', why: 'Ana stopped it.' })
  expect(problemMessages(await stage.guards.stop(stage.id, id, how, ana))).toEqual([
    'This guarded rollout is over. Begin another one.',
  ])
})

test.each<[string, object, string]>([
  ['another flag', { ...ramp, flag: 'none' }, 'There is no flag “none” in this project.'],
  [
    'a set it does not have',
    { ...ramp, set: 3 },
    'In “production” the flag has no condition set 4 to let people in by.',
  ],
  [
    'an environment where nothing is set',
    { ...ramp, environment: 'staging' },
    'In “staging” the flag has no condition set 1 to let people in by.',
  ],
  ['a variant it does not have', { ...ramp, variant: 'huge' }, 'The flag has no variant “huge”.'],
  [
    'fewer than it lets in already',
    { ...ramp, steps: [{ percentage: 0.5, afterMinutes: 0 }] },
    'It lets in 1% already. Begin with at least as much.',
  ],
  [
    'a ramp that shrinks',
    { ...ramp, steps: ramp.steps.map((step, i) => ({ ...step, percentage: 50 - i })) },
    'Each step lets more people in than the one before.',
  ],
  [
    'two steps at once',
    { ...ramp, steps: ramp.steps.map((step) => ({ ...step, afterMinutes: 5 })) },
    'Each step is later than the one before.',
  ],
  ['nothing to look at', { ...ramp, metrics: [] }, 'Choose something to look at.'],
  [
    'a metric nobody knows',
    { ...ramp, metrics: [{ type: 'mood' }] },
    'Guard "exceptions", a "vital", an "event" or a "goal".',
  ],
  ['people too few to tell', { ...ramp, minimum: 5 }, 'Fewer than 20 people on a side say nothing.'],
  [
    'hundredths of hundredths',
    { ...ramp, steps: [{ percentage: 33.333, afterMinutes: 0 }] },
    'Percentages go in steps of 0.01.',
  ],
])('is refused with a sentence: %s', async (_, wanted, sentence) => {
  const stage = await setUp()
  expect(problemMessages(await stage.guards.create(stage.id, wanted, ana))).toEqual([sentence])
  expect(await stage.letIn()).toBe(1)
})

test('of one flag and environment only one is under way', async () => {
  const stage = await setUp()
  await stage.begin()
  const again = { ...ramp, steps: ramp.steps.slice(1) }
  expect(problemMessages(await stage.guards.create(stage.id, again, ana))).toEqual([
    'A guarded rollout of this flag is under way here already. Stop that one first.',
  ])
})
