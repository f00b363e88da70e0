import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '#test/random/chance'
import { chrome } from '#test/product/ingest-fixture'
import { aFrontForEvents } from '#test/wire/front-for-events'
import { key } from '#test/wire/posthog-fixture'

interface RelayedEvent {
  name: string
  agent: string
  library: 'web' | 'posthog-node' | undefined
}

/** The user agents of people and robots, by the traffic that they are. */
const agents = {
  human: [
    chrome,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  ],
  bot: ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
  ai: [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.1; +https://openai.com/gptbot)',
  ],
  feed: ['Feedly/1.0 (+http://www.feedly.com/fetcher.html)'],
}

const relayed = Object.values(agents)
  .flat()
  .flatMap((agent) => (['web', 'posthog-node', undefined] as const).map((library) => ({ agent, library })))
  .map((event, n): RelayedEvent => ({ ...event, name: `visit_${n}` }))

const trafficByName = new Map(
  relayed.map(({ name, agent }) => [
    name,
    Object.entries(agents).find(([, group]) => group.includes(agent))?.[0],
  ]),
)

interface Relay {
  path: string
  headers?: Record<string, string>
  /** The body of all events, or of each where a request holds one. */
  body: ((events: readonly RelayedEvent[]) => object) | { each: (event: RelayedEvent) => object }
}

const posthogEvent = ({ name, agent, library }: RelayedEvent) => ({
  event: name,
  distinct_id: name,
  properties: { $raw_user_agent: agent, ...(library && { $lib: library }) },
})

const mixpanelEvent = ({ name, agent }: RelayedEvent) => ({
  event: name,
  properties: { token: key, distinct_id: name, $user_agent: agent },
})

const umamiItem = ({ name, agent }: RelayedEvent) => ({
  type: 'event',
  payload: { website: key, hostname: 'example.com', url: '/', id: name, name, userAgent: agent },
})

const bearer = { authorization: `Bearer ${key}` }

/** Every dialect whose events carry a user agent of their own. */
const relays: Record<string, Relay> = {
  'PostHog, a batch': {
    path: '/batch/',
    body: (events) => ({ api_key: key, batch: events.map(posthogEvent) }),
  },
  'PostHog, a list': {
    path: `/e/?token=${key}`,
    body: (events) => events.map(posthogEvent),
  },
  'PostHog since 2026': {
    path: '/i/v1/analytics/events',
    headers: bearer,
    body: (events) => ({ batch: events.map(posthogEvent) }),
  },
  Segment: {
    path: '/v1/batch',
    body: (events) => ({
      writeKey: key,
      batch: events.map(({ name, agent }) => ({
        type: 'track',
        event: name,
        userId: name,
        context: { userAgent: agent },
      })),
    }),
  },
  Mixpanel: { path: '/track', body: (events) => events.map(mixpanelEvent) },
  'Mixpanel, an import': { path: '/import', body: (events) => events.map(mixpanelEvent) },
  Amplitude: {
    path: '/2/httpapi',
    body: (events) => ({
      api_key: key,
      events: events.map(({ name, agent }) => ({ event_type: name, user_id: name, user_agent: agent })),
    }),
  },
  Matomo: {
    path: '/matomo.php',
    body: (events) => ({
      requests: events.map(
        ({ name, agent }) =>
          `?${new URLSearchParams({ idsite: key, rec: '1', uid: name, e_a: name, ua: agent })}`,
      ),
    }),
  },
  'Umami, a batch': { path: '/api/batch', body: (events) => events.map(umamiItem) },
  Umami: { path: '/api/send', body: { each: umamiItem } },
  GoatCounter: {
    path: '/api/v0/count',
    headers: bearer,
    body: (events) => ({
      hits: events.map(({ name, agent }) => ({ path: name, event: true, user_agent: agent })),
    }),
  },
  GA4: {
    path: `/mp/collect?api_secret=${key}`,
    body: { each: ({ name, agent }) => ({ client_id: name, user_agent: agent, events: [{ name }] }) },
  },
  'Simple Analytics': {
    path: '/events',
    body: { each: ({ name, agent }) => ({ type: 'event', hostname: key, event: name, ua: agent }) },
  },
}

/** User agents of relays: a server, one whose library is also that of apps, one that passes on a browser's header. */
const relayAgents = ['node', 'okhttp/4.12.0', chrome]

test.each(Object.entries(relays))(
  '%s: each event of a shuffled batch is a person’s or a robot’s by its own user agent',
  async (_, { path, headers, body }) => {
    const { wire, send } = await aFrontForEvents()
    const bodiesOf = (events: readonly RelayedEvent[]) =>
      typeof body === 'function' ? [body(events)] : events.map((event) => body.each(event))

    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(relayed, { minLength: relayed.length }),
        fc.constantFrom(...relayAgents),
        async (events, agent) => {
          wire.stored.splice(0)
          for (const one of bodiesOf(events)) {
            const sender = { 'user-agent': agent, 'content-type': 'application/json' }
            expect((await send(path, JSON.stringify(one), { ...sender, ...headers })).ok).toBe(true)
          }
          expect(new Map(wire.stored.map(({ name, columns }) => [name, columns.traffic]))).toEqual(
            trafficByName,
          )
        },
      ),
      { numRuns: runs(9) },
    )
  },
)
