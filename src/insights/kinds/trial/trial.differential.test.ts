import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/random/differential'
import { expectedTrial } from '#test/plain/reading'
import { anEngine } from '#test/product/test-engine'
import { casesOfReading, trialQueries } from '#test/random/random-reading'
import { trialQuery } from './schema'

const testEngine = anEngine()
const cases = casesOfReading(trialQueries)

test(`the engine and a pencil agree on ${caseCount} small questions of trials`, async () => {
  await expectAgreement({
    cases,
    prepare: (all) => testEngine.addProjects(all.map(({ events }) => events)),
    agree: async ({ events, calendar, question }, project) => {
      const answer = await testEngine.ask(project, question, calendar)
      expect(answer).toEqual(expectedTrial(trialQuery.parse(question), { project, events, calendar }))
    },
  })
})
