import type { Answers } from '../question'
import type { SubmittedForm } from '../internal/form-fields'
import type { SurveyContent } from '../survey'
import { answerFromForm } from '../run/answer-from-form'

/** Only programs fill in this field: people do not see it. */
export const honeypotField = 'website'

/** The answers of all questions in one form. Questions that it has no field of are left out. */
export function answersInForm(content: Pick<SurveyContent, 'questions'>, form: SubmittedForm): Answers {
  return Object.fromEntries(
    content.questions.flatMap((question) => {
      const answer = answerFromForm(question, form)
      const isAbsent = answer === undefined || answer === '' || answer === false
      return isAbsent || (Array.isArray(answer) && answer.length === 0) ? [] : [[question.id, answer]]
    }),
  )
}
