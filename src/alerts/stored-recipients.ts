import type { Outbound } from '#outbound/outbound'
import { newWebhookSecret } from '#outbound/signature'
import { type FailedOutcome, failedOutcome } from '#projects/problems'
import type { World } from '#world/world'
import { sealSecret, type SecretSealing, withOpenSecrets } from './internal/webhook-secret'
import type { GivenRecipient, Recipient } from './recipient'
import { recipientKey } from './recipient-key'

/** Says why a webhook among the recipients is not called; undefined if every one is. */
export function webhookProblem(
  recipients: readonly GivenRecipient[],
  outbound: Pick<Outbound, 'refusalOf'>,
): FailedOutcome | undefined {
  const [objection] = recipients.flatMap((one) =>
    one.by === 'webhook' ? (outbound.refusalOf(one.url) ?? []) : [],
  )
  return objection === undefined ? undefined : failedOutcome(objection, 'recipients')
}

/** Gives each new webhook a secret, and keeps the secret of each that was there before. */
export function withSecrets(
  given: readonly GivenRecipient[],
  before: readonly Recipient[],
  { world, seal }: { world: World; seal: SecretSealing },
): Recipient[] {
  return given.map((one) => {
    if (one.by !== 'webhook') return one
    const known = before.find((other) => recipientKey(other) === recipientKey(one))
    return known ?? { ...one, secret: sealSecret(newWebhookSecret(world), one.url, seal) }
  })
}

/** Hides webhook URLs from viewers who may not change them: the URLs are often secrets themselves. */
export const recipientsShown = (
  recipients: readonly Recipient[],
  { mayChange, seal }: { mayChange: boolean; seal: SecretSealing },
): Recipient[] =>
  mayChange
    ? withOpenSecrets(recipients, seal)
    : recipients.map((one) =>
        one.by === 'webhook' ? { ...one, url: `${URL.parse(one.url)?.origin ?? ''}/…`, secret: '' } : one,
      )
