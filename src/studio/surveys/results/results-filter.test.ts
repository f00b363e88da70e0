import { expect, test } from 'vitest'
import {
  inAddress,
  isNarrowedTo,
  type ResultsFilter,
  resultsFilterIn,
  toggleValues,
  toggleWords,
  without,
} from './results-filter'

const nothing: ResultsFilter = {
  period: 'all',
  filter: undefined,
  answers: [],
  search: undefined,
  tag: undefined,
  withTests: false,
  onlyRemoved: false,
  breakdown: undefined,
}

test('what an address says is read back, and what it cannot say is ignored', () => {
  const asked: ResultsFilter = {
    period: '90d',
    filter: { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] },
    answers: [
      { question: 'score', values: [0, 1] },
      { question: 'uses', values: ['fun', null] },
      { question: 'service', values: [{ row: 'r', column: 'c' }] },
      { question: 'why', containing: 'too slow' },
    ],
    search: 'slow',
    tag: 'bug',
    withTests: true,
    onlyRemoved: true,
    breakdown: { type: 'event', key: '$browser' },
  }
  expect(resultsFilterIn({ ...inAddress(asked) })).toEqual(asked)
  expect(resultsFilterIn({ ...inAddress(nothing) })).toEqual(nothing)
  expect(
    resultsFilterIn({
      period: '3 years',
      answers: '[{"question":"score"},{"question":1,"values":[1]},{"question":"a","values":[[1]]},null]',
      breakdown: '"country"',
      tests: 'maybe',
    }),
  ).toEqual(nothing)
})

test('a press narrows, another on the same takes it back, and one beside it replaces it', () => {
  const detractors = toggleValues(nothing, 'score', [0, 1, 2])
  expect(isNarrowedTo(detractors, 'score', [0, 1, 2])).toBe(true)
  expect(isNarrowedTo(detractors, 'score', [0, 1])).toBe(false)
  expect(toggleValues(detractors, 'score', [0, 1, 2])).toEqual(nothing)
  const promoters = toggleValues(detractors, 'score', [9, 10])
  expect(promoters.answers).toEqual([{ question: 'score', values: [9, 10] }])
  const slow = toggleWords(promoters, 'why', 'slow')
  expect(toggleWords(slow, 'why', 'fast').answers).toEqual([
    { question: 'score', values: [9, 10] },
    { question: 'why', containing: 'fast' },
  ])
  expect(toggleWords(slow, 'why', 'slow')).toEqual(promoters)
  expect(slow.answers.flatMap((one) => without(slow, one).answers.length)).toEqual([1, 1])
})
