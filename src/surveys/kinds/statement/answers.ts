import type { AnswerDefinition } from '../internal/answer-definition'

export const statement: AnswerDefinition<'statement'> = { accepts: () => false }
