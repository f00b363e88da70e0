import { expect, test } from 'vitest'
import type { Answer, SurveyQuestion } from '#surveys/question'
import { contactInWords } from '../kinds/contact/result'
import { answerInWords } from './answer-words'

const matrix: SurveyQuestion = {
  id: 'service',
  kind: 'matrix',
  text: 'How was it?',
  description: { format: 'text', text: '' },
  buttonText: '',
  isRequired: false,
  branching: { kind: 'next' },
  rows: [
    { id: 'r1', text: 'Speed' },
    { id: 'r2', text: 'Price' },
  ],
  columns: [{ id: 'c1', text: 'Good' }],
}

test.each<[string, Answer, SurveyQuestion | undefined, string]>([
  ['a text', 'Too slow', undefined, 'Too slow'],
  ['a rating', 9, undefined, '9'],
  ['a consent', true, undefined, 'Yes'],
  ['a refused consent', false, undefined, 'No'],
  ['several choices', ['Red', 'Blue'], undefined, 'Red, Blue'],
  ['a contact', { email: 'ana@example.com' }, undefined, 'email: ana@example.com'],
  ['a matrix', { r1: 'c1', r2: 'gone' }, matrix, 'Speed: Good; Price: gone'],
])('%s is written in words', (_, answer, question, words) => {
  expect(answerInWords(answer, question)).toBe(words)
})

test.each([
  ['{"name":"Ana","email":"ana@example.com","phone":""}', 'Ana · ana@example.com'],
  ['call me', 'call me'],
])('a contact that is stored as %s is written as %s', (stored, words) => {
  expect(contactInWords(stored)).toBe(words)
})
