import { onTestFinished } from 'vitest'
import type { EmailMessage, MailResult } from '#outbound/mailer'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import { present, requireDone, type TestProduct } from '../product/fixture'
import { LetterEvents } from '#letters/internal/letter-events'
import { Letters } from '#letters/letters'
import { LetterReplies } from '#letters/sending/letter-replies'
import { LetterSender } from '#letters/sending/internal/letter-sender'
import { ConfirmationSender } from '#letters/subscribers/internal/confirmation-sender'
import { Subscriptions } from '#letters/subscribers/subscriptions'
import { SubscriptionLinks } from '#letters/subscription-links'

export const viewer = operator('Ana')

interface LetterStageOptions {
  /** The answer of the mail server; it accepts everything otherwise. */
  answer?: (message: EmailMessage) => MailResult | Promise<MailResult>
  /** The persons of every cohort. */
  persons?: readonly { distinctId: string; email: string }[]
  canMail?: boolean
}

/** A project with a published post and its letters, whose mail is kept in place of being sent. */
export async function openLetterFixture(
  testProduct: TestProduct,
  options: LetterStageOptions & { url?: string } = {},
) {
  const { product, world, folder, aProject } = testProduct
  const { answer = () => ({ posted: true }), persons = [], canMail = true, url } = options
  const { id: projectId } = await aProject()
  const store = await openStore({ folder, url })
  onTestFinished(() => store.close())
  requireDone(await product.posts.sites.change(projectId, { address: 'https://acme.example' }, viewer))
  const body = 'We **began**.\n\n[Read more](/about) or [elsewhere](https://other.example/a).'
  const { post } = requireDone(await product.posts.create(projectId, { title: 'Hello', body }, viewer))
  requireDone(await product.posts.publish(projectId, post.id, {}, viewer))

  const sent: EmailMessage[] = []
  const { events, record } = keptEvents(world)
  const seal = { digest: (text: string) => `key of ${text}` }
  const links = new SubscriptionLinks(seal)
  const { published } = product.posts
  const shared = { store, world, seal, links, events: record, canMail: () => canMail, published }
  const subscriptions = new Subscriptions(shared)
  const letters = new Letters({
    ...shared,
    posts: product.posts,
    personsIn: async () => ({ done: true, persons }),
  })
  const mailer = {
    async send(message: EmailMessage): Promise<MailResult> {
      const result = await answer(message)
      if (result.posted) sent.push(message)
      return result
    },
  }
  const parts = { ...shared, subscriptions, mailer }
  const sender = new LetterSender({
    ...parts,
    recipientsOf: (letter, who) => letters.recipientsOf(letter, who),
  })
  requireDone(
    await subscriptions.changeSettings(
      projectId,
      { postalAddress: 'Acme, 1 Main Street, Springfield' },
      viewer,
    ),
  )
  return {
    projectId,
    post,
    store,
    world,
    product,
    sent,
    events,
    links,
    letters,
    subscriptions,
    sender,
    replies: new LetterReplies(parts),
    confirmations: new ConfirmationSender(parts),
    /** Addresses that agreed elsewhere. */
    subscribe: async (...addresses: string[]) =>
      requireDone(
        await subscriptions.importAddresses(
          projectId,
          'newsletter',
          { addresses: addresses.join('\n'), consent: 'They agreed at the counter.' },
          viewer,
        ),
      ),
    order: async (more: object = {}) =>
      requireDone(await letters.send(projectId, { post: post.id, subjects: ['Hello'], ...more }, viewer))
        .letter,
    report: async (id: string) => present(await letters.find(projectId, id, viewer)),
  }
}

/** Events as the front would ingest them. */
function keptEvents(world: TestProduct['world']) {
  const events: { name: string; distinctId: string | undefined; properties: object }[] = []
  const record = new LetterEvents({
    world,
    accept: async (deliveries) => {
      for (const { events: some } of deliveries)
        events.push(...some.map(({ name, distinctId, properties }) => ({ name, distinctId, properties })))
    },
  })
  return { events, record }
}

export type LetterFixture = Awaited<ReturnType<typeof openLetterFixture>>

/** The token of the last link of a kind in a message. */
export function tokenIn(text: string, kind: 'confirm' | 'unsubscribe' | 'click'): string {
  const tokens = Array.from(text.matchAll(new RegExp(`/_tilth/newsletter/${kind}/([\\w.-]+)`, 'g')))
  return present(tokens.at(-1)?.[1])
}
