import {
  button,
  escapeHtml,
  inLetterFrame,
  green,
  linkTo,
  paragraph,
  mutedColour,
  red,
} from '../internal/letter-frame'
import type { LetterUrls, LetterContent } from '../internal/letter'
import type { AlertMessage } from './message'

const headlinePrefixes = {
  firing: 'Alert',
  recovered: 'Resolved',
  'still-firing': 'Still firing',
  test: 'Test',
} as const satisfies Record<AlertMessage['tidings'], string>

const sentences = {
  firing: 'The condition is met:',
  recovered: 'The condition is no longer met:',
  'still-firing': 'The condition is still met, a day later:',
  test: 'This is a test notification. The alert’s condition:',
} as const satisfies Record<AlertMessage['tidings'], string>

export const headline = ({ tidings, name }: AlertMessage): string => `${headlinePrefixes[tidings]}: ${name}`

export const alertAddress = (
  { alert, project }: Pick<AlertMessage, 'alert' | 'project'>,
  origin: string,
): string => `${origin}/studio/${project.slug}/alerts/${alert}`

export function alertLetter(message: AlertMessage, { origin, link }: LetterUrls): LetterContent {
  const { tidings, project, condition, numbers } = message
  const address = alertAddress(message, origin)
  const colour = tidings === 'recovered' ? green : tidings === 'test' ? mutedColour : red
  const why = `You receive this because you are a recipient of this alert in ${project.name}.`
  return {
    subject: `${headline(message)} (${project.name})`,
    text: [
      headline(message),
      `${sentences[tidings]} ${condition}.`,
      `Now: ${numbers}`,
      `Open alert: ${address}`,
      `${why} Unsubscribe from this alert: ${link}`,
    ].join('\n\n'),
    html: inLetterFrame({
      title: headline(message),
      preview: `${condition}: ${numbers}`,
      body:
        paragraph(`${escapeHtml(sentences[tidings])} ${escapeHtml(condition)}.`) +
        paragraph(`<strong style="font-size:22px;line-height:30px">${escapeHtml(numbers)}</strong>`, colour) +
        button('Open alert', address),
      foot: `${escapeHtml(why)} ${linkTo('Unsubscribe from this alert', link)}`,
    }),
    unsubscribe: link,
  }
}
