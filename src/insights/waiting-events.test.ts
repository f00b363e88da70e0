import { expect, test } from 'vitest'
import { waitingEvents, waitingInWords } from './waiting-events'

const now = new Date('2026-03-02T10:00:10.000Z')

test.each([
  // backlog, by project, since               the state
  [0, {}, undefined, { waitingEvents: 0, isBehind: false }],
  [5, {}, undefined, { waitingEvents: 5, isBehind: false }],
  [5, { 1: 3, 2: 2 }, '2026-03-02T10:00:09.000Z', { waitingEvents: 3, isBehind: false }],
  [5, { 1: 2 }, '2026-03-02T10:00:07.000Z', { waitingEvents: 5, isBehind: true }],
  [5, { 2: 5 }, '2026-03-02T10:00:07.000Z', { waitingEvents: 0, isBehind: false }],
  [0, { 1: 5 }, undefined, { waitingEvents: 0, isBehind: false }],
])('%i events that wait, by project %o, since %s', (backlog, backlogByProject, oldestAt, state) => {
  expect(waitingEvents({ backlog, backlogByProject, oldestAt }, 1, now)).toEqual(state)
})

test.each([
  [1, 'One event is still being stored'],
  [4749, '4,749 events are still being stored'],
])('%i in words', (events, words) => {
  expect(waitingInWords(events)).toBe(words)
})
