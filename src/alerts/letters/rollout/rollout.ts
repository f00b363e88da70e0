import { flagPart } from '#flags/flag-address'
import type { LetterContent, LetterUrls } from '../internal/letter'
import { button, escapeHtml, green, inLetterFrame, linkTo, paragraph, red } from '../internal/letter-frame'
import type { RolloutMessage } from './message'

const states = { 'rolled-back': 'Rolled back', completed: 'Rollout completed' } as const

export const rolloutHeadline = ({ state, flag }: RolloutMessage): string => `${states[state]}: ${flag}`

export const rolloutAddress = ({ experiment, flag, project }: RolloutMessage, origin: string): string =>
  experiment === undefined
    ? `${origin}/studio/${project.slug}/flags/${flagPart(flag)}`
    : `${origin}/studio/${project.slug}/experiments/${experiment}`

export function rolloutLetter(message: RolloutMessage, { origin, link }: LetterUrls): LetterContent {
  const { project, state, why } = message
  const title = rolloutHeadline(message)
  const address = rolloutAddress(message, origin)
  const reason = `You receive this because you are a recipient of alerts of ${project.name}.`
  return {
    subject: `${title} (${project.name})`,
    text: [
      title,
      why,
      `Open in Tilth: ${address}`,
      `${reason} Unsubscribe from rollout e-mails: ${link}`,
    ].join('\n\n'),
    html: inLetterFrame({
      title,
      preview: why,
      body:
        paragraph(escapeHtml(why), state === 'rolled-back' ? red : green) + button('Open in Tilth', address),
      foot: `${escapeHtml(reason)} ${linkTo('Unsubscribe from rollout e-mails', link)}`,
    }),
    unsubscribe: link,
  }
}
