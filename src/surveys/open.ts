import { MailContacts } from '#alerts/contacts/contacts'
import type { Engine } from '#engine/engine'
import type { FlagDefinitions } from '#flags/definitions'
import type { Seal } from '#flags/seal'
import type { Insights } from '#insights/ask'
import type { PersonDirectory } from '#insights/people/person-directory'
import type { Cohorts } from '#persons/cohorts/cohorts'
import type { Store } from '#store/store'
import { emptyAllowlist, parseAllowlist } from '#outbound/allowlist'
import type { MailSettings } from '#outbound/mailer'
import { Outbound, type HostResolver } from '#outbound/outbound'
import type { Projects } from '#projects/projects'
import { openRateLimiter } from '#world/rate-limiter'
import { answerRateLimit, SurveyAnswers } from './answers/survey-answers'
import { LinkClaims } from './links/internal/link-claims'
import { SurveyLinks } from './links/internal/survey-links'
import type { SurveyMailings } from './mailings/survey-mailings'
import type { UnsubscribeLinks } from './mailings/unsubscribe-links'
import { PublishedSurveys } from './internal/published-surveys'
import { SurveyResults } from './results/survey-results'
import { SubmissionCounts } from './internal/submission-counts'
import type { Survey, SurveyStatus } from './survey'
import type { SurveyEventCheck } from './internal/survey-event-check'
import { Surveys } from './surveys'
import { deliveryTopic } from './webhooks/internal/store'
import { SurveyWebhooks } from './webhooks/survey-webhooks'
import { DeliveryQueue, responseLetterLimit } from './webhooks/internal/delivery-queue'
import { targetingFlagOf } from './internal/targeting-flag'
import type { WireServices } from '#wire/dialect'
import type { World } from '#world/world'
import type { Job, OpenedModule } from '#jobs/jobs'
import { StoredResponseCount } from './internal/stored-response-count'
import { openMailings, surveyLetterJob, surveyLetterTopic } from './mailings/internal/open-mailings'
import { openSurveyIntake } from './internal/survey-intake'

export interface SurveyServicesDependencies {
  store: Store
  world: World
  flags: { definitions: FlagDefinitions }
  insights: Pick<Insights, 'ask' | 'scope'>
  engine: Pick<Engine, 'query'>
  /** Signs what pages carry. */
  seal: Pick<Seal, 'digest' | 'open' | 'close'>
  projects: Pick<Projects, 'numbered'>
  people: Pick<PersonDirectory, 'reachableIn'> & { cohorts: Pick<Cohorts, 'membership'> }
  /** Whether there is a mail server, and its settings of the moment in the process that sends letters. */
  canMail: () => boolean
  mail: (() => MailSettings | undefined) | undefined
  /** The value of TILTH_OUTBOUND_ALLOW, which says what webhooks may reach. */
  allow: string | undefined
  resolve?: HostResolver | undefined
  /** The address of this Tilth. */
  address: string
  /** The parts of its look that a new survey takes over from the project's site. */
  brandOf: ConstructorParameters<typeof Surveys>[0]['brandOf']
  onTrouble: (problem: unknown) => void
}

/** Judges events about surveys, and gives surveys to clients. */
export interface SurveyIntake {
  eventCheck: SurveyEventCheck
  services: Pick<WireServices, 'posthogSurveys' | 'surveyAnswers'>
}

/** The parts that are opened before the services. */
interface OpenedSurveyParts {
  published: PublishedSurveys
  statusOf: (survey: Survey) => SurveyStatus
  eventCheck: SurveyEventCheck
  mailings: SurveyMailings
  unsubscribing: UnsubscribeLinks
  outbound: Outbound
}

/** Surveys, their results, and the ways to people and back. */
export class SurveyServices extends Surveys {
  readonly results: SurveyResults
  /** All surveys in memory with all their versions, in every process. */
  readonly published: PublishedSurveys
  /** Takes the answers of our own places. */
  readonly answers: SurveyAnswers
  /** Links for single recipients. */
  readonly links: SurveyLinks
  /** The addresses that answers are sent to. */
  readonly webhooks: SurveyWebhooks
  /** Letters with surveys. */
  readonly mailings: SurveyMailings
  /** The links that end letters with surveys. */
  readonly unsubscribing: UnsubscribeLinks

