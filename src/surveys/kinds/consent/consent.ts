import type { Answer } from '#surveys/question'
import type { QuestionDefinition } from '../internal/question-definition'

export const consent: QuestionDefinition<'consent'> = {
  label: 'Consent',
  hint: 'A checkbox',
  blank: () => ({ label: 'I agree' }),
  branches: () => [
    { key: 'given', label: 'Consent given' },
    { key: 'refused', label: 'Consent not given' },
  ],
}

export const consentBranchKey = (_: unknown, answer: Answer | undefined): string =>
  answer === true ? 'given' : 'refused'
