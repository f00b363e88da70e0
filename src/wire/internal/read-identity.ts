import type { Json, Properties } from '#events/event'
import type { WireRequest } from '../dialect'
import { hostOf } from './tracker-events'
import { isProperties } from '../decode-body'

/** Reads an id. Databases often number their rows, so numbers are accepted; '' if there is none. */
export function idOf(value: Json | undefined): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

export const propertiesOf = (value: Json | undefined): Properties => (isProperties(value) ? value : {})

/** Returns undefined for anything but a list: then the client wants all flags. */
export function textsOf(value: Json | undefined): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(idOf).filter((text) => text !== '') : undefined
}

const noGroups: Readonly<Record<string, string>> = Object.freeze({})

export function groupsOf(value: Json | undefined): Readonly<Record<string, string>> {
  if (value === undefined) return noGroups
  const groups = Object.entries(propertiesOf(value)).map(([type, key]) => [type, idOf(key)] as const)
  return Object.fromEntries(groups.filter(([type, key]) => type !== '' && key !== ''))
}

/** Properties of each group, by group type. */
export const groupPropertiesOf = (value: Json | undefined): Readonly<Record<string, Properties>> =>
  Object.fromEntries(
    Object.entries(propertiesOf(value)).flatMap(([type, properties]) =>
      isProperties(properties) ? [[type, properties] as const] : [],
    ),
  )

/** Browsers name the requesting page in a header, at least its origin. */
export function requestingHost({ headers }: WireRequest): string {
  const page = headers.origin ?? headers.referer
  return page === undefined || page === 'null' ? '' : (hostOf(page) ?? '')
}

/** User agents on visitors' devices: browsers, and the SDKs and HTTP libraries of apps. */
const deviceUserAgents =
  /^(?:Mozilla|Opera)\/|^posthog-(?:js|ios|android|flutter|react-native|unity)\b|okhttp\/|CFNetwork\/|^Dart\//i

/** Whether a user agent is a visitor's. Any other counts as a server. */
export const isVisitorUserAgent = (userAgent: string): boolean => deviceUserAgents.test(userAgent)
