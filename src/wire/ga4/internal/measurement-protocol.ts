import type { IncomingEvent, Json, Properties } from '#events/event'
import { isProperties } from '../../decode-body'
import { idOf } from '../../internal/read-identity'
import { dateOfMs, numberField, propertiesField, textField, withoutUndefined } from '../../read-fields'
import { ga4Event, personChanges } from '../events'

/** Converts the events of a request's body; what is none becomes an event without a name, which is dropped and counted. */
export function protocolEvents(body: Properties): readonly IncomingEvent[] {
  const events = Array.isArray(body['events']) ? body['events'] : []
  return events.map((event) => protocolEvent(isProperties(event) ? event : {}, body))
}

function protocolEvent(event: Properties, body: Properties): IncomingEvent {
  const [clientId, userId] = [idOf(body['client_id']) || idOf(body['app_instance_id']), idOf(body['user_id'])]
  return ga4Event({
    name: textField(event, 'name') ?? '',
    clientId: clientId === '' ? undefined : clientId,
    userId: userId === '' ? undefined : userId,
    timestamp: timeIn(event) ?? timeIn(body),
    person: personChanges(userProperties(body)),
    params: { ...deviceIn(body), ...propertiesField(event, 'params') },
  })
}

const timeIn = (fields: Properties): Date | undefined => {
  const micros = numberField(fields, 'timestamp_micros')
  return micros === undefined ? undefined : dateOfMs(micros / 1000)
}

function userProperties(body: Properties): [string, Json][] {
  return Object.entries(propertiesField(body, 'user_properties')).map(([name, property]) => [
    name,
    isProperties(property) ? (property['value'] ?? null) : property,
  ])
}

/** Reads the device of the visitor, as the sending server knows it. */
function deviceIn(body: Properties): Properties {
  const device = propertiesField(body, 'device')
  return withoutUndefined({
    $ip: textField(body, 'ip_override'),
    $raw_user_agent: textField(body, 'user_agent'),
    $os: textField(device, 'operating_system'),
    $os_version: textField(device, 'operating_system_version'),
    $device_manufacturer: textField(device, 'brand'),
    $device_model: textField(device, 'model'),
    $browser: textField(device, 'browser'),
    $browser_version: textField(device, 'browser_version'),
    $screen: textField(device, 'screen_resolution'),
    $browser_language: textField(device, 'language'),
  })
}
