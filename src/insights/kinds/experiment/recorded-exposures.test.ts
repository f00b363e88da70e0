import { describe, expect, test } from 'vitest'
import type { PreparedEvent } from '#events/event'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { answerTo, key, recordedAt, recordingsOf, replay, someWireServices } from '#test/wire/posthog-fixture'
import { respondTo } from '#test/wire/vendor-recordings'
import type { ExperimentAnswer } from './answer'

const engine = anEngine()

/** The events as they are stored, all of one person. */
const asTold = (stored: readonly PreparedEvent[]): TestEvent[] =>
  stored.map(({ name, at, distinctId, sessionId, columns, properties, groups }) => ({
    person: 'ana',
    event: name,
    at: at.toISOString(),
    distinctId,
    session: sessionId,
    columns,
    properties: { ...properties },
    groups: { ...groups },
  }))

const query = {
  kind: 'experiment',
  variants: ['control', 'test'],
  phases: ['2026-11-01T00:00:00Z'],
  until: '2026-12-01T00:00:00Z',
  metrics: [{ type: 'conversion', happening: { event: 'bought' } }],
}

const ask = async (stored: readonly PreparedEvent[], more: object) => {
  const answer = await engine.ask<ExperimentAnswer>(await engine.addProject(asTold(stored)), {
    ...query,
    ...more,
  })
  return {
    units: answer.cells.map(({ variant, units, metrics: [one] }) => [
      variant,
      units,
      one && 'means' in one && one.means,
    ]),
    exposed: answer.exposed,
  }
}

test.each<[string, string, object, unknown]>([
  [
    'two reports before and after `identify`, of an unknown flag and one that is off',
    'posthog-js-81-exposure',
    { flag: 'new-cta' },
    { units: [['test', 1, [1]]], exposed: [{ seen: ['test'], units: 1 }] },
  ],
  [
    'a flag that is off',
    'posthog-js-81-exposure',
    { flag: 'off' },
    { units: [], exposed: [{ seen: [''], units: 1 }] },
  ],
  [
    'an unknown flag',
    'posthog-js-81-exposure',
    { flag: 'nope' },
    { units: [], exposed: [{ seen: [''], units: 1 }] },
  ],
  [
    'a bootstrapped flag, without id and version',
    'posthog-js-82-exposure-bootstrap',
    { flag: 'new-cta' },
    { units: [['control', 1, [0]]], exposed: [{ seen: ['control'], units: 1 }] },
  ],
  [
    'a preview, which reports the assigned variant',
    'posthog-js-83-web-experiment-preview',
    { flag: 'hero' },
    { units: [], exposed: [{ seen: ['(preview)'], units: 1 }] },
  ],
  [
    'an override',
    'posthog-js-38-overrides',
    { flag: 'new-cta' },
    { units: [], exposed: [{ seen: ['(preview)'], units: 1 }] },
  ],
  [
    'a report in the minimal form',
    'posthog-js-65-minimal-flag-called',
    { flag: 'new-cta' },
    { units: [['test', 1, [0]]], exposed: [{ seen: ['test'], units: 1 }] },
  ],
  [
    'a server’s report that is repeated, by the person',
    'posthog-node-12-exposure',
    { flag: 'new-cta' },
    { units: [['test', 1, [1]]], exposed: [{ seen: ['test'], units: 1 }] },
  ],
  [
    'a server’s report, by the group: only one of the two names it, and the conversion does not',
    'posthog-node-12-exposure',
    { flag: 'new-cta', unit: { by: 'group', group: 'company' } },
    { units: [['test', 1, [0]]], exposed: [{ seen: ['test'], units: 1 }] },
  ],
])('%s', async (_, recording, more, expected) => {
  const services = await someWireServices()
  for (const one of recordingsOf(recording)) await replay(one, services)
  expect(await ask(services.stored, more)).toEqual(expected)
})

