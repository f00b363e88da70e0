import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/differential'
import { expectedAttribution } from '#test/plain/reading'
import { anEngine } from '#test/test-engine'
import { casesOfReading, attributionQuestions } from '#test/random-reading'
import { attributionQuestion } from './question'

const room = anEngine()
const cases = casesOfReading(attributionQuestions)

test(`the engine and a pencil agree on ${caseCount} small questions of what reading led to`, async () => {
  await expectAgreement({
    cases,
    prepare: (all) => room.tellAll(all.map(({ events }) => events)),
    agree: async ({ events, calendar, question }, project) => {
      const answer = await room.ask(project, question, calendar)
      expect(answer).toEqual(
        expectedAttribution(attributionQuestion.parse(question), { project, events, calendar }),
      )
    },
  })
})
