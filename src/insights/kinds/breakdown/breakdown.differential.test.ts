import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/random/differential'
import { plainPanels } from '#test/plain/breakdown'
import { anEngine } from '#test/product/test-engine'
import { visitQueryFields, casesOfVisits } from '#test/random/random-visits'
import type { BreakdownAnswer } from './answer'

const testEngine = anEngine()

const ofVisits = ['entry', 'exit', 'channel', 'country', 'browser']
const dimensions = [...ofVisits, 'page', 'event']

/** Several dimensions at once are sorted by what all of them have. */
const everySort = ['value', 'visitors', 'conversionRate'] as const
const askedWith = fc.oneof(
  fc.record({
    dimensions: fc.uniqueArray(fc.constantFrom(...dimensions), { minLength: 1, maxLength: 3 }),
    by: fc.constantFrom(undefined, ...everySort),
  }),
  fc.record({
    dimensions: fc.uniqueArray(fc.constantFrom(...ofVisits), { minLength: 1, maxLength: 2 }),
    by: fc.constantFrom(...everySort, 'visits', 'views', 'bounceRate', 'duration', 'revenue'),
  }),
  fc.record({
    dimensions: fc.constant<string[]>(['page']),
    by: fc.constantFrom(undefined, ...everySort, 'events', 'bounceRate', 'duration', 'scroll'),
  }),
)

const cases = casesOfVisits((day) =>
  fc
    .record({
      kind: fc.constant('breakdown'),
      ...visitQueryFields(day),
      asked: askedWith,
      direction: fc.constantFrom('ascending' as const, 'descending' as const),
      details: fc.boolean(),
      groupPages: fc.constantFrom(true, true, false),
      // with the figures of all visits in the same pass, or without them in one of its own
      totals: fc.boolean(),
      search: fc.constantFrom(undefined, undefined, 'B', 'e'),
      limit: fc.constantFrom(1, 2, 10),
      offset: fc.constantFrom(0, 0, 1),
    })
    .map(({ asked: { dimensions: named, by }, direction, ...query }) => ({
      ...query,
      dimensions: named,
      ...(by && { sort: { by, direction } }),
    })),
)
type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never

test(`the engine and a pencil agree on ${caseCount} small questions of breakdowns`, async () => {
  await expectAgreement<Case, number>({
    cases,
    prepare: (all) => testEngine.addProjects(all.map(({ events }) => events)),
    agree: async ({ events, calendar, question, settings }, project) => {
      const { panels } = await testEngine.ask<BreakdownAnswer>(project, question, calendar, settings)
      const told = panels.map(({ label: _, ...panel }) => panel)
      expect(told).toEqual(plainPanels({ ...question, ...settings }, { project, events, calendar }))
    },
  })
})
