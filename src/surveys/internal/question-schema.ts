import { z } from 'zod'
import { label } from '../kinds/internal/question-fields'
import { questionSchemas } from '../kinds/internal/question-schemas'
import { idOf, surveyLimits, text, translatedDescription } from './field-schemas'

const kindNames = questionSchemas.flatMap(({ shape: { kind } }) =>
  'options' in kind ? kind.options : [kind.value],
)

/** A question of a survey. */
export const question = z
  .discriminatedUnion('kind', questionSchemas, {
    error: `Choose a kind of question: ${kindNames.join(', ')}.`,
  })
  .meta({ id: 'SurveyQuestion' })

/** Questions with an id each. */
export const questions = z
  .array(question, { error: 'Give the questions as a list.' })
  .max(surveyLimits.questions, `A survey has at most ${surveyLimits.questions} questions.`)
  .overwrite(withIds)

function withIds(given: z.infer<typeof question>[]) {
  const taken = new Set(given.map((one) => one.id))
  return given.map((one) => {
    if (one.id !== '') return one
    let made = idOf(one.kind, one.text)
    for (let copy = 2; taken.has(made); copy++) made = idOf(one.kind, one.text, String(copy))
    taken.add(made)
    return { ...one, id: made }
  })
}

const texts = z.array(text(), { error: 'Give the translated texts as a list.' }).max(surveyLimits.choices)

/** Translated texts of a question; lists follow the order of the base language's. */
export const questionTranslation = z
  .strictObject({
    text: text(),
    description: translatedDescription,
    buttonText: label,
    placeholder: label,
    lowerLabel: label,
    upperLabel: label,
    link: text(2000),
    label: text(),
    choices: texts,
    rows: texts,
    columns: texts,
  })
  .partial()
