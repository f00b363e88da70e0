import { expect, test } from 'vitest'
import { eventNumber } from '../../test/crashlab/events'
import { eventOfRow, rowOf, rowWithoutPerson, rowWithPerson } from './row'

const person = '0f8fad5b-d9cb-469f-a165-70867728950e'

test('a row that got its person later is the row of the event with that person', () => {
  const event = eventNumber(1, { columns: { path: '/a"b', engaged_ms: 12.6 }, sessionId: person })
  expect(rowWithPerson(rowWithoutPerson(event), person)).toBe(rowOf(event, person))
  expect(JSON.parse(rowOf(event, person))).toEqual({
    project_id: 1,
    uuid: event.uuid,
    event: 'numbered',
    timestamp: '2026-11-20T12:00:00.001Z',
    received_at: '2026-11-20T12:00:00.001Z',
    distinct_id: 'visitor 1',
    person_id: person,
    session_id: person,
    has_person: true,
    is_cookieless: false,
    path: '/a"b',
    engaged_ms: 13,
    groups: {},
    properties: { n: '1' },
  })
})

test('an event without a session has none afterwards', () => {
  expect(rowWithoutPerson(eventNumber(1))).not.toContain('session_id')
  expect(eventOfRow(rowWithoutPerson(eventNumber(1))).sessionId).toBe('')
})
