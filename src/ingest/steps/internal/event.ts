import type { DropReason, IncomingEvent, Properties } from '#events/event'
import type { CapturedKind } from '../../captured-kinds'
import { maxProperties } from './properties'
import { truncate, type IngestStep, type PipelineDraft } from './step'
import { sanitizeEvent, approximateSize } from './sanitize'

/** A larger event is dropped; the limit is documented for SDKs. */
const mostBytes = 1024 * 1024
const longestName = 200
const longestDistinctId = 200

/** The value that PostHog's SDKs send for visitors without an id. */
const cookieless = '$posthog_cookieless'

/** Events that dialects send for statistics only; they are counted and not stored. */
const uncollectedEvents: ReadonlyMap<string, DropReason> = new Map([
  ['$snapshot', 'replay'],
  ['$snapshot_items', 'replay'],
  ['$$heatmap', 'not-collected'],
  ['$otel_log', 'not-collected'],
  ['$otel_metric', 'not-collected'],
  ['$otel_span', 'not-collected'],
])

/** Events that PostHog's SDK decides about where it is initialised: only here can the project's choice hold for them. */
const capturedEvents: ReadonlyMap<string, CapturedKind> = new Map([
  ['$rageclick', 'rage-clicks'],
  ['$pageleave', 'page-leaves'],
])

/**
 * Sanitises texts before any step reads them, then drops events without a name or above the size limit. Properties that
 * are not stored do not count towards the size.
 */
export const refuseNonEvents: IngestStep = (draft, { rules }) => {
  draft.event = sanitizeEvent(limitProperties(draft.event))
  const name = truncate(draft.event.name.trim(), longestName)
  draft.event.name = name
  if (name === '') return 'no-name'
  const uncollectedReason = uncollectedEvents.get(name)
  if (uncollectedReason) return uncollectedReason
  const captured = capturedEvents.get(name)
  if (captured && !rules.captures(captured)) return 'not-captured'
  if (isTooLarge(draft.event)) return 'too-large'
  return readDistinctId(draft)
}

/** Properties with a column of their own are allowed on top of the stored ones. */
const mostNames = maxProperties + 200

/** Returns the same object if there is nothing to remove, which is the usual case. */
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

/** Counts characters first, of all properties; counts without some of them, and bytes, only where that leaves a doubt. */
function isTooLarge({ properties, person, group }: IncomingEvent): boolean {
  const { lists = [] } = person
  const changes = [person.set, person.setOnce, group?.set ?? {}, { lists: lists.map(({ item }) => item) }]
  if (sizeOf([properties, ...changes]) * 3 <= mostBytes) return false
  // SDKs send changes of persons and groups among the properties as well; they are not stored there
  const { $set: _set, $set_once: _setOnce, $group_set: _groupSet, ...ofEvent } = properties
  const parts = [ofEvent, ...changes]
  const size = sizeOf(parts)
  if (size * 3 <= mostBytes) return false
  return size > mostBytes || Buffer.byteLength(JSON.stringify(parts)) > mostBytes
}

const sizeOf = (parts: readonly Properties[]): number =>
  parts.reduce((sum, part) => sum + approximateSize(part, mostBytes), 0)
