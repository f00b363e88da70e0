import { describe, expect, test } from 'vitest'
import { branchKey, flowProblems, stepAfter } from './flow'
import { ratingValues } from './kinds/rating-scale'
import type { Branching, SurveyQuestion } from './question'

const base = {
  description: { format: 'text', text: '' },
  buttonText: '',
  isRequired: true,
  branching: { kind: 'next' },
} as const

const open = (id: string, branching: Branching = { kind: 'next' }): SurveyQuestion => ({
  ...base,
  kind: 'open',
  id,
  text: id,
  placeholder: '',
  branching,
})

const nps = (branching: Branching): SurveyQuestion => ({
  ...base,
  kind: 'rating',
  id: 'nps',
  text: 'Would you recommend us?',
  display: 'number',
  scale: 10,
  lowerLabel: '',
  upperLabel: '',
  submitsOnClick: false,
  branching,
})

const planWith = (branching: Branching): SurveyQuestion => ({
  ...base,
  kind: 'single-choice',
  id: 'plan',
  text: 'Which plan?',
  choices: [
    { id: 'free', text: 'Free' },
    { id: 'team', text: 'Team' },
    { id: 'other', text: 'Other' },
  ],
  hasOther: true,
  shufflesChoices: false,
  submitsOnClick: false,
  branching,
})
const plan = planWith({ kind: 'next' })

test.each([
  [2, [1, 2]],
  [3, [1, 2, 3]],
  [10, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
] as const)('a rating on a scale of %i has the values of posthog-js', (scale, values) => {
  expect(ratingValues(scale)).toEqual(values)
})

describe('branches', () => {
  const questions = [
    nps({
      kind: 'by-answer',
      branches: {
        detractors: { kind: 'question', question: 'why' },
        promoters: { kind: 'end', card: 'thanks' },
      },
    }),
    open('team', { kind: 'end' }),
    open('why'),
  ]
  const flow = { questions, endCards: [] }

  test.each([
    [6, { kind: 'question', index: 2 }],
    [7, { kind: 'question', index: 1 }],
    [9, { kind: 'end', card: 'thanks' }],
    [undefined, { kind: 'question', index: 1 }],
  ])(
    'a rating of %s leads where its group leads, and without a branch to the next question',
    (rating, step) => {
      expect(stepAfter(flow, 0, rating === undefined ? {} : { nps: rating })).toEqual(step)
    },
  )

  test.each([
    ['Team', [], 'team'],
    ['something typed', [], 'other'],
    ['Mannschaft', ['Frei', 'Mannschaft', 'Anderes'], 'team'],
    ['', [], undefined],
  ])('the choice “%s” branches by the id of its choice', (answer, texts, key) => {
    expect(branchKey(plan, answer, texts)).toBe(key)
  })
})

test.each<[string, SurveyQuestion[], string]>([
  [
    'a way back to an earlier question',
    [open('a'), open('b', { kind: 'question', question: 'a' })],
    'end-unreachable',
  ],
  ['a question that nothing leads to', [open('a', { kind: 'end' }), open('b')], 'never-shown'],
  [
    'a loop that one answer leaves',
    [open('a'), planWith({ kind: 'by-answer', branches: { free: { kind: 'question', question: 'a' } } })],
    'loops',
  ],
])('%s is found', (_, questions, problem) => {
  expect(flowProblems({ questions, endCards: [] }).map((found) => found.problem)).toContain(problem)
})

test('a survey whose branches only lead forward has no problem', () => {
  const questions = [nps({ kind: 'by-answer', branches: { promoters: { kind: 'end' } } }), open('why'), plan]
  expect(flowProblems({ questions, endCards: [] })).toEqual([])
})
