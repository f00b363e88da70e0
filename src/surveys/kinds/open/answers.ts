import type { AnswerDefinition } from '../internal/answer-definition'
import { isText } from '../internal/answer-parts'

export const open: AnswerDefinition<'open'> = { accepts: isText }
