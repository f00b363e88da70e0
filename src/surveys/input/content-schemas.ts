import { z } from 'zod'
import { defaultAppearance, type SurveyContent, surveyPositions } from '../survey'
import { contentProblems } from './content-problems'
import { cssObjection, isColor, isFontFamily } from './css'
import {
  flag,
  formattedText,
  id,
  languageTag,
  removable,
  surveyLimits,
  text,
  webAddress,
  whole,
} from './field-schemas'
import { questions } from './question-schemas'
import { sanitizeHtml } from '../sanitize-html'

const color = z
  .string({ error: 'Give a colour, as in #1d4ed8.' })
  .refine(isColor, { error: 'Give a colour, as in #1d4ed8, rgb(29 78 216) or navy.' })

const css = text(surveyLimits.css).check(({ value, issues }) => {
  const message = cssObjection(value)
  if (message !== undefined) issues.push({ code: 'custom', message, input: value })
})

const appearance = z
  .strictObject({
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
    css: css.default(defaultAppearance.css),
  })
  .default(defaultAppearance)

const screenParts = {
  header: text().default(''),
  description: formattedText,
  buttonText: text(surveyLimits.label).default(''),
}

const endCard = z.strictObject({
  id,
  ...screenParts,
  link: z
    .union([z.literal(''), webAddress], { error: 'Give an address that begins with https://.' })
    .default(''),
  redirects: flag.optional(),
})

/** The base description decides whether this is HTML; markup is removed either way unless it is allowed. */
const translatedDescription = text().transform((one) => (one.includes('<') ? sanitizeHtml(one) : one))

const screenTranslation = z
  .strictObject({ header: text(), description: translatedDescription, buttonText: text(surveyLimits.label) })
  .partial()

const texts = z.array(text(), { error: 'Give the translated texts as a list.' }).max(surveyLimits.choices)

const questionTranslation = z
  .strictObject({
    text: text(),
    description: translatedDescription,
    buttonText: text(surveyLimits.label),
    placeholder: text(surveyLimits.label),
    lowerLabel: text(surveyLimits.label),
    upperLabel: text(surveyLimits.label),
    link: text(2000),
    label: text(),
    choices: texts,
    rows: texts,
    columns: texts,
  })
  .partial()

const translation = z
  .strictObject({
    name: text(surveyLimits.label),
    intro: screenTranslation,
    endCards: z.record(id, screenTranslation),
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

export const content = z
  .strictObject({
    questions: questions.default([]),
    appearance,
    intro: removable(z.strictObject(screenParts)),
    endCards: z
      .array(endCard, { error: 'Give the end cards as a list.' })
      .max(surveyLimits.endCards, `A survey has at most ${surveyLimits.endCards} end cards.`)
      .default([]),
    sendsPartialAnswers: flag.default(true),
    allowsGoingBack: flag.default(false),
    shufflesQuestions: flag.default(false),
    hiddenFields: z
      .array(hiddenField, { error: 'Give the hidden fields as a list of names.' })
      .max(surveyLimits.hiddenFields, `A survey has at most ${surveyLimits.hiddenFields} hidden fields.`)
      .transform((names) => [...new Set(names)])
      .default([]),
    translations: z
      .record(languageTag, translation, { error: 'Give translations by language tag, as in de or pt-BR.' })
      .refine((all) => Object.keys(all).length <= surveyLimits.languages, {
        error: `A survey has at most ${surveyLimits.languages} languages.`,
      })
      .default({}),
  })
  .transform((given): SurveyContent => given)
  .check(({ value, issues }) => {
    for (const { field = '', message } of contentProblems(value))
      issues.push({ code: 'custom', message, path: field.split('.'), input: value })
  })
