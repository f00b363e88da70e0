import { createHmac, timingSafeEqual } from 'node:crypto'
import type { World } from '../world/world'

/**
 * Who gets a webhook can tell that it is ours, and not one that was caught and sent again. The form is that of
 * https://www.standardwebhooks.com, for which there are libraries in every language.
 */
export interface Signing {
  /** `whsec_` and the key in base64. */
  secret: string
  /** The same for every attempt at one message. */
  id: string
  at: Date
}

export const newWebhookSecret = (world: Pick<World, 'random'>): string =>
  `whsec_${Buffer.from(world.random(24)).toString('base64')}`

export function signatureHeaders(body: string, { secret, id, at }: Signing): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1000))
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${signature(`${id}.${seconds}.${body}`, keyIn(secret))}`,
  }
}

const keyIn = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

const signature = (text: string, key: Buffer): string =>
  createHmac('sha256', key).update(text).digest('base64')

/** Words that only we can have written: they stand in links, for whoever was sent them. */
export function sealed(words: string, key: string): string {
  const text = Buffer.from(words).toString('base64url')
  return `${text}.${seal(text, key)}`
}

/** What was sealed; undefined where a single letter was changed. */
export function unsealed(token: string, key: string): string | undefined {
  const [text = '', given = '', ...more] = token.split('.')
  const wanted = Buffer.from(seal(text, key))
  const actual = Buffer.from(given)
  const isOurs = more.length === 0 && wanted.length === actual.length && timingSafeEqual(wanted, actual)
  return isOurs ? Buffer.from(text, 'base64url').toString() : undefined
}

const seal = (text: string, key: string): string => createHmac('sha256', key).update(text).digest('base64url')
