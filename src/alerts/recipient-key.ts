import type { GivenRecipient } from './recipient'

/** Returns the key that identifies a recipient. */
export function recipientKey(recipient: GivenRecipient): string {
  if (recipient.by === 'webhook') return `webhook ${recipient.url}`
  return recipient.by === 'member' ? `member ${recipient.member}` : `mail ${recipient.address}`
}
