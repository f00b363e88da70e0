import { fieldName, type SubmittedForm } from '../internal/form-fields'
import type { Answer, SurveyQuestion } from '../question'
import { commonKinds } from '../kinds/common-kinds'
import { type FindKind, findIn } from '../kinds/kind-rules'
import { rareKinds } from '../kinds/rare-kinds'

/** Reads a question's answer from a submitted form; undefined for a statement. Checks nothing. */
export const answerFromForm = (question: SurveyQuestion, form: SubmittedForm): Answer | undefined =>
  answerFromFormBy(findIn(commonKinds, rareKinds), question, form)

/** Does the same as `answerFromForm`, with the rules of these kinds. */
export const answerFromFormBy = (
  find: FindKind,
  question: SurveyQuestion,
  form: SubmittedForm,
): Answer | undefined =>
  find(question.kind).read(question, {
    text: (part) => textIn(form.get(fieldName(question, part))),
    list: () =>
      form
        .getAll(fieldName(question))
        .map(textIn)
        .filter((value) => value !== ''),
  })

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
