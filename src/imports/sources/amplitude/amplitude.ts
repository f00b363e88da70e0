import type { Json, Properties } from '#events/event'
import { isUuid } from '#ingest/uuid'
import { amplitudeEvent } from '#wire/amplitude/events'
import { parseTime } from '#wire/posthog/time'
import { textField, withoutUndefined } from '#wire/read-fields'
import { browserName, countryCode, deviceName, languageCode, systemOf } from '../internal/names'
import { type ImportSource, keptEvent, leftOut, reasons } from '../internal/source'

/** Amplitude's export: a zip archive of gzip files with JSON lines. Each event repeats what the user's properties were. */
export const amplitude: ImportSource = {
  label: 'Amplitude',
  files: 'the export (/api/2/export), the zip archive as it is',
  columns: 'event_type, event_time and user_id or device_id',
  eventOf(row) {
    if (textField(row, 'event_type') === undefined) return leftOut(reasons.unknownForm)
    const at = parseTime(row['event_time'] ?? row['client_event_time'])
    if (!at) return leftOut(reasons.noTime)
    // the place of an event is kept, and the address is not looked up again
    const { ip_address: _, $insert_id, amplitude_id: __, ...rest } = row
    const event = amplitudeEvent({ ...rest, insert_id: $insert_id ?? null, time: at.getTime() })
    const { distinctId = '', uuid = textField(row, 'uuid') } = event
    if (distinctId === '') return leftOut(reasons.noVisitor)
    return keptEvent(
      { ...event, distinctId, properties: { ...event.properties, ...detailsOf(row) } },
      { at, uuid: uuid !== undefined && isUuid(uuid) ? uuid : undefined, of: { source: 'amplitude', row } },
    )
  },
}

const detailsOf = (row: Properties): Properties =>
  withoutUndefined({
    ...(textField(row, 'platform') === 'Web' && browserOf(row)),
    $browser_language: languageCode(textField(row, 'language')),
    $geoip_country_code: countryCode(textField(row, 'country')),
    $geoip_subdivision_1_name: textField(row, 'region'),
    $geoip_city_name: textField(row, 'city'),
    $app_version: textField(row, 'version_name'),
    $device_type: deviceName(textField(row, 'device_type')),
  })

/** Of a page, Amplitude names the browser where it names the system of an app, and the system as the device. */
const browserOf = (row: Properties): Record<string, Json | undefined> => ({
  $browser: browserName(textField(row, 'os_name')),
  $browser_version: textField(row, 'os_version'),
  $os_version: undefined,
  ...systemOf(textField(row, 'device_family')),
})
