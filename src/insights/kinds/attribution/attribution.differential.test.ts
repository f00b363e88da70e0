import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/random/differential'
import { expectedAttribution } from '#test/plain/reading'
import { anEngine } from '#test/product/test-engine'
import { casesOfReading, attributionQueries } from '#test/random/random-reading'
import { attributionQuery } from './schema'

const testEngine = anEngine()
const cases = casesOfReading(attributionQueries)

test(`the engine and a pencil agree on ${caseCount} small questions of what reading led to`, async () => {
  await expectAgreement({
    cases,
    prepare: (all) => testEngine.addProjects(all.map(({ events }) => events)),
    agree: async ({ events, calendar, question }, project) => {
      const answer = await testEngine.ask(project, question, calendar)
      expect(answer).toEqual(
        expectedAttribution(attributionQuery.parse(question), { project, events, calendar }),
      )
    },
  })
})
