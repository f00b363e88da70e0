import type { IncomingEvent, Json, Properties } from '#events/event'
import { isUuid, uuidFrom } from '#ingest/uuid'
import { isProperties } from '../decode-body'
import { parseTime } from '../posthog/time'
import { idOf } from '../internal/read-identity'
import { numberField, propertiesField, textField, withoutUndefined } from '../read-fields'
import { sessionIdOf } from '../session-id'
import { noPersonChanges, trackerEvent } from '../internal/tracker-events'
import { onlyAttribution, userChanges } from './user-properties'

/** Amplitude's names of what it captures by itself, and Tilth's. */
const standardNames: Readonly<Record<string, string>> = {
  '[Amplitude] Page Viewed': '$pageview',
  '[Amplitude] File Downloaded': '$file_download',
  '[Amplitude] Form Submitted': '$form_submit',
}

/** Converts an event. Other input becomes an event without a name, which is dropped and counted. */
export function amplitudeEvent(input: Json): IncomingEvent {
  const event = isProperties(input) ? input : {}
  const type = textField(event, 'event_type') ?? ''
  const [userId, deviceId] = [idOf(event['user_id']), idOf(event['device_id'])]
  const device = deviceId || userId
  const groups = groupsIn(event)
  const group = type === '$groupidentify' ? groupIn(event, groups) : undefined
  return trackerEvent({
    uuid: uuidIn(event, device),
    name: Object.hasOwn(standardNames, type) ? (standardNames[type] ?? type) : type,
    timestamp: parseTime(event['time']),
    properties: { ...pageAndRest(event), ...detailsIn(event, device) },
    ...visitorOf(event, userId || deviceId, group),
    identity: identityOf(userId, deviceId),
    groups,
    group,
  })
}

type Visitor = Pick<IncomingEvent, 'distinctId' | 'hasPerson' | 'person'>

/** An update of a group may name no visitor. */
function visitorOf(event: Properties, id: string, group: IncomingEvent['group']): Visitor {
  if (id === '')
    return {
      distinctId: group ? `$${group.type}_${group.key}` : '',
      hasPerson: false,
      person: noPersonChanges,
    }
  const person = userChanges(event['user_properties'])
  return { distinctId: id, hasPerson: idOf(event['user_id']) !== '' || !onlyAttribution(person), person }
}

const identityOf = (userId: string, deviceId: string): IncomingEvent['identity'] =>
  userId === '' || deviceId === '' || userId === deviceId
    ? undefined
    : { kind: 'identify', anonymous: deviceId }

/** Amplitude recognises what is sent again by this id, for each device. */
function uuidIn(event: Properties, sender: string): string | undefined {
  const id = textField(event, 'insert_id')
  if (id === undefined) return undefined
  return isUuid(id) ? id : uuidFrom(`amplitude ${sender} ${id}`)
}

/** A visitor may be in several groups of one type; the first counts. */
function groupsIn(event: Properties): Readonly<Record<string, string>> {
  const entries = Object.entries(propertiesField(event, 'groups')).map(
    ([type, keys]) => [type, idOf(Array.isArray(keys) ? keys[0] : keys)] as const,
  )
  return Object.fromEntries(entries.filter(([type, key]) => type !== '' && key !== ''))
}

function groupIn(event: Properties, groups: Readonly<Record<string, string>>): IncomingEvent['group'] {
  const [named] = Object.entries(groups)
  if (!named) return undefined
  const { set, setOnce } = userChanges(event['group_properties'])
  return { type: named[0], key: named[1], set: { ...setOnce, ...set } }
}

/** Parts of an address that is stored whole, and random ids. */
const redundant = new Set([
  '[Amplitude] Page Location',
  '[Amplitude] Page Title',
  '[Amplitude] Page URL',
  '[Amplitude] Page Domain',
  '[Amplitude] Page Path',
  '[Amplitude] Page View ID',
])

function pageAndRest(event: Properties): Properties {
  const properties = propertiesField(event, 'event_properties')
  const rest = Object.entries(properties).filter(([name]) => !redundant.has(name))
  return {
    ...Object.fromEntries(rest),
    ...withoutUndefined({
      $current_url: textField(properties, '[Amplitude] Page Location', '[Amplitude] Page URL'),
      $referrer: textField(properties, 'referrer'),
      title: textField(properties, '[Amplitude] Page Title'),
      $revenue: revenueIn(event, properties),
      $currency: textField(properties, '$currency') ?? textField(event, 'currency'),
    }),
  }
}

function revenueIn(event: Properties, properties: Properties): number | undefined {
  const total = numberField(event, 'revenue') ?? numberField(properties, '$revenue')
  const price = numberField(event, 'price') ?? numberField(properties, '$price')
  const quantity = numberField(event, 'quantity') ?? numberField(properties, '$quantity') ?? 1
  return total ?? (price === undefined ? undefined : price * quantity)
}

/** `$remote` asks the server to take the address of the request. */
function detailsIn(event: Properties, visitor: string): Properties {
  const [library, version] = (textField(event, 'library') ?? 'amplitude').split('/', 2)
  const ip = textField(event, 'ip')
  return withoutUndefined({
    $session_id: sessionIdOf(numberField(event, 'session_id'), visitor),
    $ip: ip === '$remote' ? undefined : ip,
    $raw_user_agent: textField(event, 'user_agent'),
    $browser_language: textField(event, 'language'),
    $os: textField(event, 'os_name'),
    $os_version: textField(event, 'os_version'),
    $device_manufacturer: textField(event, 'device_manufacturer'),
    $device_model: textField(event, 'device_model'),
    $app_version: textField(event, 'app_version'),
    platform: textField(event, 'platform'),
    $lib: library,
    $lib_version: version,
  })
}
