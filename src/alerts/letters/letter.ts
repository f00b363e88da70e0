import type { Letter } from '../../outbound/mailer'
import type { Message } from '../messages'
import { alertLetter } from './alert-letter'
import { confirmationLetter } from './confirmation-letter'
import { reportLetter } from './report-letter'

export interface LetterGround {
  /** Where Tilth is. */
  origin: string
  /** What whoever reads it may do: stop these letters, or agree to them. */
  link: string
}

export type Written = Omit<Letter, 'to'>

export function letterFor(message: Message, ground: LetterGround): Written {
  if (message.kind === 'alert') return alertLetter(message, ground)
  return message.kind === 'report' ? reportLetter(message, ground) : confirmationLetter(message, ground)
}
