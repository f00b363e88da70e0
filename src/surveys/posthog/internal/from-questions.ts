import { z } from 'zod'
import { type RatingScale, ratingScales } from '../../kinds/rating-scale'
import type { Branch, Branching, Choice, SurveyQuestion, QuestionTranslation } from '../../question'
import { contentType, defined, formattedText, optionalFlag, optionalText } from './fields'
import type { HtmlSanitizer } from './posthog-types'

const theirBranch = z.union([z.number(), z.string()])

const theirBranching = z
  .looseObject({
    type: z.string(),
    index: z.number().nullish(),
    responseValues: z.record(z.string(), theirBranch).nullish(),
  })
  .nullish()

const texts = z.looseObject({
  question: optionalText,
  description: optionalText,
  buttonText: optionalText,
  lowerBoundLabel: optionalText,
  upperBoundLabel: optionalText,
  link: optionalText,
  choices: z
    .array(z.string())
    .nullish()
    .transform((choices) => choices ?? undefined),
})

export const theirQuestion = z.looseObject({
  id: optionalText,
  type: z.enum(['open', 'link', 'rating', 'single_choice', 'multiple_choice'], {
    error: ({ input }) => `PostHog has no questions of the type “${String(input)}”.`,
  }),
  question: z.string({ error: 'A question has a text.' }),
  description: optionalText,
  descriptionContentType: contentType,
  optional: optionalFlag,
  buttonText: optionalText,
  branching: theirBranching,
  validation: z
    .array(z.looseObject({ type: z.string(), value: z.number().nullish(), errorMessage: optionalText }))
    .nullish(),
  translations: z.record(z.string(), texts).nullish(),
  display: optionalText,
  scale: z.number().nullish(),
  lowerBoundLabel: optionalText,
  upperBoundLabel: optionalText,
  skipSubmitButton: optionalFlag,
  choices: z.array(z.string()).nullish(),
  hasOpenChoice: optionalFlag,
  shuffleOptions: optionalFlag,
  link: optionalText,
})
type TheirQuestion = z.infer<typeof theirQuestion>

interface QuestionImport {
  sanitize: HtmlSanitizer
  /** Texts that PostHog keeps once for the whole survey. */
  submitButtonText: string
  placeholder: string
  /** Says what cannot be kept. */
  note: (sentence: string) => void
}

/** Converts questions; branches name questions by their index, so all are converted at once. */
export function fromPosthogQuestions(
  given: readonly TheirQuestion[],
  context: QuestionImport,
): SurveyQuestion[] {
  const ids = uniqueIds(given.map(({ id }, index) => id ?? `question-${index + 1}`))
  return given.map((question, index) => {
    const id = ids[index] ?? ''
    const fields = fieldsOf(question, context)
    const choices = 'choices' in fields ? fields.choices : []
    return {
      id,
      text: question.question,
      description: formattedText(question.description, question.descriptionContentType, context.sanitize),
      buttonText: question.buttonText ?? context.submitButtonText,
      isRequired: !question.optional,
      ...fields,
      branching: branchingOf(question, { index, ids, choices, note: context.note }),
    }
  })
}

/** The second question of an id gets another: posthog-js would send one answer for both. */
function uniqueIds(ids: readonly string[]): string[] {
  const seen = new Set<string>()
  return ids.map((id) => {
    let unique = id
    for (let number = 2; seen.has(unique); number++) unique = `${id}-${number}`
    seen.add(unique)
    return unique
  })
}

type KindFields = SurveyQuestion extends infer Kind
  ? Kind extends SurveyQuestion
    ? Omit<Kind, 'id' | 'text' | 'description' | 'buttonText' | 'isRequired' | 'branching'>
    : never
  : never

