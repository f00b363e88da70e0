import { expect, test } from 'vitest'
import type { Question } from '#surveys/question'
import type { SurveyContent, SurveyVersion } from '#surveys/survey'
import { newQuestion } from '../builder/question-kinds'
import { resultsQuestion } from './survey-question'

const question = (kind: Question['kind'], id: string): Question => ({ ...newQuestion(kind, () => 'x'), id })
const version = (number: number, content: Partial<SurveyContent>): SurveyVersion => ({
  surveyId: 's1',
  version: number,
  // only questions and translations are read
  content: { translations: {}, ...content } as SurveyContent,
  createdBy: 'Ana',
  createdAt: new Date(number * 1000),
})

test('each version says how its answers are read, in every language', () => {
  const choices = [
    { id: 'a', text: 'Apples' },
    { id: 'b', text: 'Berries' },
  ]
  const asked = resultsQuestion({
    survey: 's1',
    period: '30d',
    versions: [
      version(1, { questions: [question('rating', 'nps')] }),
      version(2, {
        questions: [{ ...question('single-choice', 'pick'), choices } as Question, question('open', 'why')],
        translations: { de: { questions: { pick: { choices: ['Äpfel'] } } } },
      }),
    ],
  })
  expect(asked).toEqual({
    kind: 'survey',
    survey: 's1',
    period: '30d',
    versions: [
      {
        version: 1,
        from: '1970-01-01T00:00:01.000Z',
        questions: [{ id: 'nps', kind: 'rating', least: 0, most: 10 }],
      },
      {
        version: 2,
        from: '1970-01-01T00:00:02.000Z',
        questions: [
          {
            id: 'pick',
            kind: 'single-choice',
            hasOther: false,
            choices: ['a', 'b'],
            texts: { '': ['Apples', 'Berries'], de: ['Äpfel', 'Berries'] },
          },
          { id: 'why', kind: 'open' },
        ],
      },
    ],
  })
})
