import type { IncomingEvent, Json, Properties } from '#events/event'
import type { WireRequest } from '../dialect'
import { trackerEvent, noPersonChanges } from '../internal/tracker-events'
import { withoutUndefined, numberField, propertiesField, textField, dateOfMs } from '../read-fields'
import { vitalsFrom } from '../internal/vitals'
import { isProperties } from '../decode-body'

type UmamiKind = 'event' | 'identify' | 'performance'

const kinds: Readonly<
  Record<UmamiKind, (payload: Properties) => Pick<IncomingEvent, 'name' | 'properties'>>
> = {
  event: (payload) => ({
    name: textField(payload, 'name') ?? '$pageview',
    properties: { ...propertiesField(payload, 'data'), ...revenueIn(propertiesField(payload, 'data')) },
  }),
  identify: () => ({ name: '$identify', properties: {} }),
  performance: (payload) => ({
    name: '$web_vitals',
    properties: {
      ...vitalsFrom(payload),
      ...withoutUndefined({ $load_ms: numberField(payload, 'duration') }),
    },
  }),
}

const isKind = (type: Json | undefined): type is UmamiKind =>
  typeof type === 'string' && Object.hasOwn(kinds, type)

export const isKnownType = (fields: Properties): boolean => isKind(fields['type'])

export function payloadIn(input: Json): Properties | undefined {
  const payload = isProperties(input) ? input['payload'] : undefined
  return isProperties(payload) && textField(payload, 'website', 'hostname', 'url') !== undefined
    ? payload
    : undefined
}

export function umamiEvent(fields: Properties, payload: Properties): IncomingEvent {
  const kind = isKind(fields['type']) ? fields['type'] : 'event'
  const { name, properties } = kinds[kind](payload)
  const event = trackerEvent({
    name,
    distinctId: textField(payload, 'id'),
    timestamp: dateOfMs(secondsIn(payload)),
    properties: { ...properties, ...pageIn(payload), ...senderIn(payload) },
    person:
      kind === 'identify' ? { ...noPersonChanges, set: propertiesField(payload, 'data') } : noPersonChanges,
  })
  return kind === 'identify' ? { ...event, identifiesVisitor: true } : event
}

function secondsIn(payload: Properties): number | undefined {
  const seconds = numberField(payload, 'timestamp')
  return seconds === undefined ? undefined : seconds * 1000
}

/** Only importers send a timestamp, and theirs is old. */
export const isHistorical = (payload: Properties): boolean => numberField(payload, 'timestamp') !== undefined

/** Reads Umami's fields for revenue. */
const revenueIn = (data: Properties): Properties =>
  withoutUndefined({ $revenue: data['revenue'], $currency: data['currency'] })

function pageIn(payload: Properties): Properties {
  const url = addressOf(payload)
  return withoutUndefined({
    $current_url: url,
    // without a host there is no address, but still a path
    $pathname: url === undefined ? textField(payload, 'url')?.split(/[?#]/, 1)[0] : undefined,
    $referrer: textField(payload, 'referrer'),
    title: textField(payload, 'title'),
    tag: textField(payload, 'tag'),
  })
}

/** Old trackers send only the path, and the host separately. */
function addressOf(payload: Properties): string | undefined {
  const url = textField(payload, 'url')
  const host = textField(payload, 'hostname')
  if (url === undefined) return host === undefined ? undefined : `https://${host}/`
  if (url.includes('://')) return url
  return host === undefined ? undefined : `https://${host}${url.startsWith('/') ? url : `/${url}`}`
}

/** Servers send `ip` and `userAgent` on behalf of a visitor. */
const senderIn = (payload: Properties): Properties =>
  withoutUndefined({
    $screen: textField(payload, 'screen'),
    $browser_language: textField(payload, 'language'),
    $ip: textField(payload, 'ip'),
    $raw_user_agent: textField(payload, 'userAgent'),
    $lib: 'umami',
  })

/** @umami/node sends this user agent. It is not a robot, but its address is not the visitor's. */
const umamiPackagePattern = /^Mozilla\/5\.0 Umami\//

export const isSentByServer = (payload: Properties, { headers }: WireRequest): boolean =>
  textField(payload, 'ip', 'userAgent') !== undefined || umamiPackagePattern.test(headers['user-agent'] ?? '')
