import type { DeliveryObstacle } from '#alerts/contacts/contacts'
import type { GivenRecipient } from '#alerts/recipient'

export interface AlertMember {
  id: string
  name: string
  email: string
}

/** A recipient as people read it. */
export function recipientLabel(recipient: GivenRecipient, members: readonly AlertMember[]): string {
  if (recipient.by === 'mail') return recipient.address
  if (recipient.by === 'webhook') return URL.parse(recipient.url)?.host ?? 'a webhook'
  return members.find(({ id }) => id === recipient.member)?.email ?? 'a former member'
}

export const hindranceLabels: Record<DeliveryObstacle, string> = {
  unconfirmed: 'Confirmation e-mail sent, not confirmed yet',
  unsubscribed: 'Unsubscribed',
}
