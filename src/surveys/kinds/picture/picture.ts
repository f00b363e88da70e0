import { choiceBranches, prefilledTexts, type QuestionDefinition } from '../internal/question-definition'

export const picture: QuestionDefinition<'picture'> = {
  label: 'Picture choice',
  hint: 'One or several pictures',
  blank: (choices) => ({
    choices: choices('Picture 1', 'Picture 2').map((choice) => ({ ...choice, imageUrl: '' })),
    allowsSeveral: false,
  }),
  branches: choiceBranches,
  prefilled: ({ choices }, numbers) => prefilledTexts(choices, numbers),
}
