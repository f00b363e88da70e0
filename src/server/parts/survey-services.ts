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
import { defaultSite, type SiteSettings } from '#posts/site'
import { accentsOf } from '#posts/site-accents'
import { storedSiteSettings } from '#posts/sites'
import type { Projects } from '#projects/projects'
import { openRateLimiter } from '#http/rate-limiter'
import { answerRateLimit, SurveyAnswers } from '#surveys/answers/survey-answers'
import { LinkClaims } from '#surveys/links/link-claims'
import { SurveyLinks } from '#surveys/links/survey-links'
import type { SurveyMailings } from '#surveys/mailings/survey-mailings'
import type { UnsubscribeLinks } from '#surveys/mailings/unsubscribe-links'
import { PublishedSurveys } from '#surveys/published-surveys'
import { SurveyResults } from '#surveys/results/survey-results'
import { SubmissionCounts } from '#surveys/submissions/submission-counts'
import type { Survey, SurveyAppearance, SurveyStatus } from '#surveys/survey'
import { Surveys } from '#surveys/surveys'
import { deliveryTopic } from '#surveys/webhooks/store'
import { SurveyWebhooks } from '#surveys/webhooks/survey-webhooks'
import { DeliveryQueue, responseLetterLimit } from '#surveys/webhooks/delivery-queue'
import { targetingFlagOf } from '#surveys/targeting-flag'
import type { WireServices } from '#wire/dialect'
import type { World } from '#world/world'
import type { Job } from '../jobs/jobs'
import { StoredResponseCount } from './survey-counts'
import { openSurveyMailing, surveyLetterJob, surveyLetterTopic } from './survey-mailing'
import { openSurveyIntake, type SurveyIntake } from './survey-intake'

export interface SurveyServicesDependencies {
  store: Store
  world: World
  definitions: FlagDefinitions
  cohorts: Pick<Cohorts, 'membership'>
  insights: Pick<Insights, 'ask' | 'scope'>
  engine: Pick<Engine, 'query'>
  /** Signs what pages carry. */
  seal: Pick<Seal, 'digest' | 'open' | 'close'>
  projects: Pick<Projects, 'numbered'>
  people: Pick<PersonDirectory, 'reachableIn'>
  /** Whether there is a mail server, and its settings in the process that sends letters. */
  canMail: boolean
  mail: MailSettings | undefined
  /** What webhooks may reach. */
  outbound: { allow: string | undefined; resolve?: HostResolver | undefined }
  /** The address of this Tilth. */
  address: string
  onTrouble: (problem: unknown) => void
}

/** Surveys, and what reads them while Tilth runs. */
export interface SurveyServices {
  /** What the product offers of them. */
  parts: {
    surveys: Surveys
    surveyResults: SurveyResults
    publishedSurveys: PublishedSurveys
    surveyAnswers: SurveyAnswers
    surveyLinks: SurveyLinks
    surveyWebhooks: SurveyWebhooks
    surveyMailings: SurveyMailings
    /** The links that end letters with surveys. */
    surveyUnsubscribing: UnsubscribeLinks
  }
  intake: SurveyIntake & { services: Pick<WireServices, 'surveyAnswers'> }
  jobs: readonly Job[]
  close(): Promise<void>
}

const minute = 60_000

const surveyJobs = { deliveries: 'send answers to webhooks and by e-mail' } as const

/** The job to run at once after a change, by the topic of the change. */
export const surveyJobAtOnceAfter: Readonly<Record<string, string>> = {
  [deliveryTopic]: surveyJobs.deliveries,
  [surveyLetterTopic]: surveyLetterJob,
}

const openOutbound = ({ allow, resolve }: SurveyServicesDependencies['outbound']): Outbound =>
  new Outbound({ allowlist: parseAllowlist(allow ?? '') ?? emptyAllowlist, ...(resolve && { resolve }) })

/** A new survey looks like the project's site, once that has a look of its own. */
function surveyBrand(site: SiteSettings): Partial<SurveyAppearance> {
  const { light, onLight } = accentsOf(site)
  return {
    ...(site.accent !== defaultSite.accent && {
      buttonColor: light,
      buttonTextColor: onLight,
      ratingActiveColor: light,
    }),
    ...(site.typeface === 'serif' && { fontFamily: 'Georgia, serif' }),
  }
}

export async function openSurveyServices(dependencies: SurveyServicesDependencies): Promise<SurveyServices> {
  const published = await PublishedSurveys.open(dependencies)
  const counts = await SubmissionCounts.open(dependencies)
  const statusOf = (survey: Survey): SurveyStatus => counts.statusOf(survey)
  const delivering = { ...dependencies, outbound: openOutbound(dependencies.outbound), published }
  const deliveries = await DeliveryQueue.open({
    ...delivering,
    mayMail: openRateLimiter(responseLetterLimit),
  })
  const mailing = openSurveyMailing({ ...dependencies, published, statusOf })
  const intake = openSurveyIntake({ ...dependencies, surveys: published, counts, deliveries })
  const surveys = new Surveys({
    ...dependencies,
    contacts: new MailContacts(dependencies),
    published,
    statusOf,
    brandOf: async (projectId) => surveyBrand(await storedSiteSettings(dependencies.store, projectId)),
    cohortIds: async (projectId) => new Set((await dependencies.cohorts.membership(projectId)).keys()),
  })
  const storedCount = new StoredResponseCount({ ...dependencies, counts, published })
  const surveyAnswers = new SurveyAnswers({
    published,
    world: dependencies.world,
    statusOf,
    hasBegun: (survey, submission) => intake.eventCheck.hasBegun(survey, submission),
    targetingFlagOf,
    mayAnswer: openRateLimiter(answerRateLimit),
    links: new LinkClaims(dependencies),
    digest: (text) => dependencies.seal.digest(text),
  })
  return {
    parts: {
      surveys,
      surveyResults: new SurveyResults({ ...dependencies, surveys }),
      publishedSurveys: published,
      surveyAnswers,
      surveyLinks: new SurveyLinks(dependencies),
      surveyWebhooks: new SurveyWebhooks(delivering),
      surveyMailings: mailing.surveyMailings,
      surveyUnsubscribing: mailing.unsubscribing,
    },
    intake: { ...intake, services: { ...intake.services, surveyAnswers } },
    jobs: [
      {
        name: 'bring flags of surveys up to date',
        everyMs: minute,
        isShared: true,
        run: () => surveys.refreshTargeting(published.everySurvey()),
      },
      {
        name: 'count responses to surveys that got a limit',
        everyMs: 5000,
        isShared: true,
        run: () => storedCount.run(),
      },
      { name: surveyJobs.deliveries, everyMs: 15_000, isShared: true, run: () => deliveries.run() },
      ...mailing.jobs,
    ],
    close: async () => {
      mailing.close()
      await counts.close()
      await deliveries.close()
      await published.close()
    },
  }
}
