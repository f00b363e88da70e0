import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { resultsPage } from '#surveys/results/results-page'
import type { SurveyQuestion } from '#surveys/question'
import type { SurveyContent, SurveyVersion } from '#surveys/survey'
import { newQuestion } from '../builder/question-kinds'
import type { OpenSurvey } from '../open-survey'
import type { ResultsFilter } from './results-filter'
import { QuestionPanels } from './QuestionPanels'

const fruit = {
  ...newQuestion('single-choice', () => 'fruit'),
  text: 'Which fruit?',
  choices: [
    { id: 'a', text: 'Apples' },
    { id: 'b', text: 'Berries' },
  ],
} as SurveyQuestion
const rated = (scale: number, text: string) =>
  ({ ...newQuestion('rating', () => 'score'), scale, text }) as SurveyQuestion

// only questions are read
const contentOf = (...questions: SurveyQuestion[]) => ({ questions }) as unknown as SurveyContent
const first = contentOf(rated(5, 'How was it?'), fruit)
const second = contentOf(rated(10, 'Would you recommend it?'))
const versions = [
  { version: 2, content: second },
  { version: 1, content: first },
] as SurveyVersion[]

const shape = { choices: [], choiceTexts: [], rows: [], columns: [] }
const none = { answered: 0, stopped: 0, counts: [] }
const counts = {
  shown: 9,
  reached: 9,
  answered: 6,
  completedBy: 5,
  submissions: { started: 6, responded: 6, completed: 5, dismissed: 1, abandoned: 0 },
  dismissedUnanswered: 0,
}

const results = resultsPage(
  {
    questions: [
      { ...shape, id: 'score', kind: 'rating', least: 0, most: 10, version: 2 },
      { ...shape, id: 'score', kind: 'rating', least: 1, most: 5, version: 1 },
      { ...shape, id: 'fruit', kind: 'single-choice', choices: ['a', 'b'], version: 1 },
    ],
    all: {
      ...counts,
      questions: [
        {
          answered: 3,
          stopped: 1,
          counts: [
            [9, 2],
            [3, 1],
          ],
        },
        { answered: 2, stopped: 0, counts: [[5, 2]] },
        {
          answered: 3,
          stopped: 0,
          counts: [
            [1, 2],
            [2, 1],
          ],
        },
      ],
    },
    breakdown: {
      values: [
        {
          value: ['Firefox'],
          numbers: { ...counts, questions: [none, none, { ...none, answered: 2, counts: [[1, 2]] }] },
        },
        {
          value: [null],
          numbers: { ...counts, questions: [none, none, { ...none, answered: 1, counts: [[2, 1]] }] },
        },
      ],
      valuesInAll: 2,
    },
  },
  versions,
)

const filter: ResultsFilter = {
  period: 'all',
  filter: undefined,
  answers: [{ question: 'fruit', values: ['a'] }],
  search: undefined,
  tag: undefined,
  withTests: false,
  onlyRemoved: false,
  breakdown: undefined,
}

const markup = renderToStaticMarkup(
  <QuestionPanels
    opened={{ survey: { content: second }, project: { timeZone: 'UTC' } } as OpenSurvey}
    filter={filter}
    results={results}
    versions={versions}
    cohortNames={new Map()}
    addressOf={({ answers }) => `?${JSON.stringify(answers)}`}
  />,
)
const [current = '', earlier = ''] = markup.split('Asked earlier')

test('questions that were removed, and scales that were changed, follow those of now', () => {
  expect(current).toContain('1. Would you recommend it?')
  expect(current).toContain('NPS')
  expect(current).not.toContain('How was it?')
  expect(earlier).toContain('How was it?')
  expect(earlier).toContain('CSAT')
  expect(earlier).toContain('Which fruit?')
  expect(earlier).toContain('Until version 1')
})

test('the groups of an NPS have three colours, in their buttons and in the bars', () => {
  for (const colour of [4, 3, 1]) {
    expect(current).toContain(`style="color:var(--color-chart-${colour})"><rect`)
    expect(earlier).not.toContain(`style="color:var(--color-chart-${colour})"><rect`)
    expect(current).toContain(`fill="var(--color-chart-${colour})"`)
  }
})

test('an answer leads to the results of those who gave it, and back', () => {
  const href = (answers: object[]) => `href="?${JSON.stringify(answers).replaceAll('"', '&quot;')}"`
  const apples = { question: 'fruit', values: ['a'] }
  expect(current).toContain(href([apples, { question: 'score', values: [0, 1, 2, 3, 4, 5, 6] }]))
  expect(earlier).toContain(href([{ question: 'fruit', values: ['b'] }]))
  expect(earlier).toContain(href([]))
})

test('a breakdown tells the answers of each value apart', () => {
  const table =
    /<caption[^>]*>Which fruit\?: answers by part<\/caption>(.*?)<\/table>/.exec(earlier)?.[1] ?? ''
  const cells = table
    .replaceAll(/<\/t[hd]>/g, '|')
    .replaceAll(/<[^>]*>/g, '')
    .split('|')
  expect(cells).toEqual([
    'Answer',
    'Firefox',
    'Not set',
    'Apples',
    '100% 2',
    '0% 0',
    'Berries',
    '0% 0',
    '100% 1',
    '',
  ])
})
