import { expect, test } from 'vitest'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import type { Sql } from '#engine/sql'
import { figuresOf, type ListedSurvey } from './figures'
import type { SurveyAnswer } from './survey'

const testEngine = anEngine()

const happens = (
  event: string,
  person: string,
  at: number,
  properties: Record<string, string>,
): TestEvent => ({
  person,
  event: `survey ${event}`,
  at,
  properties,
})

const submission = (survey: string, id: string, properties: Record<string, string>) => ({
  $survey_id: survey,
  $survey_submission_id: id,
  ...properties,
})

/** A survey with a scale that was changed from five to eleven values. */
const changed: ListedSurvey = {
  survey: 'changed',
  rating: 'score',
  removed: ['gone'],
  versions: [
    {
      version: 1,
      from: '2026-03-01T00:00:00Z',
      questions: [{ id: 'score', kind: 'rating', least: 1, most: 5 }],
    },
    {
      version: 2,
      from: '2026-03-02T11:00:00Z',
      questions: [{ id: 'score', kind: 'rating', least: 0, most: 10 }],
    },
  ],
}
const simple: ListedSurvey = {
  survey: 'simple',
  rating: 'mood',
  removed: [],
  versions: [
    {
      version: 1,
      from: '2026-03-01T00:00:00Z',
      questions: [{ id: 'mood', kind: 'rating', least: 1, most: 3 }],
    },
  ],
}
const textsOnly: ListedSurvey = {
  survey: 'texts',
  rating: undefined,
  removed: [],
  versions: [{ version: 1, from: '2026-03-01T00:00:00Z', questions: [{ id: 'why', kind: 'open' }] }],
}
const unanswered: ListedSurvey = { ...simple, survey: 'unanswered' }

const events: TestEvent[] = [
  happens('shown', 'ana', 0, { $survey_id: 'changed' }),
  happens('shown', 'eve', 0, { $survey_id: 'changed' }),
  happens('sent', 'ana', 1, submission('changed', 'one', { $survey_response_score: '4' })),
  happens('sent', 'ben', 70, submission('changed', 'two', { $survey_response: '3' })),
  happens('sent', 'ben', 71, submission('changed', 'two', { $survey_response_score: '9' })),
  happens('sent', 'cleo', 72, submission('changed', 'gone', { $survey_response_score: '1' })),
  happens(
    'sent',
    'dan',
    73,
    submission('changed', 'test', { $survey_response_score: '1', $survey_test: 'true' }),
  ),
  happens('shown', 'eve', 0, { $survey_id: 'simple' }),
  happens('sent', 'ana', 1, { $survey_id: 'simple', $survey_response: '3' }),
  happens('sent', 'ana', 2, { $survey_id: 'simple', $survey_response_mood: '2' }),
  happens('sent', 'ana', 2, submission('texts', 'three', { $survey_response_why: '4' })),
]

test('the figures of many surveys are those of each, in one statement', async () => {
  const project = await testEngine.addProject(events)
  const statements: Sql[] = []
  const scope = testEngine.scope(project)
  const run = async <Row>(statement: Sql): Promise<Row[]> => {
    statements.push(statement)
    return await scope.run<Row>(statement)
  }
  const surveys = [changed, simple, textsOnly, unanswered]
  const figures = await figuresOf(surveys, { ...scope, run })

  expect(statements).toHaveLength(1)
  expect(Object.fromEntries(figures)).toMatchObject({
    changed: {
      responded: 2,
      reached: 3,
      answered: 2,
      rating: { least: 0, most: 10, counts: new Map([[9, 1]]) },
    },
    simple: {
      responded: 2,
      reached: 2,
      answered: 1,
      rating: {
        least: 1,
        most: 3,
        counts: new Map([
          [3, 1],
          [2, 1],
        ]),
      },
    },
    texts: { responded: 1, reached: 1, answered: 1, rating: undefined },
    unanswered: { responded: 0, reached: 0, answered: 0, rating: { counts: new Map() } },
  })
  for (const { survey, versions, removed } of surveys) {
    const question = { kind: 'survey', survey, versions, removed, period: 'all' }
    const { all } = await testEngine.ask<SurveyAnswer>(project, question)
    expect(figures.get(survey)).toMatchObject({
      responded: all.submissions.responded,
      reached: all.reached,
      answered: all.answered,
    })
  }
})

test('a project without launched surveys asks nothing', async () => {
  const project = await testEngine.addProject(events)
  const run = () => Promise.reject(new Error('A statement was run.'))
  expect(await figuresOf([], { ...testEngine.scope(project), run })).toEqual(new Map())
})
