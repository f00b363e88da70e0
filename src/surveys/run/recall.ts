import type { Answer, Answers } from '../question'
import type { FormattedText } from '../survey'

/** The values that texts of a survey may recall. */
export interface Recallable {
  answers: Answers
  /** Hidden fields, by name. */
  fields: Readonly<Record<string, string>>
}

const mark = /\{\{(answer|field):([^{}]*)\}\}/g

/** Replaces `{{answer:<question id>}}` and `{{field:<name>}}`; what is not known leaves no trace. The result is text, never HTML. */
export const recall = (text: string, known: Recallable): string =>
  text.replaceAll(mark, (_, kind: string, name: string) => {
    const key = name.trim()
    const values: Answers = kind === 'field' ? known.fields : known.answers
    const value = Object.hasOwn(values, key) ? values[key] : undefined
    return value === undefined ? '' : answerInWords(value)
  })

/** An answer as a sentence repeats it. */
function answerInWords(answer: Answer): string {
  if (typeof answer === 'string' || typeof answer === 'number') return String(answer)
  if (typeof answer === 'boolean') return ''
  return Object.values(answer).join(', ')
}

/** Only these are markup in text; quotes matter in attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A member's text as HTML. Recalled answers are escaped in either format. */
export function formattedHtml({ format, text }: FormattedText, known: Recallable): string {
  if (format !== 'html') return escapeHtml(recall(text, known))
  return text.replaceAll(mark, (one) => escapeHtml(recall(one, known)))
}
