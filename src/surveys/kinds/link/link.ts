import type { QuestionDefinition } from '../internal/question-definition'

export const link: QuestionDefinition<'link'> = {
  label: 'Link',
  hint: 'A link, such as to a booking page',
  isInPosthog: true,
  asksNothing: true,
  blank: () => ({ link: 'https://' }),
}
