import type { Json, Properties } from '#events/event'
import { sessionIdOf } from '#wire/session-id'
import { numberField, propertiesField, textField, withoutUndefined } from '#wire/read-fields'
import { browserName, countryCode, deviceName, systemOf } from '../internal/names'
import { type ImportSource, keptEvent, leftOut, reasons, visitorEvent } from '../internal/source'

/** Google Analytics 4 in BigQuery: the tables `events_…` as JSON lines. Rows have no id, so their content is it. */
export const ga4: ImportSource = {
  label: 'Google Analytics 4',
  files: 'the tables events_… of the BigQuery export, as JSON lines (also with gzip)',
  eventOf(row) {
    const name = textField(row, 'event_name')
    if (name === undefined) return leftOut(reasons.unknownForm)
    const at = timeOf(row)
    if (!at) return leftOut(reasons.noTime)
    const [userId, deviceId] = [textField(row, 'user_id'), textField(row, 'user_pseudo_id')]
    const distinctId = userId ?? deviceId
    if (distinctId === undefined) return leftOut('without a visitor, who has refused consent')
    const parameters = parametersIn(row['event_params'])
    const event = visitorEvent({
      name: standardNames[name] ?? name,
      distinctId,
      hasPerson: userId !== undefined,
      ...(userId !== undefined &&
        deviceId !== undefined && { identity: { kind: 'identify', anonymous: deviceId } }),
      properties: {
        ...ownParameters(parameters),
        ...pageOf(parameters),
        ...campaignOf(row),
        ...deviceOf(row),
        ...revenueOf(row, parameters),
        ...withoutUndefined({
          $session_id: sessionIdOf(
            secondsToMs(numberField(parameters, 'ga_session_id')),
            deviceId ?? distinctId,
          ),
        }),
      },
    })
    const set = userId === undefined ? {} : parametersIn(row['user_properties'])
    const person = { ...event.person, set }
    return keptEvent({ ...event, person }, { at, of: { source: 'ga4', row: identityOf(row) } })
  },
}

const standardNames: Readonly<Record<string, string | undefined>> = {
  page_view: '$pageview',
  screen_view: '$screen',
}

const secondsToMs = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * 1000)

function timeOf(row: Properties): Date | undefined {
  const microseconds = Number(textField(row, 'event_timestamp') ?? Number.NaN)
  const date = new Date(Math.floor(microseconds / 1000))
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** Returns the columns that tell two events apart (the tables are written anew for three days, with other columns). */
const identityOf = (row: Properties): Properties =>
  Object.fromEntries(identifying.map((name) => [name, row[name] ?? null]))

const identifying = (
  'user_pseudo_id user_id event_timestamp event_name ' +
  'batch_event_index batch_ordering_id batch_page_id event_bundle_sequence_id'
).split(' ')

/** Values are in one of four fields, by their type; the same key may be a whole number once and a fraction then. */
function parametersIn(value: Json | undefined): Properties {
  const entries = (Array.isArray(value) ? value : []).flatMap((one) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return []
    const key = textField(one, 'key')
    const found = propertiesField(one, 'value')
    const number =
      numberField(found, 'int_value') ??
      numberField(found, 'double_value') ??
      numberField(found, 'float_value')
    const content = textField(found, 'string_value') ?? number
    return key === undefined || content === undefined ? [] : [[key, content] as const]
  })
  return Object.fromEntries(entries)
}

/** Parameters that are columns here, and those of Google's own book-keeping. */
const redundant = new Set(
  (
    'page_location page_referrer page_title ga_session_id ga_session_number engagement_time_msec ' +
    'batch_ordering_id batch_page_id session_engaged engaged_session_event entrances ' +
    'ignore_referrer source medium campaign content term gclid currency value'
  ).split(' '),
)

const ownParameters = (parameters: Properties): Properties =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !redundant.has(name)))

const pageOf = (parameters: Properties): Properties =>
  withoutUndefined({
    $current_url: textField(parameters, 'page_location'),
    $referrer: textField(parameters, 'page_referrer'),
    title: textField(parameters, 'page_title'),
    $engaged_ms: numberField(parameters, 'engagement_time_msec'),
  })

/** The campaign of this event; `traffic_source` is that of the visitor's first visit ever. */
function campaignOf(row: Properties): Properties {
  const collected = propertiesField(row, 'collected_traffic_source')
  return withoutUndefined({
    utm_source: textField(collected, 'manual_source'),
    utm_medium: textField(collected, 'manual_medium'),
    utm_campaign: textField(collected, 'manual_campaign_name'),
    utm_content: textField(collected, 'manual_content'),
    utm_term: textField(collected, 'manual_term'),
    gclid: textField(collected, 'gclid'),
  })
}

function deviceOf(row: Properties): Properties {
  const [device, geo] = [propertiesField(row, 'device'), propertiesField(row, 'geo')]
  const browser = propertiesField(device, 'web_info')
  return withoutUndefined({
    $browser: browserName(textField(browser, 'browser') ?? textField(device, 'browser')),
    $browser_version: textField(browser, 'browser_version'),
    ...systemOf(textField(device, 'operating_system')),
    $device_type: deviceName(textField(device, 'category')),
    $browser_language: textField(device, 'language'),
    $geoip_country_code: countryCode(textField(geo, 'country')),
    $geoip_subdivision_1_name: textField(geo, 'region'),
    $geoip_city_name: textField(geo, 'city'),
    $lib: 'ga4',
  })
}

const revenueOf = (row: Properties, parameters: Properties): Properties =>
  withoutUndefined({
    $revenue:
      numberField(propertiesField(row, 'ecommerce'), 'purchase_revenue') ?? numberField(parameters, 'value'),
    $currency: textField(parameters, 'currency'),
    transaction_id: textField(propertiesField(row, 'ecommerce'), 'transaction_id'),
    ...(Array.isArray(row['items']) && row['items'].length > 0 && { items: row['items'] }),
  })
