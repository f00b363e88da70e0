import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/random/differential'
import { expectedLifecycle } from '#test/plain/lifecycle'
import { anEngine } from '#test/product/test-engine'
import { awkwardPlaces, calendarAround, periodAround, storyAround } from '#test/random/random-stories'
import type { LifecycleAnswer } from './answer'
import { lifecycleQuery } from './schema'

const testEngine = anEngine()

const queryAbout = (day: string) =>
  fc.record({
    kind: fc.constant('lifecycle'),
    period: periodAround(day),
    happening: fc.constantFrom({ event: 'a' }, { event: null }),
    interval: fc.constantFrom('hour', 'day', 'day', 'week', 'month'),
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
  .filter(({ question: { interval, period } }) => interval !== 'hour' || days(period) < 10)
type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never

const days = (period: string): number => {
  const [from = '', to = ''] = period.split('..')
  return (Date.parse(to) - Date.parse(from)) / 86_400_000
}

test(`the engine and a pencil agree on ${caseCount} small lifecycles`, async () => {
  await expectAgreement<Case, number>({
    cases,
    prepare: (all) => testEngine.addProjects(all.map(({ events }) => events)),
    agree: async ({ events, calendar, question }, project) => {
      const answer = await testEngine.ask<LifecycleAnswer>(project, question, calendar)
      const { starts: _, end: __, interval: ___, active, ...counts } = answer
      expect(counts).toEqual(expectedLifecycle(lifecycleQuery.parse(question), events, calendar))

      const lost = active.slice(1).map((___unused, i) => (active[i] ?? 0) - (counts.returning[i + 1] ?? 0))
      expect(counts.dormant.slice(1)).toEqual(lost)
    },
  })
})
