import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { personsBehind } from '#test/product/persons-behind'
import { anEngine } from '#test/product/test-engine'
import type { LifecycleAnswer } from './answer'
import type { LifecycleState } from './schema'

const testEngine = anEngine()

interface Case {
  id: string
  events: Record<string, string[]>
  from: string
  to: string
  expected: Record<LifecycleState, number[]>
}

// the file of published cases, as it is
const { lifecycle } = JSON.parse(
  readFileSync(
    new URL('../../../../test/vectors/retention-lifecycle-stickiness.json', import.meta.url),
    'utf8',
  ),
) as { lifecycle: { cases: Case[] } }

const storyOf = ({ events }: Case) =>
  Object.entries(events).flatMap(([person, days]) =>
    days.map((day) => ({ person, event: '$pageview', at: `${day}T12:00:00Z` })),
  )

test.each(lifecycle.cases.map((one) => [one.id, one] as const))('%s', async (_, one) => {
  const project = await testEngine.addProject(storyOf(one))
  const answer = await testEngine.ask<LifecycleAnswer>(project, {
    kind: 'lifecycle',
    period: `${one.from}..${one.to}`,
  })
  // the published numbers of who is dormant are negative, ours count persons
  const dormant = one.expected.dormant.map((persons) => Math.abs(persons))
  expect(answer).toMatchObject({ ...one.expected, dormant })
})

test('a person active just before the period is returning or dormant in its first interval', async () => {
  const day = (person: string, date: string) => ({ person, event: '$pageview', at: `${date}T12:00:00Z` })
  const project = await testEngine.addProject([
    day('ana', '2026-03-01'),
    day('ana', '2026-03-02'),
    day('ben', '2026-03-01'),
    day('cleo', '2026-02-01'),
    day('cleo', '2026-03-02'),
  ])
  const answer = await testEngine.ask<LifecycleAnswer>(project, {
    kind: 'lifecycle',
    period: '2026-03-02..2026-03-03',
  })
  expect(answer).toMatchObject({
    active: [2, 0],
    new: [0, 0],
    returning: [1, 0],
    resurrecting: [1, 0],
    dormant: [1, 2],
  })
})

test('the first interval counts wholly, also where the period begins in the middle of it', async () => {
  const project = await testEngine.addProject([
    { person: 'ana', event: '$pageview', at: '2026-03-02T12:00:00Z' },
  ])
  const query = { kind: 'lifecycle', period: '2026-03-05..2026-03-12', interval: 'week' }
  const answer = await testEngine.ask<LifecycleAnswer>(project, query)
  expect(answer).toMatchObject({
    starts: ['2026-03-02T00:00:00.000Z', '2026-03-09T00:00:00.000Z'],
    new: [1, 0],
  })
})

test('an interval that is not over is not complete', async () => {
  const query = { kind: 'lifecycle', period: '3d' }
  const answer = await testEngine.ask<LifecycleAnswer>(await testEngine.addProject([]), query)
  expect(answer.complete).toBe(2)
})

test.each([
  [{ bucket: 3, state: 'new' }, ['p3']],
  [{ bucket: 3, state: 'returning' }, ['p1']],
  [{ bucket: 3, state: 'resurrecting' }, ['p2']],
  [{ bucket: 4, state: 'dormant' }, ['p2', 'p3']],
  [{ bucket: 11, state: 'new' }, 'There are 11 intervals, counted from 0.'],
])('says who is behind %o', async (point, expected) => {
  const [one] = lifecycle.cases
  const story = one ? storyOf(one) : []
  const query = { kind: 'lifecycle', period: `${one?.from}..${one?.to}` }
  expect(
    await personsBehind(
      testEngine,
      { project: await testEngine.addProject(story), story, question: query },
      point,
    ),
  ).toEqual(expected)
})

test('new is a person with their first event of this kind', async () => {
  const view = (date: string, plan: string) => ({
    person: 'ana',
    event: '$pageview',
    at: `${date}T12:00:00Z`,
    properties: { plan },
  })
  const project = await testEngine.addProject([view('2026-03-01', 'free'), view('2026-03-03', 'pro')])
  const filter = { type: 'event', key: 'plan', operator: 'exact', value: 'pro' }
  const answer = await testEngine.ask<LifecycleAnswer>(project, {
    kind: 'lifecycle',
    period: '2026-03-02..2026-03-03',
    happening: { event: '$pageview', filter },
  })
  expect(answer).toMatchObject({ new: [0, 1], resurrecting: [0, 0], dormant: [0, 0] })
})
