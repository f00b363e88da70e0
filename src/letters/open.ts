import type { Seal } from '#flags/seal'
import type { PersonDirectory } from '#insights/people/person-directory'
import { LetterEvents } from './internal/letter-events'
import { Letters, mostLetterRecipients } from './letters'
import { LetterReplies } from './sending/letter-replies'
import { LetterSender } from './sending/internal/letter-sender'
import { SubscriptionLinks } from './subscription-links'
import { ConfirmationSender } from './subscribers/internal/confirmation-sender'
import { letterTopic } from './subscribers/store'
import { Subscriptions } from './subscribers/subscriptions'
import { Mailer, type MailSettings } from '#outbound/mailer'
import type { Posts } from '#posts/posts'
import type { Published } from '#posts/published/published'
import type { Store } from '#store/store'
import type { WireServices } from '#wire/dialect'
import type { World } from '#world/world'
import type { OpenedModule } from '#jobs/jobs'

interface LetterServicesDependencies {
  store: Store
  world: World
  seal: Pick<Seal, 'digest'>
  posts: Pick<Posts, 'find'> & { published: Pick<Published, 'site'> }
  people: Pick<PersonDirectory, 'reachableIn'>
  /** Ingests events; absent where this process collects none. */
  intake: Pick<WireServices, 'acceptTogether'> | undefined
  canMail: () => boolean
  /** The mail server of the moment, in the process that sends letters. */
  mail: (() => MailSettings | undefined) | undefined
}

/** Posts that are sent by e-mail, and their subscribers. */
export class LetterServices extends Letters {
  constructor(
    dependencies: ConstructorParameters<typeof Letters>[0],
    /** Lists of subscribers. */
    readonly subscriptions: Subscriptions,
    /** Takes what comes back from letters. */
    readonly replies: LetterReplies,
  ) {
    super(dependencies)
  }
}

const letterJob = 'send posts by e-mail'

/** The job to run at once after a change, by the topic of the change. */
export const letterJobAtOnceAfter: Readonly<Record<string, string>> = { [letterTopic]: letterJob }

export function openLetters({
  store,
  world,
  seal,
  posts,
  people,
  intake,
  canMail,
  mail,
}: LetterServicesDependencies): OpenedModule<LetterServices> {
  const { published } = posts
  const events = new LetterEvents({ world, accept: async (deliveries) => intake?.acceptTogether(deliveries) })
  const links = new SubscriptionLinks(seal)
  const subscriptions = new Subscriptions({ store, world, seal, canMail, published, events })
  const letters = new LetterServices(
    {
      store,
      world,
      posts,
      published,
      canMail,
      personsIn: (projectId, cohort, viewer) =>
        people.reachableIn(projectId, cohort, mostLetterRecipients, viewer),
    },
    subscriptions,
    new LetterReplies({ store, world, events, links, subscriptions }),
  )
  if (!mail) return { services: letters, jobs: [], close: () => {} }
  const mailer = new Mailer(mail)
  const confirmations = new ConfirmationSender({ store, world, published, links, subscriptions, mailer })
  const sender = new LetterSender({
    store,
    world,
    published,
    events,
    links,
    subscriptions,
    mailer,
    recipientsOf: (letter, viewer) => letters.recipientsOf(letter, viewer),
  })
  const run = async (): Promise<void> => {
    if (!mailer.isSetUp) return
    await confirmations.run()
    await sender.run()
  }
  return {
    services: letters,
    jobs: [{ name: letterJob, everyMs: 15_000, isShared: true, run }],
    close: () => mailer.close(),
  }
}
