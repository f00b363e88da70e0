import type { Json, Properties } from '#events/event'
import { uuidFrom } from '#ingest/uuid'
import { isProperties } from '#wire/decode-body'
import { parseTime } from '#wire/posthog/time'
import { itemFields, matomoContent } from '#wire/matomo/events'
import { numberField, textField, withoutUndefined } from '#wire/read-fields'
import { browserName, countryCode, deviceName, systemOf } from '../internal/names'
import { type ImportSource, keptEvent, leftOut, reasons, visitorEvent } from '../internal/source'

/** Matomo's number for a view of, or an interaction with, a piece of content, which its log does not name. */
const contentType = '13'

/** Matomo's log of visits (Live.getLastVisitsDetails): each visit has its actions, and each action is an event. */
export const matomo: ImportSource = {
  label: 'Matomo',
  files: 'visits as JSON, from the API method Live.getLastVisitsDetails (a day in a file is best)',
  columns: 'visitorId and actionDetails with type and timestamp',
  partsOf(visit) {
    const actions = visit['actionDetails']
    if (!Array.isArray(actions)) return [visit]
    const { actionDetails: _, ...own } = visit
    return withPages(actions.filter(isProperties)).map(({ action, page }, index) =>
      withoutUndefined({ visit: own, action, page, index }),
    )
  },
  eventOf(row) {
    const { visit, action, index } = row
    if (!isProperties(visit) || !isProperties(action)) return leftOut(reasons.unknownForm)
    const id = textField(visit, 'idVisit')
    const at = parseTime(action['timestamp'])
    if (!at) return leftOut(reasons.noTime)
    const [userId, visitor] = [textField(visit, 'userId'), textField(visit, 'visitorId', 'fingerprint')]
    const distinctId = userId ?? visitor
    if (distinctId === undefined) return leftOut(reasons.noVisitor)
    const sent = sentBy(action)
    if (typeof sent === 'string') return leftOut(sent)
    const { name, properties } = matomoContent({ ...pageOf(row), ...customOf(visit, action), ...sent })
    const event = visitorEvent({
      name,
      distinctId,
      hasPerson: userId !== undefined,
      ...(userId !== undefined &&
        visitor !== undefined && { identity: { kind: 'identify', anonymous: visitor } }),
      properties: {
        ...properties,
        ...deviceOf(visit),
        ...(index === 0 ? originOf(visit) : {}),
        $session_id: uuidFrom(`matomo visit ${textField(visit, 'idSite') ?? ''} ${id ?? ''}`),
      },
    })
    return keptEvent(event, { at, of: { source: 'matomo', row: identityOf(visit, action, index) } })
  },
}

/** Visits go on, and change until they have ended; their actions do not. */
const identityOf = (visit: Properties, action: Properties, index: Json | undefined): Properties => ({
  site: visit['idSite'] ?? null,
  visit: visit['idVisit'] ?? null,
  type: action['type'] ?? null,
  timestamp: action['timestamp'] ?? null,
  page: action['pageId'] ?? action['idpageview'] ?? index ?? null,
})

type SentFields = Record<string, Json | undefined>

/** The types of actions whose address is the page; that of an outlink or a download is its target. */
const typesOnPage = new Set(['action', 'search', 'event', 'goal', contentType])

/** Adds the page of each action: its own, or that of the last action which has one. */
function withPages(actions: readonly Properties[]): { action: Properties; page: string | undefined }[] {
  let page: string | undefined
  return actions.map((action) => {
    if (typesOnPage.has(textField(action, 'type') ?? '')) page = textField(action, 'url') ?? page
    return { action, page }
  })
}

const pageOf = (row: Properties): Properties => withoutUndefined({ url: textField(row, 'page') })

/** Returns the fields that the tracker had sent for an action, or why the action is left out. */
function sentBy(action: Properties): Properties | string {
  const type = textField(action, 'type') ?? 'none'
  const fields = Object.hasOwn(sentFields, type) ? sentFields[type]?.(action) : undefined
  if (!fields) return `an action of Matomo's type ${type}`
  if (type === 'goal' && fields['idgoal'] === undefined) return 'a goal that was deleted in Matomo'
  return withoutUndefined(fields)
}

