import { expect, onTestFinished, test } from 'vitest'
import { seededRandom } from '#test/random/seeded-random'
import { aFolder, aWorld, requireDone, type FixedWorld, present } from '#test/product/fixture'
import { anEngine, beginning, type TestEvent } from '#test/product/test-engine'
import { operator } from '#projects/access'
import { openProduct, type Product } from '#server/product'

const testEngine = anEngine()
const ana = operator('Ana')

/** The outcome of people, by whether they get the flag. */
interface OutcomeByVariant {
  fails: (gets: boolean) => number
  signsUp: (gets: boolean) => number
  waitsMs: (gets: boolean) => number
}

const usual: OutcomeByVariant = { fails: () => 0.06, signsUp: () => 0.3, waitsMs: () => 1500 }

interface Crowd {
  /** The beginning and the end in minutes, and the number of people who get the flag. */
  from: number
  until: number
  percentage: number
  outcomes: OutcomeByVariant
  environment?: string
}

/** Twenty come every minute, ask for the flag, and are gone. */
function crowd({ from, until, percentage, outcomes, environment }: Crowd): TestEvent[] {
  const chance = seededRandom(from + 1)
  const carried: Record<string, string> = environment === undefined ? {} : { $environment: environment }
  return Array.from({ length: (until - from) * 20 }, (_, i) => {
    const person = `${environment ?? ''} ${from} ${i}`
    const at = from + i / 20
    const gets = chance() * 100 < percentage
    const does = (event: string, properties: Record<string, string> = {}): TestEvent => ({
      person,
      event,
      at: at + 0.01,
      properties: { ...carried, ...properties },
    })
    const told = { $feature_flag: 'checkout', $feature_flag_response: String(gets) }
    return [
      { ...does('$feature_flag_called', told), at },
      ...(chance() < outcomes.fails(gets) ? [does('$exception')] : []),
      ...(chance() < outcomes.signsUp(gets) ? [does('signup')] : []),
      does('$web_vitals', { $web_vitals_LCP_value: String(outcomes.waitsMs(gets) * (0.5 + chance())) }),
    ]
  }).flat()
}

const everybody = { conditions: [], percentage: 0 }

async function setUp(events: readonly TestEvent[]) {
  const number = await testEngine.addProject(events)
  const [world, folder] = [aWorld(`stage ${number}`), aFolder()]
  const product = await openProduct({ store: { folder }, world, engine: testEngine.engine() })
  onTestFinished(() => product.close())
  expect(world.now()).toEqual(beginning)
  // the engine's tables know the story by its number
  for (let i = 1; i < number; i++) await product.projects.create({ name: `Other ${i}` }, ana)
  const { id } = requireDone(await product.projects.create({ name: 'Acme' }, ana)).project
  const production = { isOn: true, conditions: [everybody] }
  requireDone(await product.flags.create(id, { key: 'checkout', environments: { production } }, ana))
  const { goal } = requireDone(
    await product.insights.goals.create(
      id,
      { name: 'Signs up', goal: { type: 'event', event: 'signup' } },
      ana,
    ),
  )
  const metrics = [
    { type: 'exceptions' },
    { type: 'vital', vital: 'LCP' },
    { type: 'goal', goal: goal.id },
    { type: 'event', event: 'signup' },
  ]
  return { id, product, world, metrics }
}

const steps = [
  { percentage: 10, afterMinutes: 0 },
  { percentage: 50, afterMinutes: 60 },
]

/** Looked at every five minutes: more often, only the test would take longer. */
async function minutesPass(minutes: number, { world, product }: { world: FixedWorld; product: Product }) {
  for (let i = 0; i < minutes; i += 5) {
    world.advance('5 minutes')
    await product.flags.guards.run()
  }
}

