import type { Json, Properties } from '#events/event'
import { isProperties } from '../../decode-body'
import { numberField, propertiesField } from '../../read-fields'

/**
 * The rules of Google's validation server, so that what is valid here is valid there. Tilth itself stores more than they allow.
 * https://developers.google.com/analytics/devguides/collection/protocol/ga4/validating-events
 */
export interface ValidationMessage {
  fieldPath: string
  description: string
  validationCode:
    | 'VALUE_INVALID'
    | 'VALUE_REQUIRED'
    | 'VALUE_OUT_OF_BOUNDS'
    | 'NAME_INVALID'
    | 'NAME_RESERVED'
    | 'EXCEEDED_MAX_ENTITIES'
}

const message = (
  validationCode: ValidationMessage['validationCode'],
  fieldPath: string,
  description: string,
): ValidationMessage => ({ fieldPath, description, validationCode })

const limits = {
  events: 25,
  params: 25,
  userProperties: 25,
  items: 200,
  eventName: 40,
  paramName: 40,
  paramValue: 100,
  userPropertyName: 24,
  userPropertyValue: 36,
} as const

/** Parameters that may be longer than others. */
const longParams: Readonly<Record<string, number>> = {
  page_location: 1000,
  page_referrer: 420,
  page_title: 300,
}

const knownFields = new Set([
  'client_id',
  'app_instance_id',
  'user_id',
  'timestamp_micros',
  'user_properties',
  'user_data',
  'consent',
  'non_personalized_ads',
  'user_location',
  'ip_override',
  'device',
  'user_agent',
  'validation_behavior',
  'events',
])

const reservedEvents = new Set(
  (
    'ad_activeview ad_click ad_exposure ad_query ad_reward adunit_exposure app_background app_clear_data app_exception ' +
    'app_remove app_store_refund app_store_subscription_cancel app_store_subscription_convert app_store_subscription_renew ' +
    'app_update app_upgrade dynamic_link_app_open dynamic_link_app_update dynamic_link_first_open error firebase_campaign ' +
    'firebase_in_app_message_action firebase_in_app_message_dismiss firebase_in_app_message_impression first_open ' +
    'first_visit in_app_purchase notification_dismiss notification_foreground notification_open notification_receive ' +
    'notification_send os_update session_start user_engagement'
  ).split(' '),
)
const reservedParamPrefixes = ['_', 'firebase_', 'ga_', 'google_', 'gtag.']
const reservedUserProperties = new Set(
  'first_open_time first_visit_time last_deep_link_referrer user_id first_open_after_install'.split(' '),
)
const reservedUserPropertyPrefixes = ['_', 'google_', 'ga_', 'firebase_']

/** Finds everything that Google would refuse in a body; an empty list if it is valid. */
export function validate(body: Json, receivedAt: Date): readonly ValidationMessage[] {
  if (!isProperties(body)) return [message('VALUE_INVALID', '', 'The body must be a JSON object.')]
  return [
    ...unknownFields(body),
    ...missingClient(body),
    ...badTime(body, 'timestamp_micros', receivedAt),
    ...badUserProperties(body),
    ...badEvents(body['events'], receivedAt),
  ]
}

const unknownFields = (body: Properties): ValidationMessage[] =>
  Object.keys(body)
    .filter((field) => !knownFields.has(field))
    .map((field) => message('VALUE_INVALID', field, `Unknown field [${field}].`))

function missingClient(body: Properties): ValidationMessage[] {
  const id = body['client_id'] ?? body['app_instance_id']
  if (typeof id === 'string' && id !== '') return []
  return id === undefined || id === ''
    ? [message('VALUE_REQUIRED', 'client_id', 'The request requires a client_id or an app_instance_id.')]
    : [message('VALUE_INVALID', 'client_id', 'A client_id is a text.')]
}

const threeDaysMs = 72 * 60 * 60 * 1000
const clockErrorMs = 15 * 60 * 1000

function badTime(fields: Properties, path: string, receivedAt: Date): ValidationMessage[] {
  if (fields['timestamp_micros'] === undefined) return []
  const micros = numberField(fields, 'timestamp_micros')
  if (micros === undefined)
    return [message('VALUE_INVALID', path, 'A timestamp is a number of microseconds since 1970.')]
  const ageMs = receivedAt.getTime() - micros / 1000
  return ageMs > threeDaysMs || ageMs < -clockErrorMs
    ? [message('VALUE_OUT_OF_BOUNDS', path, 'A timestamp is at most 72 hours old, and not in the future.')]
    : []
}

function badUserProperties(body: Properties): ValidationMessage[] {
  const given = body['user_properties']
  if (given === undefined) return []
  if (!isProperties(given))
    return [message('VALUE_INVALID', 'user_properties', 'User properties are an object.')]
  const entries = Object.entries(given)
  const tooMany =
    entries.length > limits.userProperties
      ? [
          message(
            'EXCEEDED_MAX_ENTITIES',
            'user_properties',
            `At most ${limits.userProperties} user properties.`,
          ),
        ]
      : []
  return [...tooMany, ...entries.flatMap(([name, property]) => badUserProperty(name, property))]
}

function badUserProperty(name: string, property: Json): ValidationMessage[] {
  const path = `user_properties.${name}`
  const value = isProperties(property) ? property['value'] : undefined
  return [
    ...badName(`User property [${name}]`, name, path, limits.userPropertyName),
    ...(reservedUserProperties.has(name) || startsWithAny(name, reservedUserPropertyPrefixes)
      ? [message('NAME_RESERVED', path, `User property [${name}] has a reserved name.`)]
      : []),
    ...(value === undefined
      ? [message('VALUE_REQUIRED', path, `User property [${name}] is an object with a "value".`)]
      : []),
    ...(typeof value === 'string' && value.length > limits.userPropertyValue
      ? [
          message(
            'VALUE_OUT_OF_BOUNDS',
            path,
            `The value of user property [${name}] has at most ${limits.userPropertyValue} characters.`,
          ),
        ]
      : []),
  ]
}

