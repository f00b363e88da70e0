import { describe, expect, test } from 'vitest'
import type { ChoiceQuestion, SurveyQuestion } from '#surveys/question'
import type { SurveyContent } from '#surveys/survey'
import {
  addQuestion,
  duplicateQuestion,
  removeEndCard,
  removeQuestion,
  replaceList,
  replaceQuestion,
  translateQuestion,
  translationProgress,
} from './content-changes'
import { kindEntries, newQuestion, ofKind } from './question-kinds'

let lastId = 0
const makeId = () => `id${++lastId}`

const withId = (kind: SurveyQuestion['kind'], id: string, text = id): SurveyQuestion => ({
  ...newQuestion(kind, makeId),
  id,
  text,
})

const choice: ChoiceQuestion = {
  id: 'pick',
  kind: 'single-choice',
  text: 'pick',
  description: { format: 'text', text: '' },
  buttonText: '',
  isRequired: true,
  hasOther: false,
  shufflesChoices: false,
  submitsOnClick: false,
  choices: [
    { id: 'a', text: 'Apples' },
    { id: 'b', text: 'Berries' },
  ],
  branching: {
    kind: 'by-answer',
    branches: { a: { kind: 'question', question: 'why' }, b: { kind: 'end', card: 'e2' } },
  },
}
const content: SurveyContent = {
  questions: [choice, { ...withId('open', 'why', 'Why {{answer:pick}}?') }, withId('rating', 'nps')],
  // the changes leave the appearance alone
  appearance: {} as SurveyContent['appearance'],
  intro: undefined,
  endCards: [
    { id: 'e1', header: 'Thanks', description: { format: 'text', text: '' }, buttonText: '', link: '' },
    { id: 'e2', header: 'Bye', description: { format: 'text', text: '' }, buttonText: '', link: '' },
  ],
  sendsPartialAnswers: true,
  allowsGoingBack: false,
  shufflesQuestions: false,
  hiddenFields: [],
  translations: {
    de: {
      endCards: { e2: { header: 'Tschüss' } },
      questions: {
        pick: { text: 'Was?', choices: ['Äpfel', 'Beeren'] },
        why: { text: 'Warum {{answer:pick}}?' },
      },
    },
  },
}
const question = (changed: SurveyContent, id: string) => changed.questions.find((one) => one.id === id)

describe('a removed question', () => {
  test('is no longer the target of a branch', () => {
    const left = removeQuestion(content, 'why')
    expect(question(left, 'pick')?.branching).toEqual({
      kind: 'by-answer',
      branches: { a: { kind: 'next' }, b: { kind: 'end', card: 'e2' } },
    })
    expect(left.translations['de']?.questions).not.toHaveProperty('why')
  })

  test('is no longer recalled, in any language', () => {
    const left = removeQuestion(content, 'pick')
    expect(question(left, 'why')?.text).toBe('Why ?')
    expect(left.translations['de']?.questions?.['why']?.text).toBe('Warum ?')
  })
})

describe('a list of choices', () => {
  test('that is reordered takes its translations along', () => {
    const changed = replaceList(content, choice, 'choices', choice.choices.toReversed())
    expect(changed.translations['de']?.questions?.['pick']?.choices).toEqual(['Beeren', 'Äpfel'])
  })

  test('that loses a choice loses its branch and its translation', () => {
    const changed = replaceList(content, choice, 'choices', choice.choices.slice(1))
    expect(question(changed, 'pick')?.branching).toEqual({
      kind: 'by-answer',
      branches: { b: { kind: 'end', card: 'e2' } },
    })
    expect(changed.translations['de']?.questions?.['pick']?.choices).toEqual(['Beeren'])
  })

  test('that gains a choice has an empty translation for it', () => {
    const changed = replaceList(content, choice, 'choices', [
      { id: 'c', text: 'Cherries' },
      ...choice.choices,
    ])
    expect(changed.translations['de']?.questions?.['pick']?.choices).toEqual(['', 'Äpfel', 'Beeren'])
  })
})

test('a removed end card is no longer where a branch ends', () => {
  const left = removeEndCard(content, 'e2')
  expect(question(left, 'pick')?.branching).toMatchObject({ branches: { b: { kind: 'end' } } })
  expect(left.translations['de']?.endCards).toEqual({})
})

test('a copy follows its question, has its translations and leads to the next question', () => {
  const changed = duplicateQuestion(content, 'pick', () => 'copy')
  expect(changed.questions.map(({ id }) => id)).toEqual(['pick', 'copy', 'why', 'nps'])
  expect(question(changed, 'copy')).toMatchObject({ branching: { kind: 'next' }, choices: choice.choices })
  expect(changed.translations['de']?.questions?.['copy']).toEqual(
    content.translations['de']?.questions?.['pick'],
  )
})

test.each(kindEntries.map(({ kind }) => kind))(
  'a choice becomes %s and keeps its text and its id',
  (kind) => {
    const changed = ofKind(choice, kind, makeId)
    expect(changed).toMatchObject({ kind, id: 'pick', text: 'pick' })
    if ('choices' in changed) expect(changed.choices.map(({ id }) => id)).toEqual(['a', 'b'])
    const replaced = question(replaceQuestion(content, { ...changed, branching: choice.branching }), 'pick')
    if (kind !== 'single-choice' && kind !== 'picture' && kind !== 'rating')
      expect(replaced?.branching).toEqual(
        kind === 'consent' ? { kind: 'by-answer', branches: {} } : { kind: 'next' },
      )
  },
)

test('translations are counted against the texts that need one', () => {
  const before = translationProgress(content, 'de')
  expect(before).toEqual({ done: 4, of: 7 })
  const changed = translateQuestion(content, 'de', 'nps', { text: 'Wie sehr?' })
  expect(translationProgress(changed, 'de')).toEqual({ done: 5, of: 7 })
  expect(translationProgress(addQuestion(changed, withId('statement', 'bye')), 'de').of).toBe(8)
  const emptied = translateQuestion(changed, 'de', 'nps', { text: '' })
  expect(emptied.translations['de']?.questions?.['nps']).toEqual({})
})
