import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectAgreement, runs } from '../../../../test/differential'
import { plainTotals } from '../../../../test/plain/totals'
import { anEngine } from '../../../../test/questions'
import { askedOfVisits, casesOfVisits } from '../../../../test/random-visits'
import type { Totals } from '../../tell-visits'

const room = anEngine()

const cases = casesOfVisits((day) => fc.record({ kind: fc.constant('totals'), ...askedOfVisits(day) }))
type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never

test(
  `the engine and a pencil agree on ${runs} small questions of totals`,
  { timeout: 60_000 + runs * 100 },
  async () => {
    await expectAgreement<Case, number>({
      cases,
      prepare: (all) => room.tellAll(all.map(({ events }) => events)),
      agree: async ({ events, calendar, question }, project) => {
        const { figures, course, compared } = await room.ask<Totals>(project, question, calendar)
        const other = compared && { compared: { figures: compared.figures, course: compared.course } }
        expect({ figures, course, ...other }).toEqual(plainTotals(question, { project, events, calendar }))
      },
    })
  },
)
