import { mailNotSetUp } from '#outbound/mailer'
import { z } from 'zod'
import { queueMessage } from '#alerts/deliveries/deliveries'
import { languageOf, siteIn } from '#posts/languages'
import type { Posts } from '#posts/posts'
import { stateOf } from '#posts/post'
import type { Published } from '#posts/published/published'
import { parseScheduledTime, timeAdvice } from '#posts/schedule'
import { operator, requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { failedOutcome, type Outcome, parseInput } from '#projects/problems'
import { newId } from '#projects/secrets'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { letterContent, type PostLetterContent, letterTo, type ReadyLetter } from './internal/letter-content'
import { type Letter, type LetterDelivery, type LetterFigures, noFigures } from './letter'
import { letterSettingsIn } from './letter-settings'
import {
  cancelDeliveries,
  deliveriesInStates,
  figuresOf,
  lettersOf,
  letterWithId,
  saveLetter,
} from './sending/internal/store'
import {
  confirmedSubscribers,
  letterTopic,
  listsOf,
  storedSettings,
  subscribersWithIds,
} from './subscribers/store'
import type { Subscriber } from './subscribers/subscriber'

interface LetterDependencies {
  store: Store
  world: World
  posts: Pick<Posts, 'find'>
  published: Pick<Published, 'site'>
  canMail: () => boolean
  /** The ids and addresses of a cohort's persons. */
  personsIn(
    projectId: number,
    cohort: string,
    viewer: Viewer,
  ): Promise<Outcome<{ persons: readonly { distinctId: string; email: string }[] }>>
}

export const mostLetterRecipients = 50_000
const mostListed = 200
const mostTroubles = 200

export const letterInput = z.strictObject({
  post: z.string({ error: 'Name the post.' }).min(1, 'Name the post.').max(500),
  list: z.string({ error: 'Choose a list.' }).max(60).default('newsletter'),
  cohort: z.string().max(100).optional(),
  /** Two to four are tried on a share of the recipients. */
  subjects: z
    .array(z.string().trim().min(1, 'Write a subject.').max(200, 'Use at most 200 characters.'), {
      error: 'Write a subject.',
    })
    .min(1, 'Write a subject.')
    .max(4, 'Use at most four subjects.')
    .refine((subjects) => new Set(subjects).size === subjects.length, 'Two subjects are the same.'),
  preview: z.string().trim().max(200, 'Use at most 200 characters.').default(''),
  /** The share of recipients that the subjects are tried on. */
  share: z.number().min(0.05, 'Use at least 5%.').max(0.9, 'Use at most 90%.').default(0.2),
  /** The hours after which the rest gets the winner. */
  hours: z.number().min(1, 'Wait at least an hour.').max(72, 'Wait at most 72 hours.').default(4),
  /** When it is sent, as an instant or a time of the project's clocks; now if absent. */
  at: z.string().max(40).optional(),
})

export interface LetterPreview {
  letter: Pick<ReadyLetter, 'subject' | 'text' | 'html'>
  recipients: number
}

/** A letter with the figures of each of its subject lines. */
export interface LetterReport extends Letter {
  figures: LetterFigures
  variants: readonly LetterFigures[]
}

/** A delivery that did not go well, with its address where it is still known. */
export interface TroubledDelivery extends Pick<LetterDelivery, 'id' | 'state' | 'outcome'> {
  address: string | undefined
}

const noMailServer = failedOutcome(mailNotSetUp)
/** The right to send letters includes reading the posts for them. */
const letterReader = operator('letters')

const missingLetter = failedOutcome('There is no such newsletter.')

interface ReadyOrder {
  content: PostLetterContent
  recipients: Subscriber[]
  /** Undefined for now. */
  scheduledAt: Date | undefined
  input: z.infer<typeof letterInput>
}

/** Posts that are sent to lists of subscribers. */
export class Letters {
  constructor(private readonly dependencies: LetterDependencies) {}

  /** The latest first. */
  async list(projectId: number, viewer: Viewer): Promise<LetterReport[]> {
    requireRight('letters:read', projectId, viewer)
    const { store } = this.dependencies
    const letters = await lettersOf(store, projectId, mostListed)
    const figures = await figuresOf(
      store,
      letters.map(({ id }) => id),
    )
    return letters.map((letter) => reportOf(letter, figures.get(letter.id) ?? []))
  }

  async find(
    projectId: number,
    id: string,
    viewer: Viewer,
  ): Promise<{ letter: LetterReport; troubles: TroubledDelivery[] } | undefined> {
    requireRight('letters:read', projectId, viewer)
    const { store } = this.dependencies
    const letter = await letterWithId(store, id)
    if (letter?.projectId !== projectId) return undefined
    const figures = await figuresOf(store, [id])
    const troubled = await deliveriesInStates(store, id, ['bounced', 'failed', 'uncertain'], mostTroubles)
    const subscribers = await subscribersWithIds(
      store,
      troubled.map(({ subscriberId }) => subscriberId),
    )
    const troubles = troubled.map(({ id: delivery, state, outcome, subscriberId }) => ({
      id: delivery,
      state,
      outcome,
      address: subscribers.get(subscriberId)?.address,
    }))
    return { letter: reportOf(letter, figures.get(id) ?? []), troubles }
  }

  /** The letter as it would be sent, and how many would get it. */
  async preview(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<LetterPreview>> {
    requireRight('letters:write', projectId, viewer)
    const ready = await this.read(projectId, input, viewer)
    if (!ready.done) return ready
    const { subject, text, html } = exampleOf(ready.content)
    return { done: true, letter: { subject, text, html }, recipients: ready.recipients.length }
  }

  /** Sends the letter to the member who asks for it, with links that lead to their addresses directly. */
  async test(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<{ address: string }>> {
    requireRight('letters:write', projectId, viewer)
    const { store, world, canMail } = this.dependencies
    if (!canMail()) return noMailServer
    if (viewer.kind !== 'member')
      return failedOutcome('A test is sent to the member who asks for it. Sign in to the studio.')
    const ready = await this.read(projectId, input, viewer)
    if (!ready.done) return ready
    const { text, html, subject } = exampleOf(ready.content)
    await store.transaction((transaction) =>
      queueMessage(
        transaction,
        {
          projectId,
          about: 'test letter',
          message: { kind: 'test-letter', subject: `[Test] ${subject}`, text, html },
        },
        [{ by: 'member', member: viewer.memberId }],
        world,
      ),
    )
    return { done: true, address: viewer.email }
  }

  /** Orders a letter. It is sent in the background, to those who are subscribed when sending begins. */
  async send(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ letter: Letter; recipients: number }>> {
    requireRight('letters:write', projectId, viewer)
    const { store, world, canMail } = this.dependencies
    if (!canMail()) return noMailServer
    const ready = await this.read(projectId, input, viewer)
    if (!ready.done) return ready
    const { content, recipients, input: order, scheduledAt } = ready
    if (content.postalAddress === '')
      return failedOutcome('Add a postal address first: Site → Newsletter → Settings.')
    if (recipients.length === 0 && scheduledAt === undefined)
      return failedOutcome('No one on this list has confirmed yet.', 'list')
    const now = world.now()
    const isTried = order.subjects.length > 1
    const trial = {
      share: order.share,
      hours: order.hours,
      endsAt: undefined,
      winner: undefined,
      chances: undefined,
    }
    const letter: Letter = {
      id: newId(world),
      projectId,
      postId: order.post,
      list: order.list,
      cohort: order.cohort,
      state: 'scheduled',
      content,
      trial: isTried ? trial : undefined,
      problem: undefined,
      createdBy: viewer.name,
      createdAt: now,
      scheduledAt: scheduledAt && scheduledAt > now ? scheduledAt : now,
      startedAt: undefined,
      finishedAt: undefined,
    }
    return await store.transaction(async (transaction) => {
      await saveLetter(transaction, letter)
      const after = { list: order.list, subjects: order.subjects, at: letter.scheduledAt.toISOString() }
      await recordAudit(
        transaction,
        { action: 'letter.send', subject: content.title, projectId, after },
        viewer,
        now,
      )
      await transaction.announce(letterTopic)
      return { done: true, letter, recipients: recipients.length }
    })
  }

  /** Letters that were sent stay sent; no further one goes out. */
  async cancel(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('letters:write', projectId, viewer)
    const { store, world } = this.dependencies
    const now = world.now()
    return await store.transaction(async (transaction) => {
      const letter = await letterWithId(transaction, id)
      if (letter?.projectId !== projectId) return missingLetter
      if (letter.state !== 'scheduled' && letter.state !== 'sending')
        return failedOutcome('This newsletter is not being sent.')
      await saveLetter(transaction, { ...letter, state: 'cancelled', finishedAt: now })
      await cancelDeliveries(transaction, id)
      await recordAudit(
        transaction,
        { action: 'letter.cancel', subject: letter.content.title, projectId },
        viewer,
        now,
      )
      await transaction.announce(letterTopic)
      return { done: true }
    })
  }

  /** The confirmed subscribers of a list; with a cohort, those whose id or address is one of its persons'. */
  async recipientsOf(
    { projectId, list, cohort }: Pick<Letter, 'projectId' | 'list' | 'cohort'>,
    viewer: Viewer,
  ): Promise<Outcome<{ recipients: Subscriber[] }>> {
    requireRight('letters:write', projectId, viewer)
    const { store } = this.dependencies
    const subscribers = await confirmedSubscribers(store, projectId, list)
    if (cohort === undefined) return { done: true, recipients: subscribers }
    const found = await this.dependencies.personsIn(projectId, cohort, viewer)
    if (!found.done) return found
    const addresses = new Set(found.persons.map(({ email }) => email.trim().toLowerCase()))
    const ids = new Set(found.persons.map(({ distinctId }) => distinctId))
    const recipients = subscribers.filter(
      ({ address = '', distinctId = '' }) => addresses.has(address) || ids.has(distinctId),
    )
    return { done: true, recipients }
  }

  private async read(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<ReadyOrder>> {
    const { store, world, posts, published } = this.dependencies
    const parsed = parseInput(letterInput, input)
    if (!parsed.done) return parsed
    const order = parsed.value
    const site = published.site(projectId)
    if (!site) return failedOutcome('The site is turned off. Turn it on under Site → Design.')
    const scheduled = order.at === undefined ? undefined : parseScheduledTime(order.at, site.timeZone)
    if (order.at !== undefined && !scheduled) return failedOutcome(timeAdvice, 'at')
    const post = await posts.find(projectId, order.post, letterReader)
    if (!post) return failedOutcome('There is no such post.', 'post')
    if (stateOf(post, world.now()) !== 'published')
      return failedOutcome('Publish the post first: its e-mail links to it.', 'post')
    const list = (await listsOf(store, projectId)).find(({ key }) => key === order.list)
    if (!list) return failedOutcome('There is no such list.', 'list')
    const found = await this.recipientsOf({ projectId, list: list.key, cohort: order.cohort }, viewer)
    if (!found.done) return found
    if (found.recipients.length > mostLetterRecipients)
      return failedOutcome(`A newsletter has at most ${mostLetterRecipients} recipients.`, 'list')
    const { postalAddress } = letterSettingsIn(await storedSettings(store, projectId))
    const { subjects, preview } = order
    const inLanguage = siteIn(site, languageOf(post, site))
    const content = letterContent({ post, site: inLanguage, list, subjects, preview, postalAddress })
    return { done: true, content, recipients: found.recipients, scheduledAt: scheduled?.at, input: order }
  }
}

/** Makes an example with links as in the post: it has no recipient of its own. */
const exampleOf = (content: PostLetterContent): ReadyLetter =>
  letterTo(content, 'a', {
    unsubscribe: content.origin,
    click: (link) => content.links[link] ?? content.origin,
  })

function reportOf(letter: Letter, variants: readonly LetterFigures[]): LetterReport {
  const figures = noFigures('')
  for (const one of variants) {
    figures.recipients += one.recipients
    figures.waiting += one.waiting
    figures.delivered += one.delivered
    figures.clicked += one.clicked
    figures.unsubscribed += one.unsubscribed
    figures.bounced += one.bounced
    figures.failed += one.failed
    figures.uncertain += one.uncertain
  }
  return { ...letter, figures, variants: variants.filter(({ variant }) => variant !== '') }
}
