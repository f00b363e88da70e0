import { alertAddress, headline } from './letters/alert-letter'
import type { Message } from './messages'

/** What a webhook is told: the facts for programs, and `text` for chats, which show that alone. */
export function webhookBody(message: Message, origin: string): string {
  if (message.kind !== 'alert') throw new Error(`A webhook is not told of a ${message.kind}.`)
  const { tidings, alert, name, project, condition, verdict, numbers, at } = message
  const url = alertAddress(message, origin)
  return JSON.stringify({
    type: `alert.${tidings.replaceAll('-', '_')}`,
    timestamp: at,
    text: `${headline(message)} (${numbers}) ${url}`,
    alert: { id: alert, name, condition, url },
    project,
    verdict,
  })
}
