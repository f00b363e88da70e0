import { expect, test } from 'vitest'
import { clientOf } from './libraries'

test.each([
  [[], 'tilth'],
  [['tilth-site', 'web'], 'posthog'],
  [['tilth', 'web'], 'tilth'],
  [['posthog-node'], 'posthog'],
  [['@vercel/analytics/next'], 'vercel'],
  [['mixpanel-web'], 'mixpanel'],
  [['of-our-own'], 'tilth'],
])('%o: events come by %s', (libraries, client) => expect(clientOf(libraries)).toBe(client))
