import { expect, test } from 'vitest'
import { fieldName, otherPart, otherValue } from './form-fields'
import { answerFromForm } from '../run/answer-from-form'
import type { Answer, SurveyQuestion } from '../question'

const base = {
  id: 'q1',
  text: 'Which?',
  description: { format: 'text', text: '' },
  buttonText: '',
  isRequired: false,
  branching: { kind: 'next' },
} as const
const choices = [
  { id: 'a', text: 'Apples' },
  { id: 'b', text: 'Berries' },
  { id: 'o', text: 'Other' },
]
const chosen = { ...base, choices, hasOther: true, shufflesChoices: false, submitsOnClick: false }

test.each<[string, SurveyQuestion, [string | undefined, string][], Answer | undefined]>([
  ['an open text', { ...base, kind: 'open', placeholder: '' }, [[undefined, 'Good ']], 'Good '],
  ['a rating', rating(), [[undefined, '7']], 7],
  ['a skipped rating', rating(), [], ''],
  ['one choice', { ...chosen, kind: 'single-choice' }, [[undefined, 'Berries']], 'Berries'],
  [
    'a typed choice',
    { ...chosen, kind: 'single-choice' },
    [
      [undefined, otherValue],
      [otherPart, ' Plums '],
    ],
    'Plums',
  ],
  [
    'a text typed beside another choice',
    { ...chosen, kind: 'single-choice' },
    [
      [undefined, 'Apples'],
      [otherPart, 'Plums'],
    ],
    'Apples',
  ],
  [
    'several choices',
    { ...chosen, kind: 'multiple-choice' },
    [
      [undefined, 'Apples'],
      [undefined, otherValue],
      [otherPart, 'Plums'],
    ],
    ['Apples', 'Plums'],
  ],
  [
    'a ranking',
    { ...base, kind: 'ranking', choices },
    [
      ['a', '3'],
      ['b', '1'],
      ['o', '2'],
    ],
    ['Berries', 'Other', 'Apples'],
  ],
  [
    'a ranking with the same rank twice, which is incomplete',
    { ...base, kind: 'ranking', choices },
    [
      ['a', '1'],
      ['b', '1'],
      ['o', '2'],
    ],
    ['Apples', 'Other'],
  ],
  [
    'a matrix',
    { ...base, kind: 'matrix', rows: choices, columns: choices },
    [
      ['a', 'b'],
      ['o', 'a'],
    ],
    { a: 'b', o: 'a' },
  ],
  ['an empty matrix', { ...base, kind: 'matrix', rows: choices, columns: choices }, [], ''],
  [
    'a contact',
    { ...base, kind: 'contact', fields: [{ field: 'email', isRequired: true }] },
    [['email', ' ana@example.com ']],
    { email: 'ana@example.com' },
  ],
  ['a consent', { ...base, kind: 'consent', label: 'I agree' }, [[undefined, 'yes']], true],
  ['no consent', { ...base, kind: 'consent', label: 'I agree' }, [], false],
  ['a statement', { ...base, kind: 'statement' }, [], undefined],
])('%s is read from a form', (_, question, fields, answer) => {
  const form = new URLSearchParams(fields.map(([part, value]) => [fieldName(question, part), value]))
  expect(answerFromForm(question, form)).toEqual(answer)
})

function rating(): SurveyQuestion {
  return {
    ...base,
    kind: 'rating',
    display: 'number',
    scale: 10,
    lowerLabel: '',
    upperLabel: '',
    submitsOnClick: true,
  }
}
