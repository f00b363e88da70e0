import { expect, test } from 'vitest'
import { expectAgreement, runs } from '../../../../test/differential'
import { plainSeen } from '../../../../test/plain/reading'
import { anEngine } from '../../../../test/questions'
import { casesOfReading, seenQuestions } from '../../../../test/random-reading'
import { seenQuestion } from './question'

const room = anEngine()
const cases = casesOfReading(seenQuestions)

test(
  `the engine and a pencil agree on ${runs} small questions of what was seen`,
  { timeout: 60_000 + runs * 100 },
  async () => {
    await expectAgreement({
      cases,
      prepare: (all) => room.tellAll(all.map(({ events }) => events)),
      agree: async ({ events, calendar, question }, project) => {
        const answer = await room.ask(project, question, calendar)
        expect(answer).toEqual(plainSeen(seenQuestion.parse(question), { project, events, calendar }))
      },
    })
  },
)
