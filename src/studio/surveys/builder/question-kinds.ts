import { questionKinds } from '#surveys/kinds/question-kinds'
import type { SurveyQuestion, QuestionKind } from '#surveys/question'

/** Kinds of questions in the order in which they are offered. */
export const kindEntries = Object.entries(questionKinds).map(([kind, { label, hint }]) => ({
  kind: kind as QuestionKind, // the keys of the table
  label,
  hint,
}))

export const kindLabel = (kind: QuestionKind): string => questionKinds[kind].label

/** Makes ids that are letters and digits; `crypto.randomUUID` is missing where the studio is served without TLS. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(36).padStart(2, '0')).join('')

/** A question of a kind as it is added. Only ids are left to chance. */
export function newQuestion(kind: QuestionKind, makeId: () => string = newId): SurveyQuestion {
  const { blank, asksNothing } = questionKinds[kind]
  const shared = {
    id: makeId(),
    text: '',
    description: { format: 'text', text: '' },
    buttonText: '',
    isRequired: !asksNothing,
    branching: { kind: 'next' },
  }
  const own = blank((...texts) => texts.map((text) => ({ id: makeId(), text })))
  // the fields of all questions and those of the kind
  return { ...shared, kind, ...own } as SurveyQuestion
}

/** The same question as another kind: texts and, where both have one, the list of choices stay. */
export function ofKind(
  question: SurveyQuestion,
  kind: QuestionKind,
  makeId: () => string = newId,
): SurveyQuestion {
  const { id, text, description, buttonText, isRequired } = question
  const fresh = { ...newQuestion(kind, makeId), id, text, description, buttonText, isRequired }
  if (!('choices' in question) || !('choices' in fresh)) return fresh
  // a choice has the fields that the kind gives to a new one, such as the address of a picture
  const choices = question.choices.map((choice) => ({
    ...fresh.choices[0],
    id: choice.id,
    text: choice.text,
  }))
  return { ...fresh, choices } as SurveyQuestion
}