async function rollout({ id, product }: { id: number; product: Product }) {
  const [guard] = await product.flags.guards.list(id, ana, 'checkout')
  const flag = present(await product.flags.find(id, 'checkout', ana))
  const [newest] = await product.flags.history(id, 'checkout', ana)
  return {
    ...present(guard),
    letIn: present(flag.environments['production']).conditions[0]?.percentage,
    note: newest?.note,
  }
}

test('a flag that harms no one goes on, whatever happens in another environment', async () => {
  const dreadful: OutcomeByVariant = { ...usual, fails: (gets) => (gets ? 1 : 0) }
  const stage = await setUp([
    ...crowd({ from: 0, until: 60, percentage: 10, outcomes: usual }),
    ...crowd({ from: 60, until: 90, percentage: 50, outcomes: usual }),
    ...crowd({ from: 0, until: 60, percentage: 50, outcomes: dreadful, environment: 'staging' }),
  ])
  const { id, product, metrics } = stage
  requireDone(
    await product.flags.guards.create(id, { flag: 'checkout', steps, metrics, watchMinutes: 20 }, ana),
  )

  await minutesPass(30, stage)
  expect(await rollout(stage)).toMatchObject({ state: 'running', letIn: 10 })
  await minutesPass(30, stage)
  expect(await rollout(stage)).toMatchObject({ letIn: 50, note: expect.stringContaining('Let in 50%') })
  await minutesPass(20, stage)
  const { state, letIn, readings } = await rollout(stage)
  expect([state, letIn]).toEqual(['completed', 50])
  expect(readings.map((one) => one.state)).toEqual(['well', 'well', 'well', 'well'])
})

test.each<[string, OutcomeByVariant, RegExp]>([
  [
    'fails for those who get it',
    { ...usual, fails: (gets) => (gets ? 0.6 : 0.06) },
    /^Rolled back by itself\. Exceptions per visitor: 0\.\d+ for those who get it, 0\.\d+ for the others\./,
  ],
  [
    'is slow for those who get it',
    { ...usual, waitsMs: (gets) => (gets ? 4000 : 1500) },
    /^Rolled back by itself\. LCP of three of four visitors: \d+ for those who get it, \d+ for the others\./,
  ],
  [
    'puts off those who get it',
    { ...usual, signsUp: (gets) => (gets ? 0.02 : 0.3) },
    /^Rolled back by itself\. Visitors who reach the goal: \d\.\d% .* over 20% fewer, and hardly chance\.$/,
  ],
])('a flag that %s is back where it was before the next step', async (_, outcomes, note) => {
  const stage = await setUp(crowd({ from: 0, until: 60, percentage: 10, outcomes }))
  const { id, product, metrics } = stage
  requireDone(await product.flags.guards.create(id, { flag: 'checkout', steps, metrics }, ana))

  await minutesPass(20, stage)
  // the guard draws no conclusion from fewer than a hundred
  expect(await rollout(stage)).toMatchObject({ state: 'running', letIn: 10 })
  await minutesPass(40, stage)
  expect(await rollout(stage)).toMatchObject({
    state: 'rolled-back',
    letIn: 0,
    note: expect.stringMatching(note),
  })
})

test('a goal that is removed holds the rollout, and does not undo it', async () => {
  const stage = await setUp(crowd({ from: 0, until: 10, percentage: 50, outcomes: usual }))
  const { id, product, metrics } = stage
  const [goal] = metrics.slice(2, 3)
  requireDone(
    await product.flags.guards.create(id, { flag: 'checkout', steps, metrics: [goal], minimum: 20 }, ana),
  )
  requireDone(await product.insights.goals.remove(id, String(present(goal).goal), ana))
  await minutesPass(5, stage)
  expect(await rollout(stage)).toMatchObject({ state: 'running', why: 'The numbers could not be looked at.' })
  const gone = { flag: 'checkout', steps, metrics: [{ type: 'goal', goal: 'gone' }] }
  expect(await product.flags.guards.create(id, gone, ana)).toMatchObject({
    done: false,
    problems: [{ field: 'metrics', message: 'There is no goal “gone” in this project. Choose another.' }],
  })
})
