import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openTestProduct, present, problemMessages, requireDone, type Span } from '#test/product/fixture'
import { anEngine, beginning, type TestEvent } from '#test/product/test-engine'
import { operator } from '#projects/access'

const ana = operator('Ana')
const engine = anEngine()

const variants = [
  { key: 'control', percentage: 50 },
  { key: 'new', percentage: 50 },
]
const errors = {
  id: 'errors',
  name: 'Errors',
  role: 'guardrail',
  goal: 'decrease',
  margin: 20,
  measured: { type: 'conversion', happening: { event: '$exception' } },
}
const orders = {
  id: 'orders',
  name: 'Orders',
  role: 'guardrail',
  goal: 'increase',
  margin: 20,
  measured: { type: 'conversion', happening: { event: 'ordered' } },
}
const ramp = {
  steps: [
    { share: 10, minutes: 60 },
    { share: 50, minutes: 60 },
    { share: 100, minutes: 60 },
  ],
}

/** Four people of each variant come every minute; of a hundred, so many meet an error or order something. */
function crowd({ minutes = 240, failing = { control: 10, new: 10 }, size = 4 } = {}): TestEvent[] {
  return Object.entries(failing).flatMap(([variant, failures]) =>
    Array.from({ length: minutes * size }, (_, i) => {
      const [person, at] = [`${variant} ${i}`, beginning.getTime() + (i * 60_000) / size]
      const does = (event: string, afterMs: number, properties: Record<string, string> = {}): TestEvent => ({
        person,
        event,
        at: new Date(at + afterMs).toISOString(),
        properties,
      })
      return [
        does('$feature_flag_called', 0, { $feature_flag: 'checkout', $feature_flag_response: variant }),
        // a step through all hundred, so that every stretch of time has the same share
        ...((i * 37) % 100 < failures ? [does('$exception', 1000)] : []),
        ...((i * 37) % 100 < 30 ? [does('ordered', 2000)] : []),
      ]
    }).flat(),
  )
}

async function aRollout(events: readonly TestEvent[], more: object = {}) {
  const { product, world, aProject } = await openTestProduct({ engine: engine.engine() })
  const number = await engine.addProject(events)
  let { id } = await aProject()
  // the number under which the engine was told the events
  while (id < number) id = (await aProject({ name: `Project ${id + 1}` })).id
  const environments = { production: { isOn: false, conditions: [{ percentage: 100 }] } }
  const flagInput = { key: 'checkout', kind: 'variants', variants, environments }
  requireDone(await product.flags.create(id, flagInput, ana))
  const input = {
    name: 'Checkout',
    kind: 'rollout',
    flag: 'checkout',
    metrics: [errors, orders],
    rollout: ramp,
  }
  const made = await product.experiments.create(id, { ...input, ...more }, ana)
  const { id: experiment } = requireDone(made).experiment
  return {
    id,
    product,
    world,
    experiment,
    start: () => product.experiments.start(id, experiment, {}, ana),
    /** The job looks every five minutes, as the figures of experiments are read no more often. */
    async passes(minutes: number, step: Span = '5 minutes') {
      for (let i = 0; i < minutes; i += 5) {
        world.advance(step)
        await product.flags.guards.run()
      }
    },
    found: async () => present(await product.experiments.find(id, experiment, ana)),
    guard: async () =>
      requireDone(await product.experiments.rollouts.find(id, experiment, ana)).progress.guard,
    async letIn() {
      const flag = present(await product.flags.find(id, 'checkout', ana))
      const { isOn, conditions } = present(flag.environments['production'])
      return isOn ? present(conditions[0]).percentage : 'off'
    },
  }
}

test('while the guardrails hold, each step is taken at its time, and in the end everyone gets the new variant', async () => {
  const rollout = await aRollout(crowd())
  expect(await rollout.letIn()).toBe('off')
  requireDone(await rollout.start())
  expect(await rollout.letIn()).toBe(10)
  await rollout.passes(55)
  expect(await rollout.letIn()).toBe(10)
  await rollout.passes(5)
  expect(await rollout.letIn()).toBe(50)
  await rollout.passes(60)
  expect(await rollout.letIn()).toBe(100)

  await rollout.passes(5)
  // every step is a phase
  const { result } = requireDone(
    await rollout.product.experiments.results.result(rollout.id, rollout.experiment, ana),
  )
  expect(result.report?.phases).toHaveLength(3)
  expect(result.verdict.advice).toBe('roll-out')

  await rollout.passes(60)
  expect(await rollout.guard()).toMatchObject({ state: 'completed' })
  expect(await rollout.found()).toMatchObject({
    conclusion: { outcome: 'shipped', variant: 'new', by: 'guarded rollout' },
  })
  const flag = present(await rollout.product.flags.find(rollout.id, 'checkout', ana))
  expect(flag).toMatchObject({
    hasExperiment: false,
    environments: { production: { isOn: true, conditions: [{ percentage: 100, variant: 'new' }] } },
  })
})

