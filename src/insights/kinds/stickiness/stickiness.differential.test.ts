import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/random/differential'
import { expectedStickiness } from '#test/plain/stickiness'
import { anEngine } from '#test/product/test-engine'
import { awkwardPlaces, calendarAround, periodAround, storyAround } from '#test/random/random-stories'
import { stickinessQuery } from './schema'
import type { StickinessAnswer } from './answer'

const testEngine = anEngine()

const queryAbout = (day: string) =>
  fc.record({
    kind: fc.constant('stickiness'),
    period: periodAround(day),
    series: fc.array(fc.constantFrom({ event: 'a' }, { event: 'b' }, { event: null }), {
      minLength: 1,
      maxLength: 3,
    }),
    interval: fc.constantFrom('hour', 'day', 'day', 'week', 'month'),
    every: fc.constantFrom(1, 1, 2, 3),
    per: fc.constantFrom('person', 'person', { group: 'company' }),
    cumulative: fc.boolean(),
    compare: fc.option(fc.constantFrom('previous', 'year'), { nil: undefined }),
  })

const cases = fc
  .constantFrom(...awkwardPlaces)
  .chain((place) =>
    fc.record({
      events: storyAround(place.day),
      calendar: calendarAround(place),
      question: queryAbout(place.day),
    }),
  )
  // thirty days have more hours than an answer has intervals
  .filter(
    ({ question: { interval, every, period } }) => interval !== 'hour' || (days(period) * 24) / every < 240,
  )
type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never

const days = (period: string): number => {
  const [from = '', to = ''] = period.split('..')
  return (Date.parse(to) - Date.parse(from)) / 86_400_000
}

test(`the engine and a pencil agree on ${caseCount} small questions of stickiness`, async () => {
  await expectAgreement<Case, number>({
    cases,
    prepare: (all) => testEngine.addProjects(all.map(({ events }) => events)),
    agree: async ({ events, calendar, question }, project) => {
      const { counts, totals, compared } = await testEngine.ask<StickinessAnswer>(project, question, calendar)
      const other = compared && { compared: { counts: compared.counts, totals: compared.totals } }
      expect({ counts, totals, ...other }).toEqual(
        expectedStickiness(stickinessQuery.parse(question), events, calendar),
      )
    },
  })
})
