import { expect, test } from 'vitest'
import { alertCondition } from '#alerts/condition'
import { watchedMetric } from '#alerts/watched-metric'
import type { SurveyQuestion } from '#surveys/question'
import type { SurveyContent } from '#surveys/survey'
import { newQuestion } from '../builder/question-kinds'
import { surveyAlertDraft, surveyAlerts } from './alert-drafts'

const rating = (id: string, scale: number) =>
  ({ ...newQuestion('rating', () => id), scale }) as Extract<SurveyQuestion, { kind: 'rating' }>
const content = {
  questions: [rating('nps', 10), rating('csat', 5), rating('thumbs', 2), newQuestion('open', () => 'why')],
} as unknown as SurveyContent // only questions are read
const survey = { id: 's1', name: 'Feedback', content }

test('each rating offers its score, where alerts measure it, and its low answers', () => {
  expect(surveyAlerts(survey).map(({ label, question }) => [label, question])).toEqual([
    ['A response arrives', undefined],
    ['NPS falls', 'nps'],
    ['A detractor answers', 'nps'],
    ['CSAT falls', 'csat'],
    ['A low rating arrives', 'csat'],
    ['A low rating arrives', 'thumbs'],
  ])
})

test('every alert that is offered is one that can be set up', () => {
  const drafts = surveyAlerts(survey).map(({ when, question }) => surveyAlertDraft(survey, when, question))
  for (const draft of drafts) {
    expect(watchedMetric.parse(draft?.watched)).toEqual(draft?.watched)
    expect(alertCondition.parse(draft?.condition)).toEqual(draft?.condition)
  }
})

test.each([
  ['nps', ['0', '1', '2', '3', '4', '5', '6']],
  ['csat', ['1', '2']],
  ['thumbs', ['2']],
])('a low answer to %s is one of %j', (question, values) => {
  expect(surveyAlertDraft(survey, 'low', question)?.watched).toMatchObject({
    filter: { all: [{ value: ['s1'] }, { key: `$survey_response_${question}`, value: values }] },
  })
})

test('a question that is no rating, or has no score, has no alert', () => {
  expect(surveyAlertDraft(survey, 'low', 'why')).toBeUndefined()
  expect(surveyAlertDraft(survey, 'score', 'thumbs')).toBeUndefined()
  expect(surveyAlertDraft(survey, 'score', undefined)).toBeUndefined()
})
