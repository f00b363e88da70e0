import type { LetterContent, LetterUrls } from '../internal/letter'
import { button, escapeHtml, inLetterFrame, linkTo, mutedColour, paragraph } from '../internal/letter-frame'
import type { ResponseMessage } from './message'

/** The answers of a response. Everything that the visitor wrote stands in the body, never in the subject. */
export function responseLetter(message: ResponseMessage, { origin, link }: LetterUrls): LetterContent {
  const { survey, project, isComplete, distinctId, answers, note, path } = message
  const title = `${isComplete ? 'New response' : 'Partial response'}: ${survey}`
  const address = `${origin}${path}`
  const reason = `You receive this because you are a recipient of the responses to this survey in ${project.name}.`
  const lines = [
    ...answers,
    ...(distinctId === undefined ? [] : [{ question: 'Person', answer: distinctId }]),
  ]
  return {
    subject: `${title} (${project.name})`,
    text: [
      title,
      ...lines.map(({ question, answer }) => `${question}\n${answer}`),
      ...(note === undefined ? [] : [note]),
      `Open response: ${address}`,
      `${reason} Unsubscribe from this survey: ${link}`,
    ].join('\n\n'),
    html: inLetterFrame({
      title,
      preview: answers.map(({ answer }) => answer).join(' · '),
      body:
        lines.map(answerHtml).join('') +
        (note === undefined ? '' : paragraph(escapeHtml(note))) +
        button('Open response', address),
      foot: `${escapeHtml(reason)} ${linkTo('Unsubscribe from this survey', link)}`,
    }),
    unsubscribe: link,
  }
}

const answerHtml = ({ question, answer }: ResponseMessage['answers'][number]): string =>
  paragraph(
    `<span style="font-size:13px;color:${mutedColour}">${escapeHtml(question)}</span><br>` +
      escapeHtml(answer).replaceAll('\n', '<br>'),
  )
