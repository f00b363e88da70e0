import type { AnswerDefinition } from '../answer-definition'
import { isText } from '../answer-parts'

export const link: AnswerDefinition<'link'> = { accepts: isText }
