import { z } from 'zod'
import type { Json } from '#events/event'
import type { PropertyCondition } from '#filters/filter'
import { isOperator } from '#filters/vocabulary'
import {
  type ActionMatch,
  type ActionStep,
  type ActionTrigger,
  type AddressMatch,
  type DeviceType,
  deviceTypes,
  type EventTrigger,
  type SurveyTargeting,
} from '../../survey'
import { defined, optionalFlag, optionalText } from './fields'
import type {
  PosthogAction,
  PosthogActionStep,
  PosthogConditions,
  PosthogEventTrigger,
} from './posthog-types'
import { matchTypes, triggerOperators } from './operators'
import { selectorRegex } from './selector-regex'

export function toPosthogConditions(targeting: SurveyTargeting): PosthogConditions {
  const { url, selector, waitDays, flag, triggers = [], cancelEvents = [] } = targeting
  const events = triggers.filter((trigger) => trigger.kind === 'event')
  const actions = triggers.filter((trigger) => trigger.kind === 'action')
  return {
    ...(url && { url: url.value, urlMatchType: matchTypes[url.match] }),
    ...(targeting.deviceTypes && {
      deviceTypes: targeting.deviceTypes,
      deviceTypesMatchType: 'exact' as const,
    }),
    ...(selector !== undefined && { selector }),
    ...(waitDays !== undefined && { seenSurveyWaitPeriodInDays: waitDays }),
    ...(flag?.variant !== undefined && { linkedFlagVariant: flag.variant }),
    events:
      events.length > 0
        ? { repeatedActivation: targeting.repeatsOnTrigger === true, values: events.map(toEventTrigger) }
        : null,
    cancelEvents: cancelEvents.length > 0 ? { values: cancelEvents.map(toEventTrigger) } : null,
    actions: actions.length > 0 ? { values: actions.map(toAction) } : null,
  }
}

function toEventTrigger({ event, properties }: EventTrigger): PosthogEventTrigger {
  if (properties.length === 0) return { name: event }
  const filters = properties.map(
    ({ key, operator, value = '' }) => [key, { values: textsOf(value), operator }] as const,
  )
  return { name: event, propertyFilters: Object.fromEntries(filters) }
}

const textsOf = (value: Json): string[] =>
  (Array.isArray(value) ? value : [value]).map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))

const toAction = ({ name, steps }: ActionTrigger, index: number): PosthogAction => ({
  id: index + 1,
  name,
  steps: steps.map(toActionStep),
})

/** posthog-js looks at no event that a step does not name. */
function toActionStep({ event, selector, text, href, url }: ActionStep): PosthogActionStep {
  const regex = selector === undefined ? undefined : selectorRegex(selector)
  return {
    event: event ?? (selector !== undefined || text || href ? '$autocapture' : '$pageview'),
    ...defined({
      selector,
      selector_regex: regex?.done ? regex.value : undefined,
      text: text?.value,
      text_matching: text?.match,
      href: href?.value,
      href_matching: href?.match,
      url: url?.value,
      url_matching: url?.match,
    }),
  }
}

const theirEvent = z.looseObject({
  name: z.string(),
  propertyFilters: z
    .record(z.string(), z.looseObject({ values: z.array(z.unknown()), operator: z.string() }))
    .nullish(),
})
type TheirEvent = z.infer<typeof theirEvent>

const actionMatch = z.enum(['exact', 'contains', 'regex']).nullish()
const theirStep = z.looseObject({
  event: optionalText,
  selector: optionalText,
  text: optionalText,
  text_matching: actionMatch,
  href: optionalText,
  href_matching: actionMatch,
  url: optionalText,
  url_matching: actionMatch,
  properties: z.array(z.unknown()).nullish(),
})
type TheirStep = z.infer<typeof theirStep>

const theirEvents = z
  .looseObject({ repeatedActivation: optionalFlag, values: z.array(theirEvent).nullish() })
  .nullish()
const theirActions = z
  .looseObject({
    values: z.array(z.looseObject({ name: optionalText, steps: z.array(theirStep).nullish() })).nullish(),
  })
  .nullish()

export const theirConditions = z
  .looseObject({
    url: optionalText,
    urlMatchType: optionalText,
    selector: optionalText,
    deviceTypes: z.array(z.string()).nullish(),
    deviceTypesMatchType: optionalText,
    seenSurveyWaitPeriodInDays: z.number().nullish(),
    linkedFlagVariant: optionalText,
    events: theirEvents,
    cancelEvents: theirEvents,
    actions: theirActions,
  })
  .nullish()
