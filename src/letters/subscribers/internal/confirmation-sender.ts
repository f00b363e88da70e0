import type { Mailer } from '#outbound/mailer'
import { nextAttemptAt } from '#outbound/retry-schedule'
import type { Published } from '#posts/published/published'
import { hashToken, newToken } from '#projects/secrets'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { letterSettingsIn } from '../../letter-settings'
import type { SubscriptionLinks } from '../../subscription-links'
import { confirmationLetter } from './confirmation'
import {
  beginConfirmation,
  confirmationsDue,
  forgetUnconfirmed,
  postponeConfirmation,
  storedSettings,
} from '../store'
import type { Subscriber } from '../subscriber'
import type { Subscriptions } from '../subscriptions'

interface ConfirmationSenderDependencies {
  store: Store
  world: World
  mailer: Pick<Mailer, 'send'>
  links: Pick<SubscriptionLinks, 'confirmation'>
  published: Pick<Published, 'site'>
  subscriptions: Pick<Subscriptions, 'namesOf'>
}

const keptUnconfirmedMs = 30 * 86_400_000
const hourMs = 3_600_000
const atOnce = 50

/** Sends the e-mails that ask for a confirmation. Each has a link of its own, which is made when it is sent. */
export class ConfirmationSender {
  constructor(private readonly dependencies: ConfirmationSenderDependencies) {}

  async run(): Promise<void> {
    const { store, world } = this.dependencies
    for (const subscriber of await confirmationsDue(store, world.now(), atOnce))
      if (!(await this.send(subscriber))) break
    await forgetUnconfirmed(store, new Date(world.now().getTime() - keptUnconfirmedMs))
  }

  /** Returns false if the mail server does not answer, so that others would fail as well. */
  private async send(subscriber: Subscriber): Promise<boolean> {
    const { store, world, mailer, links, published, subscriptions } = this.dependencies
    const { id, projectId, address, mailAttempts } = subscriber
    const site = published.site(projectId)
    if (address === undefined) return true
    if (!site) {
      // it may be turned on again; until then others are not held up
      await postponeConfirmation(store, id, new Date(world.now().getTime() + hourMs))
      return true
    }
    const token = newToken(world)
    // taken before it is sent: after a crash it is not sent again, and the visitor may sign up once more
    if (!(await beginConfirmation(store, id, hashToken(token), world.now()))) return true
    const { senderName, replyTo } = letterSettingsIn(await storedSettings(store, projectId))
    const names = await subscriptions.namesOf(subscriber)
    const result = await mailer.send({
      to: address,
      ...confirmationLetter(names, links.confirmation(site.origin, token)),
      senderName: senderName || site.name,
      replyTo,
    })
    const next = result.posted || result.isFinal ? undefined : nextAttemptAt(mailAttempts + 1, world.now())
    if (next) await postponeConfirmation(store, id, next)
    return result.posted || !result.isUnreachable
  }
}
