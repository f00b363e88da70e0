import type { Seal } from '#flags/seal'
import type { Recipient, Webhook } from '../recipient'

export type SecretSealing = Pick<Seal, 'open' | 'close'>

const aboutWebhook = (url: string): string => `webhook ${url}`

/** Recognises a secret of a version that did not encrypt at rest; `sealPlainSecrets` replaces it at the next start. */
const isPlainSecret = (secret: string): boolean => secret.startsWith('whsec_')

/** Returns the secret as stored: encrypted with the key in the data folder, for this URL only. */
export const sealSecret = (secret: string, url: string, seal: SecretSealing): string =>
  seal.close(secret, aboutWebhook(url))

/** Returns undefined where the secret was encrypted with a key that is not in this data folder. */
export const openSecret = ({ secret, url }: Webhook, seal: SecretSealing): string | undefined =>
  isPlainSecret(secret) ? secret : seal.open(secret, aboutWebhook(url))

/** Decrypts the webhook secrets for viewers who may change the alert, who need them to verify its webhooks. */
export const withOpenSecrets = (recipients: readonly Recipient[], seal: SecretSealing): Recipient[] =>
  recipients.map((recipient) =>
    recipient.by === 'webhook' ? { ...recipient, secret: openSecret(recipient, seal) ?? '' } : recipient,
  )

export const withSealedSecrets = (recipients: readonly Recipient[], seal: SecretSealing): Recipient[] =>
  recipients.map((recipient) =>
    recipient.by === 'webhook' && isPlainSecret(recipient.secret)
      ? { ...recipient, secret: sealSecret(recipient.secret, recipient.url, seal) }
      : recipient,
  )
