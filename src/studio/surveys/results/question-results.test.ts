import { expect, test } from 'vitest'
import type { SurveyQuestion, QuestionKind } from '#surveys/question'
import type { AnsweredQuestionShape } from '#insights/kinds/survey/survey'
import { questionResults } from '#surveys/results/question-results'
import { newQuestion } from '../builder/question-kinds'
import { marketFitText } from './MarketFitScore'
import { currentResults, questionResult } from './question-results'

/** The results of a question with these counts of codes (`insights/kinds/survey/codes.ts`). */
const counted = (
  kind: Exclude<QuestionKind, 'statement'>,
  counts: [number, number][],
  parts: Partial<AnsweredQuestionShape> = {},
) =>
  questionResults(
    { id: 'one', kind, choices: [], choiceTexts: [], rows: [], columns: [], version: 1, ...parts },
    { answered: 10, stopped: 1, counts },
    [],
  )
let lastId = 0
const question = (kind: SurveyQuestion['kind']) => newQuestion(kind, () => `id${++lastId}`)
const choices = [
  { id: 'a', text: 'Apples' },
  { id: 'b', text: 'Berries' },
]

test('a scale from 0 to 10 has an NPS with its interval', () => {
  const found = questionResult(
    question('rating'),
    counted(
      'rating',
      [
        [0, 1],
        [8, 2],
        [9, 3],
        [10, 4],
      ],
      { least: 0, most: 10 },
    ),
  )
  if (found.shape !== 'rating') throw new Error(`It is drawn as ${found.shape}.`)
  expect(found.rows.map(({ value }) => value)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 2, 3, 4])
  expect(found.rows[0]?.label).toBe('0 · Not at all likely')
  expect(found.score).toMatchObject({ label: 'NPS', unit: 'points' })
  expect(found.score?.estimate.value).toBeCloseTo(60)
  expect(found.score?.estimate.low).toBeLessThan(60)
  expect(found.score?.groups).toEqual([
    { label: 'Detractors', count: 1, values: [0, 1, 2, 3, 4, 5, 6], colour: 4 },
    { label: 'Passives', count: 2, values: [7, 8], colour: 3 },
    { label: 'Promoters', count: 7, values: [9, 10], colour: 1 },
  ])
})

test('the choice “Very disappointed” has its share and interval, held against 40%', () => {
  const texts = ['Very disappointed', 'Somewhat disappointed', 'Not disappointed']
  const asked = texts.map((text, index) => ({ id: `d-${index + 1}`, text }))
  const shape = { choices: asked.map(({ id }) => id), choiceTexts: texts }
  const drawn = (counts: [number, number][], text = texts[0] ?? '') =>
    questionResult(
      {
        ...question('single-choice'),
        choices: asked.map((one, index) => (index === 0 ? { ...one, text } : one)),
      } as SurveyQuestion,
      counted('single-choice', counts, shape),
    )
  const found = drawn([
    [1, 4],
    [2, 5],
    [3, 1],
  ])
  if (found.shape !== 'bars') throw new Error(`It is drawn as ${found.shape}.`)
  expect(found.marketFit?.value).toBeCloseTo(0.4)
  // Wilson's interval of 4 of 10: statsmodels 0.14, proportion_confint(4, 10, method='wilson')
  expect(found.marketFit?.low).toBeCloseTo(0.1682, 3)
  expect(found.marketFit?.high).toBeCloseTo(0.6873, 3)
  expect(drawn([[1, 4]], 'Very happy')).toMatchObject({ marketFit: undefined })
})

test.each([
  [{ value: 0.5, low: 0.41, high: 0.59 }, '“Very disappointed” is above the mark of 40%.'],
  [{ value: 0.3, low: 0.21, high: 0.39 }, '“Very disappointed” is below the mark of 40%.'],
  [
    { value: 0.4, low: 0.17, high: 0.69 },
    'The interval includes the mark of 40%: more answers would tell on which side it is.',
  ],
])('%o', (estimate, sentence) => expect(marketFitText(estimate)).toBe(sentence))

