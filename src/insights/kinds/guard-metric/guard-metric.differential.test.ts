import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/random/differential'
import { expectedGuardMetric } from '#test/plain/guard-metric'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import type { GuardMetricSide, GuardMetricAnswer } from './answer'
import { guardMetricQuery } from './schema'

const testEngine = anEngine()

const calendar = { timeZone: 'UTC', weekStart: 'monday', now: new Date('2026-03-31T12:00:00Z') } as const

/** Times are quarters of an hour around the period, so that ties are common. */
const quarter = fc.integer({ min: -8, max: 40 })

const happened: fc.Arbitrary<TestEvent> = fc
  .record({
    person: fc.constantFrom('ana', 'ben', 'cleo', 'dan', 'eve'),
    event: fc.constantFrom('$feature_flag_called', '$feature_flag_called', 'a', 'b', '$web_vitals'),
    quarter,
    flag: fc.constantFrom('beta', 'beta', 'beta', 'other'),
    value: fc.constantFrom('true', 'false', 'false', 'blue', ''),
    carried: fc.constantFrom('', '', '', 'true', 'false', 'blue'),
    amount: fc.constantFrom('900', '1000', '2600'),
    traffic: fc.constantFrom('human' as const, 'human' as const, 'human' as const, 'bot' as const),
  })
  .map(({ quarter: at, flag, value, carried, amount, traffic, ...one }) => ({
    ...one,
    at: new Date(Date.parse('2026-03-02T10:00:00Z') + at * 900_000).toISOString(),
    columns: { traffic },
    properties: {
      ...(one.event === '$feature_flag_called' && { $feature_flag: flag, $feature_flag_response: value }),
      ...(carried !== '' && { '$feature/beta': carried }),
      ...(one.event === '$web_vitals' && { $web_vitals_LCP_value: amount }),
    },
  }))

const queries = fc.record(
  {
    kind: fc.constant('guard-metric'),
    flag: fc.constant('beta'),
    period: fc.constantFrom(
      '2026-03-02T10:00:00Z..2026-03-02T20:00:00Z',
      '2026-03-02T12:00:00Z..2026-03-02T15:30:00Z',
    ),
    since: fc.constantFrom('2026-03-02T09:00:00Z', '2026-03-02T11:00:00Z'),
    variant: fc.constantFrom('blue', 'true'),
    outcome: fc.constantFrom<object>(
      { type: 'reached', goal: { type: 'event', event: 'a' } },
      { type: 'times', happening: { event: 'a' } },
      { type: 'times', happening: { event: null } },
      { type: 'measured', event: '$web_vitals', property: '$web_vitals_LCP_value' },
    ),
    over: fc.constantFrom(0, 1, 1200),
  },
  { requiredKeys: ['kind', 'flag', 'period', 'outcome'] },
)

const cases = fc.record({ events: fc.array(happened, { maxLength: 25 }), question: queries })
type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never

const about = (side: GuardMetricSide) => ({
  ...side,
  mean: side.mean === null ? null : expect.closeTo(side.mean, 6),
  variance: side.variance === null ? null : expect.closeTo(side.variance, 6),
  p75: side.p75 === null ? null : expect.closeTo(side.p75, 6),
})

test(`the engine and a pencil agree on ${caseCount} small flags`, async () => {
  await expectAgreement<Case, number>({
    cases,
    prepare: (all) => testEngine.addProjects(all.map(({ events }) => events)),
    agree: async ({ events, question }, project) => {
      const answer = await testEngine.ask<GuardMetricAnswer>(project, question)
      const plain = expectedGuardMetric(guardMetricQuery.parse(question), events, calendar)
      expect(answer).toEqual({ got: about(plain.got), others: about(plain.others) })
    },
  })
})
