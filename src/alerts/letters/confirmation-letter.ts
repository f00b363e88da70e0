import type { ConfirmationMessage } from '../messages'
import { button, escapeHtml, inLetterFrame, paragraph } from './letter-frame'
import type { LetterUrls, LetterContent } from './letter'

/** The only letter to recipients who have not confirmed yet. */
export function confirmationLetter(
  { project, askedBy }: ConfirmationMessage,
  { link }: LetterUrls,
): LetterContent {
  const title = `Letters about ${project.name}?`
  const asks = `${askedBy} would like to send you alerts and reports about ${project.name}.`
  const otherwise = 'If you do not want them, do nothing: this is the only letter you get.'
  return {
    subject: title,
    text: [asks, `Yes, send them to me: ${link}`, otherwise].join('\n\n'),
    html: inLetterFrame({
      title,
      preview: asks,
      body: paragraph(escapeHtml(asks)) + button('Yes, send them to me', link),
      foot: escapeHtml(otherwise),
    }),
  }
}
