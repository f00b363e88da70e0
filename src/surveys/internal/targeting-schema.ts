import { z } from 'zod'
import { type Filter, filter, type PropertyCondition } from '#filters/filter'
import { actionMatches, addressMatches, deviceTypes } from '../survey'
import { alternativesOf, mostAlternatives } from './targeting-flag'
import {
  flag,
  languageTag,
  pattern,
  percentage,
  requiredText,
  surveyLimits,
  text,
  whole,
} from './field-schemas'

/** Selectors end up in `querySelector`, and their texts in a regular expression. */
const selector = requiredText('Give a CSS selector.', 500)

const withPattern = (
  { match, value }: { match: string; value: string },
  issues: z.core.$ZodRawIssue[],
): void => {
  if (match !== 'regex' && match !== 'not-regex') return
  const read = pattern.safeParse(value)
  for (const { message } of read.error?.issues ?? [])
    issues.push({ code: 'custom', message, path: ['value'], input: value })
}

const address = z
  .strictObject({
    match: z.enum(addressMatches, { error: `Choose how addresses match: ${addressMatches.join(', ')}.` }),
    value: requiredText('Give the address, or a part of it.', 2000),
  })
  .check(({ value, issues }) => withPattern(value, issues))

const actionMatch = z
  .strictObject({
    match: z.enum(actionMatches, { error: 'Match by exact, contains or regex.' }),
    value: requiredText('Give the text to match.', 2000),
  })
  .check(({ value, issues }) => withPattern(value, issues))

const eventName = requiredText('Name the event.', 200)

const ofEvent =
  'Conditions of a trigger are on properties of its event: { "type": "event", "key", "operator", "value" }.'

/** posthog-js decides these in the browser, and knows only these operators. */
const triggerOperators: ReadonlySet<string> = new Set([
  'exact',
  'is_not',
  'icontains',
  'not_icontains',
  'regex',
  'not_regex',
  'gt',
  'lt',
])

// the rest are conditions on event properties, which the type of `filter` cannot say
const eventCondition = filter
  .refine((one) => 'type' in one && one.type === 'event', { error: ofEvent })
  .refine((one) => !('operator' in one) || triggerOperators.has(one.operator), {
    error: `Triggers compare by ${[...triggerOperators].join(', ')}.`,
  }) as unknown as z.ZodType<PropertyCondition>

/** Conditions on the properties of the event; all must hold. */
const properties = z
  .array(eventCondition, { error: 'Give the conditions as a list.' })
  .max(surveyLimits.conditions, `A trigger has at most ${surveyLimits.conditions} conditions.`)
  .default([])

export const eventTrigger = z.strictObject({ kind: z.literal('event'), event: eventName, properties })

export const actionStep = z
  .strictObject({
    event: eventName.optional(),
    selector: selector.optional(),
    text: actionMatch.optional(),
    href: actionMatch.optional(),
    url: actionMatch.optional(),
  })
  .refine((step) => Object.values(step).some((part) => part !== undefined), {
    error: 'Say what the step is: an event, a selector, a text, a link or an address.',
  })

/** A named interaction, recognised in autocaptured events by any of its steps. */
export const actionTrigger = z.strictObject({
  kind: z.literal('action'),
  name: requiredText('Name the action.', 200),
  steps: z.array(actionStep).min(1, 'Give the action at least one step.').max(surveyLimits.triggers),
})

const most = `There are at most ${surveyLimits.triggers} of them.`

/** Whether a flag can have the condition: it is about a person. */
function isAboutPersons(one: Filter): boolean {
  if ('all' in one) return one.all.every(isAboutPersons)
  if ('any' in one) return one.any.every(isAboutPersons)
  return one.type === 'person' || one.type === 'group' || one.type === 'cohort'
}

/** The survey appears after one of these. */
export const trigger = z.discriminatedUnion('kind', [eventTrigger, actionTrigger], {
  error: 'A trigger is { "kind": "event", … } or { "kind": "action", … }.',
})

/** The people who see the survey, and when. Every condition that is present must hold. */
export const targeting = z.strictObject({
  url: address.optional(),
  /** An element that must be on the page. */
  selector: selector.optional(),
  deviceTypes: z
    .array(z.enum(deviceTypes, { error: `Choose among ${deviceTypes.join(', ')}.` }))
    .max(10)
    .optional(),
  /** Language tags; a base language includes its regions. */
  languages: z.array(languageTag).max(surveyLimits.languages).optional(),
  screenWidth: z
    .strictObject({ from: whole(0, 100_000).optional(), until: whole(0, 100_000).optional() })
    .refine(({ from = 0, until = Infinity }) => from <= until, {
      error: 'The widest screen is narrower than the narrowest one.',
    })
    .optional(),
  /** A flag that must be on, or have this variant. */
  flag: z
    .strictObject({
      key: requiredText('Name the flag by its key.', 200),
      variant: requiredText('Name the variant.', 200).optional(),
    })
    .optional(),
  /** Conditions on the person, their groups and cohorts. Kept as a flag. */
  person: filter
    .refine(isAboutPersons, {
      error: 'These conditions are about persons, their groups and cohorts; events are triggers.',
    })
    .refine((one) => alternativesOf(one).length <= mostAlternatives, {
      error: `These conditions can be met in more than ${mostAlternatives} ways. Put some of them into a cohort.`,
    })
    .optional(),
  /** Percentage of persons, from 0 to 100. Kept in the same flag. */
  percentage: percentage.optional(),
  /** Days since the person last saw any survey. */
  waitDays: whole(1, surveyLimits.days).optional(),
  triggers: z.array(trigger).max(surveyLimits.triggers, most).optional(),
  /** The survey appears after every trigger, not only after the first. */
  repeatsOnTrigger: flag.optional(),
  /** Events that stop a survey which waits for its delay. */
  cancelEvents: z.array(eventTrigger).max(surveyLimits.triggers, most).optional(),
  delaySeconds: whole(0, 86_400).optional(),
  /** Percentage of the page's height. */
  scrollPercent: whole(0, 100).optional(),
  exitIntent: flag.optional(),
})

/** The way in which the survey meets people on a site or in a product. */
export const placement = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('popover') }),
    z.strictObject({
      kind: z.literal('tab'),
      label: requiredText('Write what the tab says.', 100),
      color: text(100).default('#1f2937'),
    }),
    z.strictObject({ kind: z.literal('selector'), selector }),
    /** A survey in a page or post, where its block or `renderSurvey` puts it. */
    z.strictObject({ kind: z.literal('inline') }),
    /** A survey only at its own address and in letters. */
    z.strictObject({ kind: z.literal('hosted') }),
    /** The product's own interface fetches the definition and sends the answers. */
    z.strictObject({ kind: z.literal('api') }),
  ],
  { error: 'Choose a placement: popover, tab, selector, inline, hosted or api.' },
)

export const schedule = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('once') }),
    /** A survey that the same person may answer once in each iteration. */
    z.strictObject({
      kind: z.literal('recurring'),
      iterations: whole(2, surveyLimits.iterations),
      everyDays: whole(1, surveyLimits.days),
    }),
    /** Shown again after every answer, as a feedback form is. */
    z.strictObject({ kind: z.literal('always') }),
  ],
  { error: 'Choose a schedule: once, recurring (with iterations and everyDays) or always.' },
)
