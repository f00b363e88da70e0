import type { Answer, Choice, ChoiceQuestion } from '#surveys/question'
import { isText } from '../internal/answer-parts'
import { choiceBranches, prefilledTexts, type QuestionDefinition } from '../internal/question-definition'

const blank: QuestionDefinition<'single-choice'>['blank'] = (choices) => ({
  choices: choices('Option 1', 'Option 2'),
  hasOther: false,
  shufflesChoices: false,
  submitsOnClick: false,
})

/** The last choice with a text field waits for that text. */
const chosenTexts = ({ choices, hasOther }: ChoiceQuestion, numbers: readonly number[]) =>
  prefilledTexts(hasOther ? choices.slice(0, -1) : choices, numbers)

export const singleChoice: QuestionDefinition<'single-choice'> = {
  label: 'Single choice',
  hint: 'One of a list',
  isInPosthog: true,
  blank,
  branches: choiceBranches,
  problems: ({ hasOther, submitsOnClick }, named) =>
    hasOther && submitsOnClick
      ? [
          {
            field: 'submitsOnClick',
            message: `A click cannot submit ${named}, because its last choice takes a typed text.`,
          },
        ]
      : [],
  prefilled: (question, numbers) => chosenTexts(question, numbers)?.[0],
}

export const multipleChoice: QuestionDefinition<'multiple-choice'> = {
  label: 'Multiple choice',
  hint: 'Several of a list',
  isInPosthog: true,
  blank,
  problems: ({ minChoices = 0, maxChoices = Infinity, choices }, named) =>
    minChoices > Math.min(maxChoices, choices.length)
      ? [
          {
            field: 'minChoices',
            message: `${named} asks for at least ${minChoices} choices, more than can be chosen.`,
          },
        ]
      : [],
  prefilled: chosenTexts,
}

/** A typed text counts as the last choice, as in posthog-js. `texts` are the choices in the language that was shown. */
export function choiceBranchKey(
  { choices, hasOther }: { choices: readonly Choice[]; hasOther?: boolean },
  given: Answer | undefined,
  texts: readonly string[],
): string | undefined {
  const answer: unknown = Array.isArray(given) ? given[0] : given
  if (!isText(answer) || answer === '') return undefined
  const shown = choices.find(({ text }, index) => (texts[index] ?? text) === answer)
  return (shown ?? (hasOther ? choices.at(-1) : undefined))?.id
}
