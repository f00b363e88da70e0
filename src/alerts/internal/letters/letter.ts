import type { EmailMessage } from '#outbound/mailer'
import type { Message } from '../messages'
import { alertLetter } from './alert-letter'
import { confirmationLetter } from './confirmation-letter'
import { experimentLetter } from './experiment-letter'
import { reportLetter } from './report-letter'
import { responseLetter } from './response-letter'
import { rolloutLetter } from './rollout-letter'

export interface LetterUrls {
  /** The origin of this Tilth. */
  origin: string
  /** The recipient's link: unsubscribes, or confirms. */
  link: string
}

export type LetterContent = Omit<EmailMessage, 'to'>

export function letterFor(message: Message, urls: LetterUrls): LetterContent {
  if (message.kind === 'test-letter')
    return { subject: message.subject, text: message.text, html: message.html }
  if (message.kind === 'alert') return alertLetter(message, urls)
  if (message.kind === 'experiment') return experimentLetter(message, urls)
  if (message.kind === 'rollout') return rolloutLetter(message, urls)
  if (message.kind === 'response') return responseLetter(message, urls)
  return message.kind === 'report' ? reportLetter(message, urls) : confirmationLetter(message, urls)
}
