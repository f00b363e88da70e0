import { expect, test } from 'vitest'
import { eventNumber } from '#test/deep/crashlab/events'
import { parseRowDetails, parseRowHead, rowOf, rowText } from './row'

const person = '0f8fad5b-d9cb-469f-a165-70867728950e'

test('a row is a JSON object by the names of the table', () => {
  const event = eventNumber(1, { columns: { path: '/a"b', engaged_ms: 12.6 }, sessionId: person })
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

test('the parts of a row are read back on their own', () => {
  const {
    person: _,
    identity: __,
    group: ___,
    columns,
    properties,
    ...rest
  } = eventNumber(1, { sessionId: person })
  const { head, details } = rowText({ ...rest, columns, properties })

  expect(parseRowHead(head)).toEqual(rest)
  expect(parseRowDetails(details)).toEqual({ columns, properties })
})

test('an event without a session has none afterwards', () => {
  const { head } = rowText(eventNumber(1))
  expect(head).not.toContain('session_id')
  expect(parseRowHead(head).sessionId).toBe('')
})

test.each(['', '{"form":2', '{"uuid":"x"', 'not even JSON', '{"uuid":"x","timestamp":"yesterday"'])(
  'what is no head of a row is refused: %j',
  (text) => expect(() => parseRowHead(text)).toThrow(),
)
