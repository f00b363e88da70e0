import type { z } from 'zod'
import type { Unchanging } from '#collection/unchanging'
import type { question, questionTranslation } from './internal/question-schema'
import type { branch, branching, choice } from './kinds/internal/question-fields'

/** The types of the schemas of questions, for code that goes to browsers without them. */
export type SurveyQuestion = Unchanging<z.infer<typeof question>>
export type QuestionKind = SurveyQuestion['kind']
export type Choice = z.infer<typeof choice>
export type Branching = z.infer<typeof branching>
export type Branch = z.infer<typeof branch>
export type QuestionTranslation = Unchanging<z.infer<typeof questionTranslation>>

/** The questions of a kind, of which two may share one form. */
export type QuestionOf<Kind extends QuestionKind> = QuestionsByKind[Kind]
type QuestionsByKind = { [Kind in QuestionKind]: OneOf<SurveyQuestion, Kind> }
type OneOf<Question extends SurveyQuestion, Kind> = Question extends SurveyQuestion
  ? Kind extends Question['kind']
    ? Question
    : never
  : never

export type RatingQuestion = QuestionOf<'rating'>
export type ChoiceQuestion = QuestionOf<'single-choice'>

/**
 * An answer as events carry it, in PostHog's form: a text; a number for a rating; a list of texts for several choices,
 * pictures or a ranking; for a matrix the id of a column by the id of a row; for a contact its fields; `link clicked`
 * for a link; true or false for a consent. An empty text is a question that was skipped.
 */
export type Answer = string | number | boolean | readonly string[] | Readonly<Record<string, string>>
export type Answers = Readonly<Record<string, Answer>>
