import { mailNotSetUp } from '#outbound/mailer'
import { z } from 'zod'
import { requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { failedOutcome, type Outcome, parseInput } from '#projects/problems'
import { newId } from '#projects/secrets'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { surveyWithId } from '../internal/store'
import type { Survey, SurveyStatus } from '../survey'
import { missingSurvey } from '../internal/survey-writer'
import { addressesIn, type LetterRecipient, mailingLimits, uniqueRecipients } from './internal/recipients'
import {
  addLetters,
  addMailing,
  lettersOf,
  letterTopic,
  mailingsOf,
  suppressedAddresses,
  type SurveyLetter,
  type SurveyMailing,
} from './internal/store'
import { surveyLetter, type SurveyLetterContent } from './internal/survey-letter'

interface SurveyMailingsDependencies {
  store: Store
  world: World
  /** The persons of a cohort who have an e-mail address. */
  recipientsIn(
    projectId: number,
    cohort: string,
    viewer: Viewer,
  ): Promise<Outcome<{ recipients: LetterRecipient[] }>>
  statusOf: (survey: Survey) => SurveyStatus
  canMail: () => boolean
  address: string
}

export const mailingInput = z.strictObject({
  subject: z.string().trim().min(1, 'Write a subject.').max(200, 'Use at most 200 characters.'),
  message: z.string().trim().max(5000, 'Use at most 5000 characters.').default(''),
  /** Addresses, one a line. */
  addresses: z.string().max(500_000, 'Paste fewer addresses at once.').default(''),
  cohort: z.string().max(100).optional(),
})

/** The letter of an order and its recipients, before it is given. */
interface MailingPreview {
  letter: SurveyLetterContent
  recipients: number
  /** Addresses that get no letter, with the reason. */
  left: readonly { address: string; why: string }[]
}

export interface MailingReport extends SurveyMailing {
  letters: readonly Pick<SurveyLetter, 'address' | 'state' | 'outcome'>[]
}

const noMailServer = failedOutcome(mailNotSetUp)

interface ReadyMailing {
  survey: Survey
  subject: string
  message: string
  recipients: LetterRecipient[]
  left: { address: string; why: string }[]
}

/** Letters with the first question of a survey. */
export class SurveyMailings {
  constructor(private readonly dependencies: SurveyMailingsDependencies) {}

  /** The latest first, with the state of each letter. */
  async list(projectId: number, surveyId: string, viewer: Viewer): Promise<MailingReport[]> {
    requireRight('surveys:read', projectId, viewer)
    const { store } = this.dependencies
    const letters = Map.groupBy(await lettersOf(store, projectId, surveyId), ({ mailingId }) => mailingId)
    const mailings = await mailingsOf(store, projectId, surveyId)
    return mailings.map((mailing) => ({
      ...mailing,
      letters: (letters.get(mailing.id) ?? []).map(({ address, state, outcome }) => ({
        address,
        state,
        outcome,
      })),
    }))
  }

  /** The letter, and who would get it. */
  async preview(
    projectId: number,
    surveyId: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<MailingPreview>> {
    requireRight('surveys:write', projectId, viewer)
    const ready = await this.read(projectId, surveyId, input, viewer)
    if (!ready.done) return ready
    const { survey, recipients, left } = ready
    const example = new URL(`/s/${survey.id}`, this.dependencies.address).href
    const letter = surveyLetter(survey, ready, { survey: example, unsubscribe: example })
    return { done: true, letter, recipients: recipients.length, left }
  }

  /** Orders the letters; they are sent in the background. */
  async send(
    projectId: number,
    surveyId: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ mailing: SurveyMailing; recipients: number; left: ReadyMailing['left'] }>> {
    requireRight('surveys:write', projectId, viewer)
    const { store, world, canMail, statusOf } = this.dependencies
    if (!canMail()) return noMailServer
    const ready = await this.read(projectId, surveyId, input, viewer)
    if (!ready.done) return ready
    const { survey, subject, message, left } = ready
    const objection = sendObjection(survey, statusOf(survey), ready.recipients.length)
    if (objection !== undefined) return failedOutcome(objection)
    return await store.transaction(async (transaction) => {
      // someone may have ordered letters to the same addresses meanwhile
      const written = await addressesOf(transaction, survey)
      const recipients = ready.recipients.filter(({ address }) => !written.has(address))
      const createdAt = world.now()
      const id = newId(world)
      const mailing = { id, projectId, surveyId, subject, message, createdBy: viewer.name, createdAt }
      await addMailing(transaction, mailing)
      await addLetters(
        transaction,
        recipients.map((recipient) => ({
          ...recipient,
          id: newId(world),
          mailingId: id,
          projectId,
          surveyId,
          state: 'waiting',
          dueAt: createdAt,
          attempts: 0,
          outcome: undefined,
        })),
      )
      await transaction.announce(letterTopic)
      const after = { subject, letters: recipients.length }
      const entry = { action: 'survey.mail', subject: survey.name, projectId, after } as const
      await recordAudit(transaction, entry, viewer, createdAt)
      return { done: true, mailing, recipients: recipients.length, left }
    })
  }

  private async read(
    projectId: number,
    surveyId: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<ReadyMailing>> {
    const { store } = this.dependencies
    const parsed = parseInput(mailingInput, input)
    if (!parsed.done) return parsed
    const { subject, message, addresses, cohort } = parsed.value
    const survey = await surveyWithId(store, projectId, surveyId)
    if (!survey) return missingSurvey
    const pasted = addressesIn(addresses)
    const found = cohort ? await this.dependencies.recipientsIn(projectId, cohort, viewer) : undefined
    if (found && !found.done) return found
    const all = uniqueRecipients([...pasted.recipients, ...(found?.recipients ?? [])])
    const reasons = await this.reasonsAgainst(survey)
    const left = [
      ...pasted.unreadable.map((address) => ({ address, why: 'This is not an e-mail address.' })),
      ...all.flatMap(({ address }) => {
        const why = reasons(address)
        return why === undefined ? [] : [{ address, why }]
      }),
    ]
    const recipients = all.filter(({ address }) => reasons(address) === undefined)
    return { done: true, survey, subject, message, recipients, left }
  }

  private async reasonsAgainst(survey: Survey): Promise<(address: string) => string | undefined> {
    const { store } = this.dependencies
    const suppressed = await suppressedAddresses(store, survey.projectId)
    const written = await addressesOf(store, survey)
    return (address) => {
      if (suppressed.has(address)) return 'The recipient unsubscribed from survey e-mails.'
      return written.has(address) ? 'This address already got this survey.' : undefined
    }
  }
}

async function addressesOf(
  store: Store | StoreTransaction,
  { projectId, id }: Survey,
): Promise<ReadonlySet<string>> {
  return new Set((await lettersOf(store, projectId, id)).map(({ address }) => address))
}

function sendObjection(survey: Survey, status: SurveyStatus, recipients: number): string | undefined {
  if (status === 'full') return 'The survey has reached its response limit. Raise the limit first.'
  if (status !== 'running') return 'The survey takes no responses now. Launch it first.'
  if (!survey.hostedPage.isOpen)
    return 'E-mails lead to the page of the survey, which is closed. Open it first.'
  if (recipients === 0) return 'There are no recipients. Paste addresses, or choose a cohort.'
  return recipients > mailingLimits.recipients
    ? `At most ${mailingLimits.recipients} e-mails can be sent at once.`
    : undefined
}
