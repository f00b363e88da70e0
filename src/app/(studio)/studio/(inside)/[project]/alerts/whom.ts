import type { Hindrance } from '../../../../../../alerts/contacts'
import type { GivenRecipient } from '../../../../../../alerts/recipient'

export interface Person {
  id: string
  name: string
  email: string
}

/** A recipient as people read it. */
export function recipientWords(recipient: GivenRecipient, members: readonly Person[]): string {
  if (recipient.by === 'mail') return recipient.address
  if (recipient.by === 'webhook') return URL.parse(recipient.url)?.host ?? 'a webhook'
  return members.find(({ id }) => id === recipient.member)?.email ?? 'somebody who left'
}

export const hindranceWords: Record<Hindrance, string> = {
  unconfirmed: 'Was asked by mail, and has not agreed yet',
  unsubscribed: 'Unsubscribed from these letters',
}
