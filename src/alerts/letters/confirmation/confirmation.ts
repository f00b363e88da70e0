import { button, escapeHtml, inLetterFrame, paragraph } from '../internal/letter-frame'
import type { LetterUrls, LetterContent } from '../internal/letter'
import type { ConfirmationMessage } from './message'

/** The only letter to recipients who have not confirmed yet. */
export function confirmationLetter(
  { project, askedBy }: ConfirmationMessage,
  { link }: LetterUrls,
): LetterContent {
  const title = `Confirm e-mails about ${project.name}`
  const asks = `${askedBy} wants to send you alerts and reports about ${project.name}.`
  const otherwise = 'If you do not want them, ignore this e-mail. You will not get another.'
  return {
    subject: title,
    text: [asks, `Confirm: ${link}`, otherwise].join('\n\n'),
    html: inLetterFrame({
      title,
      preview: asks,
      body: paragraph(escapeHtml(asks)) + button('Confirm', link),
      foot: escapeHtml(otherwise),
    }),
  }
}
