import type { Choice, SurveyQuestion, QuestionKind } from '#surveys/question'

interface KindEntry {
  kind: QuestionKind
  label: string
  hint: string
}

/** Kinds of questions in the order in which they are offered. */
export const kindEntries: readonly KindEntry[] = [
  { kind: 'open', label: 'Open text', hint: 'Free text' },
  { kind: 'rating', label: 'Rating', hint: 'Numbers, stars, faces or thumbs; NPS and CSAT' },
  { kind: 'single-choice', label: 'Single choice', hint: 'One of a list' },
  { kind: 'multiple-choice', label: 'Multiple choice', hint: 'Several of a list' },
  { kind: 'link', label: 'Link', hint: 'A link, such as to a booking page' },
  { kind: 'ranking', label: 'Ranking', hint: 'Put a list in order' },
  { kind: 'matrix', label: 'Matrix', hint: 'One choice per row' },
  { kind: 'picture', label: 'Picture choice', hint: 'One or several pictures' },
  { kind: 'date', label: 'Date', hint: 'A date' },
  { kind: 'contact', label: 'Contact', hint: 'Name, email, phone, company' },
  { kind: 'consent', label: 'Consent', hint: 'A checkbox' },
  { kind: 'statement', label: 'Statement', hint: 'Text without a question' },
]

const labels = new Map(kindEntries.map(({ kind, label }) => [kind, label]))
export const kindLabel = (kind: QuestionKind): string => labels.get(kind) ?? kind

/** Makes ids that are letters and digits; `crypto.randomUUID` is missing where the studio is served without TLS. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(36).padStart(2, '0')).join('')

const noText = { format: 'text', text: '' } as const

/** A question of a kind as it is added. Only ids are left to chance. */
export function newQuestion(kind: QuestionKind, makeId: () => string = newId): SurveyQuestion {
  const base = {
    id: makeId(),
    text: '',
    description: noText,
    buttonText: '',
    isRequired: kind !== 'statement' && kind !== 'link',
    branching: { kind: 'next' },
  } as const
  const choices = (...texts: string[]): Choice[] => texts.map((text) => ({ id: makeId(), text }))
  const list = { hasOther: false, shufflesChoices: false, submitsOnClick: false }
  switch (kind) {
    case 'open':
      return { ...base, kind, placeholder: '' }
    case 'rating':
      return {
        ...base,
        kind,
        display: 'number',
        scale: 10,
        lowerLabel: 'Not at all likely',
        upperLabel: 'Extremely likely',
        submitsOnClick: false,
      }
    case 'single-choice':
    case 'multiple-choice':
      return { ...base, kind, choices: choices('Option 1', 'Option 2'), ...list }
    case 'link':
      return { ...base, kind, link: 'https://' }
    case 'ranking':
      return { ...base, kind, choices: choices('Option 1', 'Option 2', 'Option 3') }
    case 'matrix':
      return { ...base, kind, rows: choices('Row 1', 'Row 2'), columns: choices('Bad', 'Fair', 'Good') }
    case 'picture':
      return {
        ...base,
        kind,
        choices: choices('Picture 1', 'Picture 2').map((choice) => ({ ...choice, imageUrl: '' })),
        allowsSeveral: false,
      }
    case 'date':
      return { ...base, kind }
    case 'contact':
      return { ...base, kind, fields: [{ field: 'email', isRequired: true }] }
    case 'consent':
      return { ...base, kind, label: 'I agree' }
    default:
      return { ...base, kind }
  }
}

/** The same question as another kind: texts and, where both have one, the list of choices stay. */
export function ofKind(
  question: SurveyQuestion,
  kind: QuestionKind,
  makeId: () => string = newId,
): SurveyQuestion {
  const { id, text, description, buttonText, isRequired } = question
  const shared = { id, text, description, buttonText, isRequired }
  const fresh = newQuestion(kind, makeId)
  if (!('choices' in question)) return { ...fresh, ...shared }
  const texts = question.choices.map((choice) => ({ id: choice.id, text: choice.text }))
  switch (fresh.kind) {
    case 'single-choice':
    case 'multiple-choice':
    case 'ranking':
      return { ...fresh, ...shared, choices: texts }
    case 'picture':
      return { ...fresh, ...shared, choices: texts.map((choice) => ({ ...choice, imageUrl: '' })) }
    default:
      return { ...fresh, ...shared }
  }
}