function fieldsOf(given: TheirQuestion, { placeholder, note }: QuestionImport): KindFields {
  switch (given.type) {
    case 'open':
      if (given.validation?.some(({ errorMessage }) => errorMessage))
        note(`“${given.question}” has a text of its own for short and long answers, which is not kept.`)
      return { kind: 'open', placeholder, ...lengthsOf(given) }
    case 'link':
      return { kind: 'link', link: given.link ?? '' }
    case 'rating':
      return {
        kind: 'rating',
        display: given.display === 'emoji' ? 'emoji' : 'number',
        scale: scaleOf(given, note),
        lowerLabel: given.lowerBoundLabel ?? '',
        upperLabel: given.upperBoundLabel ?? '',
        submitsOnClick: given.skipSubmitButton,
      }
    default:
      return {
        kind: given.type === 'single_choice' ? 'single-choice' : 'multiple-choice',
        choices: choicesOf(given.choices ?? []),
        hasOther: given.hasOpenChoice,
        shufflesChoices: given.shuffleOptions,
        submitsOnClick: given.type === 'single_choice' && given.skipSubmitButton && !given.hasOpenChoice,
      }
  }
}

function lengthsOf({ validation }: TheirQuestion): { minLength?: number; maxLength?: number } {
  const valueOf = (type: string) => validation?.find((rule) => rule.type === type)?.value ?? undefined
  return defined({ minLength: valueOf('min_length'), maxLength: valueOf('max_length') })
}

function scaleOf({ scale, question }: TheirQuestion, note: QuestionImport['note']): RatingScale {
  const known = ratingScales.find((one) => one === scale)
  if (known === undefined) note(`“${question}” has the scale ${scale ?? '?'}; it becomes 5.`)
  return known ?? 5
}

const choicesOf = (given: readonly string[]): Choice[] =>
  given.map((text, index) => ({ id: `choice-${index + 1}`, text }))

interface BranchContext {
  index: number
  ids: readonly string[]
  choices: readonly Choice[]
  note: QuestionImport['note']
}

function branchingOf({ branching, type }: TheirQuestion, context: BranchContext): Branching {
  switch (branching?.type) {
    case 'end':
      return { kind: 'end' }
    case 'specific_question':
      return branchOf(branching.index ?? -1, context)
    case 'response_based':
      return {
        kind: 'by-answer',
        branches: Object.fromEntries(
          Object.entries(branching.responseValues ?? {}).flatMap(([key, target]) => {
            const ours = type === 'single_choice' ? context.choices[Number(key)]?.id : key
            return ours === undefined ? [] : [[ours, branchOf(target, context)] as const]
          }),
        ),
      }
    default:
      return { kind: 'next' }
  }
}

function branchOf(target: string | number, { index, ids, note }: BranchContext): Branch {
  if (target === 'end') return { kind: 'end' }
  if (target === 'next_question') return { kind: 'next' }
  const question = ids[Number(target)]
  if (question !== undefined) return { kind: 'question', question }
  note(
    `Question ${index + 1} branches to a question ${Number(target) + 1}, which does not exist; it ends there.`,
  )
  return { kind: 'end' }
}

/** The translations of these questions, by language and then by the question's id. */
export function questionTranslations(
  given: readonly TheirQuestion[],
  questions: readonly SurveyQuestion[],
  sanitize: HtmlSanitizer,
): Record<string, Record<string, QuestionTranslation>> {
  const byLanguage: Record<string, Record<string, QuestionTranslation>> = {}
  for (const [index, question] of questions.entries()) {
    for (const [language, translated] of Object.entries(given[index]?.translations ?? {})) {
      byLanguage[language] = {
        ...byLanguage[language],
        [question.id]: translationOf(translated, question, sanitize),
      }
    }
  }
  return byLanguage
}

function translationOf(
  {
    question,
    description,
    buttonText,
    lowerBoundLabel,
    upperBoundLabel,
    link,
    choices,
  }: z.infer<typeof texts>,
  { description: { format } }: SurveyQuestion,
  sanitize: HtmlSanitizer,
): QuestionTranslation {
  return {
    ...defined({
      text: question,
      buttonText,
      lowerLabel: lowerBoundLabel,
      upperLabel: upperBoundLabel,
      link,
    }),
    ...(description !== undefined && { description: formattedText(description, format, sanitize).text }),
    ...(choices && { choices }),
  }
}
