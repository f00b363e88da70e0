import { nextAttemptAt } from '#outbound/retry-schedule'
import type { EmailMessage, Mailer } from '#outbound/mailer'
import type { Outbound } from '#outbound/outbound'
import { callWebhook } from '#outbound/webhook'
import { operator } from '#projects/access'
import type { Members } from '#projects/members'
import { newId } from '#projects/secrets'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { contactsOf, hasOptedOut } from '../contacts/internal/store'
import type { LetterLinks } from '../letter-links'
import { letterFor } from '../internal/letters/letter'
import type { Message } from '../internal/messages'
import {
  addOutgoingMessage,
  forgetOutgoingMessagesBefore,
  saveDeliveryProgress,
  outgoingMessagesDue,
} from './store'
import type { GivenRecipient, Recipient, Webhook } from '../recipient'
import { recipientKey } from '../recipient-key'
import { webhookBody } from '../internal/webhook-body'
import { openSecret, type SecretSealing } from '../internal/webhook-secret'

/** One message on its way to one recipient. */
export interface OutgoingMessage {
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
  /** The outcome of the last attempt. */
  outcome: string | undefined
}

/** The state of one notification's delivery. */
export type DeliveryReport = Pick<OutgoingMessage, 'id' | 'createdAt' | 'state' | 'attempts' | 'outcome'> & {
  recipient: GivenRecipient
  tidings: string
}

/** Leaves out the content and the secrets. */
export const deliveryReportOf = ({
  id,
  createdAt,
  state,
  attempts,
  outcome,
  recipient,
  message,
}: OutgoingMessage): DeliveryReport => ({
  id,
  createdAt,
  state,
  attempts,
  outcome,
  recipient: recipient.by === 'webhook' ? { by: recipient.by, url: recipient.url } : recipient,
  tidings: message.kind === 'alert' ? message.tidings : message.kind,
})

/** Forgets what a visitor wrote once nothing more is sent. */
const withoutAnswers = (message: Message): Message =>
  message.kind === 'response' ? { ...message, distinctId: undefined, answers: [] } : message

type NewOutgoingMessage = Pick<OutgoingMessage, 'projectId' | 'about' | 'message'>

