import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/differential'
import { expectedReading } from '#test/plain/reading'
import { anEngine } from '#test/test-engine'
import { casesOfReading, readingQuestions } from '#test/random-reading'
import { readingQuestion } from './question'

const room = anEngine()
const cases = casesOfReading(readingQuestions)

test(`the engine and a pencil agree on ${caseCount} small questions of reading`, async () => {
  await expectAgreement({
    cases,
    prepare: (all) => room.tellAll(all.map(({ events }) => events)),
    agree: async ({ events, calendar, question }, project) => {
      const answer = await room.ask(project, question, calendar)
      expect(answer).toEqual(expectedReading(readingQuestion.parse(question), { project, events, calendar }))
    },
  })
})
