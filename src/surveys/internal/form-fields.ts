import type { SurveyQuestion } from '../question'

/** Names the form field of a question, or of one part of it: a row, a contact field, a choice's rank, the typed choice. */
export const fieldName = (question: Pick<SurveyQuestion, 'id'>, part?: string): string =>
  part === undefined ? `answer.${question.id}` : `answer.${question.id}.${part}`

/** The part of a choice question that takes a typed text; its option has this value too. */
export const otherPart = 'other'

/** The option "other" has no text of its own: a colon cannot begin a choice's value by accident. */
export const otherValue = ':other'

/** The fields of a submitted form; `FormData` and `URLSearchParams` both are one. */
export interface SubmittedForm {
  get(name: string): unknown
  getAll(name: string): unknown[]
}
