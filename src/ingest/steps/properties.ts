import type { Json, Properties } from '#events/event'
import { cleanAddress, parseExternalUrl, parsePageUrl, withoutSecrets } from './addresses'
import { propertyRuleOf, personPropertyRuleOf, type PropertyRule } from './property-rules'
import { truncate, type IngestStep, type PipelineDraft } from './step'

/** Further ones are left out. Nothing that a program means to say has more. */
export const maxProperties = 1000
const longestKey = 200
/** Of a single text; the whole event has a bound of its own. */
const longestText = 65_536

/** A text as it may be kept, given what it is. */
function cleanText(text: string, rule: PropertyRule, hashRouting: boolean): string {
  if (rule === 'page')
    return parsePageUrl(text, hashRouting)?.text ?? cleanAddress(withoutScheme(text), 'dropped')
  if (rule === 'referrer') return parseExternalUrl(text)?.text ?? cleanAddress(withoutScheme(text), 'dropped')
  if (rule === 'address' && !text.includes('://')) return cleanAddress(text, 'kept')
  return withoutSecrets(text)
}

/** What follows `javascript:` and the like is no address, and could be anything. */
const withoutScheme = (text: string): string => (/^[a-z][a-z0-9+.-]*:/i.test(text) ? '' : text)

/** Removes secrets at any depth. Values inside an object are judged by their own keys. */
function cleanValue(value: Json, rule: PropertyRule, hashRouting: boolean): Json {
  if (typeof value === 'string') return truncate(cleanText(value, rule, hashRouting), longestText)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => cleanValue(one, rule, hashRouting))
  const entries = Object.entries(value).flatMap(([key, one]): [string, Json][] => {
    const nestedRule = personPropertyRuleOf(key)
    return nestedRule === 'never' ? [] : [[withoutSecrets(key), cleanValue(one, nestedRule, hashRouting)]]
  })
  return Object.fromEntries(entries)
}

/** As the engine keeps it: numbers with their digits, lists and objects as JSON; undefined for what says nothing. */
function textOfValue(value: Json, rule: PropertyRule, hashRouting: boolean): string | undefined {
  if (typeof value === 'string') return truncate(cleanText(value, rule, hashRouting), longestText)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  return value === null || value === undefined
    ? undefined
    : JSON.stringify(cleanValue(value, rule, hashRouting))
}

/**
 * Outlives the day, so that a visitor without an id of their own is not to get one through it. Until visitors say who
 * they are it is their distinct id once more, and ids are most of what an event takes on disk.
 */
const isRedundantDeviceId = (
  { isCookieless, distinctId, event: { properties } }: PipelineDraft,
  key: string,
): boolean => key === '$device_id' && (isCookieless || properties[key] === distinctId)

/** Read already, for its columns. */
const isPageUrlProperty = ({ page }: PipelineDraft, name: string): boolean =>
  name === '$current_url' && page !== undefined

/** What the sender said beyond the columns, as text. */
export const writeProperties: IngestStep = (draft, { rules }) => {
  const { properties } = draft.event
  let remaining = maxProperties
  for (const name of Object.keys(properties)) {
    const key = truncate(name, longestKey)
    const rule = propertyRuleOf(key)
    if (rule === 'never' || rule === 'elsewhere' || isRedundantDeviceId(draft, key)) continue
    const text = isPageUrlProperty(draft, name)
      ? draft.page?.text
      : textOfValue(properties[name] ?? null, rule, rules.hashRouting)
    if (text === undefined) continue
    if (remaining-- <= 0) break
    draft.properties[withoutSecrets(key)] = text
  }
  Object.assign(draft.properties, draft.notes)
}

/** What is said about a person or a group, with the same care. */
export function cleanProperties(properties: Properties, hashRouting: boolean): Properties {
  const clean: Properties = {}
  for (const name of Object.keys(properties).slice(0, maxProperties)) {
    const key = truncate(name, longestKey)
    const rule = personPropertyRuleOf(key)
    if (rule !== 'never') clean[withoutSecrets(key)] = cleanValue(properties[name] ?? null, rule, hashRouting)
  }
  return clean
}
