import { expect, test } from 'vitest'
import { eventWords } from './watched-metric-words'

test.each([
  ['$pageview', 'total', '“Page view” events'],
  ['signed_up', 'persons', '“signed_up” events (unique people)'],
  ['survey sent', 'nps', '“Survey answered” events (NPS)'],
  [null, 'csat', 'events (CSAT)'],
] as const)('events %s counted as %s are %s', (event, math, words) => {
  expect(eventWords({ event, measure: { math } })).toBe(words)
})