/** Queues in the transaction of the change it reports, so that the message exists exactly if the change does. */
export async function queueMessage(
  transaction: StoreTransaction,
  { projectId, about, message }: NewOutgoingMessage,
  recipients: readonly Recipient[],
  world: World,
): Promise<string[]> {
  const now = world.now()
  const ids: string[] = []
  for (const recipient of recipients) {
    const id = newId(world)
    ids.push(id)
    await addOutgoingMessage(transaction, {
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

interface DeliveriesDependencies {
  store: Store
  world: World
  outbound: Pick<Outbound, 'send'>
  /** Absent until TILTH_SMTP is set. */
  mailer: Pick<Mailer, 'send'> | undefined
  members: Pick<Members, 'list'>
  links: LetterLinks
  origin: string
  seal: SecretSealing
}

type DeliveryAttempt =
  | { sent: true; outcome: string }
  | { sent: false; isFinal: boolean; outcome: string; atLeastSeconds?: number }

const atOnce = 8
const keptMs = 90 * 24 * 60 * 60_000

const mailOperator = operator('letters')

const sealedElsewhere =
  'The secret of this webhook was encrypted with another key. Restore flags.key, or remove the address and add it again.'

/** Sends the queued messages, in one front at a time. Failed deliveries are retried with growing pauses. */
export class Deliveries {
  constructor(private readonly dependencies: DeliveriesDependencies) {}

  async run(): Promise<void> {
    const { store, world } = this.dependencies
    for (;;) {
      const due = await outgoingMessagesDue(store, world.now(), atOnce)
      if (due.length === 0) break
      await Promise.all(due.map((sending) => this.send(sending)))
    }
    await forgetOutgoingMessagesBefore(store, new Date(world.now().getTime() - keptMs))
  }

  private async send(sending: OutgoingMessage): Promise<void> {
    const attempt = await this.attempt(sending)
    const attempts = sending.attempts + 1
    const progress = this.progress(attempts, attempt)
    const message = progress.state === 'waiting' ? sending.message : withoutAnswers(sending.message)
    await saveDeliveryProgress(this.dependencies.store, { ...sending, message, attempts, ...progress })
  }

  private progress(
    attempts: number,
    attempt: DeliveryAttempt,
  ): Pick<OutgoingMessage, 'state' | 'dueAt' | 'outcome'> {
    const now = this.dependencies.world.now()
    const { outcome } = attempt
    if (attempt.sent) return { state: 'sent', dueAt: now, outcome }
    const next = attempt.isFinal ? undefined : nextAttemptAt(attempts, now, attempt.atLeastSeconds)
    return next ? { state: 'waiting', dueAt: next, outcome } : { state: 'failed', dueAt: now, outcome }
  }

  private async attempt(sending: OutgoingMessage): Promise<DeliveryAttempt> {
    const { recipient } = sending
    if (recipient.by === 'webhook') return await this.callWebhook(sending, recipient)
    const address = await this.addressOf(sending, recipient)
    return 'why' in address
      ? { sent: false, isFinal: true, outcome: address.why }
      : await this.postLetter(sending, address.to)
  }

  private async callWebhook({ id, message }: OutgoingMessage, webhook: Webhook): Promise<DeliveryAttempt> {
    const { outbound, world, origin, seal } = this.dependencies
    const { url } = webhook
    const secret = openSecret(webhook, seal)
    if (secret === undefined) return { sent: false, isFinal: true, outcome: sealedElsewhere }
    const body = webhookBody(message, origin)
    const answer = await callWebhook(outbound, { url, body, signing: { secret, id, at: world.now() } })
    if (answer.delivered) return { sent: true, outcome: `HTTP ${answer.status}.` }
    const { isFinal, why: outcome, retryAfterSeconds: atLeastSeconds } = answer
    return { sent: false, isFinal, outcome, ...(atLeastSeconds !== undefined && { atLeastSeconds }) }
  }

  /** Looks the address up just before sending, so that former members and unsubscribed recipients get no letter. */
  private async addressOf(
    { projectId, about, message }: OutgoingMessage,
    recipient: Exclude<Recipient, { by: 'webhook' }>,
  ): Promise<{ to: string } | { why: string }> {
    const { store, members } = this.dependencies
    if (message.kind === 'confirmation') return { to: message.address }
    if (await hasOptedOut(store, { projectId, recipient: recipientKey(recipient), about }))
      return { why: 'The recipient unsubscribed.' }
    if (recipient.by === 'member') {
      const all = await members.list(projectId, mailOperator)
      const found = all.find(({ member }) => member.id === recipient.member)
      return found ? { to: found.member.email } : { why: 'No longer a member of the project.' }
    }
    const contacts = await contactsOf(store, projectId)
    const isConfirmed = contacts.some(
      ({ address, confirmedAt }) => address === recipient.address && confirmedAt,
    )
    return isConfirmed ? { to: recipient.address } : { why: 'The recipient has not confirmed yet.' }
  }

  private async postLetter(
    { projectId, about, recipient, message }: OutgoingMessage,
    to: string,
  ): Promise<DeliveryAttempt> {
    const { mailer, links, origin } = this.dependencies
    if (!mailer)
      return {
        sent: false,
        isFinal: false,
        outcome: 'E-mail isn’t set up: set TILTH_SMTP and TILTH_MAIL_FROM.',
      }
    if (message.kind === 'test-letter')
      return await this.post(mailer, { to, ...letterFor(message, { origin, link: origin }) })
    const link = await links.linkFor(
      message.kind === 'confirmation'
        ? { do: 'confirm', project: projectId, address: message.address }
        : { do: 'unsubscribe', project: projectId, recipient: recipientKey(recipient), about },
    )
    return await this.post(mailer, { to, ...letterFor(message, { origin, link }) })
  }

  private async post(mailer: Pick<Mailer, 'send'>, letter: EmailMessage): Promise<DeliveryAttempt> {
    const posted = await mailer.send(letter)
    return posted.posted
      ? { sent: true, outcome: 'Accepted by the mail server.' }
      : { sent: false, isFinal: posted.isFinal, outcome: posted.why }
  }
}
