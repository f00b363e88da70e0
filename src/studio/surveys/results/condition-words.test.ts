import { expect, test } from 'vitest'
import type { AnswerCondition } from '#insights/kinds/survey/schema'
import type { SurveyQuestion } from '#surveys/question'
import { newQuestion } from '../builder/question-kinds'
import { conditionInWords } from './condition-words'

const nps = { ...newQuestion('rating', () => 'score'), scale: 10 } as SurveyQuestion
const ranking = {
  ...newQuestion('ranking', () => 'r'),
  choices: [{ id: 'a', text: 'Apples' }],
} as SurveyQuestion
const matrix = {
  ...newQuestion('matrix', () => 'm'),
  rows: [{ id: 'r', text: 'Speed' }],
  columns: [{ id: 'c', text: 'Good' }],
} as SurveyQuestion

test.each<[AnswerCondition, SurveyQuestion | undefined, string]>([
  [{ question: 'score', values: [0, 1, 2, 3, 4, 5, 6] }, nps, 'Detractors'],
  [{ question: 'score', values: [9, 10] }, nps, 'Promoters'],
  [{ question: 'score', values: [7] }, nps, '7'],
  [{ question: 'score', values: [0] }, nps, '0 · Not at all likely'],
  [{ question: 'r', values: ['a'] }, ranking, 'Apples first'],
  [{ question: 'x', values: ['gone', null] }, undefined, 'gone or Typed answers'],
  [{ question: 'm', values: [{ row: 'r', column: 'c' }] }, matrix, 'Speed: Good'],
  [{ question: 'ok', values: [false] }, undefined, 'Not given'],
  [{ question: 'why', containing: 'slow' }, undefined, 'contains “slow”'],
])('%j', (condition, question, words) => {
  expect(conditionInWords(condition, question)).toBe(words)
})
