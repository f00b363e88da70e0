import type { IncomingEvent, Json, Properties } from '../../events/event'
import type { WireRequest } from '../dialect'
import { anEvent, nothingNew } from '../trackers/arrivals'
import { known, numberIn, propertiesIn, textIn, timeOfMs } from '../trackers/said'
import { vitalsIn } from '../trackers/vitals'
import { isProperties } from '../unpack'

type Kind = 'event' | 'identify' | 'performance'

const kinds: Readonly<Record<Kind, (payload: Properties) => Pick<IncomingEvent, 'name' | 'properties'>>> = {
  event: (payload) => ({
    name: textIn(payload, 'name') ?? '$pageview',
    properties: { ...propertiesIn(payload, 'data'), ...revenueIn(propertiesIn(payload, 'data')) },
  }),
  identify: () => ({ name: '$identify', properties: {} }),
  performance: (payload) => ({
    name: '$web_vitals',
    properties: { ...vitalsIn(payload), ...known({ $load_ms: numberIn(payload, 'duration') }) },
  }),
}

const isKind = (type: Json | undefined): type is Kind =>
  typeof type === 'string' && Object.hasOwn(kinds, type)

export const isKnownType = (said: Properties): boolean => isKind(said['type'])

export function payloadOf(said: Json): Properties | undefined {
  const payload = isProperties(said) ? said['payload'] : undefined
  return isProperties(payload) && textIn(payload, 'website', 'hostname', 'url') !== undefined
    ? payload
    : undefined
}

export function eventOf(said: Properties, payload: Properties): IncomingEvent {
  const kind = isKind(said['type']) ? said['type'] : 'event'
  const { name, properties } = kinds[kind](payload)
  return anEvent({
    name,
    distinctId: textIn(payload, 'id'),
    timestamp: timeOfMs(secondsIn(payload)),
    properties: { ...properties, ...pageIn(payload), ...senderIn(payload) },
    person: kind === 'identify' ? { ...nothingNew, set: propertiesIn(payload, 'data') } : nothingNew,
  })
}

function secondsIn(payload: Properties): number | undefined {
  const seconds = numberIn(payload, 'timestamp')
  return seconds === undefined ? undefined : seconds * 1000
}

/** Only importers tell a time, and they tell it of long ago. */
export const isHistorical = (payload: Properties): boolean => numberIn(payload, 'timestamp') !== undefined

/** Umami's own words for what an event earned. */
const revenueIn = (data: Properties): Properties =>
  known({ $revenue: data['revenue'], $currency: data['currency'] })

function pageIn(payload: Properties): Properties {
  const url = addressOf(payload)
  return known({
    $current_url: url,
    // without a host there is no address, but still a path
    $pathname: url === undefined ? textIn(payload, 'url')?.split(/[?#]/, 1)[0] : undefined,
    $referrer: textIn(payload, 'referrer'),
    title: textIn(payload, 'title'),
    tag: textIn(payload, 'tag'),
  })
}

/** Old trackers send the path alone, with the host beside it. */
function addressOf(payload: Properties): string | undefined {
  const url = textIn(payload, 'url')
  const host = textIn(payload, 'hostname')
  if (url === undefined) return host === undefined ? undefined : `https://${host}/`
  if (url.includes('://')) return url
  return host === undefined ? undefined : `https://${host}${url.startsWith('/') ? url : `/${url}`}`
}

/** `ip` and `userAgent` are told by servers, which speak for a visitor. */
const senderIn = (payload: Properties): Properties =>
  known({
    $screen: textIn(payload, 'screen'),
    $browser_language: textIn(payload, 'language'),
    $ip: textIn(payload, 'ip'),
    $raw_user_agent: textIn(payload, 'userAgent'),
    $lib: 'umami',
  })

/** @umami/node calls itself so; it is no robot, but its address is not the visitor's. */
const ofPackage = /^Mozilla\/5\.0 Umami\//

export const isSentByServer = (payload: Properties, { headers }: WireRequest): boolean =>
  textIn(payload, 'ip', 'userAgent') !== undefined || ofPackage.test(headers['user-agent'] ?? '')
