import type { GivenRecipient } from './recipient'

/** Returns the key that identifies a recipient. */
export function recipientKey(recipient: GivenRecipient): string {
  if (recipient.by === 'webhook') return `webhook ${recipient.url}`
  return recipient.by === 'member' ? `member ${recipient.member}` : `mail ${recipient.address}`
}

/** Returns recipients as they are given: without the secrets of webhooks. */
export const givenRecipients = (recipients: readonly GivenRecipient[]): GivenRecipient[] =>
  recipients.map((one) => (one.by === 'webhook' ? { by: one.by, url: one.url } : one))
