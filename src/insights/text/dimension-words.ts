import type { Filter } from '#filters/filter'
import type { SessionKey } from '../compile/sessions'

/** By what web analytics cuts its numbers into rows, as people meet it. How it is computed is in `dimensions.ts`. */
export type DimensionWords = {
  label: string
  /** In a sentence about several: "All 12 pages". */
  plural: string
} & (
  | { of: 'session'; key: SessionKey }
  /** Each event has its own value, and only events of these names are about it. */
  | { of: 'event'; key: string; names: readonly string[] }
)

const ofSession = (label: string, plural: string, key: SessionKey): DimensionWords => ({
  label,
  plural,
  of: 'session',
  key,
})

const ofEvent = (
  label: string,
  plural: string,
  key: string,
  names: readonly string[] = [],
): DimensionWords => ({
  label,
  plural,
  of: 'event',
  key,
  names,
})

export const dimensionWords = {
  page: ofEvent('Page', 'pages', '$pathname', ['$pageview']),
  title: ofEvent('Title', 'titles', 'title', ['$pageview']),
  screen: ofEvent('Screen', 'screens', '$screen_name', ['$screen']),
  entry: ofSession('Entry page', 'entry pages', '$entry_pathname'),
  exit: ofSession('Exit page', 'exit pages', '$exit_pathname'),
  host: ofEvent('Host', 'hosts', '$host', ['$pageview', '$screen']),
  channel: ofSession('Channel', 'channels', '$channel_type'),
  source: ofSession('Source', 'sources', '$entry_source'),
  referrer: ofSession('Referrer', 'referrers', '$entry_referrer'),
  utm_source: ofSession('UTM source', 'UTM sources', '$entry_utm_source'),
  utm_medium: ofSession('UTM medium', 'UTM media', '$entry_utm_medium'),
  utm_campaign: ofSession('UTM campaign', 'UTM campaigns', '$entry_utm_campaign'),
  utm_content: ofSession('UTM content', 'UTM contents', '$entry_utm_content'),
  utm_term: ofSession('UTM term', 'UTM terms', '$entry_utm_term'),
  click_id: ofSession('Click id', 'click ids', '$entry_click_id'),
  country: ofSession('Country', 'countries', '$session_country'),
  region: ofSession('Region', 'regions', '$session_region'),
  city: ofSession('City', 'cities', '$session_city'),
  browser: ofSession('Browser', 'browsers', '$session_browser'),
  os: ofSession('System', 'systems', '$session_os'),
  device: ofSession('Device', 'devices', '$session_device'),
  language: ofSession('Language', 'languages', '$session_language'),
  event: ofEvent('Event', 'events', '$event'),
  outbound: ofEvent('Outbound link', 'outbound links', 'url', ['$outbound_click']),
  download: ofEvent('Download', 'downloads', 'url', ['$file_download']),
  not_found: ofEvent('Page not found', 'missing pages', '$pathname', ['$not_found']),
  form: ofEvent('Form', 'pages with forms', '$pathname', ['$form_submit']),
  robot: ofEvent('Robot', 'robots', '$browser'),
  robot_page: ofEvent('Page', 'pages', '$pathname'),
} as const satisfies Record<string, DimensionWords>

export type DimensionName = keyof typeof dimensionWords
export const dimensionNames = Object.keys(dimensionWords).filter(isDimensionName)

export function isDimensionName(name: string): name is DimensionName {
  return Object.hasOwn(dimensionWords, name)
}

export const wordsOf = (name: DimensionName): DimensionWords => dimensionWords[name]

/** What a press on a row narrows by. An empty value is one that is not known. */
export function narrowedTo(name: DimensionName, values: readonly string[], isNot: boolean): Filter {
  const { of: type, key } = wordsOf(name)
  const named = values.filter((value) => value !== '')
  const known: Filter = { type, key, operator: isNot ? 'is_not' : 'exact', value: named }
  const unknown: Filter = { type, key, operator: isNot ? 'is_set' : 'is_not_set' }
  const parts = [...(named.length > 0 ? [known] : []), ...(named.length < values.length ? [unknown] : [])]
  const those: Filter = isNot ? { all: parts } : { any: parts }
  const about = happeningsOf(name)
  return about ? { all: [about, those] } : those
}

/** Properties that several events have are told apart by the event. Pages are where anything may have happened. */
function happeningsOf(name: DimensionName): Filter | undefined {
  const words = wordsOf(name)
  if (words.of === 'session' || words.names.length === 0 || words.names.includes('$pageview'))
    return undefined
  return { type: 'event', key: '$event', operator: 'exact', value: [...words.names] }
}
