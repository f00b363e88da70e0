import type { DroppedLiveEvent, RefusedLiveRequest, StoredLiveEvent } from '#events/live-event'

const at = '2026-11-21T10:00:00.000Z'
let made = 0

/** A page view, unless something else is said. */
export const stored = (overrides: Partial<StoredLiveEvent> = {}): StoredLiveEvent => ({
  kind: 'stored',
  at,
  receivedAt: at,
  uuid: `event-${++made}`,
  name: '$pageview',
  distinctId: 'ana',
  personId: 'person-of-ana',
  sessionId: 'session-1',
  isCookieless: false,
  columns: {
    traffic: 'human',
    host: 'shop.example.com',
    path: '/pricing',
    browser: 'Firefox',
    country: 'FI',
  },
  groups: {},
  properties: {},
  ...overrides,
})

export const dropped = (overrides: Partial<DroppedLiveEvent> = {}): DroppedLiveEvent => ({
  kind: 'dropped',
  at,
  name: '$pageview',
  reason: 'bot',
  ...overrides,
})

export const refused = (overrides: Partial<RefusedLiveRequest> = {}): RefusedLiveRequest => ({
  kind: 'refused',
  at,
  dialect: 'posthog',
  reason: 'unknown-key',
  named: undefined,
  ...overrides,
})
