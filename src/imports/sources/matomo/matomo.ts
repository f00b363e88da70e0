import type { Json, Properties } from '#events/event'
import { uuidFrom } from '#ingest/uuid'
import { isProperties } from '#wire/decode-body'
import { parseTime } from '#wire/posthog/time'
import { textField, withoutUndefined } from '#wire/read-fields'
import { browserName, countryCode, deviceName, systemOf } from '../internal/names'
import { type ImportSource, keptEvent, leftOut, reasons, visitorEvent } from '../internal/source'

/** Matomo's log of visits (Live.getLastVisitsDetails): each visit has its actions, and each action is an event. */
export const matomo: ImportSource = {
  label: 'Matomo',
  files: 'visits as JSON, from the API method Live.getLastVisitsDetails (a day in a file is best)',
  partsOf(visit) {
    const actions = visit['actionDetails']
    if (!Array.isArray(actions)) return [visit]
    const { actionDetails: _, ...own } = visit
    return actions.filter(isProperties).map((action, index) => ({ visit: own, action, index }))
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
    const kind = kinds[textField(action, 'type') ?? '']
    if (!kind) return leftOut(`an action of Matomo's type ${textField(action, 'type') ?? 'none'}`)
    const event = visitorEvent({
      ...kind(action),
      distinctId,
      hasPerson: userId !== undefined,
      ...(userId !== undefined &&
        visitor !== undefined && { identity: { kind: 'identify', anonymous: visitor } }),
    })
    const properties = {
      ...event.properties,
      ...deviceOf(visit),
      ...(index === 0 ? originOf(visit) : {}),
      $session_id: uuidFrom(`matomo visit ${textField(visit, 'idSite') ?? ''} ${id ?? ''}`),
    }
    return keptEvent(
      { ...event, properties },
      { at, of: { source: 'matomo', row: identityOf(visit, action, index) } },
    )
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

type ActionReader = (action: Properties) => { name: string; properties: Properties }

const page = (action: Properties): Properties =>
  withoutUndefined({ $current_url: textField(action, 'url'), title: textField(action, 'pageTitle') })

const kinds: Readonly<Record<string, ActionReader | undefined>> = {
  action: (action) => ({ name: '$pageview', properties: page(action) }),
  search: (action) => ({
    name: 'search',
    properties: {
      ...page(action),
      ...withoutUndefined({ search_term: textField(action, 'siteSearchKeyword') }),
    },
  }),
  outlink: (action) => ({
    name: 'outlink',
    properties: withoutUndefined({ link_url: textField(action, 'url') }),
  }),
  download: (action) => ({
    name: '$file_download',
    properties: withoutUndefined({ link_url: textField(action, 'url') }),
  }),
  event: (action) => ({
    name: textField(action, 'eventAction') ?? '',
    properties: {
      ...page(action),
      ...withoutUndefined({
        event_category: textField(action, 'eventCategory'),
        event_name: textField(action, 'eventName'),
        event_value: textField(action, 'eventValue'),
      }),
    },
  }),
  goal: (action) => ({
    name: `goal ${textField(action, 'goalName') ?? textField(action, 'goalId') ?? ''}`.trim(),
    properties: { ...page(action), ...withoutUndefined({ $revenue: textField(action, 'revenue') }) },
  }),
  ecommerceOrder: (action) => ({
    name: 'order',
    properties: withoutUndefined({
      $revenue: textField(action, 'revenue'),
      order_id: textField(action, 'orderId'),
      items: action['itemDetails'],
    }),
  }),
}

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
