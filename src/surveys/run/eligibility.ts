import type { PropertyCondition } from '#filters/filter'
import type {
  ActionMatch,
  ActionStep,
  AddressMatch,
  DeviceType,
  EventTrigger,
  SurveyTrigger,
} from '../survey'
import type { PublicSurvey } from './public-survey'

/** What a page knows about itself and its visitor. */
export interface PageFacts {
  href: string
  /** Whether an element of the page matches; false for a selector that cannot be read. */
  has: (selector: string) => boolean
  deviceType: DeviceType
  /** Language tags, the most wanted first. */
  languages: readonly string[]
  widthPx: number
  now: number
  memory: SurveyMemory
}

/** What a browser remembers of surveys, so that none is shown twice. */
export interface SurveyMemory {
  /** When any survey was last shown, in milliseconds. */
  lastShownAt?: number
  /** The keys of surveys that were answered or dismissed. */
  done: readonly string[]
}

const dayMs = 86_400_000

/** A survey is remembered by its id, in each iteration anew. */
export const memoryKey = ({ id, iteration }: Pick<PublicSurvey, 'id' | 'iteration'>): string =>
  iteration ? `${id}/${iteration.number}` : id

type EligibilityRule = (survey: Pick<PublicSurvey, 'targeting'>, page: PageFacts) => boolean

const rules: readonly EligibilityRule[] = [
  ({ targeting: { url } }, { href }) => !url || matchesAddress(href, url),
  ({ targeting: { selector } }, { has }) => !selector || has(selector),
  ({ targeting: { deviceTypes: wanted } }, { deviceType }) => !wanted?.length || wanted.includes(deviceType),
  ({ targeting: { languages: wanted } }, { languages }) => !wanted?.length || speaksAny(languages, wanted),
  ({ targeting: { screenWidth: { from = 0, until = Infinity } = {} } }, { widthPx }) =>
    widthPx >= from && widthPx <= until,
  // PostHog counts the day itself as over
  ({ targeting: { waitDays } }, { now, memory: { lastShownAt } }) =>
    waitDays === undefined || lastShownAt === undefined || now - lastShownAt >= waitDays * dayMs,
]

/** Whether the page and the visitor meet the conditions; triggers, delay, scroll and exit intent come on top. */
export const isEligible = (
  survey: Pick<PublicSurvey, 'id' | 'iteration' | 'isRepeatable' | 'targeting'>,
  page: PageFacts,
): boolean =>
  (survey.isRepeatable || !page.memory.done.includes(memoryKey(survey))) &&
  rules.every((rule) => rule(survey, page))

const contains = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase())

/** A pattern that cannot be read matches nothing. */
function matchesPattern(text: string, pattern: string): boolean {
  try {
    return new RegExp(pattern).test(text)
  } catch {
    return false
  }
}

/** `exact` compares with the whole address, as posthog-js does. */
export function matchesAddress(
  href: string,
  { match, value }: { match: AddressMatch; value: string },
): boolean {
  const isNegative = match.startsWith('not-')
  switch (match) {
    case 'contains':
    case 'not-contains':
      return contains(href, value) !== isNegative
    case 'exact':
    case 'not-exact':
      return (href === value) !== isNegative
    default:
      return matchesPattern(href, value) !== isNegative
  }
}

const speaksAny = (spoken: readonly string[], wanted: readonly string[]): boolean =>
  spoken.some((tag) =>
    wanted.some((one) => {
      const [language, base] = [tag.toLowerCase(), one.toLowerCase()]
      return language === base || language.startsWith(`${base}-`)
    }),
  )

/** Something that happened on the page. */
export interface PageEvent {
  name: string
  properties: Readonly<Record<string, unknown>>
  /** The element of a click. */
  element?: { matches: (selector: string) => boolean; text: string; href: string }
  /** Where the page was. */
  url: string
}

/** Whether any of the triggers recognises the event. */
export const triggersOn = (triggers: readonly SurveyTrigger[], event: PageEvent): boolean =>
  triggers.some((trigger) =>
    trigger.kind === 'event'
      ? trigger.event === event.name && holdsAll(trigger, event)
      : trigger.steps.some((step) => isStep(step, event)),
  )

const holdsAll = ({ properties }: EventTrigger, event: PageEvent): boolean =>
  properties.every((condition) => holds(condition, event.properties[condition.key]))

/** As in posthog-js, a property that is absent matches no operator, not even a negative one. */
function holds({ operator, value }: PropertyCondition, actual: unknown): boolean {
  if (operator === 'is_not_set') return actual === undefined
  if (actual === undefined || actual === null) return false
  const text = typeof actual === 'string' ? actual : JSON.stringify(actual)
  const wanted = (Array.isArray(value) ? value : [value]).map(String)
  const [first = ''] = wanted
  const compares = comparisons[operator]
  return compares ? compares(text, first, wanted) : false
}

type Comparison = (text: string, first: string, wanted: readonly string[]) => boolean

/** The operators that a page can decide; the others match nothing. */
const comparisons: Partial<Record<PropertyCondition['operator'], Comparison>> = {
  exact: (text, _, wanted) => wanted.includes(text),
  is_not: (text, _, wanted) => !wanted.includes(text),
  icontains: contains,
  not_icontains: (text, first) => !contains(text, first),
  starts_with: (text, first) => text.toLowerCase().startsWith(first.toLowerCase()),
  ends_with: (text, first) => text.toLowerCase().endsWith(first.toLowerCase()),
  regex: matchesPattern,
  not_regex: (text, first) => !matchesPattern(text, first),
  gt: (text, first) => Number(text) > Number(first),
  gte: (text, first) => Number(text) >= Number(first),
  lt: (text, first) => Number(text) < Number(first),
  lte: (text, first) => Number(text) <= Number(first),
  is_set: () => true,
}

/** A step without an event and an element would be every event. */
const isStep = (step: ActionStep, event: PageEvent): boolean =>
  Boolean(step.event || step.selector || step.text || step.href) &&
  isStepEvent(step, event) &&
  isStepElement(step, event.element) &&
  (!step.url || matchesAction(event.url, step.url))

const isStepEvent = ({ event }: ActionStep, { name, element }: PageEvent): boolean =>
  !event || event === name || (event === '$autocapture' && element !== undefined)

function isStepElement({ selector, text, href }: ActionStep, element: PageEvent['element']): boolean {
  if (!selector && !text && !href) return true
  if (!element) return false
  return (
    (!selector || element.matches(selector)) &&
    (!text || matchesAction(element.text, text)) &&
    (!href || matchesAction(element.href, href))
  )
}

function matchesAction(actual: string, { match, value }: { match: ActionMatch; value: string }): boolean {
  if (match === 'exact') return actual === value
  return match === 'contains' ? contains(actual, value) : matchesPattern(actual, value)
}
