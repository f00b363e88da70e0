import { z } from 'zod'
import { contactFields, ratingScales } from '../question'
import {
  flag,
  formattedText,
  id,
  idOf,
  idOrMade,
  imageUrl,
  link,
  requiredText,
  surveyLimits,
  text,
  translatedDescription,
  whole,
} from './input/field-schemas'

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

const label = text(surveyLimits.label)

/**
 * The fields of all questions. Texts may recall an earlier answer as `{{answer:<question id>}}` or a hidden field as
 * `{{field:<name>}}`.
 */
const base = {
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
export const choice = z.strictObject({ id: idOrMade, text: choiceText }).overwrite(withId)

const choiceOrText = z
  .union([choiceText.transform((one) => ({ id: idOf(one), text: one })), choice], {
    error: `Give each choice as a text of 1 to ${surveyLimits.text.toLocaleString('en')} characters, or as { "id", "text" }.`,
  })
  .pipe(z.strictObject({ id: z.string(), text: z.string() }))

const pictureChoice = z
  .strictObject({
    id: idOrMade,
    /** The alternative text of the picture. */
    text: requiredText('Write what the picture shows.'),
    imageUrl,
  })
  .overwrite(withId)

function withId<Given extends z.infer<typeof choice>>(given: Given): Given {
  return given.id === '' ? { ...given, id: idOf(given.text) } : given
}

/** Refuses texts that occur twice: answers are texts, so the two could not be told apart. */
function choicesOf<Schema extends z.ZodType<{ id: string; text: string }>>(
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

const isoDate = z.iso.date('Write the date like 2026-11-21.')

const kinds = [
  z.strictObject({
    kind: z.literal('open'),
    ...base,
    placeholder: label.default(''),
    /** The length of the trimmed text, in UTF-16 units. */
    minLength: whole(1, 10_000).optional(),
    maxLength: whole(1, 10_000).optional(),
  }),
  z.strictObject({
    kind: z.literal('rating'),
    ...base,
    display: z.enum(['number', 'emoji', 'stars'], { error: 'Show the rating as number, emoji or stars.' }),
    /** 10 means 0 to 10, the NPS scale; the others begin at 1. 2 is thumbs: 1 is up and 2 is down. */
    scale: z.literal(ratingScales, { error: `The scale is one of ${ratingScales.join(', ')}.` }),
    lowerLabel: label.default(''),
    upperLabel: label.default(''),
    /** A click answers; there is no button. */
    submitsOnClick: flag.default(false),
  }),
  z
    .strictObject({
      kind: z.enum(['single-choice', 'multiple-choice']),
      ...base,
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
    }),
  z.strictObject({
    kind: z.literal('link'),
    ...base,
    /** https or mailto. */
    link,
  }),
  z.strictObject({ kind: z.literal('ranking'), ...base, choices: choicesOf(choiceOrText, 'choices', 2) }),
  /** A matrix: one choice among the columns for each row. */
  z.strictObject({
    kind: z.literal('matrix'),
    ...base,
    rows: choicesOf(choiceOrText, 'rows', 1),
    columns: choicesOf(choiceOrText, 'columns', 2),
  }),
  z.strictObject({
    kind: z.literal('picture'),
    ...base,
    choices: choicesOf(pictureChoice, 'choices', 2),
    allowsSeveral: flag.default(false),
  }),
  z.strictObject({
    kind: z.literal('date'),
    ...base,
    /** ISO dates, both included. */
    earliest: isoDate.optional(),
    latest: isoDate.optional(),
  }),
  z.strictObject({
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
  z.strictObject({
    kind: z.literal('consent'),
    ...base,
    /** The text beside the box. */
    label: requiredText('Write what is consented to.'),
  }),
  /** A text without an answer. */
  z.strictObject({ kind: z.literal('statement'), ...base }),
] as const

const kindNames = kinds.flatMap(({ shape: { kind } }) => ('options' in kind ? kind.options : [kind.value]))

/** A question of a survey. */
export const question = z
  .discriminatedUnion('kind', kinds, {
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
