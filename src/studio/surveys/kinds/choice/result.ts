import { choiceBars, choiceInWords, type KindResult } from '../kind-result'

export const singleChoice: KindResult<'single-choice'> = {
  draw: ({ choices }, results) => choiceBars(choices, results, false),
  isCard: true,
  valueInWords: choiceInWords,
}

export const multipleChoice: KindResult<'multiple-choice'> = {
  draw: ({ choices }, results) => choiceBars(choices, results, true),
  isCard: true,
  valueInWords: choiceInWords,
}
