import { expect, test } from 'vitest'
import type { ChoiceQuestion } from './question'
import type { SurveyContent } from './survey'
import { languageFor, translated } from './translate'

const question: ChoiceQuestion = {
  id: 'q1',
  kind: 'single-choice',
  text: 'Which?',
  description: { format: 'text', text: 'Choose one' },
  buttonText: 'Next',
  isRequired: false,
  branching: { kind: 'next' },
  choices: [
    { id: 'a', text: 'Apples' },
    { id: 'b', text: 'Berries' },
  ],
  hasOther: false,
  shufflesChoices: false,
  submitsOnClick: false,
}
const content = {
  questions: [question],
  intro: { header: 'Hello', description: { format: 'text', text: '' }, buttonText: 'Begin' },
  endCards: [
    { id: 'e1', header: 'Thanks', description: { format: 'text', text: '' }, buttonText: '', link: '' },
  ],
  translations: {
    de: {
      intro: { header: 'Hallo' },
      endCards: { e1: { header: 'Danke' } },
      questions: { q1: { text: 'Was?', choices: ['Äpfel', ''] } },
    },
    'pt-BR': {},
  },
} satisfies Pick<SurveyContent, 'questions' | 'intro' | 'endCards' | 'translations'>

test('a text without a translation stays as it is', () => {
  const { questions, intro, endCards } = translated(content, 'de')
  expect(intro).toMatchObject({ header: 'Hallo', buttonText: 'Begin' })
  expect(endCards[0]).toMatchObject({ id: 'e1', header: 'Danke' })
  expect(questions[0]).toMatchObject({
    text: 'Was?',
    buttonText: 'Next',
    description: { text: 'Choose one' },
    choices: [
      { id: 'a', text: 'Äpfel' },
      { id: 'b', text: 'Berries' },
    ],
  })
})

test.each([
  [['de-AT'], 'de'],
  [['DE'], 'de'],
  [['pt-BR'], 'pt-BR'],
  [['pt'], undefined],
  [['fr', 'de'], 'de'],
  [[], undefined],
])('a reader of %j gets %s', (wanted, language) => {
  expect(languageFor(content, wanted)).toBe(language)
})
