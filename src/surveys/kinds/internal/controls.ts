import { fieldName } from '../../internal/form-fields'
import type { Attributes } from '../../run/element'
import { recall } from '../../run/recall'
import type { QuestionForm, QuestionView } from '../kind-rules'

/** Typed texts are cut at this length wherever a question sets no lower limit. */
export const longestText = 10_000

/** The attributes of a control that is the only one of its question. */
export const singleControl = ({ question, known }: QuestionView): Attributes => ({
  name: fieldName(question),
  required: question.isRequired,
  'aria-label': recall(question.text, known),
})

export function readText(_: unknown, { text }: QuestionForm): string {
  return text()
}
