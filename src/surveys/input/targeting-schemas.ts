import { z } from 'zod'
import { type Filter, filter, type PropertyCondition } from '#filters/filter'
import { alternativesOf, mostAlternatives } from '../targeting-flag'
import { addressMatches, deviceTypes, type SurveyTargeting } from '../survey'
import {
  flag,
  languageTag,
  pattern,
  percentage,
  removable,
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
    match: z.enum(['exact', 'contains', 'regex'], { error: 'Match by exact, contains or regex.' }),
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

const eventCondition = filter
  .refine((one) => 'type' in one && one.type === 'event', { error: ofEvent })
  .refine((one) => !('operator' in one) || triggerOperators.has(one.operator), {
    error: `Triggers compare by ${[...triggerOperators].join(', ')}.`,
  })
  // what is left are conditions on event properties, which the type of `filter` cannot say
  .transform((one) => one as PropertyCondition)

const properties = z
  .array(eventCondition, { error: 'Give the conditions as a list.' })
  .max(surveyLimits.conditions, `A trigger has at most ${surveyLimits.conditions} conditions.`)
  .default([])

const eventTrigger = z.strictObject({ kind: z.literal('event'), event: eventName, properties })

const actionStep = z
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

const actionTrigger = z.strictObject({
  kind: z.literal('action'),
  name: requiredText('Name the action.', 200),
  steps: z.array(actionStep).min(1, 'Give the action at least one step.').max(surveyLimits.triggers),
})

const most = `There are at most ${surveyLimits.triggers} of them.`

/** What a flag can ask of a person. */
function isAboutPersons(one: Filter): boolean {
  if ('all' in one) return one.all.every(isAboutPersons)
  if ('any' in one) return one.any.every(isAboutPersons)
  return one.type === 'person' || one.type === 'group' || one.type === 'cohort'
}

export const targeting = z
  .strictObject({
    url: removable(address),
    selector: removable(selector),
    deviceTypes: removable(
      z.array(z.enum(deviceTypes, { error: `Choose among ${deviceTypes.join(', ')}.` })).max(10),
    ),
    languages: removable(z.array(languageTag).max(surveyLimits.languages)),
    screenWidth: removable(
      z
        .strictObject({ from: whole(0, 100_000).optional(), until: whole(0, 100_000).optional() })
        .refine(({ from = 0, until = Infinity }) => from <= until, {
          error: 'The widest screen is narrower than the narrowest one.',
        }),
    ),
    flag: removable(
      z.strictObject({
        key: requiredText('Name the flag by its key.', 200),
        variant: requiredText('Name the variant.', 200).optional(),
      }),
    ),
    person: removable(
      filter
        .refine(isAboutPersons, {
          error: 'These conditions are about persons, their groups and cohorts; events are triggers.',
        })
        .refine((one) => alternativesOf(one).length <= mostAlternatives, {
          error: `These conditions can be met in more than ${mostAlternatives} ways. Put some of them into a cohort.`,
        }),
    ),
    percentage: removable(percentage),
    waitDays: removable(whole(1, surveyLimits.days)),
    triggers: removable(
      z
        .array(
          z.discriminatedUnion('kind', [eventTrigger, actionTrigger], {
            error: 'A trigger is { "kind": "event", … } or { "kind": "action", … }.',
          }),
        )
        .max(surveyLimits.triggers, most),
    ),
    repeatsOnTrigger: removable(flag),
    cancelEvents: removable(z.array(eventTrigger).max(surveyLimits.triggers, most)),
    delaySeconds: removable(whole(0, 86_400)),
    scrollPercent: removable(whole(0, 100)),
    exitIntent: removable(flag),
  })
  .transform((given): SurveyTargeting =>
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  )

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
    z.strictObject({ kind: z.literal('inline') }),
    z.strictObject({ kind: z.literal('hosted') }),
    z.strictObject({ kind: z.literal('api') }),
  ],
  { error: 'Choose a placement: popover, tab, selector, inline, hosted or api.' },
)

export const schedule = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('once') }),
    z.strictObject({
      kind: z.literal('recurring'),
      iterations: whole(2, surveyLimits.iterations),
      everyDays: whole(1, surveyLimits.days),
    }),
    z.strictObject({ kind: z.literal('always') }),
  ],
  { error: 'Choose a schedule: once, recurring (with iterations and everyDays) or always.' },
)