test('thumbs have a CSAT: up is high', () => {
  const thumbs = { ...question('rating'), scale: 2 } as SurveyQuestion
  const ends = { least: 1, most: 2 }
  const found = questionResult(
    thumbs,
    counted(
      'rating',
      [
        [1, 3],
        [2, 1],
      ],
      ends,
    ),
  )
  expect(found).toMatchObject({
    rows: [
      { label: 'Thumbs up', value: 3 },
      { label: 'Thumbs down', value: 1 },
    ],
    score: { label: 'CSAT', estimate: { value: 0.75 } },
  })
  expect(questionResult(thumbs, counted('rating', [], ends))).toMatchObject({ score: undefined })
  expect(questionResult(thumbs, undefined)).toMatchObject({ answered: 0, score: undefined })
})

test('choices that are gone and typed texts follow those of today', () => {
  const single = { ...question('single-choice'), choices } as SurveyQuestion
  const found = questionResult(
    single,
    counted(
      'single-choice',
      [
        [0, 2],
        [1, 5],
        [2, 3],
      ],
      { choices: ['old', 'b'] },
    ),
  )
  expect(found).toMatchObject({
    rows: [
      { key: 'a', value: 0, answer: 'a' },
      { key: 'b', value: 3, answer: 'b' },
      { key: 'old', label: 'Removed choice (old)', value: 5, answer: 'old' },
      { key: 'other', label: 'Typed answers', value: 2, answer: null },
    ],
  })
})

test('a ranking is led by the choice with the best mean rank', () => {
  const found = questionResult(
    { ...question('ranking'), choices } as SurveyQuestion,
    counted(
      'ranking',
      [
        [1002, 3],
        [2001, 3],
        [1001, 1],
        [2002, 1],
      ],
      { choices: ['a', 'b'] },
    ),
  )
  expect(found).toMatchObject({
    rows: [
      { key: 'b', value: 4, meanRank: 1.25 },
      { key: 'a', value: 4, meanRank: 1.75 },
    ],
  })
})

test('a matrix counts each cell', () => {
  const matrix = {
    ...question('matrix'),
    rows: choices,
    columns: [...choices, { id: 'c', text: 'New' }],
  } as SurveyQuestion
  const found = questionResult(
    matrix,
    counted(
      'matrix',
      [
        [1002, 4],
        [2001, 6],
      ],
      { rows: ['a', 'b'], columns: ['a', 'b'] },
    ),
  )
  expect(found).toMatchObject({ rows: [{ cells: [0, 4, 0] }, { cells: [6, 0, 0] }] })
})

test('dates are in order, and a statement has nothing to draw', () => {
  expect(
    questionResult(
      question('date'),
      counted('date', [
        [20261201, 1],
        [20261123, 2],
      ]),
    ),
  ).toMatchObject({
    rows: [
      { label: '2026-11-23', value: 2 },
      { label: '2026-12-01', value: 1 },
    ],
  })
  expect(
    questionResult(
      question('consent'),
      counted('consent', [
        [1, 8],
        [0, 2],
      ]),
    ),
  ).toMatchObject({
    rows: [
      { label: 'Given', value: 8 },
      { label: 'Not given', value: 2 },
    ],
  })
  expect(questionResult(question('statement'), undefined)).toMatchObject({ shape: 'none' })
})

test('a question that changed its scale is drawn on the scale of its last version', () => {
  const results = [
    counted('rating', [[5, 1]], { least: 1, most: 5, version: 1 }),
    counted('rating', [[9, 1]], { least: 0, most: 10, version: 3 }),
    counted('rating', [[7, 1]], { least: 1, most: 7, version: 2 }),
  ]
  expect(currentResults({ id: 'one', kind: 'rating' }, results)?.version).toBe(3)
  expect(currentResults({ id: 'one', kind: 'open' }, results)).toBeUndefined()
})
