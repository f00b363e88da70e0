import type { Filter } from '#filters/filter'
import type { SessionKey } from '../compile/internal/sessions'
import { filterOfGroup, isOfPath, type PageGroups } from './page-groups'

/** The labels of the dimensions of web analytics. `dimensions.ts` computes their values. */
export type DimensionWords = {
  label: string
  /** The word in a sentence about several: "All 12 pages". */
  plural: string
} & (
  | { of: 'session'; key: SessionKey }
  /** Whether each event has its own value; only events with these names have the dimension. */
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
  referring_host: ofSession('Referring host', 'referring hosts', '$entry_referring_domain'),
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

/** The operators that filter the values of a dimension, in the words of a filter. */
export const dimensionOperators = {
  is: { label: 'is', opposite: 'is-not' },
  'is-not': { label: 'is not', opposite: 'is' },
  contains: { label: 'contains', opposite: 'contains-not' },
  'contains-not': { label: 'does not contain', opposite: 'contains' },
} as const
export type DimensionOperator = keyof typeof dimensionOperators

export const isDimensionOperator = (name: string): name is DimensionOperator =>
  Object.hasOwn(dimensionOperators, name)

/** Returns the filter for some values: any of them, or none of them. A path may be the name of a group of pages. */
export function narrowedTo(
  name: DimensionName,
  operator: DimensionOperator,
  values: readonly string[],
  groups: PageGroups = [],
): Filter {
  if (operator === 'is' || operator === 'is-not') return oneOf(name, values, operator === 'is-not', groups)
  const { of: type, key } = wordsOf(name)
  const isNot = operator === 'contains-not'
  const parts = values
    .filter((value) => value !== '')
    .map((value): Filter => ({ type, key, operator: isNot ? 'not_icontains' : 'icontains', value }))
  return aboutEvents(name, isNot ? { all: parts } : { any: parts })
}

/** An empty value stands for unknown ones. */
function oneOf(name: DimensionName, values: readonly string[], isNot: boolean, groups: PageGroups): Filter {
  const { of: type, key } = wordsOf(name)
  const ofGroups = isOfPath(key)
    ? values.flatMap((value) => filterOfGroup({ type, key }, value, isNot, groups) ?? [])
    : []
  const named = values.filter((value) => value !== '' && !(isOfPath(key) && groups.includes(value)))
  const known: Filter = { type, key, operator: isNot ? 'is_not' : 'exact', value: named }
  const unknown: Filter = { type, key, operator: isNot ? 'is_set' : 'is_not_set' }
  const parts = [...(named.length > 0 ? [known] : []), ...(values.includes('') ? [unknown] : []), ...ofGroups]
  return aboutEvents(name, isNot ? { all: parts } : { any: parts })
}

function aboutEvents(name: DimensionName, filter: Filter): Filter {
  const about = matchersOf(name)
  return about ? { all: [about, filter] } : filter
}

/** Restricts a property of several events to one of them. Pages are not restricted. */
function matchersOf(name: DimensionName): Filter | undefined {
  const words = wordsOf(name)
  if (words.of === 'session' || words.names.length === 0 || words.names.includes('$pageview'))
    return undefined
  return { type: 'event', key: '$event', operator: 'exact', value: [...words.names] }
}
