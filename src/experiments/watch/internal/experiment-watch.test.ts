import { expect, onTestFinished, test } from 'vitest'
import { dateTime, sql, uint } from '#engine/sql'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import { openTestProduct, present, requireDone } from '#test/product/fixture'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { ExperimentWatch } from './experiment-watch'
import type { ExperimentNotice } from '../notices'

const ana = operator('Ana')
const engine = anEngine()
/** The engine numbers the projects that it is told of; a test's own project has the next number. */
let projectsTold = 0

const variants = ['control', 'test'].map((key) => ({ key, percentage: 50 }))
const conversion = (event: string) => ({ type: 'conversion', happening: { event } })
const metrics = [
  { name: 'Sign-ups', measured: conversion('signup') },
  { name: 'Refunds', role: 'guardrail', goal: 'decrease', margin: 60, measured: conversion('refund') },
]

interface Rates {
  signup: number
  refund: number
}

/** Of each variant so many persons in a minute; of every ten, so many sign up and ask for a refund. */
function history(from: Date, amount: number, rates: { control: Rates; test: Rates }): TestEvent[] {
  return (['control', 'test'] as const).flatMap((variant) =>
    Array.from({ length: amount }, (_, i): TestEvent[] => {
      const person = `${variant} ${i} ${from.getTime()}`
      const at = (seconds: number) =>
        new Date(from.getTime() + (i % 60) * 1000 + seconds * 1000).toISOString()
      const properties = { $feature_flag: 'checkout', $feature_flag_response: variant }
      const events: TestEvent[] = [{ person, event: '$feature_flag_called', at: at(1), properties }]
      if (i % 10 < rates[variant].signup) events.push({ person, event: 'signup', at: at(2) })
      if (i % 10 < rates[variant].refund) events.push({ person, event: 'refund', at: at(3) })
      return events
    }).flat(),
  )
}

const same = { signup: 3, refund: 2 }

async function running(rates: { control: Rates; test: Rates }, amount = 1500) {
  const { product, world, aProject, folder } = await openTestProduct({ engine: engine.engine() })
  let { id } = await aProject()
  while (id <= projectsTold) id = (await aProject()).id
  requireDone(await product.flags.create(id, { key: 'checkout', kind: 'variants', variants }, ana))
  requireDone(await product.flags.turn(id, 'checkout', { isOn: true }, ana))
  const input = { name: 'Checkout', flag: 'checkout', metrics, analysis: { lookbackDays: 0 } }
  const { experiment } = requireDone(await product.experiments.create(id, input, ana))
  const { startedAt } = requireDone(await product.experiments.start(id, experiment.id, {}, ana)).experiment
  projectsTold += 1
  expect(await engine.addProject(history(present(startedAt), amount, rates))).toBe(id)
  world.advance('1 hour')

  const store = await openStore({ folder, url: undefined })
  onTestFinished(() => store.close())
  const told: ExperimentNotice[] = []
  const { results } = product.experiments
  let asked = 0
  const watch = new ExperimentWatch({
    store,
    world,
    results: {
      result: (...asking) => {
        asked++
        return results.result(...asking)
      },
      course: (...asking) => results.course(...asking),
      exposures: (...asking) => results.exposures(...asking),
    },
    notify: async (_transaction, _experiment, notice) => void told.push(notice),
  })
  const look = async () => {
    await watch.run({ extend: async () => true })
    return told.splice(0)
  }
  const result = async (options = {}) =>
    requireDone(await results.result(id, experiment.id, ana, options)).result
  return { product, world, id, experiment: experiment.id, look, result, timesAsked: () => asked }
}