function badEvents(events: Json | undefined, receivedAt: Date): ValidationMessage[] {
  if (!Array.isArray(events) || events.length === 0)
    return [message('VALUE_REQUIRED', 'events', 'The request requires a list of events.')]
  const tooMany =
    events.length > limits.events
      ? [message('EXCEEDED_MAX_ENTITIES', 'events', `At most ${limits.events} events a request.`)]
      : []
  return [...tooMany, ...events.flatMap((event, index) => badEvent(event, index, receivedAt))]
}

function badEvent(event: Json, index: number, receivedAt: Date): ValidationMessage[] {
  const path = `events[${index}]`
  if (!isProperties(event))
    return [message('VALUE_INVALID', path, `Event at index: [${index}] is an object.`)]
  const { name, params = {} } = event
  if (typeof name !== 'string' || name === '')
    return [message('VALUE_REQUIRED', `${path}.name`, `Event at index: [${index}] requires a name.`)]
  const what = `Event at index: [${index}]`
  return [
    ...badName(what, name, 'events', limits.eventName),
    ...(reservedEvents.has(name)
      ? [message('NAME_RESERVED', 'events', `${what} has name [${name}], which is reserved.`)]
      : []),
    ...badTime(event, `${path}.timestamp_micros`, receivedAt),
    ...(isProperties(params)
      ? [...badParams(what, path, params), ...badSale(what, path, event)]
      : [message('VALUE_INVALID', `${path}.params`, `${what}: params are an object.`)]),
  ]
}

const nameRules: readonly [rule: string, isKept: (name: string) => boolean][] = [
  ['Names must start with an alphabetic character.', (name) => /^[a-z]/i.test(name)],
  ['Names have only letters, digits and underscores.', (name) => /^\w*$/.test(name)],
]

function badName(what: string, name: string, path: string, longest: number): ValidationMessage[] {
  const broken =
    name.length > longest
      ? `Names have at most ${longest} characters.`
      : nameRules.find(([, isKept]) => !isKept(name))?.[0]
  return broken === undefined
    ? []
    : [message('NAME_INVALID', path, `${what} has invalid name [${name}]. ${broken}`)]
}

const startsWithAny = (name: string, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => name.startsWith(prefix))

function badParams(what: string, path: string, params: Properties): ValidationMessage[] {
  const entries = Object.entries(params)
  const tooMany =
    entries.length > limits.params
      ? [
          message(
            'EXCEEDED_MAX_ENTITIES',
            `${path}.params`,
            `${what} has at most ${limits.params} parameters.`,
          ),
        ]
      : []
  return [
    ...tooMany,
    ...entries.flatMap(([name, value]) => badParam(what, `${path}.params.${name}`, name, value)),
  ]
}

function badParam(what: string, path: string, name: string, value: Json): ValidationMessage[] {
  if (startsWithAny(name, reservedParamPrefixes))
    return [message('NAME_RESERVED', path, `${what} has parameter [${name}], whose name is reserved.`)]
  const nameProblems = badName(`${what}: a parameter`, name, path, limits.paramName)
  if (name === 'items') return [...nameProblems, ...badItems(what, path, value)]
  const longest = Object.hasOwn(longParams, name) ? (longParams[name] ?? 0) : limits.paramValue
  if (typeof value === 'object' && value !== null)
    return [...nameProblems, message('VALUE_INVALID', path, `${what}: [${name}] is a text or a number.`)]
  return typeof value === 'string' && value.length > longest
    ? [
        ...nameProblems,
        message('VALUE_OUT_OF_BOUNDS', path, `${what}: [${name}] has at most ${longest} characters.`),
      ]
    : nameProblems
}

function badItems(what: string, path: string, items: Json): ValidationMessage[] {
  if (!Array.isArray(items)) return [message('VALUE_INVALID', path, `${what}: [items] is a list.`)]
  if (items.length > limits.items)
    return [message('EXCEEDED_MAX_ENTITIES', path, `${what} has at most ${limits.items} items.`)]
  return items.flatMap((item, index) =>
    isProperties(item) && (item['item_id'] !== undefined || item['item_name'] !== undefined)
      ? []
      : [message('VALUE_REQUIRED', `${path}[${index}]`, `${what}: an item requires item_id or item_name.`)],
  )
}

/** An amount counts only with its currency, and a sale only with its number. */
function badSale(what: string, path: string, event: Properties): ValidationMessage[] {
  const params = propertiesField(event, 'params')
  const isSale = event['name'] === 'purchase' || event['name'] === 'refund'
  const { value, currency, transaction_id: number } = params
  return [
    ...(isSale && number === undefined
      ? [message('VALUE_REQUIRED', `${path}.params.transaction_id`, `${what} requires a transaction_id.`)]
      : []),
    ...(value !== undefined && currency === undefined
      ? [
          message(
            'VALUE_REQUIRED',
            `${path}.params.currency`,
            `${what} has a value, and requires a currency.`,
          ),
        ]
      : []),
    ...(currency !== undefined && !(typeof currency === 'string' && /^[A-Z]{3}$/i.test(currency))
      ? [message('VALUE_INVALID', `${path}.params.currency`, 'A currency has three letters, such as EUR.')]
      : []),
    ...(value !== undefined && numberField(params, 'value') === undefined
      ? [message('VALUE_INVALID', `${path}.params.value`, `${what}: [value] is a number.`)]
      : []),
  ]
}
