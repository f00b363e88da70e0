import { codesNamed, valueName } from '#events/value-names'
import type { DimensionName } from '#insights/text/dimension-words'
import { failedOutcome, type FailedOutcome } from '#projects/problems'
import { plausibleName } from '#wire/plausible/events'

/** A dimension of Plausible's, and the property of Tilth's that has its values. */
export interface StatsDimension {
  name: string
  type: 'event' | 'session'
  key: string
  /** The panel of web analytics that lists its values. */
  panel?: DimensionName
  /** The word for an absent value. */
  absent: string
  /** Values that have another name at Plausible, by the name that they have here. */
  renamed?: ReadonlyMap<string, string>
  /** Further names at Plausible, and the value here. */
  aliases?: ReadonlyMap<string, string>
  /** Whether `renamed` has every value. */
  isClosed?: true
}

const direct = 'Direct / None'
const notSet = '(not set)'
const none = '(none)'

const session = (key: string, panel?: DimensionName, absent = notSet) => ({
  type: 'session' as const,
  key,
  absent,
  ...(panel && { panel }),
})
const event = (key: string, panel?: DimensionName, absent = notSet) => ({
  type: 'event' as const,
  key,
  absent,
  ...(panel && { panel }),
})

/** Tilth names systems as PostHog does. */
const systems = new Map([
  ['Mac OS X', 'Mac'],
  ['Linux', 'GNU/Linux'],
])

const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(97 + index))

let countryNames: ReadonlyMap<string, string> | undefined

/** Made at the first query about countries: naming every code takes longer than a start may. */
const countries = (): ReadonlyMap<string, string> =>
  (countryNames ??= new Map(
    letters
      .flatMap((letter) => codesNamed('$session_country', letter))
      .map((code) => [code, valueName('$session_country', code)]),
  ))

/** The name that Plausible's own examples filter by. */
const countryAliases = new Map([['United States of America', 'US']])

const standardEvents = new Map(
  ['pageview', 'Outbound Link: Click', 'File Download', 'Form: Submission', '404'].map((name) => [
    plausibleName(name),
    name,
  ]),
)

/** Returns the name that Plausible has for an event. */
export const eventNameAtPlausible = (name: string): string => standardEvents.get(name) ?? name

const dimensions: Readonly<Record<string, Omit<StatsDimension, 'name'> | undefined>> = {
  'event:page': event('$pathname', 'page', ''),
  'event:hostname': event('$host', 'host', ''),
  'event:name': { ...event('$event'), renamed: standardEvents },
  'visit:entry_page': session('$entry_pathname', 'entry', ''),
  'visit:exit_page': session('$exit_pathname', 'exit', ''),
  'visit:entry_page_hostname': session('$entry_host', undefined, ''),
  'visit:source': session('$entry_source', 'source', direct),
  'visit:referrer': session('$entry_referrer', 'referrer', direct),
  'visit:channel': session('$channel_type', 'channel'),
  'visit:utm_medium': session('$entry_utm_medium', 'utm_medium'),
  'visit:utm_source': session('$entry_utm_source', 'utm_source'),
  'visit:utm_campaign': session('$entry_utm_campaign', 'utm_campaign'),
  'visit:utm_content': session('$entry_utm_content', 'utm_content'),
  'visit:utm_term': session('$entry_utm_term', 'utm_term'),
  'visit:device': session('$session_device', 'device'),
  'visit:browser': session('$session_browser', 'browser'),
  'visit:browser_version': event('$browser_version'),
  'visit:os': { ...session('$session_os', 'os'), renamed: systems },
  'visit:os_version': event('$os_version'),
  'visit:country': session('$session_country', 'country', ''),
  'visit:country_name': {
    ...session('$session_country', 'country', ''),
    get renamed() {
      return countries()
    },
    aliases: countryAliases,
    isClosed: true,
  },
  'visit:region_name': session('$session_region', 'region', ''),
  'visit:city_name': session('$session_city', 'city', ''),
}

/** Dimensions that Plausible has and Tilth cannot say, with the reason. */
const absentDimensions: Readonly<Record<string, string | undefined>> = {
  'visit:region': 'Tilth keeps the names of regions and not their codes. Use visit:region_name.',
  'visit:city': 'Tilth keeps the names of cities and not their GeoName ids. Use visit:city_name.',
  'visit:exit_page_hostname': 'Tilth does not keep the host of the exit page.',
  'visit:screen': 'Tilth has visit:device in place of visit:screen.',
}

const propertyPrefix = 'event:props:'

/** Finds a dimension by its name at Plausible, or says why there is none. */
export function dimensionNamed(name: string): StatsDimension | FailedOutcome {
  if (name.startsWith(propertyPrefix) && name.length > propertyPrefix.length)
    return { name, ...event(name.slice(propertyPrefix.length), undefined, none) }
  const known = Object.hasOwn(dimensions, name) ? dimensions[name] : undefined
  if (known) return { name, ...known }
  const reason = Object.hasOwn(absentDimensions, name) ? absentDimensions[name] : undefined
  return failedOutcome(reason ?? `Unknown dimension '${shortened(name)}'.`)
}

/** Quotes a text of the request in a sentence. */
export const shortened = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text)

export const isFailure = (found: StatsDimension | FailedOutcome): found is FailedOutcome =>
  'problems' in found

/** Whether a value of a filter stands for an absent one. */
export const meansAbsent = ({ absent, key }: StatsDimension, value: string): boolean =>
  value === '' || value === absent || value === notSet || (value === direct && key.startsWith('$entry_utm_'))

/** Removes what Plausible leaves out of a referrer. */
const shortReferrer = (address: string): string =>
  address.replace(/^[a-z-]+:\/\/(?:www\.)?/, '').replace(/\/$/, '')

/** Returns a value as Plausible shows it. */
export function valueAtPlausible({ name, absent, renamed }: StatsDimension, value: string | null): string {
  if (value === null || value === '') return absent
  if (name === 'visit:referrer') return shortReferrer(value)
  return renamed?.get(value) ?? value
}
