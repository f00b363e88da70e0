import type { Json, Properties } from '../events/event'
import type { WireRequest } from './dialect'
import { hostOf } from './trackers/arrivals'
import { isProperties } from './unpack'

/** Ids are often numbers in whoever's database they come from; '' where there is none. */
export function idOf(value: Json | undefined): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

export const propertiesOf = (value: Json | undefined): Properties => (isProperties(value) ? value : {})

/** Undefined where it is no list: then nobody asked for less than everything. */
export function textsOf(value: Json | undefined): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(idOf).filter((text) => text !== '') : undefined
}

export function groupsOf(value: Json | undefined): Readonly<Record<string, string>> {
  const groups = Object.entries(propertiesOf(value)).map(([type, key]) => [type, idOf(key)] as const)
  return Object.fromEntries(groups.filter(([type, key]) => type !== '' && key !== ''))
}

/** What is said of each group, by its type. */
export const groupPropertiesOf = (value: Json | undefined): Readonly<Record<string, Properties>> =>
  Object.fromEntries(
    Object.entries(propertiesOf(value)).flatMap(([type, said]) =>
      isProperties(said) ? [[type, said] as const] : [],
    ),
  )

/** Browsers name the page that asks, however little of it. */
export function hostOfPage({ headers }: WireRequest): string {
  const page = headers.origin ?? headers.referer
  return page === undefined || page === 'null' ? '' : (hostOf(page) ?? '')
}

/** Agents of what visitors hold in their hands: browsers, and the SDKs and HTTP libraries of apps. */
const onDevices =
  /^(?:Mozilla|Opera)\/|^posthog-(?:js|ios|android|flutter|react-native|unity)\b|okhttp\/|CFNetwork\/|^Dart\//i

/** Who asks or sends by another is a server. */
export const isVisitorsAgent = (userAgent: string): boolean => onDevices.test(userAgent)
