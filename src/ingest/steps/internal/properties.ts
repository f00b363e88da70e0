import type { Json, Properties } from '#events/event'
import { cleanAddress, parseExternalUrl, parsePageUrl, withoutSecrets } from './addresses'
import { propertyRuleOf, personPropertyRuleOf, type PropertyRule } from './property-rules'
import { stringKeysText, valueOfStoredText } from '#events/sent-values'
import { truncate, type IngestStep, type PipelineDraft } from './step'

/** The limit of properties; further ones are dropped. No real event has more. */
export const maxProperties = 1000
const longestKey = 200
/** The limit of one text; the whole event has its own limit. */
const longestText = 65_536

/** Cleans a text according to its rule. */
function cleanText(text: string, rule: PropertyRule, hashRouting: boolean): string {
  if (rule === 'page')
    return parsePageUrl(text, hashRouting)?.text ?? cleanAddress(withoutScheme(text), 'dropped')
  if (rule === 'referrer') return parseExternalUrl(text)?.text ?? cleanAddress(withoutScheme(text), 'dropped')
  if (rule === 'address' && !text.includes('://')) return cleanAddress(text, 'kept')
  return withoutSecrets(text)
}

/** The text after `javascript:` and similar schemes is not an address and may contain anything. */
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

/**
 * Converts a value to the engine's format: numbers as digits, lists and objects as JSON; undefined for empty values.
 */
function textOfValue(value: Json, rule: PropertyRule, hashRouting: boolean): string | undefined {
  if (typeof value === 'string') return truncate(cleanText(value, rule, hashRouting), longestText)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  return value === null || value === undefined
    ? undefined
    : JSON.stringify(cleanValue(value, rule, hashRouting))
}

/**
 * The device id outlives the day, so a visitor without an id must not be identified by it. Until visitors identify
 * themselves it equals their distinct id, and ids take most of an event's space on disk.
 */
const isRedundantDeviceId = (
  { isCookieless, distinctId, event: { properties } }: PipelineDraft,
  key: string,
): boolean => key === '$device_id' && (isCookieless || properties[key] === distinctId)

/** Whether a property of the page's address is in columns already. */
const isPageUrlProperty = ({ page }: PipelineDraft, name: string): boolean =>
  name === '$current_url' && page !== undefined

/** Stores the properties that have no column, as text. */
export const writeProperties: IngestStep = (draft, { rules }) => {
  const { properties } = draft.event
  const stringKeys: string[] = []
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
    if (typeof properties[name] === 'string' && valueOfStoredText(text) !== undefined)
      stringKeys.push(withoutSecrets(key))
  }
  if (stringKeys.length > 0) draft.columns.string_keys = stringKeysText(stringKeys)
  Object.assign(draft.properties, draft.notes)
}

/** Cleans the properties of a person or a group in the same way. */
export function cleanProperties(properties: Properties, hashRouting: boolean): Properties {
  const clean: Properties = {}
  for (const name of Object.keys(properties).slice(0, maxProperties)) {
    const key = truncate(name, longestKey)
    const rule = personPropertyRuleOf(key)
    if (rule !== 'never') clean[withoutSecrets(key)] = cleanValue(properties[name] ?? null, rule, hashRouting)
  }
  return clean
}
