import type { EmailMessage } from '#outbound/mailer'
import type { Message } from '../../internal/messages'
import { alertLetter } from '../alert/alert'
import { confirmationLetter } from '../confirmation/confirmation'
import { experimentLetter } from '../experiment/experiment'
import { reportLetter } from '../report/report'
import { responseLetter } from '../response/response'
import { rolloutLetter } from '../rollout/rollout'

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
