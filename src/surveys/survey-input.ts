import { z } from 'zod'
import { applyChange, changeOf, newOf } from '#collection/change-of'
import { withoutUndefined } from '#collection/without-undefined'
import { contentProblems } from './internal/content-problems'
import { flag, moment } from './internal/field-schemas'
import { defaultAppearance, editablePartOf, type Survey, type SurveyContent } from './survey'
import { appearance, editableSurvey, surveyContent, surveySchema } from './survey-schema'
import { targeting } from './internal/targeting-schema'

const { hostedPage } = editableSurvey.shape

const rulesOfItsOwn = z.unknown().optional().meta({
  deprecated: true,
  description: 'Left out: surveys of earlier versions had CSS of their own',
})
const withoutCss = <Given extends { css?: unknown }>({ css: _, ...kept }: Given) => kept

const newAppearance = appearance
  .extend({ css: rulesOfItsOwn })
  .transform(withoutCss)
  .default(defaultAppearance)

const newContent = newOf(surveyContent.extend({ appearance: newAppearance }))
  .transform((given): SurveyContent => given)
  .check(({ value, issues }) => {
    for (const { field = '', message } of contentProblems(value))
      issues.push({ code: 'custom', message, path: field.split('.'), input: value })
  })

export const newTargeting = newOf(targeting).transform(withoutUndefined)

/** The parts of a new survey, with a message for each mistake. */
export const newSurvey = z
  .strictObject({
    id: surveySchema.shape.id.optional(),
    ...newOf(editableSurvey).shape,
    content: newContent.prefault({}),
    /** Without `isOpen`, the page is open where the survey appears on it alone: otherwise no one could answer. */
    hostedPage: newOf(hostedPage).extend({ isOpen: flag.optional() }).prefault({}),
    targeting: newTargeting.prefault({}),
  })
  .transform(({ hostedPage: { isOpen, ...page }, ...survey }) => ({
    ...survey,
    hostedPage: { ...page, isOpen: isOpen ?? survey.placement.kind === 'hosted' },
  }))
export type NewSurvey = z.output<typeof newSurvey>

/** The revision that a change is based on. The change is refused if there is a newer one. */
const basis = z.number({ error: 'Give the revision as a number.' }).int().optional()

/** A change of a survey: absent fields stay as they are, and lists are replaced as a whole. */
export const surveyChange = changeOf(editableSurvey).extend({
  /** Accepted and not changed. */
  id: surveySchema.shape.id.optional(),
  content: changeOf(surveyContent)
    .extend({
      appearance: changeOf(appearance).extend({ css: rulesOfItsOwn }).transform(withoutCss).optional(),
    })
    .optional(),
  /** Absent, the PIN stays as it is; null removes it. */
  hostedPage: changeOf(hostedPage).optional(),
  targeting: changeOf(targeting).optional(),
  revision: basis,
})
type SurveyChange = z.output<typeof surveyChange>

/** The part of a change, in any form, that is read before the survey is. */
export const changeBasis = z.looseObject(
  {
    revision: surveyChange.shape.revision,
    hostedPage: z.looseObject({ pin: z.unknown().optional() }).optional(),
  },
  { error: 'Say what is to change.' },
)

/** Applies a change to a survey, for `newSurvey` to check and to complete. */
export function changedSurvey(survey: Survey, { id: _id, revision: _revision, ...change }: SurveyChange) {
  const { content = {}, hostedPage: page = {}, targeting: conditions = {}, ...fields } = change
  const { appearance: look = {}, ...parts } = content
  const before = editablePartOf(survey)
  return {
    ...applyChange(before, fields),
    content: {
      ...applyChange(before.content, parts),
      appearance: applyChange(before.content.appearance, look),
    },
    hostedPage: applyChange(before.hostedPage, page),
    targeting: applyChange(before.targeting, conditions),
  }
}

export const launchInput = z.strictObject({
  /** Now, where it is absent. */
  at: moment.optional(),
  revision: basis,
})
