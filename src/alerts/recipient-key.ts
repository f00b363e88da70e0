import type { GivenRecipient } from './recipient'

/** By what one recipient is told from another. */
export function recipientKey(recipient: GivenRecipient): string {
  if (recipient.by === 'webhook') return `webhook ${recipient.url}`
  return recipient.by === 'member' ? `member ${recipient.member}` : `mail ${recipient.address}`
}
