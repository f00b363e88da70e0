import type { Json, Properties } from '#events/event'
import { isProperties } from '../../decode-body'
import { propertiesField, textField } from '../../read-fields'

export const itemsIn = (body: Json): readonly Json[] => (Array.isArray(body) ? body : [body])

/** The project key of an event, or of an update of a profile. */
export const tokenOf = (item: Json | undefined): string | undefined =>
  isProperties(item)
    ? (textField(item, '$token') ?? textField(propertiesField(item, 'properties'), 'token'))
    : undefined

/** The names of the key, in an item or among its properties. */
export const tokenNames = ['token', '$token'] as const

/** Fields that only PostHog’s clients send at the addresses that both vendors have. */
const posthogFields = ['api_key', 'uuid', 'timestamp', 'offset', 'distinct_id'] as const

/** Whether a body for `/track` or `/engage` has the form of Mixpanel’s. */
export function isMixpanelBody(body: Json): boolean {
  const [first] = itemsIn(body)
  if (!isProperties(first) || tokenOf(first) === undefined) return false
  return !posthogFields.some((name) => Object.hasOwn(first, name)) && !isPosthogLibrary(first)
}

const isPosthogLibrary = (item: Properties): boolean =>
  [item, propertiesField(item, 'properties')].some((fields) => Object.hasOwn(fields, '$lib'))
