import type { Json, Properties } from '#events/event'
import { isUuid, uuidFrom } from '#ingest/uuid'
import { parseTime } from '#wire/posthog/time'
import { simpleAnalyticsEvent } from '#wire/simple-analytics/events'
import { numberField, textField, withoutUndefined } from '#wire/read-fields'
import { browserName, countryCode, deviceName, systemOf } from '../internal/names'
import { type ImportSource, keptEvent, leftOut, reasons, visitorEvent } from '../internal/source'

/** Simple Analytics' data points. Without the field session_id, each one is a visitor of its own. */
export const simpleAnalytics: ImportSource = {
  label: 'Simple Analytics',
  files: 'the export of data points or events, CSV or JSON, with at least added_iso, uuid and session_id',
  columns: 'added_iso, uuid and session_id',
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
    const sent = simpleAnalyticsEvent(sentBy(row), { host: undefined, url: undefined })
    if (!sent) return leftOut(reasons.unknownForm)
    const event = visitorEvent({
      name: sent.name,
      distinctId,
      properties: {
        ...sent.properties,
        ...withoutUndefined({
          $pathname: textField(row, 'hostname') === undefined ? textField(row, 'path') : undefined,
        }),
        ...readingOf(row),
        ...campaignOf(row),
        ...deviceOf(row),
        $session_id: uuidFrom(`simple analytics session ${distinctId}`),
      },
    })
    const own = uuid !== undefined && isUuid(uuid) ? uuid : undefined
    return keptEvent(event, { at, uuid: own, of: { source: 'simple-analytics', row } })
  },
}

/** The fields that the script had sent; the dialect gives their values names. */
function sentBy(row: Properties): Properties {
  const name = textField(row, 'event', 'datapoint') ?? 'pageview'
  return withoutUndefined({
    ...(name === 'pageview' ? { type: 'pageview' } : { type: 'event', event: name }),
    hostname: textField(row, 'hostname'),
    path: textField(row, 'path') ?? '/',
    query: textField(row, 'query'),
    referrer: textField(row, 'document_referrer'),
    screen_width: textField(row, 'screen_width'),
    screen_height: textField(row, 'screen_height'),
    viewport_width: textField(row, 'viewport_width'),
    viewport_height: textField(row, 'viewport_height'),
    language: languageOf(row),
    metadata: metadataOf(row),
  })
}

function languageOf(row: Properties): string | undefined {
  const [language, region] = [textField(row, 'lang_language'), textField(row, 'lang_region')]
  return language !== undefined && region !== undefined ? `${language}-${region}` : language
}

/** Each value of the metadata is a column that ends in its type. */
const metadataColumn = /^metadata\.(.+)_(text|int|bool|date)$/

function metadataOf(row: Properties): Properties {
  const entries = Object.keys(row).flatMap((column) => {
    const [, name, type] = metadataColumn.exec(column) ?? []
    const value = valueIn(row, column, type)
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

function valueIn(row: Properties, column: string, type: string | undefined): Json | undefined {
  if (type === 'int') return numberField(row, column)
  const value = row[column]
  if (typeof value === 'boolean') return value
  const text = textField(row, column)
  return type === 'bool' && text !== undefined ? text === 'true' || text === '1' : text
}

/** A view's reading time, which the script sends as an event of its own. */
function readingOf(row: Properties): Properties {
  const seconds = numberField(row, 'duration_seconds')
  return withoutUndefined({
    $engaged_ms: seconds === undefined ? undefined : seconds * 1000,
    $scroll_depth: numberField(row, 'scrolled_percentage'),
  })
}

const campaignOf = (row: Properties): Properties =>
  withoutUndefined(
    Object.fromEntries(
      ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'].map((name) => [
        name,
        textField(row, name),
      ]),
    ),
  )

const deviceOf = (row: Properties): Properties =>
  withoutUndefined({
    $browser: browserName(textField(row, 'browser_name')),
    $browser_version: textField(row, 'browser_version'),
    ...systemOf(textField(row, 'os_name')),
    $os_version: textField(row, 'os_version'),
    $device_type: deviceName(textField(row, 'device_type')),
    $geoip_country_code: countryCode(textField(row, 'country_code')),
  })
