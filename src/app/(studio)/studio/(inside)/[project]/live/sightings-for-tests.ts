import type { DroppedSighting, RefusedSighting, StoredSighting } from '../../../../../../events/sighting'

const at = '2026-11-21T10:00:00.000Z'
let made = 0

/** A page view, unless something else is said. */
export const stored = (said: Partial<StoredSighting> = {}): StoredSighting => ({
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
  ...said,
})

export const dropped = (said: Partial<DroppedSighting> = {}): DroppedSighting => ({
  kind: 'dropped',
  at,
  name: '$pageview',
  reason: 'bot',
  ...said,
})

export const refused = (said: Partial<RefusedSighting> = {}): RefusedSighting => ({
  kind: 'refused',
  at,
  dialect: 'posthog',
  reason: 'unknown-key',
  named: undefined,
  ...said,
})
