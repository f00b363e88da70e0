import { type AnswerDefinition, isTextsByName, parseRecord } from '../answer-definition'

export const contact: AnswerDefinition<'contact'> = { accepts: isTextsByName, parse: parseRecord }