/** The tracker's fields of each type of action; the dialect gives their values names. */
const sentFields: Readonly<Record<string, (action: Properties) => SentFields>> = {
  action: (action) => ({ action_name: textField(action, 'pageTitle') }),
  search: (action) => ({
    search: textField(action, 'siteSearchKeyword'),
    search_cat: textField(action, 'siteSearchCategory'),
    search_count: textField(action, 'siteSearchCount'),
  }),
  outlink: (action) => ({ link: textField(action, 'url') }),
  download: (action) => ({ download: textField(action, 'url') }),
  event: (action) => ({
    e_c: textField(action, 'eventCategory'),
    e_a: textField(action, 'eventAction'),
    e_n: textField(action, 'eventName'),
    e_v: textField(action, 'eventValue'),
  }),
  [contentType]: (action) => ({
    c_n: textField(action, 'contentName'),
    c_p: textField(action, 'contentPiece'),
    c_t: textField(action, 'contentTarget'),
    c_i: textField(action, 'contentInteraction'),
  }),
  goal: (action) => ({ idgoal: textField(action, 'goalId'), revenue: amountIn(action, 'revenue') }),
  ecommerceOrder: (action) => ({ ...cartIn(action), ec_id: textField(action, 'orderId') }),
  ecommerceAbandonedCart: cartIn,
}

function cartIn(action: Properties): SentFields {
  return {
    idgoal: '0',
    revenue: textField(action, 'revenue'),
    ec_st: amountIn(action, 'revenueSubTotal'),
    ec_tx: amountIn(action, 'revenueTax'),
    ec_sh: amountIn(action, 'revenueShipping'),
    ec_dt: amountIn(action, 'revenueDiscount'),
    ec_items: itemsOf(action),
  }
}

/** Matomo's log has 0 for an amount that was not sent. */
function amountIn(action: Properties, name: string): number | undefined {
  const amount = numberField(action, name)
  return amount === 0 ? undefined : amount
}

const itemColumns: Readonly<Record<(typeof itemFields)[number], string>> = {
  sku: 'itemSKU',
  name: 'itemName',
  category: 'itemCategory',
  price: 'price',
  quantity: 'quantity',
}

function itemsOf(action: Properties): string | undefined {
  const items = action['itemDetails']
  if (!Array.isArray(items)) return undefined
  return JSON.stringify(
    items
      .filter(isProperties)
      .map((item) =>
        itemFields.map((name) =>
          name === 'price' || name === 'quantity'
            ? numberField(item, itemColumns[name])
            : textField(item, itemColumns[name]),
        ),
      ),
  )
}

/** Dimensions and custom variables of a visit and of an action. */
const customOf = (visit: Properties, action: Properties): Properties =>
  withoutUndefined({
    ...dimensionsOf(visit),
    ...dimensionsOf(action),
    _cvar: variablesOf(visit),
    cvar: variablesOf(action),
  })

const dimensionsOf = (row: Properties): Properties =>
  withoutUndefined(
    Object.fromEntries(
      Object.keys(row)
        .filter((name) => /^dimension\d{1,3}$/.test(name))
        .map((name) => [name, textField(row, name)]),
    ),
  )

/** Custom variables in the form of the tracker: by their number, pairs of name and value. */
function variablesOf(row: Properties): string | undefined {
  const variables = row['customVariables']
  if (!isProperties(variables)) return undefined
  const pairs = Object.entries(variables).map(([number, variable]) => {
    const fields = isProperties(variable) ? variable : {}
    return [number, ['Name', 'Value'].map((part) => variablePart(fields, part, number))] as const
  })
  return JSON.stringify(Object.fromEntries(pairs))
}

const variablePart = (variable: Properties, part: string, number: string): string =>
  textField(variable, `customVariablePage${part}${number}`, `customVariable${part}${number}`) ?? ''

const originOf = (visit: Properties): Properties =>
  withoutUndefined({ $referrer: textField(visit, 'referrerUrl') })

const deviceOf = (visit: Properties): Properties =>
  withoutUndefined({
    $browser: browserName(textField(visit, 'browserName')),
    $browser_version: textField(visit, 'browserVersion'),
    ...systemOf(textField(visit, 'operatingSystemName')),
    $os_version: textField(visit, 'operatingSystemVersion'),
    $device_type: deviceName(textField(visit, 'deviceType')),
    $screen: textField(visit, 'resolution'),
    $browser_language: textField(visit, 'languageCode'),
    $geoip_country_code:
      textField(visit, 'countryCode') === 'xx' ? undefined : countryCode(textField(visit, 'countryCode')),
    $geoip_subdivision_1_name: textField(visit, 'region'),
    $geoip_city_name: textField(visit, 'city'),
    $lib: 'matomo',
  })
