import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/random/differential'
import { expectedTotals } from '#test/plain/totals'
import { anEngine } from '#test/product/test-engine'
import { visitQueryFields, casesOfVisits } from '#test/random/random-visits'
import type { VisitTotals } from '#insights/compile/visit-totals'

const testEngine = anEngine()

const cases = casesOfVisits((day) => fc.record({ kind: fc.constant('totals'), ...visitQueryFields(day) }))
type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never

test(`the engine and a pencil agree on ${caseCount} small questions of totals`, async () => {
  await expectAgreement<Case, number>({
    cases,
    prepare: (all) => testEngine.addProjects(all.map(({ events }) => events)),
    agree: async ({ events, calendar, question, settings }, project) => {
      const { figures, course, compared } = await testEngine.ask<VisitTotals>(
        project,
        question,
        calendar,
        settings,
      )
      const other = compared && { compared: { figures: compared.figures, course: compared.course } }
      expect({ figures, course, ...other }).toEqual(
        expectedTotals({ ...question, ...settings }, { project, events, calendar }),
      )
    },
  })
})