type TheirConditions = Partial<NonNullable<z.infer<typeof theirConditions>>>

/** Translates conditions on the page and triggers; flags stand beside them. */
export function fromPosthogConditions(
  conditions: TheirConditions,
  note: (sentence: string) => void,
): SurveyTargeting {
  const { url = '', selector, seenSurveyWaitPeriodInDays: waitDays } = conditions
  return {
    ...(url !== '' && { url: { match: addressMatchOf(conditions), value: url } }),
    ...textField('selector', selector),
    ...deviceTypesOf(conditions, note),
    ...(typeof waitDays === 'number' && { waitDays }),
    ...triggersOf(conditions, note),
  }
}

function triggersOf(
  { events, actions, cancelEvents }: TheirConditions,
  note: (sentence: string) => void,
): Pick<SurveyTargeting, 'triggers' | 'repeatsOnTrigger' | 'cancelEvents'> {
  const eventTriggers = (values: readonly TheirEvent[] | null | undefined) =>
    (values ?? []).map((event) => fromEventTrigger(event, note))
  const actionTriggers = (actions?.values ?? []).map(({ name = '', steps }): ActionTrigger => ({
    kind: 'action',
    name,
    steps: (steps ?? []).map((step) => fromActionStep(step, note)),
  }))
  const triggers = [...eventTriggers(events?.values), ...actionTriggers]
  const cancelling = eventTriggers(cancelEvents?.values)
  return {
    ...(triggers.length > 0 && { triggers }),
    ...(events?.repeatedActivation && { repeatsOnTrigger: true }),
    ...(cancelling.length > 0 && { cancelEvents: cancelling }),
  }
}

const addressMatches = new Map<string, AddressMatch>(
  Object.entries(matchTypes).map(([ours, posthogName]) => [posthogName, ours as AddressMatch]),
)

const addressMatchOf = ({ urlMatchType }: TheirConditions): AddressMatch =>
  addressMatches.get(urlMatchType ?? '') ?? 'contains'

/** Returns those of the few types of devices that the condition lets in. */
function deviceTypesOf(
  { deviceTypes: wanted, deviceTypesMatchType }: TheirConditions,
  note: (sentence: string) => void,
): { deviceTypes?: DeviceType[] } {
  if (!wanted || wanted.length === 0) return {}
  const holds = deviceMatches[deviceTypesMatchType ?? 'icontains']
  if (!holds) {
    note(
      `Device types are compared by “${deviceTypesMatchType}”, which Tilth does not have. Every device is let in.`,
    )
    return {}
  }
  return { deviceTypes: deviceTypes.filter((type) => holds(type, wanted)) }
}

const isContained = (type: string, wanted: readonly string[]) =>
  wanted.some((one) => type.toLowerCase().includes(one.toLowerCase()))

const deviceMatches: Readonly<Record<string, (type: string, wanted: readonly string[]) => boolean>> = {
  exact: (type, wanted) => wanted.includes(type),
  is_not: (type, wanted) => !wanted.includes(type),
  icontains: isContained,
  not_icontains: (type, wanted) => !isContained(type, wanted),
}

function fromEventTrigger(
  { name, propertyFilters }: TheirEvent,
  note: (sentence: string) => void,
): EventTrigger {
  const properties = Object.entries(propertyFilters ?? {}).flatMap(([key, filter]): PropertyCondition[] => {
    const { operator } = filter
    if (!isOperator(operator) || !triggerOperators.has(operator)) {
      note(`The trigger “${name}” compares “${key}” by “${operator}”, which Tilth does not have here.`)
      return []
    }
    const values = filter.values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    return [{ type: 'event', key, operator, value: values.length === 1 ? (values[0] ?? '') : values }]
  })
  return { kind: 'event', event: name, properties }
}

function fromActionStep(step: TheirStep, note: (sentence: string) => void): ActionStep {
  if (step.properties && step.properties.length > 0)
    note('A step of an action has conditions on properties, which Tilth does not have here.')
  return {
    ...textField('event', step.event),
    ...textField('selector', step.selector),
    ...matchField('text', step.text, step.text_matching ?? 'exact'),
    ...matchField('href', step.href, step.href_matching ?? 'exact'),
    ...matchField('url', step.url, step.url_matching ?? 'contains'),
  }
}

/** PostHog's forms leave empty texts behind where there is no condition. */
const textField = (name: string, value: string | undefined) =>
  value === undefined || value === '' ? {} : { [name]: value }

const matchField = (name: string, value: string | undefined, match: ActionMatch) =>
  value === undefined || value === '' ? {} : { [name]: { match, value } }