test('a clock that goes on during a change makes no phase and refuses no start', async () => {
  const rollout = await aRollout(crowd({ failing: { control: 10, new: 60 } }))
  const { world } = rollout
  let ticks = 0
  const stopped = world.now.bind(world)
  const clock = vi.spyOn(world, 'now').mockImplementation(() => new Date(stopped().getTime() + (ticks += 1)))
  onTestFinished(() => clock.mockRestore())
  requireDone(await rollout.start())
  await rollout.passes(60)
  expect(await rollout.found()).toMatchObject({ conclusion: { outcome: 'rolled-back' } })
  const { result } = requireDone(
    await rollout.product.experiments.results.result(rollout.id, rollout.experiment, ana),
  )
  expect(result.report?.phases).toHaveLength(1)
})

test('a guardrail that gets worse takes it back to where it began, and says why', async () => {
  const rollout = await aRollout(crowd({ failing: { control: 10, new: 60 } }))
  requireDone(await rollout.start())
  await rollout.passes(60)
  expect(await rollout.letIn()).toBe('off')
  const { state, why, log } = await rollout.guard()
  expect(state).toBe('rolled-back')
  expect(why).toMatch(
    /^Errors: \d\d\.\d% for those who get it, \d+\.\d% for the others\. That is more than 20% worse, and hardly chance\.$/,
  )
  expect(log.map(({ event }) => event)).toEqual(['began', 'step', 'rolled-back'])
  expect(await rollout.found()).toMatchObject({ conclusion: { outcome: 'rolled-back', note: why } })
  expect(present(await rollout.product.flags.find(rollout.id, 'checkout', ana)).hasExperiment).toBe(false)
  const [newest] = await rollout.product.flags.history(rollout.id, 'checkout', ana)
  expect(newest?.by).toBe('guarded rollout')
})

test('a paused rollout takes no step, and a member decides after the last one if it is to wait', async () => {
  const rollout = await aRollout(crowd(), {
    rollout: {
      steps: [
        { share: 20, minutes: 30 },
        { share: 100, minutes: 30 },
      ],
      whenDone: 'wait',
    },
  })
  requireDone(await rollout.start())
  requireDone(await rollout.product.experiments.rollouts.pause(rollout.id, rollout.experiment, ana))
  await rollout.passes(60)
  expect(await rollout.letIn()).toBe(20)
  requireDone(await rollout.product.experiments.rollouts.resume(rollout.id, rollout.experiment, ana))
  await rollout.passes(30)
  expect(await rollout.letIn()).toBe(100)
  await rollout.passes(35)
  expect(await rollout.guard()).toMatchObject({ state: 'completed' })
  expect(await rollout.found()).toMatchObject({ conclusion: undefined })
  expect(
    problemMessages(await rollout.product.experiments.rollouts.pause(rollout.id, rollout.experiment, ana)),
  ).toEqual(['This rollout is over.'])
  const shipped = await rollout.product.experiments.ship(
    rollout.id,
    rollout.experiment,
    { variant: 'new' },
    ana,
  )
  expect(requireDone(shipped).experiment.conclusion).toMatchObject({ outcome: 'shipped', by: 'Ana' })
})

test('the checklist, the plan and the course answer for a rollout, which has no primary metric', async () => {
  const rollout = await aRollout(crowd({ minutes: 60 }))
  const { product, id, experiment } = rollout
  const { readiness } = requireDone(await product.experiments.planning.readiness(id, experiment, ana))
  expect(readiness.canStart).toBe(true)
  expect(readiness.checks).toContainEqual({
    name: 'production',
    severity: 'passed',
    sentence: 'The first step turns the flag on.',
  })
  expect(await product.experiments.planning.plan(id, experiment, {}, ana)).toHaveProperty('done')
  requireDone(await rollout.start())
  await rollout.passes(30)
  const { course } = requireDone(await product.experiments.results.course(id, experiment, ana))
  expect(course.map(({ id: metric }) => metric)).toEqual(['errors', 'orders'])
  const { report } = requireDone(await product.experiments.results.exposures(id, experiment, {}, ana))
  expect(report.totals.map(({ units }) => units)).toEqual([120, 120])
})

test('without enough people the next step waits', async () => {
  const rollout = await aRollout(crowd({ minutes: 10 }))
  requireDone(await rollout.start())
  await rollout.passes(120)
  expect(await rollout.letIn()).toBe(10)
  expect(await rollout.guard()).toMatchObject({
    state: 'running',
    why: 'It waits until enough is known of “Errors”.',
  })
})

