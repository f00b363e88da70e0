import { z } from 'zod'
import { contactFields, ratingScales, type Question } from '../question'
import {
  flag,
  formattedText,
  id,
  idOf,
  imageUrl,
  link,
  requiredText,
  surveyLimits,
  text,
  whole,
} from './field-schemas'

const branch = z.union(
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

const branching = z
  .union([branch, z.strictObject({ kind: z.literal('by-answer'), branches: z.record(id, branch) })], {
    error:
      'Go on to { "kind": "next" }, { "kind": "question", "question": its id }, { "kind": "end" } or { "kind": "by-answer", "branches": … }.',
  })
  .default({ kind: 'next' })

const label = text(surveyLimits.label)

const base = {
  /** Made of the question where it is absent. */
  id: id.optional(),
  text: requiredText('Write the text of the question.'),
  description: formattedText,
  buttonText: label.default(''),
  isRequired: flag.default(false),
  branching,
}

const choiceText = requiredText('Write the text of the choice.')

const choice = z.union(
  [
    choiceText.transform((one) => ({ id: undefined, text: one })),
    z.strictObject({ id: id.optional(), text: choiceText }),
  ],
  {
    error: `Give each choice as a text of 1 to ${surveyLimits.text.toLocaleString('en')} characters, or as { "id", "text" }.`,
  },
)

const pictureChoice = z.strictObject({
  id: id.optional(),
  text: requiredText('Write what the picture shows.'),
  imageUrl,
})

/** Refuses texts that occur twice: answers are texts, so the two could not be told apart. */
function choicesOf<Schema extends z.ZodType<{ id?: string | undefined; text: string }>>(
  one: Schema,
  what: string,
  least: number,
) {
  return z
    .array(one, { error: `Give the ${what} as a list.` })
    .min(least, `Give at least ${least} ${what}.`)
    .max(surveyLimits.choices, `There are at most ${surveyLimits.choices} ${what}.`)
    .transform((choices) => choices.map((given) => ({ ...given, id: given.id ?? idOf(given.text) })))
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

const choiceParts = {
  ...base,
  choices: choicesOf(choice, 'choices', 1),
  hasOther: flag.default(false),
  shufflesChoices: flag.default(false),
}

const isoDate = z.iso.date('Write the date like 2026-11-21.')

const kinds = {
  open: z.strictObject({
    kind: z.literal('open'),
    ...base,
    placeholder: label.default(''),
    minLength: whole(1, 10_000).optional(),
    maxLength: whole(1, 10_000).optional(),
  }),
  rating: z.strictObject({
    kind: z.literal('rating'),
    ...base,
    display: z.enum(['number', 'emoji', 'stars'], { error: 'Show the rating as number, emoji or stars.' }),
    scale: z.literal(ratingScales, { error: `The scale is one of ${ratingScales.join(', ')}.` }),
    lowerLabel: label.default(''),
    upperLabel: label.default(''),
    submitsOnClick: flag.default(false),
  }),
  'single-choice': z.strictObject({
    kind: z.literal('single-choice'),
    ...choiceParts,
    submitsOnClick: flag.default(false),
  }),
  'multiple-choice': z.strictObject({
    kind: z.literal('multiple-choice'),
    ...choiceParts,
    submitsOnClick: z.literal(false, { error: 'Only single choice submits on a click.' }).default(false),
    minChoices: whole(1, surveyLimits.choices).optional(),
    maxChoices: whole(1, surveyLimits.choices).optional(),
  }),
  link: z.strictObject({ kind: z.literal('link'), ...base, link }),
  ranking: z.strictObject({ kind: z.literal('ranking'), ...base, choices: choicesOf(choice, 'choices', 2) }),
  matrix: z.strictObject({
    kind: z.literal('matrix'),
    ...base,
    rows: choicesOf(choice, 'rows', 1),
    columns: choicesOf(choice, 'columns', 2),
  }),
  picture: z.strictObject({
    kind: z.literal('picture'),
    ...base,
    choices: choicesOf(pictureChoice, 'choices', 2),
    allowsSeveral: flag.default(false),
  }),
  date: z.strictObject({
    kind: z.literal('date'),
    ...base,
    earliest: isoDate.optional(),
    latest: isoDate.optional(),
  }),
  contact: z.strictObject({
    kind: z.literal('contact'),
    ...base,
    fields: z
      .array(
        z.strictObject({
          field: z.enum(contactFields, { error: `A contact has the fields ${contactFields.join(', ')}.` }),
          isRequired: flag.default(false),
        }),
        { error: 'Give the fields as a list.' },
      )
      .min(1, 'Ask for at least one field.')
      .refine((fields) => new Set(fields.map(({ field }) => field)).size === fields.length, {
        error: 'A field is there twice.',
      }),
  }),
  consent: z.strictObject({
    kind: z.literal('consent'),
    ...base,
    label: requiredText('Write what is consented to.'),
  }),
  statement: z.strictObject({ kind: z.literal('statement'), ...base }),
} satisfies Record<Question['kind'], z.ZodType>

const question = z.discriminatedUnion(
  'kind',
  [
    kinds.open,
    kinds.rating,
    kinds['single-choice'],
    kinds['multiple-choice'],
    kinds.link,
    kinds.ranking,
    kinds.matrix,
    kinds.picture,
    kinds.date,
    kinds.contact,
    kinds.consent,
    kinds.statement,
  ],
  { error: `Choose a kind of question: ${Object.keys(kinds).join(', ')}.` },
)

type GivenQuestion = z.output<typeof question>

/** Questions with an id each. */
export const questions = z
  .array(question, { error: 'Give the questions as a list.' })
  .max(surveyLimits.questions, `A survey has at most ${surveyLimits.questions} questions.`)
  .transform(withIds)

function withIds(given: readonly GivenQuestion[]): Question[] {
  const taken = new Set(given.flatMap((one) => one.id ?? []))
  return given.map((one) => {
    if (one.id !== undefined) return { ...one, id: one.id }
    let made = idOf(one.kind, one.text)
    for (let copy = 2; taken.has(made); copy++) made = idOf(one.kind, one.text, String(copy))
    taken.add(made)
    return { ...one, id: made }
  })
}
