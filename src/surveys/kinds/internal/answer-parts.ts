import type { Answer } from '../../question'

/** A text of a choice and what visitors type into the last one. */
export const isText = (value: unknown): value is string => typeof value === 'string'

/** The texts of a list of choices; undefined for any other answer. */
export const textsIn = (answer: Answer): readonly string[] | undefined =>
  Array.isArray(answer) && answer.every(isText) ? answer : undefined

export const isUnique = (texts: readonly string[]): boolean => new Set(texts).size === texts.length

/** The choices that are selected, as they are drawn. */
export const textsOf = (answer: Answer | undefined): readonly string[] =>
  Array.isArray(answer) ? answer : isText(answer) && answer !== '' ? [answer] : []

/** Joins the filled parts of a form; an empty text without any. */
export function partsIn(parts: readonly (readonly [string, string])[]): Answer {
  const filled = parts.filter(([, value]) => value !== '')
  return filled.length === 0 ? '' : Object.fromEntries(filled)
}

/** The parts of an answer, by the name of each; undefined for any other answer. */
export const recordIn = (answer: Answer): Readonly<Record<string, string>> | undefined =>
  typeof answer === 'object' && !Array.isArray(answer) && Object.values(answer).every(isText)
    ? // neither a text nor a list, so that it is the record of the union
      (answer as Readonly<Record<string, string>>)
    : undefined

/** The parts that are filled in, as they are drawn. */
export const partsOf = (answer: Answer | undefined): Readonly<Record<string, string>> =>
  recordIn(answer ?? '') ?? {}
