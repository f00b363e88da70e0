import { expect, test } from 'vitest'
import { expectAgreement, runs } from '../../../../test/differential'
import { plainReading } from '../../../../test/plain/reading'
import { anEngine } from '../../../../test/questions'
import { casesOfReading, readingQuestions } from '../../../../test/random-reading'
import { readingQuestion } from './question'

const room = anEngine()
const cases = casesOfReading(readingQuestions)

test(
  `the engine and a pencil agree on ${runs} small questions of reading`,
  { timeout: 60_000 + runs * 100 },
  async () => {
    await expectAgreement({
      cases,
      prepare: (all) => room.tellAll(all.map(({ events }) => events)),
      agree: async ({ events, calendar, question }, project) => {
        const answer = await room.ask(project, question, calendar)
        expect(answer).toEqual(plainReading(readingQuestion.parse(question), { project, events, calendar }))
      },
    })
  },
)
