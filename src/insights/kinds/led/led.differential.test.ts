import { expect, test } from 'vitest'
import { expectAgreement, runs } from '../../../../test/differential'
import { plainLed } from '../../../../test/plain/reading'
import { anEngine } from '../../../../test/questions'
import { casesOfReading, ledQuestions } from '../../../../test/random-reading'
import { ledQuestion } from './question'

const room = anEngine()
const cases = casesOfReading(ledQuestions)

test(
  `the engine and a pencil agree on ${runs} small questions of what reading led to`,
  { timeout: 60_000 + runs * 100 },
  async () => {
    await expectAgreement({
      cases,
      prepare: (all) => room.tellAll(all.map(({ events }) => events)),
      agree: async ({ events, calendar, question }, project) => {
        const answer = await room.ask(project, question, calendar)
        expect(answer).toEqual(plainLed(ledQuestion.parse(question), { project, events, calendar }))
      },
    })
  },
)