describe('exposure events of other products', () => {
  const json = { 'content-type': 'application/json' }
  const capture = (event: string, properties: object) => ({
    path: '/i/v0/e/',
    headers: json,
    body: { api_key: key, distinct_id: 'ana', event, properties },
  })
  const mixpanel = (event: string, properties: object) => ({
    path: '/track',
    body: `data=${encodeURIComponent(Buffer.from(JSON.stringify({ event, properties: { token: key, distinct_id: 'ana', ...properties } })).toString('base64'))}`,
  })
  const basic = { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }

  test.each<[string, Parameters<typeof respondTo>[0], [event: string, property: string, experiment: string]]>(
    [
      [
        'GrowthBook',
        capture('Experiment Viewed', { experimentId: 'checkout', variationId: 'test' }),
        ['Experiment Viewed', 'variationId', 'experimentId'],
      ],
      [
        'Segment',
        {
          path: '/v1/track',
          headers: { ...basic, ...json },
          body: {
            userId: 'ana',
            event: 'Experiment Viewed',
            properties: { experiment_name: 'checkout', variation_name: 'test' },
          },
        },
        ['Experiment Viewed', 'variation_name', 'experiment_name'],
      ],
      [
        'Amplitude',
        {
          path: '/2/httpapi',
          headers: json,
          body: {
            api_key: key,
            events: [
              {
                event_type: '$exposure',
                user_id: 'ana',
                event_properties: { flag_key: 'checkout', variant: 'test', experiment_key: 'e1' },
              },
            ],
          },
        },
        ['$exposure', 'variant', 'flag_key'],
      ],
      [
        'Mixpanel',
        mixpanel('$experiment_started', { 'Experiment name': 'checkout', 'Variant name': 'test' }),
        ['$experiment_started', 'Variant name', 'Experiment name'],
      ],
      [
        'OpenFeature',
        capture('feature_flag.evaluation', {
          'feature_flag.key': 'checkout',
          'feature_flag.result.variant': 'test',
          'feature_flag.context.id': 'ana',
        }),
        ['feature_flag.evaluation', 'feature_flag.result.variant', 'feature_flag.key'],
      ],
    ],
  )('%s', async (_, sent, [event, property, experiment]) => {
    const services = await someWireServices()
    expect((await respondTo(sent, services)).status).toBeLessThan(300)
    const exposedBy = (flag: string) => ({
      flag: 'checkout',
      exposure: {
        by: 'event',
        event,
        property,
        filter: { type: 'event', key: experiment, operator: 'exact', value: [flag] },
      },
    })
    expect((await ask(services.stored, exposedBy('checkout'))).units).toEqual([['test', 1, [0]]])
    expect((await ask(services.stored, exposedBy('another'))).units).toEqual([])
  })
})

describe('the time of the evaluation', () => {
  const sent = Date.parse(recordedAt)
  /** Returns a batch from a clock that is so many hours ahead; the times are seconds after the real beginning. */
  const batch = (
    hoursAhead: number,
    events: readonly { event: string; at: number; properties?: object }[],
  ) => {
    const clock = (at: number) => new Date(sent + at * 1000 + hoursAhead * 3_600_000).toISOString()
    return {
      path: '/batch/',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        api_key: key,
        sent_at: clock(0),
        batch: events.map(({ event, at, properties = {} }) => ({
          event,
          timestamp: clock(at),
          properties: { distinct_id: 'ana', $lib: 'web', ...properties },
        })),
      }),
    }
  }
  const exposure = (at: number, evaluatedAt: number) => ({
    event: '$feature_flag_called',
    at,
    properties: {
      $feature_flag: 'checkout',
      $feature_flag_response: 'test',
      // by the clock of the server that decided
      $feature_flag_evaluated_at: sent + evaluatedAt * 1000,
    },
  })

  test.each([0, -7, 5])('is kept, and not moved by a clock %d hours off', async (hours) => {
    const services = await someWireServices()
    const events = [{ event: 'bought', at: -20 }, exposure(-10, -30)]
    expect((await answerTo(batch(hours, events), services)).status).toBe(200)
    expect((await ask(services.stored, { flag: 'checkout' })).units).toEqual([['test', 1, [1]]])
  })

  test('does not make a conversion before it an effect', async () => {
    const services = await someWireServices()
    await answerTo(batch(0, [{ event: 'bought', at: -40 }, exposure(-10, -30)]), services)
    expect((await ask(services.stored, { flag: 'checkout' })).units).toEqual([['test', 1, [0]]])
  })
})
