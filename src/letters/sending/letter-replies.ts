import { z } from 'zod'
import type { Envelope } from '#events/event'
import { requireRight, type Viewer } from '#projects/access'
import { failedOutcome, type Outcome, parseInput } from '#projects/problems'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import type { Letter, LetterDelivery } from '../letter'
import type { LetterEvents } from '../internal/letter-events'
import { subscriberWithId } from '../subscribers/store'
import type { Subscriptions } from '../subscribers/subscriptions'
import type { LetterLink, SubscriptionLinks } from '../subscription-links'
import { letterProperties } from './internal/letter-sender'
import { deliveryWithId, letterWithId, noteReply, saveDelivery } from './internal/store'

interface LetterReplyDependencies {
  store: Store
  world: World
  links: Pick<SubscriptionLinks, 'read' | 'deliveriesNamedIn'>
  subscriptions: Pick<Subscriptions, 'end'>
  events: Pick<LetterEvents, 'record'>
}

interface DeliveredLetter {
  letter: Letter
  delivery: LetterDelivery
}

/** The outcome of a message about a failed delivery. */
interface ReadBounce {
  kind: DeliveryNotice['kind']
  deliveries: number
}

export const bounceInput = z.strictObject({
  message: z.string({ error: 'Send the whole message as text.' }).max(5_000_000, 'The message is too large.'),
})

/** Handles the reactions to a letter: clicks, unsubscriptions, and notices of mail servers. */
export class LetterReplies {
  constructor(private readonly dependencies: LetterReplyDependencies) {}

  /** Reads the signed content of a link. */
  read(token: string): LetterLink | undefined {
    return this.dependencies.links.read(token)
  }

  async unsubscribe({ subscriber: id, delivery }: Extract<LetterLink, { do: 'unsubscribe' }>): Promise<void> {
    const { store, world, subscriptions, events } = this.dependencies
    const ended = await subscriptions.end(id, 'unsubscribed')
    if (!ended) return
    const found = delivery === undefined ? undefined : await this.deliveryOf(delivery)
    if (found) await noteReply(store, found.delivery.id, 'unsubscribedAt', world.now())
    const properties = found && letterProperties(found.letter, found.delivery)
    await events.record([
      { name: '$letter_unsubscribed', subscriber: ended, ...(properties && { properties }) },
    ])
  }

  /**
   * Returns the address that a link of a letter leads to, as the letter has it. A visit is recorded for the subscription's
   * person; a request that only looks is not.
   */
  async click(
    { delivery: id, link }: Extract<LetterLink, { do: 'click' }>,
    envelopeFor: ((projectId: number) => Envelope) | undefined,
  ): Promise<string | undefined> {
    const { store, world, events } = this.dependencies
    const found = await this.deliveryOf(id)
    const target = found?.letter.content.links[link]
    if (!found || target === undefined || !envelopeFor) return target
    const { letter, delivery } = found
    await noteReply(store, delivery.id, 'clickedAt', world.now())
    const subscriber = await subscriberWithId(store, delivery.subscriberId)
    const properties = { ...letterProperties(letter, delivery), $letter_link: target }
    const envelope = envelopeFor(letter.projectId)
    if (subscriber) await events.record([{ name: '$letter_clicked', subscriber, properties, envelope }])
    return target
  }

  /** The project of the letter that a message was returned for. */
  async projectOfBounce(message: string): Promise<number | undefined> {
    for (const id of this.dependencies.links.deliveriesNamedIn(message)) {
      const delivery = await deliveryWithId(this.dependencies.store, id)
      if (delivery) return delivery.projectId
    }
    return undefined
  }

  /** Takes a raw message from the mailbox of return paths. A hard bounce or a complaint ends the subscription. */
  async takeBounce(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<ReadBounce>> {
    requireRight('letters:write', projectId, viewer)
    const parsed = parseInput(bounceInput, input)
    if (!parsed.done) return parsed
    const { message } = parsed.value
    const notice = readDeliveryNotice(message)
    if (!notice) return failedOutcome('This is not a delivery status notification.', 'message')
    const found = await Promise.all(
      this.dependencies.links.deliveriesNamedIn(message).map((id) => this.deliveryOf(id)),
    )
    const own = found.flatMap((one) => (one?.letter.projectId === projectId ? [one] : []))
    if (own.length === 0) return failedOutcome('The message names no letter of this project.', 'message')
    for (const one of own) await this.applyNotice(one, notice)
    return { done: true, kind: notice.kind, deliveries: own.length }
  }

  private async applyNotice(
    { letter, delivery }: DeliveredLetter,
    { kind, status }: DeliveryNotice,
  ): Promise<void> {
    const { store, world, subscriptions, events } = this.dependencies
    if (kind === 'delayed') return
    const { id } = delivery
    if (kind === 'complaint') return void (await subscriptions.end(delivery.subscriberId, 'complained'))
    const outcome = `Returned by the mail server of the recipient (${status}).`
    await saveDelivery(store, { id, state: 'bounced', dueAt: world.now(), outcome })
    const ended = await subscriptions.end(delivery.subscriberId, 'bounced')
    const properties = letterProperties(letter, delivery)
    if (ended) await events.record([{ name: '$letter_bounced', subscriber: ended, properties }])
  }

  private async deliveryOf(id: string): Promise<DeliveredLetter | undefined> {
    const { store } = this.dependencies
    const delivery = await deliveryWithId(store, id)
    const letter = delivery && (await letterWithId(store, delivery.letterId))
    return letter && { delivery, letter }
  }
}

/** A mail server's report on a letter that it had accepted. */
interface DeliveryNotice {
  kind: 'bounce' | 'delayed' | 'complaint'
  /** The enhanced status code: https://www.rfc-editor.org/rfc/rfc3463 */
  status: string
}

/** Reports are small; the returned letter behind them is not read. */
const mostRead = 200_000

/**
 * Reads a delivery status notification (https://www.rfc-editor.org/rfc/rfc3464) or a report of abuse
 * (https://www.rfc-editor.org/rfc/rfc5965); undefined for any other message, such as a reply out of office.
 */
function readDeliveryNotice(raw: string): DeliveryNotice | undefined {
  const message = raw
    .slice(0, mostRead)
    .replaceAll('\r\n', '\n')
    .replaceAll(/\n[ \t]+/g, ' ')
  if (/^feedback-type: *abuse\b/im.test(message)) return { kind: 'complaint', status: 'abuse' }
  if (
    !/^content-type: *(?:multipart\/report\b.*report-type="?delivery-status|message\/delivery-status)/im.test(
      message,
    )
  )
    return undefined
  const action = /^action: *([a-z]+)/im.exec(message)?.[1]?.toLowerCase()
  const status = /^status: *(\d\.\d{1,3}\.\d{1,3})/im.exec(message)?.[1] ?? ''
  if (action === 'failed') return { kind: isLasting(status) ? 'bounce' : 'delayed', status }
  return action === 'delayed' ? { kind: 'delayed', status } : undefined
}

/**
 * Whether the address itself cannot get mail. A full mailbox (5.2.2) or a refusal for the content (5.7.x) may pass:
 * the next letter is tried.
 */
const isLasting = (status: string): boolean =>
  status.startsWith('5.') && status !== '5.2.2' && !status.startsWith('5.7.') && !status.startsWith('5.3.')
