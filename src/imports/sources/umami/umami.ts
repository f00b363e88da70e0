import type { Properties } from '#events/event'
import { isUuid, uuidFrom } from '#ingest/uuid'
import { parseTime } from '#wire/posthog/time'
import { numberField, textField, withoutUndefined } from '#wire/read-fields'
import { browserName, countryCode, deviceName, systemOf } from '../internal/names'
import {
  type FindDetails,
  type ImportSource,
  keptEvent,
  leftOut,
  reasons,
  visitorEvent,
} from '../internal/source'

/**
 * Umami's tables, and the rows of its download, which joins sessions to events. Properties of events are rows of another
 * table. A session is a visitor for a month, and a visit is a session here.
 */
export const umami: ImportSource = {
  label: 'Umami',
  files:
    'the download, or the tables website_event, session, event_data and session_data, as CSV or JSON lines',
  detailOf(row) {
    if (row['data_key'] !== undefined) {
      const key = textField(row, 'website_event_id', 'event_id')
      if (key !== undefined) return { kind: 'event data', key, row }
      return { kind: 'session data', key: textField(row, 'session_id') ?? '', row }
    }
    const isSession = row['event_type'] === undefined && row['url_path'] === undefined
    const session = textField(row, 'session_id')
    return isSession && session !== undefined ? { kind: 'session', key: session, row } : undefined
  },
  eventOf(row, details) {
    const sessionId = textField(row, 'session_id')
    if (textField(row, 'event_type') === undefined) return leftOut(reasons.unknownForm)
    const at = parseTime(row['created_at'])
    if (!at) return leftOut(reasons.noTime)
    if (sessionId === undefined) return leftOut(reasons.noVisitor)
    const name = nameOf(row)
    if (name === undefined) return leftOut('of a kind that is not imported, such as a link or a pixel')
    const fields = { ...details('session', sessionId)[0], ...withoutEmptyTexts(row) }
    const userId = textField(fields, 'distinct_id')
    const event = visitorEvent({
      name,
      distinctId: userId ?? sessionId,
      hasPerson: userId !== undefined,
      ...(userId !== undefined && { identity: { kind: 'identify', anonymous: sessionId } }),
      properties: { ...dataOf(row, details), ...pageOf(fields), ...deviceOf(fields), ...visitOf(fields) },
    })
    const set = userId === undefined ? {} : valuesIn(details('session data', sessionId))
    const person = { ...event.person, set }
    return keptEvent({ ...event, person }, { at, uuid: uuidOf(row), of: { source: 'umami', row } })
  },
}

/** Returns the name of the two kinds of events that Umami's own reports count. */
function nameOf(row: Properties): string | undefined {
  const kind = textField(row, 'event_type')
  if (kind === '1') return '$pageview'
  return kind === '2' ? (textField(row, 'event_name') ?? '') : undefined
}

function uuidOf(row: Properties): string | undefined {
  const id = textField(row, 'event_id')
  return id !== undefined && isUuid(id) ? id.toLowerCase() : undefined
}

/** A column that is empty in the event says nothing against the session's. */
const withoutEmptyTexts = (row: Properties): Properties =>
  Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== '' && value !== '\\N' && value !== null),
  )

function dataOf(row: Properties, details: FindDetails): Properties {
  const id = textField(row, 'event_id')
  const data = id === undefined ? {} : valuesIn(details('event data', id))
  return { ...data, ...withoutUndefined({ $revenue: data['revenue'], $currency: data['currency'] }) }
}

const numberType = '2'

const valuesIn = (rows: readonly Properties[]): Properties =>
  Object.fromEntries(
    rows.flatMap((row) => {
      const name = textField(row, 'data_key')
      const number = textField(row, 'data_type') === numberType ? numberField(row, 'number_value') : undefined
      const value = number ?? textField(row, 'string_value', 'date_value', 'number_value')
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    }),
  )

function pageOf(row: Properties): Properties {
  const host = textField(row, 'hostname')
  const path = textField(row, 'url_path')
  const query = queryOf(textField(row, 'url_query'))
  const referrer = textField(row, 'referrer_domain')
  return withoutUndefined({
    $current_url: host === undefined || path === undefined ? undefined : `https://${host}${path}${query}`,
    $pathname: host === undefined ? path : undefined,
    $referrer:
      referrer === undefined
        ? undefined
        : `https://${referrer}${textField(row, 'referrer_path') ?? ''}${queryOf(textField(row, 'referrer_query'))}`,
    title: textField(row, 'page_title'),
    tag: textField(row, 'tag'),
    ...Object.fromEntries(carried.map((name) => [name, textField(row, name)])),
  })
}

const carried =
  'utm_source utm_medium utm_campaign utm_content utm_term gclid fbclid msclkid ttclid twclid li_fat_id'.split(
    ' ',
  )

const queryOf = (query = ''): string => (query === '' || query.startsWith('?') ? query : `?${query}`)

const deviceOf = (row: Properties): Properties =>
  withoutUndefined({
    $browser: browserName(textField(row, 'browser')),
    ...systemOf(textField(row, 'os')),
    $device_type: deviceName(textField(row, 'device')),
    $screen: textField(row, 'screen'),
    $browser_language: textField(row, 'language'),
    $geoip_country_code: countryCode(textField(row, 'country')),
    $geoip_subdivision_1_name: textField(row, 'region', 'subdivision1'),
    $geoip_city_name: textField(row, 'city'),
    $lib: 'umami',
  })

const visitOf = (row: Properties): Properties => {
  const visit = textField(row, 'visit_id')
  return visit === undefined ? {} : { $session_id: isUuid(visit) ? visit : uuidFrom(`umami visit ${visit}`) }
}
