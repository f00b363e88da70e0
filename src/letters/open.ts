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
  canMail: boolean
  /** The mail server, in the process that sends letters. */
  mail: MailSettings | undefined
}

/** Posts that are sent by e-mail, and their subscribers. */
export interface LetterServices extends Letters {
  /** Lists of subscribers. */
  readonly subscriptions: Subscriptions
  /** Takes what comes back from letters. */
  readonly replies: LetterReplies
}

const letterJob = 'send posts by e-mail'

/** The job to run at once after a change, by the topic of the change. */
export const letterJobAtOnceAfter: Readonly<Record<string, string>> = { [letterTopic]: letterJob }

export function openLetters(given: LetterServicesDependencies): OpenedModule<LetterServices> {
  const dependencies = { ...given, published: given.posts.published }
  const { world, intake, mail, people } = dependencies
  const events = new LetterEvents({ world, accept: async (deliveries) => intake?.acceptTogether(deliveries) })
  const links = new SubscriptionLinks(dependencies.seal)
  const subscriptions = new Subscriptions({ ...dependencies, events })
  const letters = new Letters({
    ...dependencies,
    personsIn: (projectId, cohort, viewer) =>
      people.reachableIn(projectId, cohort, mostLetterRecipients, viewer),
  })
  const shared = { ...dependencies, events, links, subscriptions }
  const services = Object.assign(letters, { subscriptions, replies: new LetterReplies(shared) })
  if (!mail) return { services, jobs: [], close: () => {} }
  const mailer = new Mailer(mail)
  const confirmations = new ConfirmationSender({ ...shared, mailer })
  const sender = new LetterSender({
    ...shared,
    mailer,
    recipientsOf: (letter, viewer) => letters.recipientsOf(letter, viewer),
  })
  const run = async (): Promise<void> => {
    await confirmations.run()
    await sender.run()
  }
  return {
    services,
    jobs: [{ name: letterJob, everyMs: 15_000, isShared: true, run }],
    close: () => mailer.close(),
  }
}
