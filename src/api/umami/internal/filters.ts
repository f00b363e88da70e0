import type { Filter, PropertyCondition } from '#filters/filter'
import { bothFilters } from '#insights/query-fields'
import type { Outcome } from '#projects/problems'
import { refused, type UmamiCall } from './endpoint'

type FilteredProperty = Pick<PropertyCondition, 'key'> & { type: 'event' | 'session' }

const event = (key: string): FilteredProperty => ({ type: 'event', key })
const visit = (key: string): FilteredProperty => ({ type: 'session', key })

/** Umami's filters by name, of versions 2 and 3. */
const properties: Readonly<Record<string, FilteredProperty>> = {
  path: event('$pathname'),
  url: event('$pathname'),
  title: event('title'),
  hostname: event('$host'),
  host: event('$host'),
  event: event('$event'),
  tag: event('tag'),
  screen: event('$screen'),
  entry: visit('$entry_pathname'),
  exit: visit('$exit_pathname'),
  referrer: visit('$entry_referring_domain'),
  domain: visit('$entry_referring_domain'),
  browser: visit('$session_browser'),
  os: visit('$session_os'),
  device: visit('$session_device'),
  language: visit('$session_language'),
  country: visit('$session_country'),
  region: visit('$session_region'),
  city: visit('$session_city'),
  utmSource: visit('$entry_utm_source'),
  utmMedium: visit('$entry_utm_medium'),
  utmCampaign: visit('$entry_utm_campaign'),
  utmContent: visit('$entry_utm_content'),
  utmTerm: visit('$entry_utm_term'),
}

/** Filters of Umami's that Tilth cannot say, with the reason. */
const refusals: Readonly<Record<string, string>> = {
  query: 'Tilth does not keep the query of an address as a whole. Filter by utmSource and the like.',
  distinctId: 'Tilth does not filter by distinctId here. Its own API does: docs/questions.md.',
  segment: 'Segments of Umami’s are not known here. Send the filters themselves.',
  cohort: 'Cohorts of Umami’s are not known here. Send the filters themselves.',
  eventType: 'Tilth does not filter by eventType. Ask /metrics for type=path or type=event.',
}

/** The name of a filter without the number by which a client sends several of one name: browser, browser1. */
const baseOf = (name: string): string => name.replace(/\d+$/, '')

export const isFilterName = (name: string): boolean =>
  [properties, refusals].some((known) => Object.hasOwn(known, baseOf(name))) ||
  name === 'match' ||
  name === 'excludeBounce'

/** Whether the request names what Umami 3 calls otherwise: only clients of version 2 do. */
export const isOfVersion2 = (query: URLSearchParams): boolean => query.has('url') || query.has('host')

const mostValues = 200

type NamedValues = Iterable<readonly [name: string, value: unknown]>

/** Reads the filters among named values; undefined where there are none. */
export function filterFrom(named: NamedValues): Outcome<{ filter: Filter | undefined }> {
  const given = [...named].filter(
    ([name, value]) => isFilterName(name) && value !== undefined && value !== null,
  )
  const parts: Filter[] = []
  for (const [name, value] of given) {
    if (typeof value !== 'string') return refused(`Give the filter "${name}" as text.`, name)
    if (name === 'match' || name === 'excludeBounce') continue
    const read = namedCondition(name, value)
    if (!read.done) return read
    parts.push(read.condition)
  }
  const { match = 'all', excludeBounce = 'false' } = Object.fromEntries(given)
  if (match !== 'all' && match !== 'any') return refused('Match all or any.', 'match')
  const joined = parts.length === 0 ? undefined : match === 'any' ? { any: parts } : { all: parts }
  return { done: true, filter: bothFilters(joined, excludeBounce === 'false' ? undefined : noBounces) }
}

const noBounces: Filter = { ...visit('$is_bounce'), operator: 'lt', value: 1 }

function namedCondition(name: string, value: string): Outcome<{ condition: Filter }> {
  const base = baseOf(name)
  const property = properties[base]
  if (!property) return refused(refusals[base] ?? `Unknown filter "${name}".`, name)
  if (value.length > longestValue)
    return refused(`The filter "${name}" is longer than ${longestValue} characters.`, name)
  return conditionOn(property, value, name)
}

const longestValue = 2000

export const filterOf = ({ query }: Pick<UmamiCall, 'query'>) => filterFrom(query)

/**
 * Reads a value with Umami's operator before it: `c.blog` (src/lib/params.ts, c0ea3ae). Its operators for numbers and
 * dates fit no filter of a dashboard, so that `t.co` is a host.
 */
function conditionOn(property: FilteredProperty, text: string, name: string): Outcome<{ condition: Filter }> {
  const [, operator = 'eq', value = text] = /^(eq|neq|c|dnc|re|nre)\.(.*)$/s.exec(text) ?? []
  const condition = (of: PropertyCondition['operator'], wanted?: string | string[]) => ({
    done: true as const,
    condition: { ...property, operator: of, ...(wanted !== undefined && { value: wanted }) },
  })
  if (text === 's.' || text === 'neq.') return condition('is_set')
  if (text === 'ns.' || text === 'eq.' || text === '') return condition('is_not_set')
  if (value === '') return refused(`Give the filter "${name}" a value.`, name)
  const ofText = textOperators[operator]
  if (ofText) return condition(ofText, value)
  // a title may have a comma of its own
  const values = [...new Set([value, ...value.split(',')])].filter((one) => one !== '')
  if (values.length > mostValues)
    return refused(`Give the filter "${name}" at most ${mostValues} values.`, name)
  return condition(operator === 'neq' ? 'is_not' : 'exact', values)
}

const textOperators: Readonly<Record<string, PropertyCondition['operator']>> = {
  c: 'icontains',
  dnc: 'not_icontains',
  re: 'regex',
  nre: 'not_regex',
}

/** Events by their names, in place of Tilth's own. */
export const customEvents: Filter = { ...event('$event'), operator: 'not_regex', value: String.raw`^\$` }

export const views: Filter = { ...event('$event'), operator: 'exact', value: ['$pageview', '$screen'] }
