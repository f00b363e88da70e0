import { expect, test } from 'vitest'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { countSubmissions } from './stored-response-count'

const testEngine = anEngine()

const sent = (person: string, at: number, properties: Record<string, string> = {}): TestEvent => ({
  person,
  event: 'survey sent',
  at,
  properties: { $survey_id: 'one', ...properties },
})

const inSubmission = (id: string) => ({ $survey_submission_id: id })

const story: TestEvent[] = [
  { person: 'ana', event: 'survey shown', at: 0, properties: { $survey_id: 'one' } },
  sent('ana', 1, { ...inSubmission('a'), $survey_completed: 'false' }),
  sent('ana', 2, inSubmission('a')),
  sent('ben', 3, inSubmission('b')),
  // old clients send no id: each of their events is a submission
  sent('cleo', 4),
  sent('cleo', 5),
  sent('ben', 6, { $survey_id: 'two', ...inSubmission('c') }),
  {
    person: 'eve',
    event: 'survey dismissed',
    at: 7,
    properties: { $survey_id: 'one', ...inSubmission('d') },
  },
]

test.each([
  ['one', [], 4],
  ['one', ['b'], 3],
  ['one', ['a', 'b', 'unknown'], 2],
  ['two', [], 1],
  ['none', [], 0],
] as const)('survey %s without %j has %i submissions', async (surveyId, except, submissions) => {
  const [projectId = 0, another = 0] = await testEngine.addProjects([story, [sent('ana', 1)]])
  expect(await countSubmissions(testEngine.engine(), { projectId, surveyId }, except)).toBe(submissions)
  expect(await countSubmissions(testEngine.engine(), { projectId: another, surveyId: 'two' }, [])).toBe(0)
})
