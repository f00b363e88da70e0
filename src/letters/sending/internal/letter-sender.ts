import type { Mailer, MailResult } from '#outbound/mailer'
import { nextAttemptAt } from '#outbound/retry-schedule'
import { operator, type Viewer } from '#projects/access'
import { type Outcome } from '#projects/problems'
import type { Published } from '#posts/published/published'
import { newId } from '#projects/secrets'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { letterTo } from '../../internal/letter-content'
import type { Letter, LetterDelivery } from '../../letter'
import type { LetterEvent, LetterEvents } from '../../internal/letter-events'
import { type LetterSettings, letterSettingsIn } from '../../letter-settings'
import { storedSettings, subscribersWithIds } from '../../subscribers/store'
import type { Subscriber } from '../../subscribers/subscriber'
import type { Subscriptions } from '../../subscribers/subscriptions'
import type { SubscriptionLinks } from '../../subscription-links'
import {
  addDeliveries,
  beginDelivery,
  countSentSince,
  deliveriesDue,
  figuresOf,
  hasOpenDeliveries,
  lettersInState,
  letterWithId,
  markInterrupted,
  releaseHeld,
  saveDelivery,
  saveLetter,
} from './store'
import { assignSubjects, winnerOf } from './subject-trial'

export interface LetterSenderDependencies {
  store: Store
  world: World
  mailer: Pick<Mailer, 'send'>
  links: Pick<SubscriptionLinks, 'unsubscribe' | 'click' | 'returnPath'>
  subscriptions: Pick<Subscriptions, 'end'>
  events: Pick<LetterEvents, 'record'>
  published: Pick<Published, 'site'>
  /** The confirmed subscribers of a list, or those of them in a cohort. */
  recipientsOf(
    letter: Pick<Letter, 'projectId' | 'list' | 'cohort'>,
    viewer: Viewer,
  ): Promise<Outcome<{ recipients: Subscriber[] }>>
}

const minute = 60_000
/** Letters that are sent at the same time take turns, each with so many recipients. */
const recipientsInTurn = 10
/** A run is shorter than the lease of its job, so that no two fronts send at the same time. */
const mostRunMs = 5 * minute

const interrupted = 'Tilth stopped while sending this e-mail. It may have arrived, and is not sent again.'
const sender = operator('letters')

type DeliveryProgress = Pick<LetterDelivery, 'state' | 'dueAt' | 'outcome'>

/**
 * Sends letters at the pace of their project. The state of each delivery is written before and after it is sent: none
 * is sent twice, and those of which it is not known whether they arrived say so.
 */
export class LetterSender {
  constructor(private readonly dependencies: LetterSenderDependencies) {}

  async run(): Promise<void> {
    const { store, world } = this.dependencies
    const until = new Date(world.now().getTime() + mostRunMs)
    await markInterrupted(store, interrupted)
    for (const letter of await lettersInState(store, 'scheduled'))
      if (letter.scheduledAt <= world.now()) await this.start(letter)
    // links of a letter lead nowhere while the site is off
    const sending = (await lettersInState(store, 'sending')).filter(({ projectId }) =>
      this.dependencies.published.site(projectId),
    )
    for (const letter of sending) await this.decideTrial(letter)
    await this.sendInTurns(sending, until)
  }

  private async sendInTurns(letters: readonly Letter[], until: Date): Promise<void> {
    const unfinished: Letter[] = []
    for (const letter of letters) {
      const turn = await this.sendDue(letter, until)
      if (turn === 'ends the run') return
      if (turn === 'has more') unfinished.push(letter)
      else await this.finish(letter)
    }
    if (unfinished.length > 0) await this.sendInTurns(unfinished, until)
  }

  /** Chooses the recipients: those who are subscribed now. */
  private async start(letter: Letter): Promise<void> {
    const { store, world } = this.dependencies
    const found = await this.dependencies.recipientsOf(letter, sender)
    const now = world.now()
    await store.transaction(async (transaction) => {
      const current = await letterWithId(transaction, letter.id)
      if (current?.state !== 'scheduled') return
      if (!found.done) {
        const problem = found.problems.map(({ message }) => message).join(' ')
        return await saveLetter(transaction, { ...current, state: 'cancelled', problem, finishedAt: now })
      }
      const { trial, content } = current
      const subjects = content.subjects.map(({ key }) => key)
      const assigned = assignSubjects(found.recipients.length, subjects, trial?.share)
      const endsAt = trial && new Date(now.getTime() + trial.hours * 60 * minute)
      await saveLetter(transaction, {
        ...current,
        state: 'sending',
        startedAt: now,
        trial: trial && { ...trial, endsAt },
      })
      await addDeliveries(
        transaction,
        found.recipients.map((subscriber, index) => ({
          id: newId(world),
          letterId: letter.id,
          projectId: letter.projectId,
          subscriberId: subscriber.id,
          variant: assigned[index] ?? '',
          state: assigned[index] === undefined ? 'held' : 'waiting',
          dueAt: now,
          attempts: 0,
          outcome: undefined,
        })),
      )
    })
  }

