import type { PropertyCondition } from '#filters/filter'
import type { ActionMatch, ActionStep, EventTrigger, SurveyTrigger } from '../survey'
import { contains, matchesPattern } from './eligibility'

/** Something that happened on the page. */
export interface PageEvent {
  name: string
  properties: Readonly<Record<string, unknown>>
  /** The element of a click. */
  element?: { matches: (selector: string) => boolean; text: string; href: string }
  /** The address of the page at that time. */
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

/** Whether a condition holds. As in posthog-js, an absent property matches no operator, not even a negative one. */
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
