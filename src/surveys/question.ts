import type { FormattedText } from './survey'

/** A question of a survey. Its id never changes: answers are stored under it. */
export type Question =
  | OpenQuestion
  | RatingQuestion
  | ChoiceQuestion
  | LinkQuestion
  | RankingQuestion
  | MatrixQuestion
  | PictureQuestion
  | DateQuestion
  | ContactQuestion
  | ConsentQuestion
  | StatementQuestion

export type QuestionKind = Question['kind']

/** What all questions have. Texts may recall an earlier answer as `{{answer:<question id>}}` or a hidden field as `{{field:<name>}}`. */
interface QuestionBase {
  id: string
  text: string
  description: FormattedText
  buttonText: string
  isRequired: boolean
  branching: Branching
}

export interface OpenQuestion extends QuestionBase {
  kind: 'open'
  placeholder: string
  /** Of the trimmed text, in UTF-16 units. */
  minLength?: number
  maxLength?: number
}

export const ratingScales = [2, 3, 5, 7, 10] as const
export type RatingScale = (typeof ratingScales)[number]

export interface RatingQuestion extends QuestionBase {
  kind: 'rating'
  display: 'number' | 'emoji' | 'stars'
  /** 10 means 0 to 10, the NPS scale; the others begin at 1. 2 is thumbs: 1 is up and 2 is down. */
  scale: RatingScale
  lowerLabel: string
  upperLabel: string
  /** A click answers; there is no button. */
  submitsOnClick: boolean
}

/** The id lasts when the text is corrected, so that earlier answers stay with it. */
export interface Choice {
  id: string
  text: string
}

export interface ChoiceQuestion extends QuestionBase {
  kind: 'single-choice' | 'multiple-choice'
  choices: readonly Choice[]
  /** The last choice takes a typed text. */
  hasOther: boolean
  shufflesChoices: boolean
  /** Single choice without `hasOther` only. */
  submitsOnClick: boolean
  /** Multiple choice only. */
  minChoices?: number
  maxChoices?: number
}

export interface LinkQuestion extends QuestionBase {
  kind: 'link'
  /** https or mailto. */
  link: string
}

export interface RankingQuestion extends QuestionBase {
  kind: 'ranking'
  choices: readonly Choice[]
}

/** One choice among the columns for each row. */
export interface MatrixQuestion extends QuestionBase {
  kind: 'matrix'
  rows: readonly Choice[]
  columns: readonly Choice[]
}

export interface PictureQuestion extends QuestionBase {
  kind: 'picture'
  /** The text is the alternative text of the picture. */
  choices: readonly (Choice & { imageUrl: string })[]
  allowsSeveral: boolean
}

export interface DateQuestion extends QuestionBase {
  kind: 'date'
  /** ISO dates, both included. */
  earliest?: string
  latest?: string
}

export const contactFields = ['name', 'email', 'phone', 'company'] as const
export type ContactField = (typeof contactFields)[number]

export interface ContactQuestion extends QuestionBase {
  kind: 'contact'
  fields: readonly { field: ContactField; isRequired: boolean }[]
}

export interface ConsentQuestion extends QuestionBase {
  kind: 'consent'
  /** The text beside the box. */
  label: string
}

/** A text without an answer. */
interface StatementQuestion extends QuestionBase {
  kind: 'statement'
}

/** The kinds that posthog-js draws; it shows an empty box for every other. */
export const posthogKinds: ReadonlySet<QuestionKind> = new Set([
  'open',
  'rating',
  'single-choice',
  'multiple-choice',
  'link',
])

export type Branching = Branch | { kind: 'by-answer'; branches: Readonly<Record<string, Branch>> }

/** Where a survey goes on. `by-answer` maps an answer's key (`branchKey`) to one; a key without one goes on to the next question. */
export type Branch =
  | { kind: 'next' }
  | { kind: 'question'; question: string }
  | { kind: 'end'; card?: string }

/** Translated texts of a question; lists follow the order of the base language's. */
export interface QuestionTranslation {
  text?: string
  description?: string
  buttonText?: string
  placeholder?: string
  lowerLabel?: string
  upperLabel?: string
  link?: string
  label?: string
  choices?: readonly string[]
  rows?: readonly string[]
  columns?: readonly string[]
}

/**
 * An answer as events carry it, in PostHog's form: a text; a number for a rating; a list of texts for several choices,
 * pictures or a ranking; for a matrix the id of a column by the id of a row; for a contact its fields; `link clicked`
 * for a link; true or false for a consent. An empty text is a question that was skipped.
 */
export type Answer = string | number | boolean | readonly string[] | Readonly<Record<string, string>>
export type Answers = Readonly<Record<string, Answer>>
