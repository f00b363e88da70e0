import { createHmac, timingSafeEqual } from 'node:crypto'
import type { World } from '#world/world'

/**
 * The signature lets the receiver of a webhook verify its origin and detect replays. The format is
 * https://www.standardwebhooks.com, for which there are libraries in every language.
 */
export interface WebhookSigning {
  /** `whsec_` and the key in base64. */
  secret: string
  /** The id of a message, the same for every attempt. */
  id: string
  at: Date
}

export const newWebhookSecret = (world: Pick<World, 'random'>): string =>
  `whsec_${Buffer.from(world.random(24)).toString('base64')}`

export function signatureHeaders(body: string, { secret, id, at }: WebhookSigning): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1000))
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${signature(`${id}.${seconds}.${body}`, webhookKey(secret))}`,
  }
}

const webhookKey = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

const signature = (text: string, key: Buffer): string =>
  createHmac('sha256', key).update(text).digest('base64')

/** Signs a content for use in links, so that only this server can create one. */
export function signToken(content: string, key: string): string {
  const text = Buffer.from(content).toString('base64url')
  return `${text}.${tokenSignature(text, key)}`
}

/** Returns the signed content; undefined if the token was changed. */
export function readSignedToken(token: string, key: string): string | undefined {
  const [text = '', givenSignature = '', ...more] = token.split('.')
  const expected = Buffer.from(tokenSignature(text, key))
  const actual = Buffer.from(givenSignature)
  const isOurs = more.length === 0 && expected.length === actual.length && timingSafeEqual(expected, actual)
  return isOurs ? Buffer.from(text, 'base64url').toString() : undefined
}

const tokenSignature = (text: string, key: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')
