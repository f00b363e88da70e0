import type { Answer, Question } from './question'

/** Names the form field of a question, or of one part of it: a row, a contact field, a choice's rank, the typed choice. */
export const fieldName = (question: Pick<Question, 'id'>, part?: string): string =>
  part === undefined ? `answer.${question.id}` : `answer.${question.id}.${part}`

/** The part of a choice question that takes a typed text; its option has this value too. */
export const otherPart = 'other'

/** What a submitted form holds; `FormData` and `URLSearchParams` both are one. */
export interface SubmittedForm {
  get(name: string): unknown
  getAll(name: string): unknown[]
}

/** Reads a question's answer from a submitted form; undefined for a statement. Checks nothing. */
export function answerFromForm(question: Question, form: SubmittedForm): Answer | undefined {
  const text = (part?: string) => textIn(form.get(fieldName(question, part)))
  switch (question.kind) {
    case 'statement':
      return undefined
    case 'rating':
      return text() === '' ? '' : Number(text())
    case 'multiple-choice':
      return listIn(form.getAll(fieldName(question))).flatMap((value) => chosenText(value, text(otherPart)))
    case 'single-choice':
      return chosenText(text(), text(otherPart))[0] ?? ''
    case 'picture':
      return question.allowsSeveral ? listIn(form.getAll(fieldName(question))) : text()
    case 'ranking':
      return rankedIn(question.choices, (part) => text(part))
    case 'matrix':
      return partsIn(question.rows.map(({ id }) => [id, text(id)]))
    case 'contact':
      return partsIn(question.fields.map(({ field }) => [field, text(field).trim()]))
    case 'consent':
      return text() === 'yes'
    default:
      return text()
  }
}

/** The option "other" has no text of its own: a colon cannot begin a choice's value by accident. */
export const otherValue = ':other'

function chosenText(value: string, typed: string): string[] {
  if (value !== otherValue) return value === '' ? [] : [value]
  return typed.trim() === '' ? [] : [typed.trim()]
}

/** A form without ranks is a skipped question. */
function rankedIn(
  choices: readonly { id: string; text: string }[],
  rankOf: (part: string) => string,
): string[] {
  const ranked = choices.map(({ id, text }) => ({ text, rank: rankOf(id) })).filter(({ rank }) => rank !== '')
  return ranked.toSorted((one, other) => Number(one.rank) - Number(other.rank)).map(({ text }) => text)
}

function partsIn(parts: readonly (readonly [string, string])[]): Answer {
  const filled = parts.filter(([, value]) => value !== '')
  return filled.length === 0 ? '' : Object.fromEntries(filled)
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
const listIn = (values: readonly unknown[]): string[] => values.map(textIn).filter((value) => value !== '')
