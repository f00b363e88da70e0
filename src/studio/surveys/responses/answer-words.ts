import { jsonIn } from '#studio/people/list-filter'
import type { Answer, SurveyQuestion } from '#surveys/question'

/** An answer as a member reads it. A matrix is sent by the ids of its rows and columns. */
export function answerInWords(answer: Answer, question: SurveyQuestion | undefined): string {
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No'
  if (typeof answer !== 'object') return String(answer)
  if (isList(answer)) return answer.join(', ')
  const { rows = [], columns = [] } = question?.kind === 'matrix' ? question : {}
  return Object.entries(answer)
    .map(([name, value]) => `${textOf(rows, name)}: ${textOf(columns, value)}`)
    .join('; ')
}

const textOf = (of: readonly { id: string; text: string }[], id: string): string =>
  of.find((one) => one.id === id)?.text ?? id

/** A contact as it is stored: its fields as JSON. */
export function contactInWords(stored: string): string {
  const fields: unknown = jsonIn(stored)
  if (typeof fields !== 'object' || fields === null) return stored
  return Object.values(fields).filter(Boolean).map(String).join(' · ')
}

const isList = (answer: readonly string[] | Readonly<Record<string, string>>): answer is readonly string[] =>
  Array.isArray(answer)
