import { marketFitOf } from '#surveys/results/market-fit'
import { choiceBars, choiceInWords, type KindResult } from '../kind-result'

export const singleChoice: KindResult<'single-choice'> = {
  draw: (question, results) => ({
    ...choiceBars(question.choices, results, false),
    marketFit: marketFitOf(question, results),
  }),
  isCard: true,
  valueInWords: choiceInWords,
}

export const multipleChoice: KindResult<'multiple-choice'> = {
  draw: ({ choices }, results) => choiceBars(choices, results, true),
  isCard: true,
  valueInWords: choiceInWords,
}
