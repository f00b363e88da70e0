import type { QuestionDefinition } from '../internal/question-definition'

export const contact: QuestionDefinition<'contact'> = {
  label: 'Contact',
  hint: 'Name, email, phone, company',
  blank: () => ({ fields: [{ field: 'email', isRequired: true }] }),
}
