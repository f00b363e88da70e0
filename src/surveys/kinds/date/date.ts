import type { QuestionDefinition } from '../internal/question-definition'

export const date: QuestionDefinition<'date'> = {
  label: 'Date',
  hint: 'A date',
  blank: () => ({}),
  problems: ({ earliest = '', latest = '9999-12-31' }, named) =>
    earliest > latest
      ? [{ field: 'latest', message: `The latest date for ${named} is before the earliest one.` }]
      : [],
}
