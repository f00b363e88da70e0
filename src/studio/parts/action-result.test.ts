import { expect, test } from 'vitest'
import { problemsByField, sortProblems } from './action-result'

const hasField = (name: string) => ['name', 'scopes'].includes(name)

test('a problem is shown at its field, the first one where there are several', () => {
  const problems = [
    { field: 'name', message: 'Give a name.' },
    { field: 'name', message: 'Use letters.' },
    { field: 'scopes.2', message: 'There is no such scope.' },
  ]
  expect(problemsByField(problems, hasField)).toEqual({
    name: 'Give a name. Use letters.',
    scopes: 'There is no such scope.',
  })
  expect(sortProblems(problems, hasField)).toEqual({
    errors: { name: 'Give a name.', scopes: 'There is no such scope.' },
    messages: [],
  })
})

test('a problem whose field this form does not have is said at its top', () => {
  const problems = [{ field: 'role', message: 'A project needs an owner.' }, { message: 'Too late.' }]
  expect(problemsByField(problems, hasField)).toEqual({ '': 'A project needs an owner. Too late.' })
  expect(sortProblems(problems, hasField)).toEqual({
    errors: {},
    messages: ['A project needs an owner.', 'Too late.'],
  })
})