test('a decision is told once, and again after it was taken back and found again', async () => {
  const { product, world, id, experiment, look, timesAsked } = await running({
    control: same,
    test: { ...same, signup: 6 },
  })
  const [decided, ...others] = await look()
  expect(others).toEqual([])
  expect(decided).toMatchObject({ kind: 'decided', about: 'ship test' })
  expect(present(decided).sentence).toMatch(
    /^Ship “test”: Sign-ups \+\d+% .*every guardrail is within its margin/,
  )

  world.advance('50 seconds')
  expect(await look()).toEqual([])
  expect(timesAsked()).toBe(1)
  world.advance('10 seconds')
  expect(await look()).toEqual([])
  expect(timesAsked()).toBe(2)

  requireDone(await product.experiments.ship(id, experiment, { variant: 'test' }, ana))
  world.advance('1 hour')
  expect(await look()).toEqual([])
  expect(timesAsked()).toBe(2)
  requireDone(await product.experiments.takeBack(id, experiment, ana))
  expect(await look()).toMatchObject([{ kind: 'decided', about: 'ship test' }])
})

test('a broken guardrail and a broken split are told, and nothing where nothing is known', async () => {
  const harmed = await running({ control: same, test: { signup: 3, refund: 7 } })
  const [harm, ...others] = await harmed.look()
  expect(others).toEqual([])
  expect(harm).toMatchObject({ kind: 'guardrail', about: 'guardrail Refunds test' })
  expect(present(harm).sentence).toMatch(/^With “test” the guardrail Refunds is beyond its margin: \+\d+%/)

  const alike = await running({ control: same, test: same })
  expect(await alike.look()).toEqual([])
})

const manyRows = 1_100_000

/** Events that a query about the experiment has to read, of people who were not exposed. */
const addMany = async (project: number, at: Date): Promise<void> =>
  await engine.engine().command(sql`
    insert into events (project_id, uuid, event, timestamp, received_at, distinct_id, person_id, has_person,
      is_cookieless, traffic, properties)
    select ${uint(project)}, generateUUIDv4(number), 'signup', ${dateTime(at)} - toIntervalMinute(20), now64(3),
      toString(number), generateUUIDv4(number + 1), true, false, 'human', map()
    from numbers(${uint(manyRows)})`)

test('an answer from many events is kept, says its age, and is computed again in the background', async () => {
  const { product, world, id, experiment, look, result } = await running({
    control: same,
    test: { ...same, signup: 6 },
  })
  await addMany(id, world.now())
  await look()
  const computedAt = world.now()
  const course = async () => requireDone(await product.experiments.results.course(id, experiment, ana)).course
  expect((await course())[0]?.variants[0]?.points).toHaveLength(1)

  // far less than it took, times sixty
  world.advance('0.1 seconds')
  const kept = await result()
  expect(kept).toMatchObject({ at: computedAt, isRenewed: false, verdict: { advice: 'ship' } })
  expect((await result({ isFresh: true })).at).toEqual(world.now())

  // asked for by a person
  world.advance('1 second')
  requireDone(await product.experiments.results.renew(id, experiment, ana))
  expect((await result()).isRenewed).toBe(true)
  await look()
  expect(await result()).toMatchObject({ at: world.now(), isRenewed: false })

  // and by its age
  world.advance('2 hours')
  const old = await result()
  expect(old.isRenewed).toBe(true)
  expect(old.at < world.now()).toBe(true)
  await look()
  expect(await result()).toMatchObject({ at: world.now(), isRenewed: false })
})

test('a kept answer is not that of other metrics', async () => {
  const { product, world, id, experiment, look, result } = await running({ control: same, test: same })
  await addMany(id, world.now())
  await look()
  const names = async () => present((await result()).report).metrics.map(({ name }) => name)
  expect(await names()).toEqual(['Sign-ups', 'Refunds'])
  const { metrics: before } = present(await product.experiments.find(id, experiment, ana))
  const more = { name: 'Orders', role: 'secondary', measured: conversion('order') }
  requireDone(await product.experiments.change(id, experiment, { metrics: [...before, more] }, ana))
  expect(await names()).toEqual(['Sign-ups', 'Refunds', 'Orders'])
})
