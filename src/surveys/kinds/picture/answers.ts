import {
  type AnswerDefinition,
  choiceResults,
  choicesSpec,
  countedChoices,
  isOneOrMoreTexts,
  parseList,
} from '../internal/answer-definition'

export const picture: AnswerDefinition<'picture'> = {
  accepts: isOneOrMoreTexts,
  parse: parseList,
  spec: choicesSpec,
  results: choiceResults,
  counted: countedChoices,
}
