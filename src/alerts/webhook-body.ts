import { alertAddress, headline } from './letters/alert-letter'
import type { Message } from './messages'

/** Returns the JSON body of a webhook: fields for programs, and `text` for chat services, which show only that. */
export function webhookBody(message: Message, origin: string): string {
  if (message.kind !== 'alert') throw new Error(`Webhooks receive no ${message.kind} messages.`)
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
