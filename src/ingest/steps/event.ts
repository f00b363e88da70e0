import type { DropReason, IncomingEvent, Properties } from '#events/event'
import { maxProperties } from './properties'
import { truncate, type IngestStep, type PipelineDraft } from './step'
import { sanitizeEvent, approximateSize } from './sanitize'

/** A larger event is dropped; the limit is documented for SDKs. */
const mostBytes = 1024 * 1024
const longestName = 200
const longestDistinctId = 200

/** What PostHog's SDKs send instead of an id where the visitor is to have none. */
const cookieless = '$posthog_cookieless'

/** What dialects call things that are taken in order to be counted, and nothing else. */
const uncollectedEvents: ReadonlyMap<string, DropReason> = new Map([
  ['$snapshot', 'replay'],
  ['$snapshot_items', 'replay'],
  ['$otel_log', 'not-collected'],
  ['$otel_metric', 'not-collected'],
  ['$otel_span', 'not-collected'],
])

/**
 * Texts fit to be kept come before anything looks at them; then what has no name or is too large is no event. Properties
 * that will not be kept are not weighed.
 */
export const refuseNonEvents: IngestStep = (draft) => {
  draft.event = sanitizeEvent(limitProperties(draft.event))
  const name = truncate(draft.event.name.trim(), longestName)
  draft.event.name = name
  if (name === '') return 'no-name'
  const uncollectedReason = uncollectedEvents.get(name)
  if (uncollectedReason) return uncollectedReason
  if (isTooLarge(draft.event)) return 'too-large'
  return readDistinctId(draft)
}

/** Those with a column of their own come on top of the others that are kept. */
const mostNames = maxProperties + 200

/** The very same event where there is nothing to leave out, as nearly always. */
function limitProperties(event: IncomingEvent): IncomingEvent {
  const { properties, person, group } = event
  const parts = [properties, person.set, person.setOnce, group?.set ?? {}]
  if (!parts.some(hasTooMany)) return event
  return {
    ...event,
    properties: firstOf(properties),
    person: { ...person, set: firstOf(person.set), setOnce: firstOf(person.setOnce) },
    group: group && { ...group, set: firstOf(group.set) },
  }
}

function hasTooMany(properties: Properties): boolean {
  let names = 0
  for (const _ in properties) if (++names > mostNames) return true
  return false
}

const firstOf = (properties: Properties): Properties =>
  hasTooMany(properties) ? Object.fromEntries(Object.entries(properties).slice(0, mostNames)) : properties

function readDistinctId(draft: PipelineDraft): DropReason | undefined {
  const { distinctId, properties } = draft.event
  draft.isCookieless =
    distinctId === undefined || distinctId === cookieless || properties['$cookieless_mode'] === true
  if (draft.isCookieless) return undefined
  draft.distinctId = truncate((distinctId ?? '').trim(), longestDistinctId)
  return draft.distinctId === '' ? 'no-distinct-id' : undefined
}

/** Characters are counted first: only where they leave a doubt are the bytes worth counting, too. */
function isTooLarge({ properties, person, group }: IncomingEvent): boolean {
  const parts = [properties, person.set, person.setOnce, group?.set ?? {}]
  const weight = parts.reduce((sum, part) => sum + approximateSize(part, mostBytes), 0)
  if (weight * 3 <= mostBytes) return false
  return weight > mostBytes || Buffer.byteLength(JSON.stringify(parts)) > mostBytes
}
