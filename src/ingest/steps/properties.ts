import type { Json, Properties } from '../../events/event'
import { cleanAddress, originAndPath, readPage, withoutSecrets } from './addresses'
import { fateOf, personFateOf, type Fate } from './fates'
import { cut, type Step, type Underway } from './step'

/** Further ones are left out. Nothing that a program means to say has more. */
export const mostProperties = 1000
const longestKey = 200
/** Of a single text; the whole event has a bound of its own. */
const longestText = 65_536

/** A text as it may be kept, given what it is. */
function cleanText(text: string, fate: Fate, hashRouting: boolean): string {
  if (fate === 'page')
    return readPage(text, hashRouting)?.text ?? cleanAddress(withoutScheme(text), 'dropped')
  if (fate === 'referrer') return originAndPath(text)?.text ?? cleanAddress(withoutScheme(text), 'dropped')
  if (fate === 'address' && !text.includes('://')) return cleanAddress(text, 'kept')
  return withoutSecrets(text)
}

/** What follows `javascript:` and the like is no address, and could be anything. */
const withoutScheme = (text: string): string => (/^[a-z][a-z0-9+.-]*:/i.test(text) ? '' : text)

/** A value of any depth without secrets; what is within an object is told by its own names. */
function cleanValue(value: Json, fate: Fate, hashRouting: boolean): Json {
  if (typeof value === 'string') return cut(cleanText(value, fate, hashRouting), longestText)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => cleanValue(one, fate, hashRouting))
  const entries = Object.entries(value).flatMap(([key, one]): [string, Json][] => {
    const within = personFateOf(key)
    return within === 'never' ? [] : [[withoutSecrets(key), cleanValue(one, within, hashRouting)]]
  })
  return Object.fromEntries(entries)
}

/** As the engine keeps it: numbers with their digits, lists and objects as JSON; undefined for what says nothing. */
function textOfValue(value: Json, fate: Fate, hashRouting: boolean): string | undefined {
  if (typeof value === 'string') return cut(cleanText(value, fate, hashRouting), longestText)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  return value === null || value === undefined
    ? undefined
    : JSON.stringify(cleanValue(value, fate, hashRouting))
}

/**
 * Outlives the day, so that a visitor without an id of their own is not to get one through it. Until visitors say who
 * they are it is their distinct id once more, and ids are most of what an event takes on disk.
 */
const isSuperfluousId = (
  { isCookieless, distinctId, event: { properties } }: Underway,
  key: string,
): boolean => key === '$device_id' && (isCookieless || properties[key] === distinctId)

/** Read already, for its columns. */
const isPageOf = ({ page }: Underway, name: string): boolean => name === '$current_url' && page !== undefined

/** What the sender said beyond the columns, as text. */
export const writeProperties: Step = (draft, { rules }) => {
  const { properties } = draft.event
  let room = mostProperties
  for (const name of Object.keys(properties)) {
    const key = cut(name, longestKey)
    const fate = fateOf(key)
    if (fate === 'never' || fate === 'elsewhere' || isSuperfluousId(draft, key)) continue
    const text = isPageOf(draft, name)
      ? draft.page?.text
      : textOfValue(properties[name] ?? null, fate, rules.hashRouting)
    if (text === undefined) continue
    if (room-- <= 0) break
    draft.properties[withoutSecrets(key)] = text
  }
  Object.assign(draft.properties, draft.notes)
}

/** What is said about a person or a group, with the same care. */
export function cleanProperties(properties: Properties, hashRouting: boolean): Properties {
  const clean: Properties = {}
  for (const name of Object.keys(properties).slice(0, mostProperties)) {
    const key = cut(name, longestKey)
    const fate = personFateOf(key)
    if (fate !== 'never') clean[withoutSecrets(key)] = cleanValue(properties[name] ?? null, fate, hashRouting)
  }
  return clean
}
