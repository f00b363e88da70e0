import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/random/differential'
import { expectedRetention } from '#test/plain/retention'
import { anEngine } from '#test/product/test-engine'
import { awkwardPlaces, calendarAround, periodAround, storyAround } from '#test/random/random-stories'
import type { RetentionAnswer } from './answer'
import { retentionQuery } from './schema'

const testEngine = anEngine()

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

const matcher = fc.constantFrom('a', 'a', 'b', null).map((event) => ({ event }))

const queryAbout = (day: string) =>
  fc.record({
    kind: fc.constant('retention'),
    period: periodAround(day),
    target: matcher,
    returning: maybe(matcher),
    mode: fc.constantFrom('first-ever', 'first-in-period', 'recurring'),
    rolling: fc.boolean(),
    interval: fc.constantFrom('day', 'day', 'week', 'month'),
    minimum: fc.constantFrom(1, 1, 2),
    per: fc.constantFrom('person', 'person', { group: 'company' }),
    breakdown: maybe(fc.constant({ type: 'event', key: 'plan' })),
    limit: fc.integer({ min: 1, max: 3 }),
  })

const cases = fc.constantFrom(...awkwardPlaces).chain((place) =>
  fc.record({
    events: storyAround(place.day),
    calendar: calendarAround(place),
    question: queryAbout(place.day),
  }),
)
type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never

test(`the engine and a pencil agree on ${caseCount} small retentions`, async () => {
  await expectAgreement<Case, number>({
    cases,
    prepare: (all) => testEngine.addProjects(all.map(({ events }) => events)),
    agree: async ({ events, calendar, question }, project) => {
      const { complete, series } = await testEngine.ask<RetentionAnswer>(project, question, calendar)
      expect({ complete, series }).toEqual(
        expectedRetention(retentionQuery.parse(question), events, calendar),
      )
    },
  })
})
