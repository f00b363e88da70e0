import { choiceBars, choiceInWords, type KindResult } from '../kind-result'

export const picture: KindResult<'picture'> = {
  draw: ({ choices, allowsSeveral }, results) => choiceBars(choices, results, allowsSeveral),
  isCard: true,
  valueInWords: choiceInWords,
}
