import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/random/differential'
import { plainSurvey } from '#test/plain/survey'
import { randomSurveyEvents, randomSurveyQuestions } from '#test/random/random-surveys'
import { anEngine } from '#test/product/test-engine'
import { surveyQuery } from './schema'
import type { SurveyAnswer } from './survey'

const testEngine = anEngine()
const calendar = { timeZone: 'UTC', weekStart: 'monday', now: new Date('2026-03-02T20:00:00Z') } as const

test(`the engine and the plain evaluator agree on ${caseCount} small surveys`, async () => {
  await expectAgreement({
    cases: fc.record({ events: randomSurveyEvents, question: randomSurveyQuestions }),
    prepare: (all) => testEngine.addProjects(all.map(({ events }) => events)),
    agree: async ({ events, question }, project) => {
      const { questions, ...numbers } = await testEngine.ask<SurveyAnswer>(project, question, calendar)
      const { asked, ...plain } = plainSurvey(surveyQuery.parse(question), { project, events, calendar })
      expect(questions.map(({ id }) => id)).toEqual(asked)
      expect(numbers).toEqual(plain)
    },
  })
})
