import type { Answer, Question } from '../question'

/** The fields of a question's form: the controls that `question-html.ts` draws are read here, on the server and by the script. */
export interface FormFields {
  get: (name: string) => unknown
  getAll: (name: string) => unknown[]
}

/** Controls are named by their question, so that hidden fields never collide with them. */
export const fieldNames = {
  answer: (question: string) => `a.${question}`,
  other: (question: string) => `o.${question}`,
  part: (question: string, part: string) => `p.${question}.${part}`,
}

const textIn = (fields: FormFields, name: string): string => {
  const value = fields.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** Reads the answer to a question from its form; `""` for one that was left empty, undefined for a statement. */
export function answerInForm(question: Question, fields: FormFields): Answer | undefined {
  const name = fieldNames.answer(question.id)
  switch (question.kind) {
    case 'statement':
      return undefined
    case 'rating': {
      const value = textIn(fields, name)
      return value === '' ? '' : Number(value)
    }
    case 'single-choice':
      return chosenTexts(question.id, question, fields)[0] ?? ''
    case 'multiple-choice':
      return emptyAsText(chosenTexts(question.id, question, fields))
    case 'picture':
      return emptyAsText(chosenTexts(question.id, { ...question, hasOther: false }, fields))
    case 'ranking':
      return rankedTexts(question, fields)
    case 'matrix':
      return parts(
        question.id,
        question.rows.map(({ id }) => id),
        fields,
      )
    case 'contact':
      return parts(
        question.id,
        question.fields.map(({ field }) => field),
        fields,
      )
    case 'consent':
      return textIn(fields, name) !== ''
    default:
      return textIn(fields, name)
  }
}

const emptyAsText = (texts: readonly string[]): Answer => (texts.length === 0 ? '' : texts)

interface Choosable {
  choices: readonly { text: string }[]
  hasOther: boolean
}

/** Controls carry the index of their choice; the last one may stand for a typed text. */
function chosenTexts(id: string, { choices, hasOther }: Choosable, fields: FormFields): string[] {
  return fields.getAll(fieldNames.answer(id)).flatMap((value) => {
    const index = Number(value)
    const choice = choices[index]
    if (!choice) return [String(value)]
    const isOther = hasOther && index === choices.length - 1
    return isOther ? textIn(fields, fieldNames.other(id)) || choice.text : choice.text
  })
}

/** Each choice has a control with its rank. Two of the same rank keep both, which the check of the answer refuses. */
function rankedTexts({ id, choices }: Extract<Question, { kind: 'ranking' }>, fields: FormFields): Answer {
  const ranks = choices.map((choice) => ({
    text: choice.text,
    rank: Number(textIn(fields, fieldNames.part(id, choice.id))),
  }))
  const ranked = ranks.filter(({ rank }) => rank > 0).toSorted((one, other) => one.rank - other.rank)
  const isUnique = new Set(ranked.map(({ rank }) => rank)).size === ranked.length
  return isUnique ? emptyAsText(ranked.map(({ text }) => text)) : [...ranked.map(({ text }) => text), '']
}

function parts(id: string, names: readonly string[], fields: FormFields): Answer {
  const given = names.map((name) => [name, textIn(fields, fieldNames.part(id, name))] as const)
  const filled = given.filter(([, value]) => value !== '')
  return filled.length === 0 ? '' : Object.fromEntries(filled)
}
