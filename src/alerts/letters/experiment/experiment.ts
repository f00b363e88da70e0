import type { LetterContent, LetterUrls } from '../internal/letter'
import {
  button,
  escapeHtml,
  inLetterFrame,
  linkTo,
  paragraph,
  red,
  textColour,
} from '../internal/letter-frame'
import type { ExperimentMessage } from './message'

const headlines: Readonly<Record<ExperimentMessage['notice'], string>> = {
  decided: 'Decided',
  guardrail: 'A guardrail is broken',
  split: 'The split is off',
  'plan-done': 'The plan is done',
}

export const experimentHeadline = ({ notice, experiment }: ExperimentMessage): string =>
  `${headlines[notice]}: ${experiment.name}`

export const experimentAddress = ({ experiment, project }: ExperimentMessage, origin: string): string =>
  `${origin}/studio/${project.slug}/experiments/${experiment.id}`

export function experimentLetter(message: ExperimentMessage, { origin, link }: LetterUrls): LetterContent {
  const { project, notice, sentence } = message
  const title = experimentHeadline(message)
  const address = experimentAddress(message, origin)
  const reason = `You receive this because you are a recipient of alerts of ${project.name}, or own it.`
  const isBad = notice === 'guardrail' || notice === 'split'
  return {
    subject: `${title} (${project.name})`,
    text: [
      title,
      sentence,
      `Open in Tilth: ${address}`,
      `${reason} Unsubscribe from e-mails about experiments: ${link}`,
    ].join('\n\n'),
    html: inLetterFrame({
      title,
      preview: sentence,
      body: paragraph(escapeHtml(sentence), isBad ? red : textColour) + button('Open in Tilth', address),
      foot: `${escapeHtml(reason)} ${linkTo('Unsubscribe from e-mails about experiments', link)}`,
    }),
    unsubscribe: link,
  }
}
