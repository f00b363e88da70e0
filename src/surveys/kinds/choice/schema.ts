import { z } from 'zod'
import { flag, surveyLimits, whole } from '#surveys/internal/field-schemas'
import { choiceOrText, choicesOf, questionFields } from '../internal/question-fields'

/** Both kinds in one schema: an answer to one or to several choices differs in little. */
export const choice = z
  .strictObject({
    kind: z.enum(['single-choice', 'multiple-choice']),
    ...questionFields,
    choices: choicesOf(choiceOrText, 'choices', 1),
    /** The last choice takes a typed text. */
    hasOther: flag.default(false),
    shufflesChoices: flag.default(false),
    /** Single choice without `hasOther` only. */
    submitsOnClick: flag.default(false),
    /** Multiple choice only. */
    minChoices: whole(1, surveyLimits.choices).optional(),
    maxChoices: whole(1, surveyLimits.choices).optional(),
  })
  .check(({ value, issues }) => {
    const isSingle = value.kind === 'single-choice'
    const keys = (['minChoices', 'maxChoices'] as const).filter((key) => value[key] !== undefined)
    if (isSingle && keys.length > 0)
      issues.push({ code: 'unrecognized_keys', keys, input: value, continue: true })
    const message = 'Only single choice submits on a click.'
    if (!isSingle && value.submitsOnClick)
      issues.push({ code: 'custom', message, path: ['submitsOnClick'], input: value })
  })
