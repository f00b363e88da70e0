import {
  type AnswerDefinition,
  choiceResults,
  choicesSpec,
  countedChoices,
  isOneOrMoreTexts,
  parseList,
} from '../internal/answer-definition'
import { isText } from '../internal/answer-parts'

const spec: AnswerDefinition<'single-choice'>['spec'] = (question, content) => ({
  ...choicesSpec(question, content),
  hasOther: question.hasOther,
})

export const singleChoice: AnswerDefinition<'single-choice'> = {
  accepts: isText,
  spec,
  results: choiceResults,
  counted: countedChoices,
}

export const multipleChoice: AnswerDefinition<'multiple-choice'> = {
  accepts: isOneOrMoreTexts,
  parse: parseList,
  spec,
  results: choiceResults,
  counted: countedChoices,
}
