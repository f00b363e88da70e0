import type { AddressMatch } from '../../survey'

/** The operators of posthog-js for each way in which addresses match. */
export const matchTypes = {
  contains: 'icontains',
  'not-contains': 'not_icontains',
  exact: 'exact',
  'not-exact': 'is_not',
  regex: 'regex',
  'not-regex': 'not_regex',
} as const satisfies Record<AddressMatch, string>

/** The operators of event triggers that posthog-js knows. */
export const triggerOperators: ReadonlySet<string> = new Set([...Object.values(matchTypes), 'gt', 'lt'])
