import { z } from 'zod'
import {
  flag,
  formattedText,
  id,
  idOf,
  idOrMade,
  requiredText,
  surveyLimits,
  text,
} from '../../internal/field-schemas'

/** The step after a question. */
export const branch = z.union(
  [
    z.strictObject({ kind: z.literal('next') }),
    z.strictObject({ kind: z.literal('question'), question: id }),
    z.strictObject({ kind: z.literal('end'), card: id.optional() }),
  ],
  {
    error:
      'Go on to { "kind": "next" }, { "kind": "question", "question": its id } or { "kind": "end", "card": an end card’s id }.',
  },
)

/** `by-answer` maps an answer's key (`branchKey`) to a branch; a key without one goes on to the next question. */
export const branching = z
  .union([branch, z.strictObject({ kind: z.literal('by-answer'), branches: z.record(id, branch) })], {
    error:
      'Go on to { "kind": "next" }, { "kind": "question", "question": its id }, { "kind": "end" } or { "kind": "by-answer", "branches": … }.',
  })
  .meta({ id: 'SurveyBranching' })
  .default({ kind: 'next' })

export const label = text(surveyLimits.label)

/**
 * The fields of all questions. Texts may recall an earlier answer as `{{answer:<question id>}}` or a hidden field as
 * `{{field:<name>}}`.
 */
export const questionFields = {
  /** Made of the question where it is absent, and never changed: answers are stored under it. */
  id: idOrMade,
  text: requiredText('Write the text of the question.'),
  description: formattedText,
  buttonText: label.default(''),
  isRequired: flag.default(false),
  branching,
}

const choiceText = requiredText('Write the text of the choice.')

/** The id lasts when the text is corrected, so that earlier answers stay with it. */
export const choice = z.strictObject({ id: idOrMade, text: choiceText }).overwrite(withMadeId)

export const choiceOrText = z
  .union([choiceText.transform((one) => ({ id: idOf(one), text: one })), choice], {
    error: `Give each choice as a text of 1 to ${surveyLimits.text.toLocaleString('en')} characters, or as { "id", "text" }.`,
  })
  .pipe(z.strictObject({ id: z.string(), text: z.string() }))

export function withMadeId<Given extends z.infer<typeof choice>>(given: Given): Given {
  return given.id === '' ? { ...given, id: idOf(given.text) } : given
}

/** Refuses texts that occur twice: answers are texts, so the two could not be told apart. */
export function choicesOf<Schema extends z.ZodType<{ id: string; text: string }>>(
  one: Schema,
  what: string,
  least: number,
) {
  return z
    .array(one, { error: `Give the ${what} as a list.` })
    .min(least, `Give at least ${least} ${what}.`)
    .max(surveyLimits.choices, `There are at most ${surveyLimits.choices} ${what}.`)
    .check(({ value, issues }) => {
      const refuse = (message: string, index: number) =>
        issues.push({ code: 'custom', message, path: [index], input: value })
      for (const [index, { id: own, text: shown }] of value.entries()) {
        const earlier = value.slice(0, index)
        if (earlier.some((other) => other.text === shown))
          refuse(
            `“${shortened(shown)}” is there twice among the ${what}. Word one of them differently.`,
            index,
          )
        else if (earlier.some((other) => other.id === own))
          refuse(`Two of the ${what} have the id “${own}”. Give one of them another.`, index)
      }
    })
}

export const shortened = (words: string): string => (words.length > 60 ? `${words.slice(0, 60)}…` : words)
