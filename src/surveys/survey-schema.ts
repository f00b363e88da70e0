import { z } from 'zod'
import { mailRecipients } from '#alerts/recipient'
import { nameFor } from '#projects/name'
import {
  flag,
  formattedText,
  id,
  languageTag,
  moment,
  surveyLimits,
  text,
  translatedDescription,
  webAddress,
  whole,
} from './internal/field-schemas'
import { questions, questionTranslation } from './internal/question-schema'
import { defaultAppearance, surveyPositions } from './survey'
import { placement, schedule, targeting } from './internal/targeting-schema'

const colorForm =
  /^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|[a-z]{3,25}|(?:rgb|rgba|hsl|hsla|oklch|oklab|lch|lab|hwb)\([\d\s.,%/+-]*(?:deg|rad|turn)?[\d\s.,%/+-]*\))$/i

const isColor = (color: string): boolean => color.length <= 100 && colorForm.test(color)

/** Names of fonts, with or without quotation marks. */
const isFontFamily = (family: string): boolean => family.length <= 300 && /^[\p{L}\d\s,"'_-]*$/u.test(family)

const color = z
  .string({ error: 'Give a colour, as in #1d4ed8.' })
  .refine(isColor, { error: 'Give a colour, as in #1d4ed8, rgb(29 78 216) or navy.' })

export const appearance = z.strictObject({
  backgroundColor: color.default(defaultAppearance.backgroundColor),
  textColor: color.default(defaultAppearance.textColor),
  buttonColor: color.default(defaultAppearance.buttonColor),
  buttonTextColor: color.default(defaultAppearance.buttonTextColor),
  ratingColor: color.default(defaultAppearance.ratingColor),
  ratingActiveColor: color.default(defaultAppearance.ratingActiveColor),
  borderColor: color.default(defaultAppearance.borderColor),
  inputBackground: color.default(defaultAppearance.inputBackground),
  fontFamily: z
    .string({ error: 'Name the fonts, as in “Inter, sans-serif”.' })
    .refine(isFontFamily, { error: 'Name the fonts, as in “Inter, sans-serif”.' })
    .default(defaultAppearance.fontFamily),
  borderRadiusPx: whole(0, 100).default(defaultAppearance.borderRadiusPx),
  maxWidthPx: whole(200, 1200).default(defaultAppearance.maxWidthPx),
  position: z
    .enum(surveyPositions, { error: `Choose a position: ${surveyPositions.join(', ')}.` })
    .default(defaultAppearance.position),
  progressBar: flag.default(defaultAppearance.progressBar),
})

export const screen = z.strictObject({
  header: text().default(''),
  description: formattedText,
  buttonText: text(surveyLimits.label).default(''),
})

export const endCard = z.strictObject({
  id,
  ...screen.shape,
  /** The button leads here; https only. */
  link: z
    .union([z.literal(''), webAddress], { error: 'Give an address that begins with https://.' })
    .default(''),
  /** The survey's page and a survey in a page or post lead there by themselves. */
  redirects: flag.optional(),
})

const screenTranslation = z
  .strictObject({ header: text(), description: translatedDescription, buttonText: text(surveyLimits.label) })
  .partial()

export const translation = z
  .strictObject({
    name: text(surveyLimits.label),
    intro: screenTranslation,
    endCards: z.record(id, screenTranslation),
    /** Translations by the id of the question. */
    questions: z.record(id, questionTranslation),
  })
  .partial()

/** Names that our own properties have. */
const reservedField =
  /^(?:\$|survey$|q\d+$|distinct_id$|embed$|pin$|token$|link$|lang$|auto_submit$|survey_test$)/

const hiddenField = z
  .string({ error: 'Name the hidden field.' })
  .regex(
    /^[a-zA-Z_$][\w.-]{0,99}$/,
    'A hidden field’s name has 1 to 100 letters, digits, dots, hyphens and underscores, and begins with a letter.',
  )
  .refine((name) => !reservedField.test(name) && !(name in {}), {
    error: 'This name is used by surveys themselves. Choose another for the hidden field.',
  })

/** Everything that a person reads and answers. A change after the launch makes a new version. */
export const surveyContent = z.strictObject({
  questions: questions.default([]),
  appearance: appearance.default(defaultAppearance),
  /** Shown before the first question. */
  intro: screen.optional(),
  /** Shown after the last question; a branch may name one by its id, the first is the default. */
  endCards: z
    .array(endCard, { error: 'Give the end cards as a list.' })
    .max(surveyLimits.endCards, `A survey has at most ${surveyLimits.endCards} end cards.`)
    .default([]),
  /** Every answer is sent at once, not only a complete submission. */
  sendsPartialAnswers: flag.default(true),
  allowsGoingBack: flag.default(false),
  shufflesQuestions: flag.default(false),
  /** Properties taken from the address of a hosted page or given by the caller, and stored with the answers. */
  hiddenFields: z
    .array(hiddenField, { error: 'Give the hidden fields as a list of names.' })
    .max(surveyLimits.hiddenFields, `A survey has at most ${surveyLimits.hiddenFields} hidden fields.`)
    .overwrite((names) => [...new Set(names)])
    .default([]),
  translations: z
    .record(languageTag, translation, { error: 'Give translations by language tag, as in de or pt-BR.' })
    .refine((all) => Object.keys(all).length <= surveyLimits.languages, {
      error: `A survey has at most ${surveyLimits.languages} languages.`,
    })
    .default({}),
})

/** The survey's own address. Every survey may have one beside its placement. */
const hostedPage = z.strictObject({
  isOpen: flag,
  /** Only links made for one recipient each are accepted. */
  needsLink: flag.default(false),
  mayBeEmbedded: flag.default(false),
})

const pin = z
  .string({ error: 'Give the PIN as a text.' })
  .regex(/^[\p{L}\p{N}]{4,32}$/u, 'A PIN has 4 to 32 letters and digits.')

/** The part of a survey that members edit. A field that is added here is stored, audited, compared and in the API. */
export const editableSurvey = z.strictObject({
  name: nameFor('Name the survey.'),
  /** A note for members. It is never sent to a visitor. */
  description: text().default(''),
  content: surveyContent.prefault({}),
  placement: placement.default({ kind: 'popover' }),
  hostedPage: hostedPage.extend({ pin: pin.optional() }),
  targeting: targeting.default({}),
  schedule: schedule.default({ kind: 'once' }),
  /** Closes the survey for new submissions. */
  responseLimit: whole(1, surveyLimits.responses).optional(),
  notify: mailRecipients.default([]).meta({ description: 'The recipients of an e-mail for each response' }),
  endsAt: moment.optional(),
})

/** A survey of a project: its questions, and who sees them, when and where. */
export const surveySchema = z.strictObject({
  /** Letters, digits and hyphens: posthog-js makes a CSS class of it, and an import keeps the id that browsers remember. */
  id: z
    .string({ error: 'An id is a text.' })
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9-]{7,63}$/, 'A survey’s id has 8 to 64 letters, digits and hyphens.')
    .refine((own) => !(own in {}), { error: 'This id means something else in browsers. Choose another.' }),
  projectId: z.number(),
  ...editableSurvey.shape,
  /** The hash of the PIN, made by `hashPassword` of `projects/passwords`, takes its place. It is never sent. */
  hostedPage: hostedPage.extend({ pinHash: z.string().optional() }),
  /** Answers are read against the version of their time. */
  version: z.number().meta({ description: 'Counts the changes of the content since the launch' }),
  /** A change that is based on an older one is refused. */
  revision: z.number().meta({ description: 'Counts every change; send it along with yours' }),
  /** Set by the launch; may lie in the future. */
  startsAt: z.date().optional(),
  endsAt: z.date().optional(),
  archivedAt: z.date().optional(),
  createdBy: z.string(),
  createdAt: z.date(),
  changedBy: z.string(),
  changedAt: z.date(),
})

/** A version of a survey's content, in force from `createdAt` until the next one. */
export const surveyVersion = z.strictObject({
  surveyId: z.string(),
  version: z.number(),
  content: surveyContent,
  createdBy: z.string(),
  createdAt: z.date(),
})