test('with a mismatch of the split nothing is compared: it goes neither forth nor back', async () => {
  const [few, many] = [crowd({ size: 1, failing: { control: 10, new: 10 } }), crowd({ minutes: 120 })]
  const skewed = [
    ...few.filter(({ person }) => person.startsWith('control')),
    ...many.filter(({ person }) => person.startsWith('new')),
  ]
  const rollout = await aRollout(skewed)
  requireDone(await rollout.start())
  await rollout.passes(70)
  expect(await rollout.letIn()).toBe(10)
  expect((await rollout.guard()).why).toBe(
    'The next step waits: the variants did not get their shares of people, so nothing can be compared.',
  )
})

test('ending it by hand leaves the flag as it is, or takes it back', async () => {
  for (const [rollsBack, left, outcome] of [
    [false, 10, 'stopped'],
    [true, 'off', 'rolled-back'],
  ] as const) {
    const rollout = await aRollout([])
    requireDone(await rollout.start())
    requireDone(await rollout.product.experiments.end(rollout.id, rollout.experiment, { rollsBack }, ana))
    expect(await rollout.letIn()).toBe(left)
    expect(await rollout.guard()).toMatchObject({ state: 'stopped', why: 'Ana ended it.' })
    expect((await rollout.found()).conclusion).toMatchObject({ outcome, by: 'Ana' })
  }
})

test('a rollout that was changed by hand lets go of the flag, and the experiment runs on', async () => {
  const rollout = await aRollout([])
  requireDone(await rollout.start())
  requireDone(await rollout.product.flags.turn(rollout.id, 'checkout', { isOn: false }, ana))
  await rollout.passes(5)
  expect(await rollout.guard()).toMatchObject({
    state: 'stopped',
    why: 'The rollout was changed by hand.',
  })
  expect((await rollout.found()).endedAt).toBeUndefined()
})

test('the flag’s own page cannot stop the rollout of an experiment', async () => {
  const rollout = await aRollout([])
  requireDone(await rollout.start())
  const { id } = await rollout.guard()
  expect(problemMessages(await rollout.product.flags.guards.stop(rollout.id, id, {}, ana))).toEqual([
    'This rollout belongs to an experiment. Change it there.',
  ])
})

describe('what cannot be a rollout is refused in a sentence', () => {
  test('a method that may be read once only', async () => {
    const rollout = await aRollout([])
    const change = async (input: object) =>
      problemMessages(await rollout.product.experiments.change(rollout.id, rollout.experiment, input, ana))
    expect(await change({ analysis: { method: 'frequentist' } })).toEqual([
      'A rollout is read every few minutes, which only sequential intervals allow. Choose the method “sequential”.',
    ])
    expect(
      await change({
        rollout: {
          steps: [
            { share: 50, minutes: 5 },
            { share: 20, minutes: 5 },
          ],
        },
      }),
    ).toEqual(['Each step lets more people in than the one before.'])
  })

  test('no guardrail, and a start in the past', async () => {
    const rollout = await aRollout([], { metrics: [] })
    expect(problemMessages(await rollout.start())).toEqual([
      'Add a guardrail first: the rollout goes back when it gets worse than its margin.',
    ])
    requireDone(
      await rollout.product.experiments.change(rollout.id, rollout.experiment, { metrics: [errors] }, ana),
    )
    requireDone(
      await rollout.product.experiments.change(rollout.id, rollout.experiment, { rollout: { set: 3 } }, ana),
    )
    expect(problemMessages(await rollout.start())).toEqual([
      'In “production” the flag has no condition set 4 to let people in by.',
    ])
    const past = await rollout.product.experiments.start(
      rollout.id,
      rollout.experiment,
      { at: '2026-03-01T10:00:00Z' },
      ana,
    )
    expect(problemMessages(past)).toEqual(['A rollout begins with its first step, now.'])
    expect(await rollout.letIn()).toBe('off')
  })

  test('a ramp that changes on the way; what follows it may change', async () => {
    const rollout = await aRollout([])
    requireDone(await rollout.start())
    const change = (input: object) =>
      rollout.product.experiments.change(rollout.id, rollout.experiment, { rollout: input }, ana)
    expect(problemMessages(await change({ steps: [{ share: 100, minutes: 5 }] }))).toEqual([
      'The ramp cannot change once the rollout has started. Pause it, or end it and make another.',
    ])
    expect(requireDone(await change({ whenDone: 'wait' })).experiment.rollout?.whenDone).toBe('wait')
  })
})
