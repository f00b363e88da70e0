import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/random/differential'
import { withFirstTouch } from '#test/plain/first-touch'
import { expectedRetention } from '#test/plain/retention'
import { calendarAround, awkwardPlaces, momentAround } from '#test/random/random-stories'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import type { RetentionAnswer } from './answer'
import { retentionQuery } from './schema'

const testEngine = anEngine()

/** Page views of several sources, and what came of them; many at the same instant. */
const eventAround = (day: string): fc.Arbitrary<TestEvent> =>
  fc.record({
    person: fc.constantFrom('ana', 'ben', 'cleo'),
    event: fc.constantFrom('$pageview', '$pageview', '$screen', 'signed up', 'bought'),
    at: momentAround(day),
    columns: fc.record({
      channel: fc.constantFrom('Organic Search', 'Direct', 'Email', ''),
      source: fc.constantFrom('Google', 'Newsletter', ''),
      traffic: fc.constantFrom('human', 'human', 'human', 'bot'),
    }),
  })

const cases = fc.constantFrom(...awkwardPlaces).chain((place) =>
  fc.record({
    events: fc.array(eventAround(place.day), { maxLength: 10, size: 'max' }),
    calendar: calendarAround(place),
    key: fc.constantFrom('$initial_channel_type', '$initial_source'),
    mode: fc.constantFrom('first-ever', 'recurring'),
    period: fc.constant(`${place.day}..${place.day}`),
  }),
)
type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never

test(`the engine and a pencil agree on ${caseCount} retentions by where people first came from`, async () => {
  await expectAgreement<Case, number>({
    cases,
    prepare: (all) => testEngine.addProjects(all.map(({ events }) => events)),
    agree: async ({ events, calendar, key, mode, period }, project) => {
      const query = {
        kind: 'retention',
        period,
        mode,
        target: { event: 'signed up' },
        returning: { event: null },
      }
      const ofPersons = { ...query, breakdown: { type: 'person', key } }
      const { series } = await testEngine.ask<RetentionAnswer>(project, ofPersons, calendar)
      // by pencil, the first touch is written on every event of the person
      const told = withFirstTouch(key, { project, events })
      const ofEvents = { ...query, breakdown: { type: 'event', key } }
      expect(series).toEqual(expectedRetention(retentionQuery.parse(ofEvents), told, calendar).series)
    },
  })
})
