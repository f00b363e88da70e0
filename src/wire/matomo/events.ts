import type { IncomingEvent, Json, Properties } from '#events/event'
import { isProperties, parseJson } from '../decode-body'
import { parseTime } from '../posthog/time'
import { numberField, textField, withoutUndefined } from '../read-fields'
import { trackerEvent } from '../internal/tracker-events'
import { uuidFrom } from '#ingest/uuid'

/** Claims that need the project's secret: the visitor's address and place, and the time. */
const overrides = ['cip', 'cdt'] as const

export function withoutOverrides(query: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(query)
  for (const name of overrides) rest.delete(name)
  return rest
}

/** Converts a request to its event; a ping only says that the page is still open. */
export function matomoEvent(query: URLSearchParams, receivedAt: Date): IncomingEvent[] {
  const fields: Properties = Object.fromEntries(query)
  if (textField(fields, 'ping') === '1') return []
  const [userId, visitorId] = [textField(fields, 'uid'), textField(fields, '_id', 'cid')]
  const time = parseTime(fields['cdt'])
  return [
    trackerEvent({
      ...matomoContent(fields),
      uuid: uuidOf(fields, time ?? receivedAt),
      distinctId: userId ?? visitorId,
      timestamp: time,
      hasPerson: userId !== undefined,
      identity:
        userId === undefined || visitorId === undefined || userId === visitorId
          ? undefined
          : { kind: 'identify', anonymous: visitorId },
    }),
  ]
}

type EventContent = Pick<IncomingEvent, 'name' | 'properties'>

/** Returns the name and the properties of an event, by the tracker’s fields. Imports of Matomo's log write the same fields. */
export function matomoContent(fields: Properties): EventContent {
  const { name, properties } = kindOf(fields)
  return { name, properties: { ...properties, ...customIn(fields), ...pageIn(fields) } }
}

/** `r` is random for each request, and kept when a queue sends it again; the day keeps it from meeting itself. */
function uuidOf(fields: Properties, at: Date): string | undefined {
  const random = textField(fields, 'r', 'rand')
  const visitor = textField(fields, '_id', 'uid')
  if (random === undefined || visitor === undefined) return undefined
  const clock = ['h', 'm', 's', 'url', 'e_c', 'e_a', 'e_n', 'idgoal', 'ec_id', 'pv_id'].map(
    (name) => textField(fields, name) ?? '',
  )
  return uuidFrom(`matomo ${visitor} ${random} ${at.toISOString().slice(0, 10)} ${clock.join(' ')}`)
}

/** The kinds of requests, told by a field that only they have; the first that fits counts. */
const kinds: readonly [field: string, read: (fields: Properties) => EventContent][] = [
  ['e_a', eventIn],
  ['e_c', eventIn],
  ['idgoal', goalIn],
  ['search', (fields) => ({ name: 'Site search', properties: namedFields(fields, searchFields) })],
  [
    'download',
    (fields) => ({ name: '$file_download', properties: namedFields(fields, { download: 'url' }) }),
  ],
  ['link', (fields) => ({ name: '$outbound_click', properties: namedFields(fields, { link: 'url' }) })],
  ['c_i', (fields) => ({ name: 'Content interaction', properties: namedFields(fields, contentFields) })],
  ['c_n', (fields) => ({ name: 'Content impression', properties: namedFields(fields, contentFields) })],
]

const searchFields = { search: 'search', search_cat: 'category', search_count: 'results' }
const contentFields = { c_n: 'content', c_p: 'piece', c_t: 'target', c_i: 'interaction' }

const namedFields = (fields: Properties, names: Readonly<Record<string, string>>): Properties =>
  withoutUndefined(
    Object.fromEntries(
      Object.entries(names).map(([matomoName, ours]) => [ours, textField(fields, matomoName)]),
    ),
  )

const kindOf = (fields: Properties): EventContent =>
  kinds.find(([field]) => textField(fields, field) !== undefined)?.[1](fields) ?? {
    name: '$pageview',
    properties: {},
  }

function eventIn(fields: Properties): EventContent {
  return {
    name: textField(fields, 'e_a') ?? textField(fields, 'e_c') ?? '',
    properties: withoutUndefined({
      category: textField(fields, 'e_c'),
      label: textField(fields, 'e_n'),
      value: numberField(fields, 'e_v'),
    }),
  }
}

/** Goal 0 is an order, or a cart if it has no number. */
function goalIn(fields: Properties): EventContent {
  const goal = textField(fields, 'idgoal') ?? ''
  const amount = numberField(fields, 'revenue')
  if (goal !== '0') return { name: `Goal ${goal}`, properties: withoutUndefined({ $revenue: amount }) }
  const order = textField(fields, 'ec_id')
  const items = { items: itemsIn(fields) }
  if (order === undefined)
    return { name: 'Cart updated', properties: withoutUndefined({ ...items, cart_total: amount }) }
  return {
    name: 'purchase',
    properties: withoutUndefined({
      ...items,
      order,
      $revenue: amount,
      subtotal: numberField(fields, 'ec_st'),
      tax: numberField(fields, 'ec_tx'),
      shipping: numberField(fields, 'ec_sh'),
      discount: numberField(fields, 'ec_dt'),
    }),
  }
}

/** The order of the values of an item in `ec_items`. */
export const itemFields = ['sku', 'name', 'category', 'price', 'quantity'] as const

function itemsIn(fields: Properties): Json | undefined {
  const items = parseJson(textField(fields, 'ec_items') ?? '')
  if (!items.read || !Array.isArray(items.what)) return undefined
  return items.what
    .filter((item) => Array.isArray(item))
    .map((item) => withoutUndefined(Object.fromEntries(itemFields.map((name, index) => [name, item[index]]))))
}

/** Dimensions by their number, and custom variables by the names that the site gave them. */
function customIn(fields: Properties): Properties {
  const dimensions = Object.entries(fields).filter(([name]) => /^dimension\d{1,3}$/.test(name))
  const variables = ['cvar', '_cvar'].flatMap((name) => variablesIn(textField(fields, name)))
  return { ...Object.fromEntries(dimensions), ...Object.fromEntries(variables) }
}

function variablesIn(text = '{}'): [string, Json][] {
  const variables = parseJson(text)
  if (!variables.read || !isProperties(variables.what)) return []
  return Object.values(variables.what).flatMap((pair): [string, Json][] => {
    const [name, value = null] = Array.isArray(pair) ? pair : []
    return typeof name === 'string' && name !== '' ? [[name, value]] : []
  })
}

const pageIn = (fields: Properties): Properties =>
  withoutUndefined({
    $current_url: textField(fields, 'url'),
    $referrer: textField(fields, 'urlref'),
    title: textField(fields, 'action_name'),
    $screen: textField(fields, 'res'),
    $browser_language: textField(fields, 'lang'),
    $raw_user_agent: textField(fields, 'ua'),
    $ip: textField(fields, 'cip'),
    $lib: 'matomo',
  })
