import { nextAttempt } from '../outbound/back-off'
import type { Mailer } from '../outbound/mailer'
import type { Outbound } from '../outbound/reach'
import { callWebhook } from '../outbound/webhook'
import { operator } from '../projects/access'
import type { Members } from '../projects/members'
import { newId } from '../projects/secrets'
import type { Store, StoreTransaction } from '../store/store'
import type { World } from '../world/world'
import { contactsOf, hasRefused } from './contacts/store'
import type { LetterLinks } from './letter-links'
import { letterFor } from './letters/letter'
import type { Message } from './messages'
import { addSending, forgetSendingsBefore, saveProgress, sendingsDue } from './outgoing/store'
import type { GivenRecipient, Recipient } from './recipient'
import { recipientKey } from './recipient-key'
import { webhookBody } from './webhook-body'

/** One message on its way to one recipient. */
export interface Sending {
  id: string
  projectId: number
  /** "alert …" or "report …", with its id. */
  about: string
  recipient: Recipient
  message: Message
  createdAt: Date
  state: 'waiting' | 'sent' | 'failed'
  dueAt: Date
  attempts: number
  /** What came of the last attempt. */
  outcome: string | undefined
}

/** What became of something that was told. */
export type Told = Pick<Sending, 'id' | 'createdAt' | 'state' | 'attempts' | 'outcome'> & {
  recipient: GivenRecipient
  tidings: string
}

/** Without what it said, and without secrets. */
export const toldBy = ({ id, createdAt, state, attempts, outcome, recipient, message }: Sending): Told => ({
  id,
  createdAt,
  state,
  attempts,
  outcome,
  recipient: recipient.by === 'webhook' ? { by: recipient.by, url: recipient.url } : recipient,
  tidings: message.kind === 'alert' ? message.tidings : message.kind,
})

export type NewSending = Pick<Sending, 'projectId' | 'about' | 'message'>

/** In the same transaction as what it is about: nothing is told that did not happen, and nothing is forgotten. */
export async function queue(
  transaction: StoreTransaction,
  { projectId, about, message }: NewSending,
  recipients: readonly Recipient[],
  world: World,
): Promise<string[]> {
  const now = world.now()
  const ids: string[] = []
  for (const recipient of recipients) {
    const id = newId(world)
    ids.push(id)
    await addSending(transaction, {
      id,
      projectId,
      about,
      recipient,
      message,
      createdAt: now,
      state: 'waiting',
      dueAt: now,
      attempts: 0,
      outcome: undefined,
    })
  }
  await transaction.announce('outgoing')
  return ids
}

interface DeliveriesGround {
  store: Store
  world: World
  outbound: Pick<Outbound, 'run'>
  /** Absent until TILTH_SMTP is set. */
  mailer: Pick<Mailer, 'post'> | undefined
  members: Pick<Members, 'list'>
  links: LetterLinks
  origin: string
}

type Attempt =
  | { sent: true; outcome: string }
  | { sent: false; isFinal: boolean; outcome: string; atLeastSeconds?: number }

const atOnce = 8
const keptMs = 90 * 24 * 60 * 60_000

const postman = operator('letters')

/** Sends what is waiting, by the front alone. What does not arrive is tried again, further and further apart. */
export class Deliveries {
  constructor(private readonly ground: DeliveriesGround) {}

  async run(): Promise<void> {
    const { store, world } = this.ground
    for (;;) {
      const due = await sendingsDue(store, world.now(), atOnce)
      if (due.length === 0) break
      await Promise.all(due.map((sending) => this.send(sending)))
    }
    await forgetSendingsBefore(store, new Date(world.now().getTime() - keptMs))
  }

  private async send(sending: Sending): Promise<void> {
    const attempt = await this.attempt(sending)
    const attempts = sending.attempts + 1
    await saveProgress(this.ground.store, { ...sending, attempts, ...this.progress(attempts, attempt) })
  }

  private progress(attempts: number, attempt: Attempt): Pick<Sending, 'state' | 'dueAt' | 'outcome'> {
    const now = this.ground.world.now()
    const { outcome } = attempt
    if (attempt.sent) return { state: 'sent', dueAt: now, outcome }
    const next = attempt.isFinal ? undefined : nextAttempt(attempts, now, attempt.atLeastSeconds)
    return next ? { state: 'waiting', dueAt: next, outcome } : { state: 'failed', dueAt: now, outcome }
  }

  private async attempt(sending: Sending): Promise<Attempt> {
    const { recipient } = sending
    if (recipient.by === 'webhook') return await this.call(sending, recipient)
    const address = await this.addressOf(sending, recipient)
    return 'why' in address
      ? { sent: false, isFinal: true, outcome: address.why }
      : await this.post(sending, address.to)
  }

  private async call(
    { id, message }: Sending,
    { url, secret }: Extract<Recipient, { by: 'webhook' }>,
  ): Promise<Attempt> {
    const { outbound, world, origin } = this.ground
    const body = webhookBody(message, origin)
    const answer = await callWebhook(outbound, { url, body, signing: { secret, id, at: world.now() } })
    if (answer.delivered) return { sent: true, outcome: `It was answered with ${answer.status}.` }
    const { isFinal, why: outcome, retryAfterSeconds: atLeastSeconds } = answer
    return { sent: false, isFinal, outcome, ...(atLeastSeconds !== undefined && { atLeastSeconds }) }
  }

  /** Looked up at the last moment: who has left the project, or wants no more letters, gets none. */
  private async addressOf(
    { projectId, about, message }: Sending,
    recipient: Exclude<Recipient, { by: 'webhook' }>,
  ): Promise<{ to: string } | { why: string }> {
    const { store, members } = this.ground
    if (message.kind === 'confirmation') return { to: message.address }
    if (await hasRefused(store, { projectId, recipient: recipientKey(recipient), about }))
      return { why: 'They unsubscribed from these letters.' }
    if (recipient.by === 'member') {
      const all = await members.list(projectId, postman)
      const found = all.find(({ member }) => member.id === recipient.member)
      return found ? { to: found.member.email } : { why: 'They do not belong to the project any more.' }
    }
    const contacts = await contactsOf(store, projectId)
    const isConfirmed = contacts.some(
      ({ address, confirmedAt }) => address === recipient.address && confirmedAt,
    )
    return isConfirmed
      ? { to: recipient.address }
      : { why: 'They have not confirmed yet that they want letters.' }
  }

  private async post({ projectId, about, recipient, message }: Sending, to: string): Promise<Attempt> {
    const { mailer, links, origin } = this.ground
    if (!mailer)
      return {
        sent: false,
        isFinal: false,
        outcome: 'No mail server is set: TILTH_SMTP and TILTH_MAIL_FROM say which.',
      }
    const link = await links.linkFor(
      message.kind === 'confirmation'
        ? { do: 'confirm', project: projectId, address: message.address }
        : { do: 'unsubscribe', project: projectId, recipient: recipientKey(recipient), about },
    )
    const posted = await mailer.post({ to, ...letterFor(message, { origin, link }) })
    return posted.posted
      ? { sent: true, outcome: 'The mail server took it.' }
      : { sent: false, isFinal: posted.isFinal, outcome: posted.why }
  }
}
