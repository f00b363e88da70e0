import { type AnswerDefinition, isTextsByName, parseRecord } from '../internal/answer-definition'

export const contact: AnswerDefinition<'contact'> = { accepts: isTextsByName, parse: parseRecord }
