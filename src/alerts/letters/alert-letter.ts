import type { AlertMessage } from '../messages'
import { button, escaped, framed, green, linkTo, paragraph, quiet, red } from './frame'
import type { LetterGround, Written } from './letter'

const beginnings = {
  firing: 'Alert',
  recovered: 'Recovered',
  'still-firing': 'Still firing',
  test: 'Test',
} as const satisfies Record<AlertMessage['tidings'], string>

const sentences = {
  firing: 'This has come true:',
  recovered: 'This is no longer true:',
  'still-firing': 'This is still true, a day later:',
  test: 'This is a test: somebody wanted to see whether it arrives. The alert is about this:',
} as const satisfies Record<AlertMessage['tidings'], string>

export const headline = ({ tidings, name }: AlertMessage): string => `${beginnings[tidings]}: ${name}`

export const alertAddress = (
  { alert, project }: Pick<AlertMessage, 'alert' | 'project'>,
  origin: string,
): string => `${origin}/studio/${project.slug}/alerts/${alert}`

export function alertLetter(message: AlertMessage, { origin, link }: LetterGround): Written {
  const { tidings, project, condition, numbers } = message
  const address = alertAddress(message, origin)
  const colour = tidings === 'recovered' ? green : tidings === 'test' ? quiet : red
  const why = `You get this because ${project.name} tells you about this alert.`
  return {
    subject: `${headline(message)} (${project.name})`,
    text: [
      headline(message),
      `${sentences[tidings]} ${condition}.`,
      `Now: ${numbers}`,
      `Look at it: ${address}`,
      `${why} No more letters about it: ${link}`,
    ].join('\n\n'),
    html: framed({
      title: headline(message),
      preview: `${condition}: ${numbers}`,
      body:
        paragraph(`${escaped(sentences[tidings])} ${escaped(condition)}.`) +
        paragraph(`<strong style="font-size:22px;line-height:30px">${escaped(numbers)}</strong>`, colour) +
        button('Look at it', address),
      foot: `${escaped(why)} ${linkTo('No more letters about it', link)}`,
    }),
    unsubscribe: link,
  }
}
