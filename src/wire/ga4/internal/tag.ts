import type { IncomingEvent, Json, Properties } from '#events/event'
import { uuidFrom } from '#ingest/uuid'
import { numberField, textField, withoutUndefined } from '../../read-fields'
import { ga4Event, personChanges } from '../events'

/** The parameter by which a page names its project; the measurement id belongs to Google. */
export const writeKeyParam = 'ep.write_key'

/** Common parameters are in the address; each line of the body is an event with its own. */
export function tagEvents(query: URLSearchParams, body: string): readonly URLSearchParams[] {
  const lines = body.split(/\r?\n/).filter((line) => line.trim() !== '')
  if (lines.length === 0) return [query]
  return lines.map((line) => new URLSearchParams([...query, ...new URLSearchParams(line)]))
}

/** Converts an event of gtag.js or of Google Tag Manager. */
export function tagEvent(query: URLSearchParams, index: number): IncomingEvent {
  const fields: Properties = Object.fromEntries(query)
  const name = textField(fields, 'en') ?? ''
  const [clientId, userId] = deniesStorage(fields)
    ? [undefined, undefined]
    : [textField(fields, 'cid'), textField(fields, 'uid')]
  return ga4Event({
    name,
    clientId,
    userId,
    uuid: uuidOf(fields, name, index),
    person: personChanges(prefixed(fields, 'up.', 'upn.')),
    params: {
      ...Object.fromEntries(prefixed(fields, 'ep.', 'epn.').filter(([param]) => param !== 'write_key')),
      ...itemsIn(fields),
      ...withoutUndefined({
        page_location: textField(fields, 'dl'),
        page_referrer: textField(fields, 'dr'),
        page_title: textField(fields, 'dt'),
        screen_resolution: textField(fields, 'sr'),
        language: textField(fields, 'ul'),
        currency: textField(fields, 'cu'),
        ip_override: textField(fields, '_uip'),
        session_id: numberField(fields, 'sid'),
        engagement_time_msec: numberField(fields, '_et'),
      }),
      ...consentIn(fields),
    },
  })
}

/** The tag counts its requests on each page; without consent its id of the browser is a new one for each page. */
function uuidOf(fields: Properties, name: string, index: number): string | undefined {
  const [client, page, hit] = ['cid', '_p', '_s'].map((field) => textField(fields, field))
  if (client === undefined || page === undefined || hit === undefined) return undefined
  const rest = ['tid', 'sid', 'dl', '_et'].map((field) => textField(fields, field) ?? '')
  return uuidFrom(`ga4 ${client} ${page} ${hit} ${index} ${name} ${rest.join(' ')}`)
}

/** Texts and numbers have different prefixes. */
function prefixed(fields: Properties, texts: string, numbers: string): [string, Json][] {
  return Object.entries(fields).flatMap(([field, value]): [string, Json][] => {
    if (field.startsWith(texts)) return [[field.slice(texts.length), value]]
    const number = field.startsWith(numbers) ? numberField(fields, field) : undefined
    return number === undefined ? [] : [[field.slice(numbers.length), number]]
  })
}

/** Consent is `G1`, and a digit each for advertisements and for analytics. */
const consent = /^G1([01-])([01-])/

const deniesStorage = (fields: Properties): boolean =>
  consent.exec(textField(fields, 'gcs') ?? '')?.[2] === '0'

const consentWords: Readonly<Record<string, string>> = { '0': 'denied', '1': 'granted' }

function consentIn(fields: Properties): Properties {
  const [, ads = '', analytics = ''] = consent.exec(textField(fields, 'gcs') ?? '') ?? []
  return withoutUndefined({ ad_storage: consentWords[ads], analytics_storage: consentWords[analytics] })
}

const itemFields: Readonly<Record<string, string>> = {
  id: 'item_id',
  nm: 'item_name',
  br: 'item_brand',
  ca: 'item_category',
  c2: 'item_category2',
  c3: 'item_category3',
  c4: 'item_category4',
  c5: 'item_category5',
  va: 'item_variant',
  pr: 'price',
  qt: 'quantity',
  ds: 'discount',
  cp: 'coupon',
  af: 'affiliation',
  lp: 'index',
  li: 'item_list_id',
  ln: 'item_list_name',
  lo: 'location_id',
  pi: 'promotion_id',
  pn: 'promotion_name',
  cn: 'creative_name',
  cs: 'creative_slot',
}
const numericItemFields = new Set(['price', 'quantity', 'discount', 'index'])

/** GA4's own limit. */
const mostItems = 200

function itemsIn(fields: Properties): Properties {
  const items = Object.entries(fields)
    .filter(([field]) => /^pr\d{1,3}$/.test(field))
    .toSorted(([a], [b]) => Number(a.slice(2)) - Number(b.slice(2)))
    .slice(0, mostItems)
    .map(([field]) => itemIn(textField(fields, field) ?? ''))
  return items.length === 0 ? {} : { items }
}

/** An item is `idSKU~nmName~pr9.5`; parameters of one's own are pairs of `k0` and `v0`. */
function itemIn(text: string): Properties {
  const parts = new Map(text.split('~').map((part) => [part.slice(0, 2), part.slice(2)]))
  const entries = [...parts].flatMap(([code, value]): [string, Json][] => {
    if (/^k\d$/.test(code)) return [[value, parts.get(`v${code.slice(1)}`) ?? '']]
    const field = Object.hasOwn(itemFields, code) ? itemFields[code] : undefined
    if (field === undefined) return []
    return [[field, numericItemFields.has(field) ? (numberField({ value }, 'value') ?? value) : value]]
  })
  return Object.fromEntries(entries)
}
