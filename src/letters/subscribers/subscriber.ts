import { hash } from 'node:crypto'
import { z } from 'zod'

/**
 * `pending` waits for the confirmation of its address. Of addresses that unsubscribed, complained or were erased only a
 * keyed hash is kept.
 */
export const subscriberStates = [
  'pending',
  'confirmed',
  'unsubscribed',
  'bounced',
  'complained',
  'erased',
] as const
export type SubscriberState = (typeof subscriberStates)[number]

/** States in which the address itself is removed. */
export const statesWithoutAddress: ReadonlySet<SubscriberState> = new Set([
  'unsubscribed',
  'complained',
  'erased',
])

/** One address on one list. */
export interface Subscriber {
  id: string
  projectId: number
  list: string
  /** A keyed hash of the address, which stays when the address is removed. */
  addressHash: string
  address: string | undefined
  /** The person that events about the subscription belong to. */
  distinctId: string | undefined
  state: SubscriberState
  /** The language of the confirmation, as the browser named it. */
  language: string | undefined
  source: 'form' | 'import'
  /** The evidence of consent for an imported address. */
  consent: string | undefined
  createdAt: Date
  changedAt: Date
  confirmedAt: Date | undefined
  /** When the last confirmation e-mail was sent. */
  askedAt: Date | undefined
  /** When the next confirmation e-mail is due. */
  mailDueAt: Date | undefined
  mailAttempts: number
}

/** A list of subscribers. Forms of its key subscribe to it. */
export interface LetterList {
  key: string
  name: string
  /** Whether forms of this name take new subscribers. */
  isOpen: boolean
}

/** The list that every project has: forms without a name of their own belong to it. */
export const defaultList: LetterList = { key: 'newsletter', name: 'Newsletter', isOpen: true }

export const subscriberAddress = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email('Write an address such as "ana@example.com".').max(254))

/** The distinct id of the person that an address stands for, where no other id of the visitor is known. */
export const emailPersonId = (projectId: number, email: string): string =>
  hash('sha256', `signed up ${projectId} ${email.toLowerCase()}`, 'base64url')
