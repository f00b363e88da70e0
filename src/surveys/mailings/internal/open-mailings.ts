import { Mailer } from '#outbound/mailer'
import { letterTopic } from './store'
import { MailingSender } from './mailing-sender'
import { mailingLimits } from './recipients'
import { SurveyMailings } from '../survey-mailings'
import { UnsubscribeLinks } from '../unsubscribe-links'
import type { PublishedSurveys } from '../../internal/published-surveys'
import type { Survey, SurveyStatus } from '../../survey'
import type { Job } from '#jobs/jobs'
import type { SurveyServicesDependencies } from '../../open'

interface MailingDependencies extends Pick<
  SurveyServicesDependencies,
  'store' | 'world' | 'people' | 'canMail' | 'mail' | 'seal' | 'address'
> {
  published: Pick<PublishedSurveys, 'find'>
  statusOf: (survey: Survey) => SurveyStatus
}

interface SurveyMailing {
  surveyMailings: SurveyMailings
  unsubscribing: UnsubscribeLinks
  jobs: readonly Job[]
  close(): void
}

export const surveyLetterJob = 'send survey e-mails'
export const surveyLetterTopic = letterTopic

/** Letters with surveys; the process with a mail server sends them. */
export function openMailings({
  store,
  world,
  people,
  canMail,
  mail,
  seal,
  address,
  published,
  statusOf,
}: MailingDependencies): SurveyMailing {
  const unsubscribing = new UnsubscribeLinks({ store, world, seal, address })
  const surveyMailings = new SurveyMailings({
    store,
    world,
    canMail,
    address,
    statusOf,
    recipientsIn: async (projectId, cohort, viewer) => {
      const found = await people.reachableIn(projectId, cohort, mailingLimits.recipients, viewer)
      if (!found.done) return found
      const recipients = found.persons.map(({ distinctId, email }) => ({
        address: email.trim().toLowerCase(),
        distinctId,
      }))
      return { done: true, recipients }
    },
  })
  if (!mail) return { surveyMailings, unsubscribing, jobs: [], close: () => {} }
  const mailer = new Mailer(mail)
  const sender = new MailingSender({ store, world, address, published, statusOf, mailer, unsubscribing })
  return {
    surveyMailings,
    unsubscribing,
    jobs: [
      {
        name: surveyLetterJob,
        everyMs: 15_000,
        isShared: true,
        run: async () => (mailer.isSetUp ? await sender.run() : undefined),
      },
    ],
    close: () => mailer.close(),
  }
}
