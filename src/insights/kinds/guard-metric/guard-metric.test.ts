import { expect, test } from 'vitest'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import type { GuardMetricAnswer } from './answer'

const testEngine = anEngine()

const told = (person: string, value: string, at: number): TestEvent => ({
  person,
  event: '$feature_flag_called',
  at,
  properties: { $feature_flag: 'new-checkout', $feature_flag_response: value },
})
const failed = (person: string, at: number): TestEvent => ({ person, event: '$exception', at })

const query = {
  kind: 'guard-metric',
  flag: 'new-checkout',
  period: '2026-03-02..2026-03-02',
  outcome: { type: 'times', happening: { event: '$exception' } },
}

test('errors before the first decision count for no side', async () => {
  const project = await testEngine.addProject([
    failed('ana', 0),
    told('ana', 'true', 1),
    failed('ana', 2),
    told('ben', 'false', 1),
  ])
  const { got, others } = await testEngine.ask<GuardMetricAnswer>(project, query)
  expect([got.mean, others.mean]).toEqual([1, 0])
})

test('a person with another decision is on the other side from then on', async () => {
  const project = await testEngine.addProject([
    told('ana', 'false', 0),
    failed('ana', 1),
    told('ana', 'true', 2),
    failed('ana', 3),
    failed('ana', 4),
  ])
  const { got, others } = await testEngine.ask<GuardMetricAnswer>(project, query)
  expect([got.persons, got.mean, others.persons]).toEqual([1, 2, 0])
})

test('an SDK reports a decision once; later events carry it along, and a person who does not return is on no side', async () => {
  const visit = (person: string, value: string): TestEvent => ({
    person,
    event: '$pageview',
    at: 24 * 60,
    properties: { '$feature/new-checkout': value },
  })
  const project = await testEngine.addProject([
    told('ana', 'true', 0),
    told('ben', 'false', 0),
    told('cleo', 'false', 0),
    visit('ana', 'true'),
    visit('cleo', 'true'),
    visit('never asked', 'true'),
  ])
  const nextDay = { ...query, period: '2026-03-03..2026-03-03' }
  const since = '2026-03-02T00:00:00Z'
  const { got, others } = await testEngine.ask<GuardMetricAnswer>(project, { ...nextDay, since })
  expect([got.persons, others.persons]).toEqual([2, 0])
  const { got: alone } = await testEngine.ask<GuardMetricAnswer>(project, nextDay)
  expect(alone.persons).toBe(0)
})

test('a visitor who slept through it and one who is slow: three of four of each one’s pages count', async () => {
  const page = (person: string, at: number, lcp: number): TestEvent => ({
    person,
    event: '$web_vitals',
    at,
    properties: { $web_vitals_LCP_value: String(lcp) },
  })
  const project = await testEngine.addProject([
    told('ana', 'true', 0),
    ...[1000, 1000, 1000, 1000, 9000].map((lcp, i) => page('ana', i + 1, lcp)),
    told('ben', 'true', 0),
    page('ben', 1, 3000),
    told('cleo', 'true', 0),
  ])
  const { got } = await testEngine.ask<GuardMetricAnswer>(project, {
    ...query,
    outcome: { type: 'measured', event: '$web_vitals', property: '$web_vitals_LCP_value' },
    over: 2500,
  })
  expect(got).toMatchObject({ persons: 2, mean: 2000, p75: 2500, above: 1 })
})