  constructor(
    { store, world, flags, insights, seal, projects, people, address, brandOf }: SurveyServicesDependencies,
    { published, statusOf, eventCheck, mailings, unsubscribing, outbound }: OpenedSurveyParts,
  ) {
    super({
      store,
      world,
      projects,
      definitions: flags.definitions,
      brandOf,
      contacts: new MailContacts({ store, world, projects }),
      published,
      statusOf,
      cohortIds: async (projectId) => new Set((await people.cohorts.membership(projectId)).keys()),
    })
    this.results = new SurveyResults({ store, world, insights, surveys: this })
    this.published = published
    this.answers = new SurveyAnswers({
      published,
      world,
      statusOf,
      hasBegun: (survey, submission) => eventCheck.hasBegun(survey, submission),
      targetingFlagOf,
      mayAnswer: openRateLimiter(answerRateLimit),
      links: new LinkClaims({ store, world }),
      digest: (text) => seal.digest(text),
    })
    this.links = new SurveyLinks({ store, world, address })
    this.webhooks = new SurveyWebhooks({ store, world, outbound, projects, seal, address })
    this.mailings = mailings
    this.unsubscribing = unsubscribing
  }
}

interface OpenedSurveys extends OpenedModule<SurveyServices> {
  intake: SurveyIntake
}

const minute = 60_000

const surveyJobs = { deliveries: 'send answers to webhooks and by e-mail' } as const

/** The job to run at once after a change, by the topic of the change. */
export const surveyJobAtOnceAfter: Readonly<Record<string, string>> = {
  [deliveryTopic]: surveyJobs.deliveries,
  [surveyLetterTopic]: surveyLetterJob,
}

export async function openSurveys(dependencies: SurveyServicesDependencies): Promise<OpenedSurveys> {
  const { store, world, engine, seal, projects, people, canMail, mail, address, onTrouble } = dependencies
  const { allow, resolve } = dependencies
  const published = await PublishedSurveys.open({ store, onTrouble })
  const counts = await SubmissionCounts.open({ store, world, onTrouble })
  const statusOf = (survey: Survey): SurveyStatus => counts.statusOf(survey)
  const outbound = new Outbound({ allowlist: parseAllowlist(allow ?? '') ?? emptyAllowlist, resolve })
  const deliveries = await DeliveryQueue.open({
    store,
    world,
    seal,
    projects,
    address,
    onTrouble,
    outbound,
    published,
    mayMail: openRateLimiter(responseLetterLimit),
  })
  const mailing = openMailings({
    store,
    world,
    people,
    canMail,
    mail,
    seal,
    address,
    published,
    statusOf,
  })
  const { eventCheck, services } = openSurveyIntake({ world, surveys: published, counts, deliveries })
  const surveys = new SurveyServices(dependencies, {
    published,
    statusOf,
    eventCheck,
    mailings: mailing.surveyMailings,
    unsubscribing: mailing.unsubscribing,
    outbound,
  })
  const storedCount = new StoredResponseCount({ store, world, engine, counts, published })
  return {
    services: surveys,
    staleMs: () => ({ surveys: published.staleMs }),
    caughtUp: () => published.caughtUp(),
    intake: {
      eventCheck,
      services: { posthogSurveys: services.posthogSurveys, surveyAnswers: surveys.answers },
    },
    jobs: [...jobsFor(surveys, storedCount, deliveries), ...mailing.jobs],
    close: async () => {
      mailing.close()
      await counts.close()
      await deliveries.close()
      await published.close()
    },
  }
}

const jobsFor = (
  surveys: SurveyServices,
  storedCount: StoredResponseCount,
  deliveries: DeliveryQueue,
): readonly Job[] => [
  {
    name: 'bring flags of surveys up to date',
    everyMs: minute,
    isShared: true,
    run: () => surveys.refreshTargeting(surveys.published.everySurvey()),
  },
  {
    name: 'count responses to surveys that got a limit',
    everyMs: 5000,
    isShared: true,
    run: () => storedCount.run(),
  },
  { name: surveyJobs.deliveries, everyMs: 15_000, isShared: true, run: (turn) => deliveries.run(turn) },
]
