import { describe, expect, test } from 'vitest'
import { aSurvey } from '#test/product/some-survey'
import { aFrontForEvents } from '#test/wire/front-for-events'
import { key, recordedAt, secretKey, someWireServices } from '#test/wire/posthog-fixture'

const monthsBefore = (months: number) => new Date(Date.parse(recordedAt) - months * 30 * 24 * 3_600_000)

/** One survey of each kind that takes no answers now. */
const surveys = [
  aSurvey({ id: 'draft', startsAt: undefined }),
  aSurvey({ id: 'planned', startsAt: monthsBefore(-1) }),
  aSurvey({ id: 'ended', startsAt: monthsBefore(3), endsAt: monthsBefore(2) }),
  aSurvey({ id: 'archived', startsAt: monthsBefore(3), archivedAt: monthsBefore(2) }),
]

const answers = surveys.map(({ id }) => ({
  event: 'survey sent',
  distinct_id: 'ana',
  timestamp: recordedAt,
  properties: { $survey_id: id, $survey_response: 9 },
}))

const answersByMixpanel = answers.map(({ event, properties }) => ({
  event,
  properties: { token: key, distinct_id: 'ana', time: recordedAt, ...properties },
}))
const history = { api_key: key, historical_migration: true, batch: answers }

test.each<[string, string, object, Record<string, string>]>([
  ['PostHog', '/batch/', history, {}],
  ['PostHog, with the write key as a secret one', '/batch/', history, { authorization: `Bearer ${key}` }],
  ['PostHog, with an unknown secret key', '/batch/', history, { authorization: 'Bearer tsk_made_up' }],
  [
    'Segment',
    '/v1/import',
    {
      writeKey: key,
      batch: answers.map(({ event, properties }) => ({ type: 'track', event, userId: 'ana', properties })),
    },
    {},
  ],
  ['Mixpanel', '/import', answersByMixpanel, {}],
])(
  'with the write key alone an answer to a survey that does not run is no history: %s',
  async (_, path, body, headers) => {
    const { wire, send } = await aFrontForEvents(await someWireServices({}, [], surveys))

    const answer = await send(path, JSON.stringify(body), { 'content-type': 'application/json', ...headers })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-tilth-dropped')).toContain('survey-closed')
    expect(wire.stored).toEqual([])
  },
)

test('with a secret key answers are history, whether their survey runs or not', async () => {
  const { wire, send } = await aFrontForEvents(await someWireServices({}, [], surveys))

  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secretKey}` }
  expect((await send('/batch/', JSON.stringify(history), headers)).status).toBe(200)
  expect(wire.stored.map(({ properties }) => properties['$survey_id'])).toEqual(surveys.map(({ id }) => id))
})

test('a secret key does not make answers of today history', async () => {
  const { wire, send } = await aFrontForEvents(await someWireServices({}, [], surveys))

  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secretKey}` }
  await send('/batch/', JSON.stringify({ api_key: key, batch: answers }), headers)
  expect(wire.stored).toEqual([])
})

describe('an answer dated back into the time in which its survey ran, with the write key', () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  const ended = aSurvey({ id: 'ended', startsAt: hoursAgo(900), endsAt: hoursAgo(26) })
  const justEnded = aSurvey({ id: 'just-ended', startsAt: hoursAgo(900), endsAt: hoursAgo(22) })
  const properties = { $survey_response: 9 }
  const at = hoursAgo(27).toISOString()
  const answerTo = {
    PostHog: (id: string) => ({
      path: '/batch/',
      body: {
        api_key: key,
        batch: [
          {
            event: 'survey sent',
            distinct_id: 'ana',
            timestamp: at,
            properties: { $survey_id: id, ...properties },
          },
        ],
      },
    }),
    Segment: (id: string) => ({
      path: '/v1/batch',
      body: {
        writeKey: key,
        batch: [
          {
            type: 'track',
            event: 'survey sent',
            userId: 'ana',
            timestamp: at,
            properties: { $survey_id: id, ...properties },
          },
        ],
      },
    }),
    Mixpanel: (id: string) => ({
      path: '/track',
      body: [
        {
          event: 'survey sent',
          properties: {
            token: key,
            distinct_id: 'ana',
            time: Date.parse(at),
            $survey_id: id,
            ...properties,
          },
        },
      ],
    }),
  }

  test.each(['PostHog', 'Segment', 'Mixpanel'] as const)(
    'is taken a day after the end at the latest: %s',
    async (dialect) => {
      const { wire, send } = await aFrontForEvents(await someWireServices({}, [], [ended, justEnded]))
      for (const { id } of [ended, justEnded]) {
        const { path, body } = answerTo[dialect](id)
        const { status } = await send(path, JSON.stringify(body), { 'content-type': 'application/json' })
        expect(status).toBe(200)
      }
      expect(wire.stored.map((event) => event.properties['$survey_id'])).toEqual(['just-ended'])
    },
  )
})
