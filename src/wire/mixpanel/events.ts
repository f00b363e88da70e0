import type { IncomingEvent, Json, Properties } from '#events/event'
import { isProperties } from '../decode-body'
import { parseTime } from '../posthog/time'
import { idOf } from '../internal/read-identity'
import { propertiesField, textField, withoutUndefined } from '../read-fields'
import { trackerEvent } from '../internal/tracker-events'
import { uuidFrom } from '#ingest/uuid'

/** Mixpanel's names of what it captures by itself, and Tilth's. */
const standardNames: Readonly<Record<string, string>> = {
  $mp_web_page_view: '$pageview',
  $mp_page_leave: '$pageleave',
  $mp_rage_click: '$rageclick',
  $mp_dead_click: '$dead_click',
}

/** The prefix of a device's id where it stands for a visitor. */
const devicePrefix = '$device:'

/** Fields that Mixpanel adds to what it exports. */
const exportedFields = [
  'mp_processing_time_ms',
  '$mp_api_endpoint',
  '$mp_api_timestamp_ms',
  '$mp_event_size',
  '$import',
  '$distinct_id_before_identity',
  '$identity_failure_reason',
] as const

/** Parts of an address that is sent whole, and fields about the delivery. */
const redundant = new Set<string>([
  'token',
  'distinct_id',
  'time',
  '$insert_id',
  '$user_id',
  'mp_lib',
  'mp_sent_by_lib_version',
  '$mp_autocapture',
  'current_page_title',
  'current_domain',
  'current_url_path',
  'current_url_protocol',
  'current_url_search',
  '$anon_distinct_id',
  '$identified_id',
  'ip',
  ...exportedFields,
])

/** Converts an event. Other input becomes an event without a name, which is dropped and counted. */
export function mixpanelEvent(input: Json): IncomingEvent {
  const event = isProperties(input) ? input : {}
  const properties = propertiesField(event, 'properties')
  const name = textField(event, 'event') ?? ''
  const { distinctId, isAnonymous } = visitorIn(properties)
  const insertId = textField(properties, '$insert_id')
  return trackerEvent({
    name: Object.hasOwn(standardNames, name) ? (standardNames[name] ?? name) : name,
    uuid: insertId === undefined ? undefined : uuidFrom(`mixpanel ${distinctId} ${name} ${insertId}`),
    distinctId,
    timestamp: parseTime(properties['time']),
    hasPerson: !isAnonymous,
    properties: { ...ownProperties(properties), ...detailsIn(properties) },
    identity: identityIn(name, distinctId, properties),
  })
}

/** A server may send the ids of user and device only. */
function visitorIn(properties: Properties): { distinctId: string; isAnonymous: boolean } {
  const [userId, deviceId] = [idOf(properties['$user_id']), idOf(properties['$device_id'])]
  const distinctId =
    idOf(properties['distinct_id']) || userId || (deviceId === '' ? '' : devicePrefix + deviceId)
  const isAnonymous =
    userId === '' && distinctId !== '' && (distinctId.startsWith(devicePrefix) || distinctId === deviceId)
  return { distinctId, isAnonymous }
}

function identityIn(name: string, distinctId: string, properties: Properties): IncomingEvent['identity'] {
  if (name === '$create_alias') {
    const alias = idOf(properties['alias'])
    return alias === '' || alias === distinctId ? undefined : { kind: 'alias', alias }
  }
  if (name === '$merge') return mergeIn(distinctId, properties)
  const anonymous = idOf(properties['$anon_distinct_id']) || deviceOfUser(properties)
  return anonymous === '' || anonymous === distinctId ? undefined : { kind: 'identify', anonymous }
}

/** Merges two ids: the second in the list, if the first is the event’s. */
function mergeIn(distinctId: string, properties: Properties): IncomingEvent['identity'] {
  const ids = properties['$distinct_ids']
  const other = Array.isArray(ids) ? ids.map(idOf).find((id) => id !== '' && id !== distinctId) : undefined
  return other === undefined ? undefined : { kind: 'merge', other }
}

/** An event that names user and device joins the two. */
function deviceOfUser(properties: Properties): string {
  const deviceId = idOf(properties['$device_id'])
  return idOf(properties['$user_id']) === '' || deviceId === '' ? '' : devicePrefix + deviceId
}

const ownProperties = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !redundant.has(name)))

function detailsIn(properties: Properties): Properties {
  const library = textField(properties, 'mp_lib')
  return withoutUndefined({
    title: textField(properties, 'current_page_title'),
    $ip: textField(properties, 'ip', '$ip'),
    $lib: library === undefined ? 'mixpanel' : `mixpanel-${library}`,
  })
}
