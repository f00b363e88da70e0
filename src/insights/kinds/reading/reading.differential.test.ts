import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/random/differential'
import { expectedReading } from '#test/plain/reading'
import { anEngine } from '#test/product/test-engine'
import { casesOfReading, readingQueries } from '#test/random/random-reading'
import { readingQuery } from './schema'

const testEngine = anEngine()
const cases = casesOfReading(readingQueries)

test(`the engine and a pencil agree on ${caseCount} small questions of reading`, async () => {
  await expectAgreement({
    cases,
    prepare: (all) => testEngine.addProjects(all.map(({ events }) => events)),
    agree: async ({ events, calendar, question }, project) => {
      const answer = await testEngine.ask(project, question, calendar)
      expect(answer).toEqual(expectedReading(readingQuery.parse(question), { project, events, calendar }))
    },
  })
})
