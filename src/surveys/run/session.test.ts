import { describe, expect, test } from 'vitest'
import type { SurveyQuestion } from '../question'
import { contentWith, everyKind } from '#test/product/every-survey-kind'
import { prefillFrom } from './prefill'
import { formattedHtml, recall } from './recall'
import { acceptedLanguages } from './language'
import { questionHtml } from './survey-html'
import { wordsFor } from './words'
import {
  arrangeContent,
  answerQuestion,
  answersOnPath,
  beginSession,
  goBack,
  leaveIntro,
  replayAnswers,
} from './session'

const kind = (name: SurveyQuestion['kind'], more: object = {}): SurveyQuestion =>
  // the fixture has a question of each kind; `more` changes fields that the kind has
  ({ ...everyKind.find((question) => question.kind === name), ...more }) as SurveyQuestion

const rated = kind('rating', {
  branching: {
    kind: 'by-answer',
    branches: { promoters: { kind: 'end', card: 'happy' }, passives: { kind: 'question', question: 'day' } },
  },
})
const content = contentWith([rated, kind('open'), kind('date')], {
  allowsGoingBack: true,
  intro: { header: 'Hello', description: { format: 'text', text: '' }, buttonText: '' },
  endCards: [
    { id: 'thanks', header: 'Thanks', description: { format: 'text', text: '' }, buttonText: '', link: '' },
    { id: 'happy', header: 'Great', description: { format: 'text', text: '' }, buttonText: '', link: '' },
  ],
})

const shown = (...answers: (string | number)[]) => {
  let session = leaveIntro(content, beginSession(content))
  for (const answer of answers) session = answerQuestion(content, session, answer)
  return session
}

test('a survey begins at its intro', () => expect(beginSession(content).screen).toEqual({ kind: 'intro' }))

test.each([
  // the answers                  where the survey is
  [[], { kind: 'question', index: 0 }],
  [[3], { kind: 'question', index: 1 }],
  [[8], { kind: 'question', index: 2 }],
  [[10], { kind: 'end', card: 'happy' }],
  [[3, 'slow', '2026-01-01'], { kind: 'end', card: 'thanks' }],
])('after %j', (answers, screen) => expect(shown(...answers).screen).toEqual(screen))

test('answers of a path that was left are pruned', () => {
  const detractor = shown(3, 'slow')
  const again = goBack(content, goBack(content, detractor))
  const promoter = answerQuestion(content, again, 10)
  expect(promoter.answers['open']).toBe('slow')
  expect(answersOnPath(content, promoter)).toEqual({ rating: 10 })
})

test('without permission there is no way back', () => {
  const session = shown(3)
  expect(goBack({ ...content, allowsGoingBack: false }, session)).toBe(session)
})

test('a loop of an old version ends', () => {
  const looping = contentWith([
    kind('open', { branching: { kind: 'next' } }),
    kind('date', { branching: { kind: 'question', question: 'open' } }),
  ])
  const first = answerQuestion(looping, beginSession(looping), 'a')
  expect(answerQuestion(looping, first, '2026-01-01').screen.kind).toBe('end')
})

test.each([
  [{ rating: 3 }, { kind: 'question', index: 1 }],
  [
    { rating: 10, open: 'not on the path' },
    { kind: 'end', card: 'happy' },
  ],
  [{ open: 'only later' }, { kind: 'question', index: 0 }],
])('known answers %j are replayed', (answers, screen) =>
  expect(replayAnswers(content, answers).screen).toEqual(screen),
)

test.each([
  // parameters                   what is answered
  ['q1=8', { rating: 8 }],
  ['q1=11', {}],
  ['q1=eight', {}],
  ['q3=1', { plan: 'Team' }],
  ['q4=1&q4=0', { why: ['Price', 'Speed'] }],
  ['q4=2', {}],
  ['q2=text', {}],
])('an address with %s', (query, answers) =>
  expect(prefillFrom(new URLSearchParams(query), everyKind)).toEqual(answers),
)

describe('questions are shuffled', () => {
  const questions = [kind('open'), kind('date')]
  const backwards = () => 0.99
  test.each([
    [{}, ['open', 'day']],
    [{ shufflesQuestions: true }, ['day', 'open']],
    [{ shufflesQuestions: true, sendsPartialAnswers: true }, ['open', 'day']],
  ])('%j', (more, order) =>
    expect(arrangeContent(contentWith(questions, more), backwards).questions.map(({ id }) => id)).toEqual(
      order,
    ),
  )
})

test('the choice that takes a typed text stays the last', () => {
  const { questions } = arrangeContent(
    contentWith([kind('multiple-choice', { shufflesChoices: true })]),
    () => 0.99,
  )
  expect(questions[0]).toMatchObject({
    choices: [{ text: 'Price' }, { text: 'Speed' }, { text: 'Something else' }],
  })
})

describe('texts recall what was answered', () => {
  const known = { answers: { plan: 'Team', why: ['A', 'B'], rating: 0 }, fields: { name: '<b>Ana</b>' } }
  test.each([
    ['Why {{answer:plan}}?', 'Why Team?'],
    ['{{answer:why}} and {{answer:rating}}', 'A, B and 0'],
    ['Hello {{field:name}}{{field:unknown}}{{answer:toString}}!', 'Hello <b>Ana</b>!'],
  ])('%s', (text, result) => expect(recall(text, known)).toBe(result))

  test.each(['text', 'html'] as const)('as text in %s, never as markup', (format) =>
    expect(formattedHtml({ format, text: 'Hi {{field:name}}' }, known)).toBe('Hi &#60;b&#62;Ana&#60;/b&#62;'),
  )
})

test('languages of a header, the most wanted first', () =>
  expect(acceptedLanguages('en;q=0.5, de-AT, *;q=0.1, fr;q=0')).toEqual(['de-AT', 'en']))

test.each(everyKind)('$kind is drawn without markup of its texts', (question) => {
  const attack = '"><img src=x onerror=alert(1)>'
  const hostile = JSON.parse(
    JSON.stringify(question, (key, value: unknown) =>
      ['text', 'label', 'lowerLabel', 'upperLabel', 'placeholder', 'imageUrl'].includes(key) &&
      typeof value === 'string'
        ? attack
        : value,
    ),
  ) as SurveyQuestion
  const html = questionHtml({
    question: hostile,
    known: { answers: { [question.id]: attack }, fields: {} },
    words: wordsFor('en'),
    problem: attack,
  })
  expect(html).not.toContain('<img src=x')
  expect(html).toContain('&#60;img src=x')
})
