import type { AnswerDefinition } from '../answer-definition'

export const statement: AnswerDefinition<'statement'> = { accepts: () => false }
