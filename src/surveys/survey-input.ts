import { z } from 'zod'
import { mailRecipients } from '#alerts/recipient'
import { nameFor } from '#projects/name'
import { content } from './input/content-schemas'
import { flag, moment, removable, surveyLimits, text, whole } from './input/field-schemas'
import { placement, schedule, targeting } from './input/targeting-schemas'
import type { Survey } from './survey'

const pin = z
  .string({ error: 'Give the PIN as a text.' })
  .regex(/^[\p{L}\p{N}]{4,32}$/u, 'A PIN has 4 to 32 letters and digits.')

const hostedPage = z.strictObject({
  /** Absent, the page is open where the survey appears on it alone: otherwise no one could answer. */
  isOpen: flag.optional(),
  needsLink: flag.default(false),
  mayBeEmbedded: flag.default(false),
  /** Absent, the PIN stays as it is; null removes it. */
  pin: pin.nullish(),
})

/** posthog-js makes a CSS class of it. An import keeps the id that browsers remember. */
const surveyId = z
  .string({ error: 'An id is a text.' })
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9-]{7,63}$/, 'A survey’s id has 8 to 64 letters, digits and hyphens.')
  .refine((id) => !(id in {}), { error: 'This id means something else in browsers. Choose another.' })

/** What makes a survey, with a sentence for each mistake. */
export const newSurvey = z
  .strictObject({
    id: surveyId.optional(),
    name: nameFor('Name the survey.'),
    description: text().default(''),
    content: content.prefault({}),
    placement: placement.default({ kind: 'popover' }),
    hostedPage: hostedPage.prefault({}),
    targeting: targeting.prefault({}),
    schedule: schedule.default({ kind: 'once' }),
    responseLimit: removable(whole(1, surveyLimits.responses)),
    notify: mailRecipients.default([]),
    endsAt: removable(moment),
  })
  .transform(({ hostedPage: { isOpen, ...page }, ...survey }) => ({
    ...survey,
    hostedPage: { ...page, isOpen: isOpen ?? survey.placement.kind === 'hosted' },
  }))
export type NewSurvey = z.output<typeof newSurvey>

const parts = <Parts extends z.ZodRawShape>(shape: Parts) =>
  z.looseObject(shape, { error: 'Give the fields that change.' }).optional()

/** A change names only what it changes: what is absent stays, lists are replaced as a whole. */
export const surveyChange = z.looseObject(
  {
    /** The revision that the change is based on. The change is refused if there is a newer one. */
    revision: z.number({ error: 'Give the revision as a number.' }).int().optional(),
    content: parts({ appearance: parts({}) }),
    hostedPage: parts({}),
    targeting: parts({}),
  },
  { error: 'Say what is to change.' },
)
type SurveyChange = z.output<typeof surveyChange>

/** The complete input of a changed survey, for `newSurvey` to check. */
export function changedInput(
  before: Survey,
  {
    revision: _,
    content: changedContent,
    hostedPage: changedPage,
    targeting: changedTargeting,
    ...change
  }: SurveyChange,
): unknown {
  const { name, description, placement: placed, schedule: scheduled, responseLimit, notify, endsAt } = before
  const { pinHash: _pinHash, ...page } = before.hostedPage
  return {
    name,
    description,
    placement: placed,
    schedule: scheduled,
    responseLimit,
    notify,
    endsAt,
    ...change,
    content: {
      ...before.content,
      ...changedContent,
      appearance: { ...before.content.appearance, ...changedContent?.appearance },
    },
    hostedPage: { ...page, ...changedPage },
    targeting: { ...before.targeting, ...changedTargeting },
  }
}

export const launchInput = z.strictObject({
  /** Now, where it is absent. */
  at: moment.optional(),
})
