import type { ConfirmationMessage } from '../messages'
import { button, escaped, framed, paragraph } from './frame'
import type { LetterGround, Written } from './letter'

/** The only letter to somebody who has not agreed to any. */
export function confirmationLetter(
  { project, askedBy }: ConfirmationMessage,
  { link }: LetterGround,
): Written {
  const title = `Letters about ${project.name}?`
  const asks = `${askedBy} would like to send you alerts and reports about ${project.name}.`
  const otherwise = 'If you do not want them, do nothing: this is the only letter you get.'
  return {
    subject: title,
    text: [asks, `Yes, send them to me: ${link}`, otherwise].join('\n\n'),
    html: framed({
      title,
      preview: asks,
      body: paragraph(escaped(asks)) + button('Yes, send them to me', link),
      foot: escaped(otherwise),
    }),
  }
}
