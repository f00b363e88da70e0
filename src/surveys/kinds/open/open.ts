import type { QuestionDefinition } from '../internal/question-definition'

export const open: QuestionDefinition<'open'> = {
  label: 'Open text',
  hint: 'Free text',
  isInPosthog: true,
  blank: () => ({ placeholder: '' }),
  problems: ({ minLength = 0, maxLength = Infinity }, named) =>
    minLength > maxLength
      ? [
          {
            field: 'maxLength',
            message: `The longest answer to ${named} is shorter than the shortest one.`,
          },
        ]
      : [],
}