  private async decideTrial({ id, trial }: Letter): Promise<void> {
    const { store, world } = this.dependencies
    const now = world.now()
    if (!trial?.endsAt || trial.winner !== undefined || trial.endsAt > now) return
    await store.transaction(async (transaction) => {
      const current = await letterWithId(transaction, id)
      if (current?.state !== 'sending' || !current.trial) return
      const figures = (await figuresOf(transaction, [id])).get(id) ?? []
      const subjects = current.content.subjects.map(({ key }) => key)
      const { winner, chances } = winnerOf(subjects, figures)
      await saveLetter(transaction, { ...current, trial: { ...current.trial, winner, chances } })
      await releaseHeld(transaction, id, winner, now)
    })
  }

  /** The run ends when it took long, or the mail server does not answer. */
  private async sendDue(letter: Letter, until: Date): Promise<'has more' | 'is done' | 'ends the run'> {
    const { store, world, events } = this.dependencies
    const { projectId, id } = letter
    const settings = letterSettingsIn(await storedSettings(store, projectId))
    const sent = await countSentSince(store, projectId, new Date(world.now().getTime() - minute))
    const limit = Math.min(recipientsInTurn, Math.max(0, settings.perMinute - sent))
    const due = await deliveriesDue(store, id, world.now(), limit)
    const subscribers = await subscribersWithIds(
      store,
      due.map(({ subscriberId }) => subscriberId),
    )
    const happened: LetterEvent[] = []
    let goesOn = true
    for (const delivery of due) {
      const subscriber = subscribers.get(delivery.subscriberId)
      const result = await this.send(letter, delivery, subscriber, settings)
      if (subscriber) happened.push(...eventsOf(result, letter, delivery, subscriber))
      goesOn = world.now() < until && !(result && !result.posted && result.isUnreachable)
      if (!goesOn) break
    }
    await events.record(happened)
    if (!goesOn) return 'ends the run'
    return due.length === recipientsInTurn ? 'has more' : 'is done'
  }

  /** Returns undefined where nothing was sent. */
  private async send(
    { projectId, list, content }: Letter,
    delivery: LetterDelivery,
    subscriber: Subscriber | undefined,
    { senderName, replyTo, bounceAddress }: LetterSettings,
  ): Promise<MailResult | undefined> {
    const { store, world, links, mailer } = this.dependencies
    const now = world.now()
    if (subscriber?.state !== 'confirmed' || subscriber.address === undefined) {
      const outcome = 'No longer subscribed.'
      await saveDelivery(store, { ...delivery, state: 'skipped', dueAt: now, outcome })
      return undefined
    }
    if (!(await beginDelivery(store, delivery.id, now))) return undefined
    const ready = letterTo(content, delivery.variant, {
      unsubscribe: links.unsubscribe(content.origin, subscriber.id, delivery.id),
      click: (link) => links.click(content.origin, delivery.id, link),
    })
    const result = await mailer.send({
      to: subscriber.address,
      ...ready,
      senderName: senderName || content.site,
      replyTo,
      listId: `<${listIdOf(list, projectId)}.${new URL(content.origin).hostname}>`,
      ...(bounceAddress && { returnPath: links.returnPath(bounceAddress, delivery.id) }),
    })
    await saveDelivery(store, { id: delivery.id, ...this.progress(delivery, result) })
    if (isBounce(result)) await this.dependencies.subscriptions.end(subscriber.id, 'bounced')
    return result
  }

  private progress({ attempts }: LetterDelivery, result: MailResult): DeliveryProgress {
    const now = this.dependencies.world.now()
    if (result.posted) return { state: 'delivered', dueAt: now, outcome: 'Accepted by the mail server.' }
    const outcome = result.why
    if (result.isUncertain)
      return { state: 'uncertain', dueAt: now, outcome: `${outcome} The e-mail may have arrived.` }
    const next = result.isFinal ? undefined : nextAttemptAt(attempts + 1, now)
    if (next) return { state: 'waiting', dueAt: next, outcome }
    return { state: isBounce(result) ? 'bounced' : 'failed', dueAt: now, outcome }
  }

  private async finish({ id }: Letter): Promise<void> {
    const { store, world } = this.dependencies
    await store.transaction(async (transaction) => {
      const current = await letterWithId(transaction, id)
      if (current?.state !== 'sending' || (await hasOpenDeliveries(transaction, id))) return
      await saveLetter(transaction, { ...current, state: 'sent', finishedAt: world.now() })
    })
  }
}

/** A refusal of the recipient for good: others, such as of the sender, say nothing about the address. */
const isBounce = (result: MailResult): boolean =>
  !result.posted && result.isFinal && result.isRecipient === true

const listIdOf = (list: string, projectId: number): string =>
  `${
    list
      .toLowerCase()
      .replaceAll(/[^a-z\d]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'list'
  }.${projectId}`

function eventsOf(
  result: MailResult | undefined,
  letter: Letter,
  delivery: LetterDelivery,
  subscriber: Subscriber,
): LetterEvent[] {
  const properties = letterProperties(letter, delivery)
  if (result?.posted) return [{ name: '$letter_delivered', subscriber, properties }]
  return result && isBounce(result) ? [{ name: '$letter_bounced', subscriber, properties }] : []
}

/** The properties of events about one delivery. */
export const letterProperties = (
  { id, content }: Pick<Letter, 'id' | 'content'>,
  { variant }: Pick<LetterDelivery, 'variant'>,
) => ({
  $letter_id: id,
  $letter_title: content.title,
  $letter_variant: variant,
  $letter_subject: content.subjects.find(({ key }) => key === variant)?.text ?? '',
})
