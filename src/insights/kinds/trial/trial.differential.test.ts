import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/differential'
import { expectedTrial } from '#test/plain/reading'
import { anEngine } from '#test/test-engine'
import { casesOfReading, trialQuestions } from '#test/random-reading'
import { trialQuestion } from './question'

const room = anEngine()
const cases = casesOfReading(trialQuestions)

test(`the engine and a pencil agree on ${caseCount} small questions of trials`, async () => {
  await expectAgreement({
    cases,
    prepare: (all) => room.tellAll(all.map(({ events }) => events)),
    agree: async ({ events, calendar, question }, project) => {
      const answer = await room.ask(project, question, calendar)
      expect(answer).toEqual(expectedTrial(trialQuestion.parse(question), { project, events, calendar }))
    },
  })
})
