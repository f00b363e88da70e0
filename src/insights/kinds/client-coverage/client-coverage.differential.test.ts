import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/differential'
import { expectedClientCoverage } from '#test/plain/reading'
import { anEngine } from '#test/test-engine'
import { casesOfReading, clientCoverageQuestions } from '#test/random-reading'
import { clientCoverageQuestion } from './question'

const room = anEngine()
const cases = casesOfReading(clientCoverageQuestions)

test(`the engine and a pencil agree on ${caseCount} small questions of what was seen`, async () => {
  await expectAgreement({
    cases,
    prepare: (all) => room.tellAll(all.map(({ events }) => events)),
    agree: async ({ events, calendar, question }, project) => {
      const answer = await room.ask(project, question, calendar)
      expect(answer).toEqual(
        expectedClientCoverage(clientCoverageQuestion.parse(question), { project, events, calendar }),
      )
    },
  })
})
