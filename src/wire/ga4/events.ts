import type { IncomingEvent, Json, PersonChanges, Properties } from '#events/event'
import { numberField, textField, withoutUndefined } from '../read-fields'
import { sessionIdOf } from '../session-id'
import { noPersonChanges, trackerEvent } from '../internal/tracker-events'

/** An event of either form: of the tag in a page, or of the Measurement Protocol. */
export interface Ga4Event {
  name: string
  params: Properties
  /** The id of the browser; undefined without consent to store it. */
  clientId: string | undefined
  userId: string | undefined
  timestamp?: Date | undefined
  uuid?: string | undefined
  person: PersonChanges
}

/** GA4's names of what it collects by itself, and Tilth's. */
const standardNames: Readonly<Record<string, string>> = {
  page_view: '$pageview',
  screen_view: '$screen',
  user_engagement: '$engagement',
  file_download: '$file_download',
  form_submit: '$form_submit',
}

/** Parameters that have names of their own here. */
const renamedParams = {
  page_location: '$current_url',
  page_referrer: '$referrer',
  page_title: 'title',
  screen_name: '$screen_name',
  screen_resolution: '$screen',
  language: '$browser_language',
  ip_override: '$ip',
} as const

/** Parameters that say how an event was sent. */
const technicalParams = new Set(['session_id', 'session_number', 'engagement_time_msec', 'debug_mode'])

export function ga4Event({ name, params, clientId, userId, ...event }: Ga4Event): IncomingEvent {
  const hasChanges = Object.keys(event.person.set).length > 0 || event.person.unset.length > 0
  return trackerEvent({
    ...event,
    name: nameOf(name, params),
    distinctId: userId ?? clientId,
    hasPerson: userId !== undefined || (hasChanges && clientId !== undefined),
    identity:
      userId === undefined || clientId === undefined || userId === clientId
        ? undefined
        : { kind: 'identify', anonymous: clientId },
    properties: { ...propertiesOf(params), ...derivedFrom(name, params, clientId) },
  })
}

function nameOf(name: string, params: Properties): string {
  const isOutbound = name === 'click' && textField(params, 'outbound') === 'true'
  if (isOutbound) return '$outbound_click'
  return Object.hasOwn(standardNames, name) ? (standardNames[name] ?? name) : name
}

const isRenamed = (name: string): name is keyof typeof renamedParams => Object.hasOwn(renamedParams, name)

function propertiesOf(params: Properties): Properties {
  const entries = Object.entries(params).filter(([name]) => !technicalParams.has(name))
  return Object.fromEntries(
    entries.map(([name, value]) => [isRenamed(name) ? renamedParams[name] : name, value]),
  )
}

function derivedFrom(name: string, params: Properties, clientId: string | undefined): Properties {
  const sessionStart = numberField(params, 'session_id')
  return withoutUndefined({
    $session_id:
      sessionStart === undefined || clientId === undefined
        ? undefined
        : sessionIdOf(sessionStart * 1000, clientId),
    $engaged_ms: numberField(params, 'engagement_time_msec'),
    $scroll_depth: name === 'scroll' ? numberField(params, 'percent_scrolled') : undefined,
    $revenue: revenueOf(name, numberField(params, 'value')),
    $currency: textField(params, 'currency'),
    url: textField(params, 'link_url'),
    $lib: 'ga4',
  })
}

/** Only sales have revenue: `value` of other events is what they are worth to an advertiser. */
function revenueOf(name: string, value: number | undefined): number | undefined {
  if (value === undefined) return undefined
  if (name === 'refund') return -Math.abs(value)
  return name === 'purchase' || name === 'in_app_purchase' ? value : undefined
}

/** A property without a value is removed. */
export function personChanges(properties: readonly (readonly [string, Json])[]): PersonChanges {
  const isRemoval = ([, value]: readonly [string, Json]) => value === null || value === ''
  return {
    ...noPersonChanges,
    set: Object.fromEntries(properties.filter((property) => !isRemoval(property))),
    unset: properties.filter(isRemoval).map(([name]) => name),
  }
}
