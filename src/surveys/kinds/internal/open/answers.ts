import type { AnswerDefinition } from '../answer-definition'
import { isText } from '../answer-parts'

export const open: AnswerDefinition<'open'> = { accepts: isText }
