import { expect, test } from 'vitest'
import { expectAgreement, runs } from '../../../../test/differential'
import { plainTrial } from '../../../../test/plain/reading'
import { anEngine } from '../../../../test/questions'
import { casesOfReading, trialQuestions } from '../../../../test/random-reading'
import { trialQuestion } from './question'

const room = anEngine()
const cases = casesOfReading(trialQuestions)

test(
  `the engine and a pencil agree on ${runs} small questions of trials`,
  { timeout: 60_000 + runs * 100 },
  async () => {
    await expectAgreement({
      cases,
      prepare: (all) => room.tellAll(all.map(({ events }) => events)),
      agree: async ({ events, calendar, question }, project) => {
        const answer = await room.ask(project, question, calendar)
        expect(answer).toEqual(plainTrial(trialQuestion.parse(question), { project, events, calendar }))
      },
    })
  },
)
