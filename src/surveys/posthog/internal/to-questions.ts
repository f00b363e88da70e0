import type { Branch, Branching, SurveyQuestion, QuestionTranslation } from '../../question'
import type { FormattedText, SurveyContent } from '../../survey'
import { defined, formatted } from './fields'
import type {
  HtmlSanitizer,
  PosthogBranch,
  PosthogBranching,
  PosthogQuestion,
  PosthogTexts,
} from './posthog-types'

/** The questions in the order of their indexes, by which PostHog's branches name them. */
export function toPosthogQuestions(
  { questions, translations }: SurveyContent,
  sanitize: HtmlSanitizer,
): PosthogQuestion[] {
  const indexes = new Map(questions.map(({ id }, index) => [id, index]))
  return questions.map((question, index) => ({
    id: question.id,
    question: question.text,
    ...formatted('description', question.description, sanitize),
    optional: !question.isRequired,
    ...(question.buttonText !== '' && { buttonText: question.buttonText }),
    ...fieldsOf(question),
    ...branchingOf(question, index, indexes),
    ...translationsOf(question, translations, sanitize),
  }))
}

/** The type and what belongs to it. Kinds that PostHog does not have keep their name. */
function fieldsOf(question: SurveyQuestion): { type: string } & Record<string, unknown> {
  switch (question.kind) {
    case 'open':
      return { type: 'open', ...validationOf(question) }
    case 'link':
      return { type: 'link', link: question.link }
    case 'rating':
      return {
        type: 'rating',
        display: ratingDisplay(question.display, question.scale),
        scale: question.scale,
        lowerBoundLabel: question.lowerLabel,
        upperBoundLabel: question.upperLabel,
        skipSubmitButton: question.submitsOnClick,
      }
    case 'single-choice':
    case 'multiple-choice':
      return {
        type: question.kind.replace('-', '_'),
        choices: question.choices.map(({ text }) => text),
        hasOpenChoice: question.hasOther,
        shuffleOptions: question.shufflesChoices,
        ...(question.kind === 'single-choice' && { skipSubmitButton: question.submitsOnClick }),
      }
    default:
      return { type: question.kind }
  }
}

/** posthog-js draws 2 and 3 as pictures only, and 7 and 10 as numbers only. */
const ratingDisplay = (display: string, scale: number): 'number' | 'emoji' =>
  scale <= 3 || (scale === 5 && display === 'emoji') ? 'emoji' : 'number'

function validationOf({ minLength, maxLength }: { minLength?: number; maxLength?: number }) {
  const rules = [
    { type: 'min_length', value: minLength },
    { type: 'max_length', value: maxLength },
  ].filter(({ value }) => value !== undefined)
  return rules.length > 0 && { validation: rules }
}

type Indexes = ReadonlyMap<string, number>

function branchingOf(
  question: SurveyQuestion,
  index: number,
  indexes: Indexes,
): { branching?: PosthogBranching } {
  const { branching } = question
  if (branching.kind === 'next') return {}
  if (branching.kind === 'by-answer')
    return { branching: byAnswer(question, branching.branches, index, indexes) }
  const target = branchOf(branching, index, indexes)
  return {
    branching: typeof target === 'number' ? { type: 'specific_question', index: target } : { type: target },
  }
}

function branchOf(branch: Branch, index: number, indexes: Indexes): PosthogBranch {
  if (branch.kind === 'end') return 'end'
  if (branch.kind === 'question') return indexes.get(branch.question) ?? 'end'
  // an index says the same to clients that do not know the word
  return index + 1 < indexes.size ? index + 1 : 'end'
}

function byAnswer(
  question: SurveyQuestion,
  branches: Extract<Branching, { kind: 'by-answer' }>['branches'],
  index: number,
  indexes: Indexes,
): PosthogBranching {
  const choices = 'choices' in question ? question.choices.map(({ id }) => id) : undefined
  const entries = Object.entries(branches).map(([key, branch]) => [
    choices ? String(choices.indexOf(key)) : key,
    branchOf(branch, index, indexes),
  ])
  return { type: 'response_based', responseValues: Object.fromEntries(entries) }
}

function translationsOf(
  { id, description }: SurveyQuestion,
  translations: SurveyContent['translations'],
  sanitize: HtmlSanitizer,
): { translations?: Record<string, PosthogTexts> } {
  const entries = Object.entries(translations).flatMap(([language, { questions }]) => {
    const translation = questions?.[id]
    return translation
      ? [[language, translatedTexts(translation, description.format, sanitize)] as const]
      : []
  })
  return entries.length > 0 ? { translations: Object.fromEntries(entries) } : {}
}

const translatedTexts = (
  { text, description, buttonText, lowerLabel, upperLabel, link, choices }: QuestionTranslation,
  format: FormattedText['format'],
  sanitize: HtmlSanitizer,
): PosthogTexts =>
  defined({
    question: text,
    description: description !== undefined && format === 'html' ? sanitize(description) : description,
    buttonText,
    lowerBoundLabel: lowerLabel,
    upperBoundLabel: upperLabel,
    link,
    choices,
  })
