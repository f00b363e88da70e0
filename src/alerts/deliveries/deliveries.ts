import { Breakers, shownOutcome } from '#dispatch/breakers'
import { type DeliveryAttempt, Dispatcher, type WaitingDelivery } from '#dispatch/dispatcher'
import { addressOfUrl, mailServer } from '#dispatch/lane'
import { countWaiting } from '#dispatch/waiting'
import { toDeliveryAttempt } from '#dispatch/webhook-attempt'
import type { JobTurn } from '#jobs/jobs'
import { type EmailMessage, type Mailer, mailNotSetUp } from '#outbound/mailer'
import type { Outbound } from '#outbound/outbound'
import { callWebhook } from '#outbound/webhook'
import { operator } from '#projects/access'
import type { Members } from '#projects/members'
import { newId } from '#projects/secrets'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { contactsOf, hasOptedOut } from '../contacts/store'
import type { LetterLinks } from '../letter-links'
import { letterFor } from '../letters/internal/letter'
import type { Message } from '../internal/messages'
import {
  addOutgoingMessage,
  forgetOutgoingMessagesBefore,
  outgoingMessage,
  outgoingMessagesAbout,
  saveDeliveryProgress,
} from './store'
import type { GivenRecipient, Recipient, Webhook } from '../recipient'
import { recipientKey } from '../recipient-key'
import { webhookBody } from '../internal/webhook-body'
import { openSecret, type SecretSealing } from '../internal/webhook-secret'

/** One message on its way to one recipient. */
export interface OutgoingMessage extends WaitingDelivery {
  /** "alert …" or "report …", with its id. */
  about: string
  recipient: Recipient
  message: Message
  createdAt: Date
}

/** The state of one notification's delivery. */
export type DeliveryReport = Pick<OutgoingMessage, 'id' | 'createdAt' | 'state' | 'attempts' | 'outcome'> & {
  recipient: GivenRecipient
  tidings: string
}

/** Returns the latest messages about something with their outcomes, and why those wait whose address does not answer. */
export async function deliveryReports(store: Store, about: string, limit: number): Promise<DeliveryReport[]> {
  const [sendings, breakers] = await Promise.all([
    outgoingMessagesAbout(store, about, limit),
    Breakers.read(store),
  ])
  return sendings.map((sending) => deliveryReportOf({ ...sending, outcome: shownOutcome(breakers, sending) }))
}

/** Leaves out the content and the secrets. */
const deliveryReportOf = ({
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

/** The topic of the change feed that says that a message was queued. */
export const outgoingTopic = 'outgoing'

type NewOutgoingMessage = Pick<OutgoingMessage, 'projectId' | 'about' | 'message'>

/** The messages of a project that may wait. Further ones are listed as failed, without their content. */
const mostWaitingMessages = 10_000

const tooManyWait = `${mostWaitingMessages} messages of this project wait already, so this one is not sent.`

/** Queues in the transaction of the change it reports, so that the message exists exactly if the change does. */
export async function queueMessage(
  transaction: StoreTransaction,
  { projectId, about, message }: NewOutgoingMessage,
  recipients: readonly Recipient[],
  world: World,
): Promise<string[]> {
  const now = world.now()
  const waiting = await countWaiting(transaction, 'outgoing', projectId, mostWaitingMessages)
  const free = mostWaitingMessages - waiting
  const ids: string[] = []
  for (const recipient of recipients) {
    const id = newId(world)
    const isQueued = ids.push(id) <= free
    await addOutgoingMessage(transaction, {
      id,
      projectId,
      address: recipient.by === 'webhook' ? addressOfUrl(recipient.url) : mailServer,
      about,
      recipient,
      message: isQueued ? message : withoutAnswers(message),
      createdAt: now,
      state: isQueued ? 'waiting' : 'failed',
      dueAt: now,
      attempts: 0,
      outcome: isQueued ? undefined : tooManyWait,
    })
  }
  await transaction.announce(outgoingTopic)
  return ids
}

interface DeliveriesDependencies {
  store: Store
  world: World
  outbound: Pick<Outbound, 'send'>
  /** Absent in a process that sends nothing. */
  mailer: Pick<Mailer, 'send' | 'isSetUp'> | undefined
  members: Pick<Members, 'list'>
  links: LetterLinks
  origin: string
  seal: SecretSealing
}

const keptMs = 90 * 24 * 60 * 60_000

const mailOperator = operator('letters')

const sealedElsewhere =
  'The secret of this webhook was encrypted with another key. Restore flags.key, or remove the address and add it again.'

/** Sends the queued messages, in one front at a time. Failed deliveries are retried with growing pauses. */
export class Deliveries {
  private readonly dispatcher: Dispatcher<OutgoingMessage>

  constructor(private readonly dependencies: DeliveriesDependencies) {
    const { store, world } = dependencies
    this.dispatcher = new Dispatcher<OutgoingMessage>(
      {
        table: 'outgoing',
        topic: outgoingTopic,
        find: (id) => outgoingMessage(store, id),
        send: (sending) => this.attempt(sending),
        save: async ({ id, message }, progress) => {
          const kept = progress.state === 'waiting' ? message : withoutAnswers(message)
          await saveDeliveryProgress(store, { id, message: kept, ...progress })
        },
        tidy: () => forgetOutgoingMessagesBefore(store, new Date(world.now().getTime() - keptMs)),
      },
      dependencies,
    )
  }

  async run(turn?: JobTurn): Promise<void> {
    await this.dispatcher.run(turn)
  }

  close(): void {
    this.dispatcher.close()
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
    return toDeliveryAttempt(
      await callWebhook(outbound, { url, body, signing: { secret, id, at: world.now() } }),
    )
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
    if (!mailer?.isSetUp) return { sent: false, isFinal: false, outcome: mailNotSetUp }
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
    if (posted.posted) return { sent: true, outcome: 'Accepted by the mail server.' }
    const { isFinal, why: outcome, isUnreachable = false } = posted
    return { sent: false, isFinal, outcome, hasAnswered: !isUnreachable }
  }
}
