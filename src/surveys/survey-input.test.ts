import { describe, expect, test } from 'vitest'
import { parseInput } from '#projects/problems'
import { aSurvey, openQuestion, someContent } from '#test/product/some-survey'
import { defaultAppearance } from './survey'
import { changedSurvey, newSurvey, surveyChange } from './survey-input'
import { surveyTemplates } from './templates'

const open = (id: string, more: object = {}) => ({ id, kind: 'open', text: `Question ${id}?`, ...more })

const plan = (more: object = {}) => ({
  id: 'plan',
  kind: 'single-choice',
  text: 'Which plan?',
  choices: ['Free', 'Team'],
  ...more,
})

function problemsOf(input: object): string[] {
  const parsed = parseInput(newSurvey, { name: 'Test', ...input })
  return parsed.done ? [] : parsed.problems.map(({ field = '', message }) => `${field}: ${message}`)
}

const withQuestions = (...questions: object[]) => ({ content: { questions } })
const withAppearance = (appearance: object) => ({ content: { appearance } })

test.each(surveyTemplates.map(({ id, input }) => [id, input] as const))(
  'the template %s makes a survey',
  (_, input) => expect(problemsOf(input)).toEqual([]),
)

test('questions and choices without ids get the same ids again', () => {
  const input = {
    name: 'Test',
    ...withQuestions({ kind: 'open', text: 'Why?' }, { kind: 'open', text: 'Why?' }),
  }
  const read = () => {
    const parsed = parseInput(newSurvey, input)
    if (!parsed.done) throw new Error(parsed.problems.map(({ message }) => message).join(' '))
    return parsed.value.content.questions.map(({ id }) => id)
  }
  expect(new Set(read()).size).toBe(2)
  expect(read()).toEqual(read())
})

describe('a mistake is refused with a sentence', () => {
  test.each<[string, object, RegExp]>([
    ['no name', { name: '' }, /^name: Name the survey/],
    [
      'an unknown kind',
      withQuestions({ kind: 'slider', text: 'x' }),
      /questions\.0.*Choose a kind of question/,
    ],
    [
      'a question without text',
      withQuestions(open('a', { text: ' ' })),
      /questions\.0\.text: Write the text/,
    ],
    ['a text too long', withQuestions(open('a', { text: 'a'.repeat(3001) })), /at most 3,000 characters/],
    [
      'too many questions',
      withQuestions(...Array.from({ length: 101 }, (_, at) => open(`q${at}`))),
      /at most 100 questions/,
    ],
    ['an id twice', withQuestions(open('a'), open('a')), /questions\.1\.id: Two questions have the id “a”/],
    ['an id that browsers know', withQuestions(open('constructor')), /means something else in browsers/],
    ['a choice twice', withQuestions(plan({ choices: ['Free', 'Free'] })), /“Free” is there twice/],
    ['no choices', withQuestions(plan({ choices: [] })), /Give at least 1 choices/],
    [
      'too many choices',
      withQuestions(plan({ choices: Array.from({ length: 101 }, String) })),
      /at most 100 choices/,
    ],
    [
      'a click that submits a typed text',
      withQuestions(plan({ hasOther: true, submitsOnClick: true })),
      /A click cannot submit “Which plan\?”/,
    ],
    [
      'a branch to nowhere',
      withQuestions(open('a', { branching: { kind: 'question', question: 'z' } })),
      /“Question a\?” leads to the question “z”/,
    ],
    [
      'an unknown end card',
      withQuestions(open('a', { branching: { kind: 'end', card: 'z' } })),
      /ends with the card “z”/,
    ],
    [
      'a branch by no answer',
      withQuestions(plan({ branching: { kind: 'by-answer', branches: { z: { kind: 'end' } } } })),
      /branches by “z”, which is no answer/,
    ],
    [
      'a kind that cannot branch',
      withQuestions(open('a', { branching: { kind: 'by-answer', branches: {} } })),
      /kind that cannot branch by answer/,
    ],
    [
      'a loop',
      withQuestions(open('a'), open('b', { branching: { kind: 'question', question: 'a' } })),
      /From the question “Question a\?” no path leads to the end/,
    ],
    [
      'a question without a way to it',
      withQuestions(open('a', { branching: { kind: 'end' } }), open('b')),
      /No path leads to the question “Question b\?”/,
    ],
    [
      'a script as a link',
      withQuestions({ kind: 'link', text: 'Go', link: 'javascript:alert(1)' }),
      /begins with https:\/\/ or mailto:/,
    ],
    [
      'a picture of another kind',
      withQuestions({
        kind: 'picture',
        text: 'x',
        choices: [
          { text: 'a', imageUrl: 'data:image/svg+xml,x' },
          { text: 'b', imageUrl: 'https://a.example/b.png' },
        ],
      }),
      /address of a picture/,
    ],
    ['a colour with more in it', withAppearance({ textColor: 'red;background:url(x)' }), /Give a colour/],
    ['fonts with more in them', withAppearance({ fontFamily: 'a;} body{' }), /Name the fonts/],
    ['a hidden field of ours', { content: { hiddenFields: ['$survey_id'] } }, /used by surveys themselves/],
    [
      'a translation with choices missing',
      {
        content: {
          questions: [plan()],
          translations: { de: { questions: { plan: { choices: ['Frei'] } } } },
        },
      },
      /has 2 choices; its translation to de has 1/,
    ],
    [
      'a pattern that does not compile',
      { targeting: { url: { match: 'regex', value: '(a' } } },
      /targeting\.url\.value: .*is not a regular expression/,
    ],
    [
      'a condition on events',
      { targeting: { person: { type: 'event', key: 'a', operator: 'is_set' } } },
      /about persons, their groups and cohorts/,
    ],
    ['a short PIN', { hostedPage: { pin: '12' } }, /A PIN has 4 to 32/],
  ])('%s', (_, input, sentence) => {
    expect(problemsOf(input).join('\n')).toMatch(sentence)
  })
})

test('CSS of its own, which earlier versions had, is accepted and left out', () => {
  const css = '.question { color: red }'
  const content = { ...someContent([openQuestion]), appearance: { textColor: 'navy', css } }
  const made = newSurvey.parse({ name: 'Test', content })
  expect(made.content.appearance).toEqual({ ...defaultAppearance, textColor: 'navy' })
  const change = surveyChange.parse({ content: { appearance: { css } } })
  expect(change).toEqual({ content: { appearance: {} } })
  expect(newSurvey.parse(changedSurvey(aSurvey(), change)).content).toEqual(aSurvey().content)
})

test('HTML is cleaned when it is read, in translations too', () => {
  const html = '<b>a</b><img src=x onerror=alert(1)>'
  const parsed = parseInput(newSurvey, {
    name: 'Test',
    content: {
      questions: [open('a', { description: { format: 'html', text: html } })],
      translations: { de: { questions: { a: { description: html } } } },
    },
  })
  expect(JSON.stringify(parsed)).not.toContain('onerror')
  expect(JSON.stringify(parsed)).toContain('<b>a</b>')
})

test.each([
  ['hosted', undefined, true],
  ['popover', undefined, false],
  ['hosted', false, false],
  ['popover', true, true],
])('a survey placed %s whose page is said to be %s has an open page: %s', (kind, isOpen, expected) => {
  const input = { name: 'Why?', placement: { kind }, hostedPage: isOpen === undefined ? {} : { isOpen } }
  expect(newSurvey.parse(input).hostedPage.isOpen).toBe(expected)
})
