import type { IdentityClaim, IncomingEvent, Json, PersonChanges, Properties } from '#events/event'
import { isProperties } from '../decode-body'
import { groupsOf, idOf, propertiesOf } from '../internal/read-identity'
import { parseTime } from './time'

/** The value that browsers send for visitors without an id. */
export const cookieless = '$posthog_cookieless'

/** SDKs that run on servers and send events on behalf of visitors elsewhere. */
const serverLibraries = new Set([
  'posthog-node',
  'posthog-edge',
  'posthog-python',
  'posthog-ruby',
  'posthog-php',
  'posthog-go',
  'posthog-java',
  'posthog-server',
  'posthog-dotnet',
  'posthog-elixir',
  'posthog-rs',
])

/** Parses an event of any PostHog SDK. Other input becomes an event without a name, which is dropped and counted. */
export function incomingEvent(input: Json): IncomingEvent {
  const event = isProperties(input) ? input : {}
  const properties = propertiesOf(event['properties'])
  const distinctId = distinctIdOf(event, properties)
  const name = idOf(event['event'])
  const group = name === '$groupidentify' ? groupOf(properties) : undefined
  return {
    uuid: typeof event['uuid'] === 'string' ? event['uuid'] : undefined,
    name,
    distinctId: distinctId === cookieless ? undefined : distinctId,
    timestamp: parseTime(event['timestamp']),
    ageMs: numberOf(event['offset']),
    properties,
    fromServer: isFromServer(properties),
    // servers send events that concern only a group with the distinct id "$company_acme"
    hasPerson:
      properties['$process_person_profile'] !== false &&
      !(group && distinctId === `$${group.type}_${group.key}`),
    person: changesOf(event, properties),
    identity: identityOf(name, distinctId, properties),
    groups: groupsOf(properties['$groups']),
    group,
  }
}

/** Returns undefined for a hand-written event: for those, the user agent shows whether a visitor's browser sent it. */
function isFromServer(properties: Properties): boolean | undefined {
  if (properties['$is_server'] === true) return true
  const library = idOf(properties['$lib'])
  return library === '' ? undefined : serverLibraries.has(library)
}

/** Browsers send the id among the properties, servers outside them; the oldest SDKs call it `$distinct_id`. */
function distinctIdOf(event: Properties, properties: Properties): string {
  return idOf(event['distinct_id']) || idOf(properties['distinct_id']) || idOf(event['$distinct_id'])
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

const changeNames = ['$set', '$set_once', '$unset', '$add'] as const
const none = Object.freeze({})
const noChanges: PersonChanges = Object.freeze({ set: none, setOnce: none, unset: [], add: none })

/** SDKs send person changes outside the properties, among them, or both; those outside take precedence. */
function changesOf(event: Properties, properties: Properties): PersonChanges {
  const isUnchanged = changeNames.every((name) => event[name] === undefined && properties[name] === undefined)
  if (isUnchanged) return noChanges
  return {
    set: merged(properties['$set'], event['$set']),
    setOnce: merged(properties['$set_once'], event['$set_once']),
    unset: [...namesOf(properties['$unset']), ...namesOf(event['$unset'])],
    add: { ...amountsOf(properties['$add']), ...amountsOf(event['$add']) },
  }
}

/** Spreading, unlike assigning, treats `__proto__` as an ordinary name. */
const merged = (among: Json | undefined, beside: Json | undefined): Properties => ({
  ...propertiesOf(among),
  ...propertiesOf(beside),
})

function namesOf(value: Json | undefined): string[] {
  if (isProperties(value)) return Object.keys(value)
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
}

function amountsOf(value: Json | undefined): Record<string, number> {
  const amounts = Object.entries(propertiesOf(value)).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  )
  return Object.fromEntries(amounts)
}

/** Ignores claims that an id is itself, and claims without an id. */
function identityOf(name: string, distinctId: string, properties: Properties): IdentityClaim | undefined {
  const claim = Object.hasOwn(claims, name) ? claims[name] : undefined
  const other = claim ? idOf(properties[claim.property]) : ''
  return claim && other !== '' && other !== distinctId ? claim.claim(other) : undefined
}

/** The events that link ids: the property with the other id, and the kind of link. */
const claims: Readonly<
  Record<string, { property: string; claim: (other: string) => IdentityClaim } | undefined>
> = {
  $identify: { property: '$anon_distinct_id', claim: (anonymous) => ({ kind: 'identify', anonymous }) },
  $create_alias: { property: 'alias', claim: (alias) => ({ kind: 'alias', alias }) },
  $merge_dangerously: { property: 'alias', claim: (other) => ({ kind: 'merge', other }) },
}

function groupOf(properties: Properties): IncomingEvent['group'] {
  const type = idOf(properties['$group_type'])
  const key = idOf(properties['$group_key'])
  return type === '' || key === '' ? undefined : { type, key, set: propertiesOf(properties['$group_set']) }
}
