import type { Json, Properties } from '#events/event'
import { isUuid, uuidFrom } from '#ingest/uuid'
import { parseJson } from '#wire/decode-body'
import { parseTime } from '#wire/posthog/time'
import { numberField, textField, withoutUndefined } from '#wire/read-fields'
import { umamiEvent } from '#wire/umami/events'
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
  columns: 'session_id, event_type, created_at and url_path',
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
    const type = sentTypes.get(textField(row, 'event_type') ?? '')
    if (type === undefined) return leftOut('of a kind that is not imported, such as a link or a pixel')
    const fields = { ...details('session', sessionId)[0], ...withoutEmptyTexts(row) }
    if (isNamed(fields) && textField(fields, 'event_name') === undefined) return leftOut(reasons.noName)
    const userId = textField(fields, 'distinct_id')
    const sent = umamiEvent({ type }, { ...payloadOf(fields), data: dataOf(row, details) })
    const event = visitorEvent({
      name: sent.name,
      distinctId: userId ?? sessionId,
      hasPerson: userId !== undefined,
      ...(userId !== undefined && { identity: { kind: 'identify', anonymous: sessionId } }),
      properties: { ...sent.properties, ...campaignOf(fields), ...deviceOf(fields), ...visitOf(fields) },
    })
    const set = userId === undefined ? {} : valuesIn(details('session data', sessionId))
    const person = { ...event.person, set }
    return keptEvent({ ...event, person }, { at, uuid: uuidOf(row), of: { source: 'umami', row } })
  },
}

/** The types of the tracker's messages, by the kinds of events that Umami's own reports count. */
const sentTypes: ReadonlyMap<string, string> = new Map([
  ['1', 'event'],
  ['2', 'event'],
  ['5', 'performance'],
])

const isNamed = (row: Properties): boolean => textField(row, 'event_type') === '2'

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
  return id === undefined ? {} : nested(Object.entries(valuesIn(details('event data', id))))
}

/** Readers of values by Umami's numbers of their types; its strings and dates are texts. */
const valueReaders = new Map<string, (row: Properties) => Json | undefined>([
  ['2', (row) => numberField(row, 'number_value')],
  ['3', (row) => booleans.get(textField(row, 'string_value') ?? '')],
  ['5', listIn],
])

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

function listIn(row: Properties): Json | undefined {
  const list = parseJson(textField(row, 'string_value') ?? '')
  return list.read && Array.isArray(list.what) ? list.what : undefined
}

const valuesIn = (rows: readonly Properties[]): Properties =>
  Object.fromEntries(
    rows.flatMap((row) => {
      const name = textField(row, 'data_key')
      const value =
        valueReaders.get(textField(row, 'data_type') ?? '')?.(row) ??
        textField(row, 'string_value', 'date_value', 'number_value')
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    }),
  )

/** The limit of levels of an object, so that a name of many dots does no harm. */
const mostLevels = 10

/** Puts objects together, of which Umami stores `{a: {b: 1}}` as `a.b`. */
function nested(flat: readonly (readonly [name: string, value: Json])[], levels = mostLevels): Properties {
  const byFirst = Map.groupBy(flat, ([name]) => name.split('.', 1)[0] ?? '')
  const entries = [...byFirst].flatMap(([first, inside]): (readonly [string, Json])[] => {
    if (levels === 0 || inside.some(([name]) => name === first)) return inside
    const rest = inside.map(([name, value]) => [name.slice(first.length + 1), value] as const)
    return [[first, nested(rest, levels - 1)]]
  })
  return Object.fromEntries(entries)
}

/** The message that the tracker had sent; the dialect gives its values names. */
function payloadOf(row: Properties): Properties {
  const referrer = textField(row, 'referrer_domain')
  const path = textField(row, 'url_path')
  return withoutUndefined({
    name: isNamed(row) ? textField(row, 'event_name') : undefined,
    hostname: textField(row, 'hostname'),
    url: path === undefined ? undefined : path + queryOf(textField(row, 'url_query')),
    referrer:
      referrer === undefined
        ? undefined
        : `https://${referrer}${textField(row, 'referrer_path') ?? ''}${queryOf(textField(row, 'referrer_query'))}`,
    title: textField(row, 'page_title'),
    tag: textField(row, 'tag'),
    screen: textField(row, 'screen'),
    language: textField(row, 'language'),
    ...Object.fromEntries(vitals.map((metric) => [metric, numberField(row, metric)])),
  })
}

const vitals = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const

const campaignOf = (row: Properties): Properties =>
  withoutUndefined(Object.fromEntries(carried.map((name) => [name, textField(row, name)])))

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
    $geoip_country_code: countryCode(textField(row, 'country')),
    $geoip_subdivision_1_name: textField(row, 'region', 'subdivision1'),
    $geoip_city_name: textField(row, 'city'),
  })

const visitOf = (row: Properties): Properties => {
  const visit = textField(row, 'visit_id')
  return visit === undefined ? {} : { $session_id: isUuid(visit) ? visit : uuidFrom(`umami visit ${visit}`) }
}
