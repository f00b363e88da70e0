import { expect, test } from 'vitest'
import type { IncomingEvent } from '#events/event'
import { anEnvelope, anEvent, anIngestContext, noon } from '#test/product/ingest-fixture'
import { prepare } from '../../prepare'

interface PreparedWith {
  envelope?: Parameters<typeof anEnvelope>[0]
  objection?: 'survey-closed' | undefined
}

async function prepared(event: Partial<IncomingEvent>, { envelope = {}, objection }: PreparedWith = {}) {
  const context = await anIngestContext()
  const requests: unknown[] = []
  const surveys = { objectionTo: (about: unknown) => (requests.push(about), objection) }
  const outcome = prepare(anEvent({ name: 'survey sent', ...event }), anEnvelope(envelope), {
    ...context,
    surveys,
  })
  return {
    outcome,
    requests,
    properties: outcome.kept ? outcome.event.properties : undefined,
    person: outcome.kept ? outcome.event.person.set : undefined,
  }
}

test('an event that does not belong to a survey is dropped with the reason', async () => {
  const { outcome } = await prepared({ properties: { $survey_id: 'x' } }, { objection: 'survey-closed' })
  expect(outcome).toMatchObject({ kept: false, reason: 'survey-closed' })
})

test('other events are not asked about', async () => {
  const { outcome, requests } = await prepared({ name: 'signup' }, { objection: 'survey-closed' })
  expect(outcome.kept).toBe(true)
  expect(requests).toEqual([])
})

test('answers are cut at 10,000 characters, also where they are repeated', async () => {
  const long = 'é'.repeat(20_000)
  const { properties } = await prepared({
    properties: { $survey_response_a: long, $survey_questions: [{ id: 'a', response: long }], note: long },
  })
  expect(properties?.['$survey_response_a']).toHaveLength(10_000)
  expect(JSON.parse(properties?.['$survey_questions'] ?? '')).toEqual([
    { id: 'a', response: 'é'.repeat(10_000) },
  ])
  expect(properties?.['note']).toHaveLength(20_000)
})

test('an answer is kept as it was given, whatever its question is called', async () => {
  const { properties } = await prepared({
    properties: {
      '$survey_response_best-link': 'see https://example.com/?q=1#x',
      '$survey_response_q-link': 'link clicked',
    },
  })
  expect(properties).toMatchObject({
    '$survey_response_best-link': 'see https://example.com/?q=1#x',
    '$survey_response_q-link': 'link clicked',
  })
})

test.each<[string, Partial<IncomingEvent>, string | undefined]>([
  ['is written for a person', {}, noon],
  [
    'stays as the client tells it',
    { person: { set: { $survey_last_seen_date: '2026-01-01' }, setOnce: {}, unset: [], add: {} } },
    '2026-01-01',
  ],
  ['makes no person of a visitor', { hasPerson: false }, undefined],
  ['is not written for an answer', { name: 'survey sent' }, undefined],
])('when a survey was last seen %s', async (_, event, date) => {
  const { person } = await prepared({ name: 'survey shown', hasPerson: true, ...event })
  expect(person?.['$survey_last_seen_date']).toBe(date)
})

test.each<[string, Parameters<typeof anEnvelope>[0], boolean]>([
  ['our own page checked it', { dialect: 'site', hasCheckedAnswers: true }, true],
  ['a member imports it', { isHistorical: true, importId: 'import-1' }, true],
  ['a client says that it is history', { isHistorical: true }, false],
  ['a client sent it', {}, false],
])('an answer is trusted only where it was checked: %s', async (_, envelope, isTrusted) => {
  const { requests } = await prepared({ properties: { $survey_id: 'x' } }, { envelope })
  expect(requests).toMatchObject([{ isTrusted }])
})
