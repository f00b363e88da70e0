import type { Properties } from '#events/event'
import { isUuid, uuidFrom } from '#ingest/uuid'
import { parseTime } from '#wire/posthog/time'
import { numberField, textField, withoutUndefined } from '#wire/read-fields'
import { browserName, countryCode, deviceName, systemOf } from '../internal/names'
import { type ImportSource, keptEvent, leftOut, reasons, visitorEvent } from '../internal/source'

/** Simple Analytics' data points. Without the field session_id, each one is a visitor of its own. */
export const simpleAnalytics: ImportSource = {
  label: 'Simple Analytics',
  files: 'the export of data points or events, CSV or JSON, with at least added_iso, uuid and session_id',
  eventOf(row) {
    const at = parseTime(row['added_iso'])
    const uuid = textField(row, 'uuid')
    if (row['added_iso'] === undefined) return leftOut(reasons.unknownForm)
    if (!at) return leftOut(reasons.noTime)
    if (row['is_robot'] === true || ['true', '1'].includes(textField(row, 'is_robot') ?? ''))
      return leftOut(reasons.robot)
    const session = textField(row, 'session_id')
    const distinctId = session ?? uuid
    if (distinctId === undefined) return leftOut(reasons.noVisitor)
    const event = visitorEvent({
      name: nameOf(row),
      distinctId,
      properties: {
        ...pageOf(row),
        ...deviceOf(row),
        $session_id: uuidFrom(`simple analytics session ${distinctId}`),
      },
    })
    const own = uuid !== undefined && isUuid(uuid) ? uuid : undefined
    return keptEvent(event, { at, uuid: own, of: { source: 'simple-analytics', row } })
  },
}

function nameOf(row: Properties): string {
  const name = textField(row, 'event', 'datapoint')
  return name === undefined || name === 'pageview' ? '$pageview' : name
}

function pageOf(row: Properties): Properties {
  const [host, path = '/'] = [textField(row, 'hostname'), textField(row, 'path')]
  const query = textField(row, 'query')
  const seconds = numberField(row, 'duration_seconds')
  return withoutUndefined({
    $current_url:
      host === undefined ? undefined : `https://${host}${path}${query === undefined ? '' : `?${query}`}`,
    $pathname: host === undefined ? path : undefined,
    $referrer: withScheme(textField(row, 'document_referrer')),
    $engaged_ms: seconds === undefined ? undefined : seconds * 1000,
    $scroll_depth: numberField(row, 'scrolled_percentage'),
    ...Object.fromEntries(
      ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'].map((name) => [
        name,
        textField(row, name),
      ]),
    ),
  })
}

const withScheme = (address: string | undefined) =>
  address === undefined || address.includes('://') ? address : `https://${address}`

const deviceOf = (row: Properties): Properties =>
  withoutUndefined({
    $browser: browserName(textField(row, 'browser_name')),
    $browser_version: textField(row, 'browser_version'),
    ...systemOf(textField(row, 'os_name')),
    $os_version: textField(row, 'os_version'),
    $device_type: deviceName(textField(row, 'device_type')),
    $screen_width: numberField(row, 'screen_width'),
    $screen_height: numberField(row, 'screen_height'),
    $browser_language: textField(row, 'lang_language'),
    $geoip_country_code: countryCode(textField(row, 'country_code')),
    $lib: 'simple-analytics',
  })
