import type { Json, Properties } from '#events/event'
import { isProperties } from '#wire/decode-body'
import { ga4Event, personChanges } from '#wire/ga4/events'
import { numberField, propertiesField, textField, withoutUndefined } from '#wire/read-fields'
import { browserName, countryCode, deviceName, systemOf } from '../internal/names'
import { type ImportSource, keptEvent, leftOut, noPersonChanges, reasons } from '../internal/source'

/** Google Analytics 4 in BigQuery: the tables `events_…` as JSON lines or Parquet. Rows have no id, so their content is it. */
export const ga4: ImportSource = {
  label: 'Google Analytics 4',
  files: 'the tables events_… of the BigQuery export, as JSON lines or Parquet',
  columns: 'event_name, event_timestamp, user_pseudo_id and event_params',
  eventOf(row) {
    const name = textField(row, 'event_name')
    if (name === undefined) return leftOut(reasons.unknownForm)
    const at = timeOf(row)
    if (!at) return leftOut(reasons.noTime)
    const [userId, deviceId] = [textField(row, 'user_id'), textField(row, 'user_pseudo_id')]
    const distinctId = userId ?? deviceId
    if (distinctId === undefined) return leftOut('without a visitor, who has refused consent')
    if (countedByGoogle.has(name)) return leftOut('first_visit and session_start, which are no events here')
    const { properties, ...sent } = ga4Event({
      name,
      params: sentParams(row),
      clientId: deviceId ?? distinctId,
      userId,
      person: userId === undefined ? noPersonChanges : personChanges(userProperties(row)),
    })
    const event = {
      ...sent,
      distinctId,
      properties: { ...properties, ...campaignOf(row), ...deviceOf(row) },
    }
    return keptEvent(event, { at, of: { source: 'ga4', row: identityOf(row) } })
  },
}

/** Events that Google makes of marks on other events; the dialect ignores the marks. */
const countedByGoogle = new Set(['first_visit', 'session_start'])

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

/** Parameters of Google's own book-keeping, which no client sends. */
const bookKeeping = new Set(
  (
    'ga_session_id ga_session_number batch_ordering_id batch_page_id session_engaged engaged_session_event ' +
    'entrances ignore_referrer source medium campaign campaign_id content term gclid dclid srsltid ' +
    'synthetic_bundle firebase_screen firebase_screen_class firebase_event_origin firebase_conversion'
  ).split(' '),
)

/** The parameters that a client had sent; the dialect gives them their names. */
function sentParams(row: Properties): Properties {
  const all = parametersIn(row['event_params'])
  const own = Object.entries(all).filter(([name]) => !bookKeeping.has(name))
  return {
    ...salesIn(row),
    ...Object.fromEntries(own),
    ...withoutUndefined({
      session_id: numberField(all, 'ga_session_id'),
      screen_name: textField(all, 'screen_name', 'firebase_screen'),
      language: textField(propertiesField(row, 'device'), 'language'),
    }),
    ...consentIn(row),
  }
}

/** Values of a sale that have columns of their own. */
function salesIn(row: Properties): Properties {
  const sale = propertiesField(row, 'ecommerce')
  const items = Array.isArray(row['items']) ? row['items'].filter(isProperties).map(itemIn) : []
  return withoutUndefined({
    value: numberField(sale, 'purchase_revenue') ?? numberField(sale, 'refund_value'),
    transaction_id: known(textField(sale, 'transaction_id')),
    items: items.length > 0 ? items : undefined,
  })
}

const known = (text: string | undefined): string | undefined => (text === '(not set)' ? undefined : text)

/** Columns of items that Google computes. */
const computedItemColumns = /_in_usd$|^item_(?:revenue|refund|params)$/

/** An item has a column for each field there is, and own parameters as a list. */
function itemIn(item: Properties): Properties {
  const fields = Object.entries(item).filter(
    ([name, value]) =>
      value !== null && value !== '(not set)' && value !== '' && !computedItemColumns.test(name),
  )
  return { ...Object.fromEntries(fields), ...parametersIn(item['item_params']) }
}

const consentWords: Readonly<Record<string, string>> = { No: 'denied', Yes: 'granted' }

function consentIn(row: Properties): Properties {
  const privacy = propertiesField(row, 'privacy_info')
  return withoutUndefined({
    ad_storage: consentWords[textField(privacy, 'ads_storage') ?? ''],
    analytics_storage: consentWords[textField(privacy, 'analytics_storage') ?? ''],
  })
}

const userProperties = (row: Properties): [string, Json][] =>
  Object.entries(parametersIn(row['user_properties'])).filter(([name]) => !bookKeeping.has(name))

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
    $geoip_country_code: countryCode(textField(geo, 'country')),
    $geoip_subdivision_1_name: textField(geo, 'region'),
    $geoip_city_name: textField(geo, 'city'),
  })
}
