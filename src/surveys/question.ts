import type { z } from 'zod'
import type { Unchanging } from '#collection/unchanging'
import type { branch, branching, choice, question, questionTranslation } from './internal/question-schema'

/** The types of the schemas in `question-schema`, for code that goes to browsers without them. */
export type SurveyQuestion = Unchanging<z.infer<typeof question>>
export type QuestionKind = SurveyQuestion['kind']
export type Choice = z.infer<typeof choice>
export type Branching = z.infer<typeof branching>
export type Branch = z.infer<typeof branch>
export type QuestionTranslation = Unchanging<z.infer<typeof questionTranslation>>

type QuestionOf<Kind extends QuestionKind> = Extract<SurveyQuestion, { kind: Kind }>
export type OpenQuestion = QuestionOf<'open'>
export type RatingQuestion = QuestionOf<'rating'>
export type ChoiceQuestion = QuestionOf<'single-choice' | 'multiple-choice'>
export type LinkQuestion = QuestionOf<'link'>
export type RankingQuestion = QuestionOf<'ranking'>
export type MatrixQuestion = QuestionOf<'matrix'>
export type PictureQuestion = QuestionOf<'picture'>
export type DateQuestion = QuestionOf<'date'>
export type ContactQuestion = QuestionOf<'contact'>

export const ratingScales = [2, 3, 5, 7, 10] as const
export type RatingScale = (typeof ratingScales)[number]

export const contactFields = ['name', 'email', 'phone', 'company'] as const
export type ContactField = (typeof contactFields)[number]

/** The kinds that posthog-js draws; it shows an empty box for every other. */
export const posthogKinds: ReadonlySet<QuestionKind> = new Set([
  'open',
  'rating',
  'single-choice',
  'multiple-choice',
  'link',
])

/**
 * An answer as events carry it, in PostHog's form: a text; a number for a rating; a list of texts for several choices,
 * pictures or a ranking; for a matrix the id of a column by the id of a row; for a contact its fields; `link clicked`
 * for a link; true or false for a consent. An empty text is a question that was skipped.
 */
export type Answer = string | number | boolean | readonly string[] | Readonly<Record<string, string>>
export type Answers = Readonly<Record<string, Answer>>
