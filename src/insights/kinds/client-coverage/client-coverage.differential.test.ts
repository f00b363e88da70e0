import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/random/differential'
import { expectedClientCoverage } from '#test/plain/reading'
import { anEngine } from '#test/product/test-engine'
import { casesOfReading, clientCoverageQueries } from '#test/random/random-reading'
import { clientCoverageQuery } from './schema'

const testEngine = anEngine()
const cases = casesOfReading(clientCoverageQueries)

test(`the engine and a pencil agree on ${caseCount} small questions of what was seen`, async () => {
  await expectAgreement({
    cases,
    prepare: (all) => testEngine.addProjects(all.map(({ events }) => events)),
    agree: async ({ events, calendar, question }, project) => {
      const answer = await testEngine.ask(project, question, calendar)
      expect(answer).toEqual(
        expectedClientCoverage(clientCoverageQuery.parse(question), { project, events, calendar }),
      )
    },
  })
})
