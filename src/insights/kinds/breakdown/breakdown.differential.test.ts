import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/differential'
import { plainPanels } from '#test/plain/breakdown'
import { anEngine } from '#test/test-engine'
import { visitQuestionFields, casesOfVisits } from '#test/random-visits'
import type { BreakdownAnswer } from '../../chart/panel'

const room = anEngine()

const dimensions = ['entry', 'exit', 'channel', 'country', 'browser', 'page', 'event']

const cases = casesOfVisits((day) =>
  fc.record({
    kind: fc.constant('breakdown'),
    ...visitQuestionFields(day),
    dimensions: fc.uniqueArray(fc.constantFrom(...dimensions), { minLength: 1, maxLength: 3 }),
    search: fc.constantFrom(undefined, undefined, 'B', 'e'),
    limit: fc.constantFrom(1, 2, 10),
    offset: fc.constantFrom(0, 0, 1),
  }),
)
type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never

test(
  `the engine and a pencil agree on ${caseCount} small questions of breakdowns`,
  { timeout: 60_000 + caseCount * 100 },
  async () => {
    await expectAgreement<Case, number>({
      cases,
      prepare: (all) => room.tellAll(all.map(({ events }) => events)),
      agree: async ({ events, calendar, question }, project) => {
        const { panels } = await room.ask<BreakdownAnswer>(project, question, calendar)
        const told = panels.map(({ label: _, ...panel }) => panel)
        expect(told).toEqual(plainPanels(question, { project, events, calendar }))
      },
    })
  },
)
