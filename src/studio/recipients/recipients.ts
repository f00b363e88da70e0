import type { DeliveryObstacle } from '#alerts/contacts/contacts'
import type { GivenRecipient } from '#alerts/recipient'
import { recipientKey } from '#alerts/recipient-key'

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

const hindranceLabels: Record<DeliveryObstacle, string> = {
  unconfirmed: 'Confirmation e-mail sent, not confirmed yet',
  unsubscribed: 'Unsubscribed',
}

/** Why letters do not reach a recipient at present, by the recipient's label. */
export const hindrancesOf = (
  recipients: readonly GivenRecipient[],
  obstacles: ReadonlyMap<string, DeliveryObstacle>,
  members: readonly AlertMember[],
): Record<string, string> =>
  Object.fromEntries(
    recipients.flatMap((one) => {
      const obstacle = obstacles.get(recipientKey(one))
      return obstacle ? [[recipientLabel(one, members), hindranceLabels[obstacle]]] : []
    }),
  )
