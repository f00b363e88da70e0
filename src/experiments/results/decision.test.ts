import { expect, test } from 'vitest'
import { openTestProduct, present, problemMessages, requireDone } from '#test/product/fixture'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { operator } from '#projects/access'
import type { DecisionRule } from '../experiment'

const ana = operator('Ana')
const engine = anEngine()
/** The engine numbers the projects that it is told of; a test's own project has the next number. */
let projectsTold = 0

/** Of 300 persons a variant, one each minute, four in five of the first hundred of the test sign up, and none later. */
function history(from: Date): TestEvent[] {
  return ['control', 'test'].flatMap((variant) =>
    Array.from({ length: 300 }, (_, i): TestEvent[] => {
      const person = `${variant} ${i}`
      const at = (seconds: number) => new Date(from.getTime() + i * 60_000 + seconds * 1000).toISOString()
      const properties = { $feature_flag: 'checkout', $feature_flag_response: variant }
      const seen: TestEvent = { person, event: '$feature_flag_called', at: at(1), properties }
      const signsUp = i < 100 && i % 5 < (variant === 'test' ? 4 : 1)
      return signsUp ? [seen, { person, event: 'signup', at: at(2) }] : [seen]
    }).flat(),
  )
}

async function running(decision: DecisionRule) {
  const { product, world, aProject } = await openTestProduct({ engine: engine.engine() })
  let { id } = await aProject()
  while (id <= projectsTold) id = (await aProject()).id
  const variants = ['control', 'test'].map((key) => ({ key, percentage: 50 }))
  requireDone(await product.flags.create(id, { key: 'checkout', kind: 'variants', variants }, ana))
  requireDone(await product.flags.turn(id, 'checkout', { isOn: true }, ana))
  const metrics = [{ name: 'Sign-ups', measured: { type: 'conversion', happening: { event: 'signup' } } }]
  const input = { name: 'Checkout', flag: 'checkout', metrics, analysis: { lookbackDays: 0, decision } }
  const { experiment } = requireDone(await product.experiments.create(id, input, ana))
  const { startedAt } = requireDone(await product.experiments.start(id, experiment.id, {}, ana)).experiment
  projectsTold += 1
  expect(await engine.addProject(history(present(startedAt)))).toBe(id)
  const result = async () =>
    requireDone(await product.experiments.results.result(id, experiment.id, ana)).result
  return { product, world, id, experiment: experiment.id, result }
}

const unitsIn = ({ report }: { report: { variants: { units: number }[] } | undefined }) =>
  report?.variants.map(({ units }) => units)

test('with a planned size nothing is shipped before it, and what comes later does not change the decision', async () => {
  const { world, result } = await running({ rule: 'planned-size', units: 80 })
  world.advance('1 hour')
  const before = await result()
  expect([before.look, before.verdict]).toEqual([
    'early',
    { advice: 'wait', reason: 'planned', days: undefined },
  ])
  expect(before.rule).toBe('Decides once, when every variant has 80 people.')

  world.advance('30 minutes')
  const decided = await result()
  expect([decided.look, decided.verdict.advice, unitsIn(decided)]).toEqual(['planned', 'ship', [90, 90]])

  world.advance('1 day')
  const later = await result()
  expect([later.look, later.verdict, unitsIn(later)]).toEqual(['planned', decided.verdict, [90, 90]])
  expect(later.until).toEqual(decided.until)
})

test('after its weeks an experiment is decided by what was known then', async () => {
  const { world, result } = await running({ rule: 'whole-weeks', weeks: 1 })
  world.advance('1 day')
  expect((await result()).verdict).toEqual({ advice: 'wait', reason: 'planned', days: 6 })
  world.advance('9 days')
  const { look, verdict, rule } = await result()
  expect([look, verdict.advice, rule]).toEqual(['planned', 'ship', 'Decides once, after one week.'])
})

test('the rule cannot change once the experiment has started, and a bandit has none', async () => {
  const { product, id, experiment } = await running({ rule: 'any-time' })
  const decision = { rule: 'whole-weeks', weeks: 1 }
  expect(
    problemMessages(await product.experiments.change(id, experiment, { analysis: { decision } }, ana)),
  ).toEqual([
    'When the experiment decides cannot change once it has started: a rule that is chosen by what is known finds what is not there. Duplicate it instead.',
  ])
  const bandit = { name: 'Bandit', kind: 'bandit', flag: 'checkout', analysis: { decision } }
  expect(problemMessages(await product.experiments.create(id, bandit, ana))).toEqual([
    'A bandit and a rollout decide at any time.',
  ])
})
