import { expect, test } from 'vitest'
import { waitingEvents, waitingInWords } from './waiting-events'

const now = new Date('2026-03-02T10:00:10.000Z')

test.each([
  // backlog, since                           the state
  [0, undefined, { waitingEvents: 0, isBehind: false }],
  [5, undefined, { waitingEvents: 5, isBehind: false }],
  [5, '2026-03-02T10:00:09.000Z', { waitingEvents: 5, isBehind: false }],
  [5, '2026-03-02T10:00:07.000Z', { waitingEvents: 5, isBehind: true }],
])('%i events that wait since %s', (backlog, oldestAt, state) => {
  expect(waitingEvents({ backlog, oldestAt }, now)).toEqual(state)
})

test.each([
  [1, 'One event is still being stored'],
  [4749, '4,749 events are still being stored'],
])('%i in words', (events, words) => {
  expect(waitingInWords(events)).toBe(words)
})
