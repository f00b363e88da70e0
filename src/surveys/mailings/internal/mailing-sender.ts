import type { Mailer, MailResult } from '#outbound/mailer'
import { nextAttemptAt } from '#outbound/retry-schedule'
import { hashToken, newId, newToken } from '#projects/secrets'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { addLinks, revokeLink } from '../../links/internal/store'
import { linkAddress } from '../../links/survey-link'
import type { PublishedSurveys } from '../../internal/published-surveys'
import type { Survey, SurveyStatus } from '../../survey'
import {
  beginSending,
  countSentSince,
  giveUpInterrupted,
  lettersDue,
  mailingWithId,
  saveSending,
  suppressedAddresses,
  type SurveyLetter,
  type SurveyMailing,
} from './store'
import { surveyLetter } from './survey-letter'
import type { UnsubscribeLinks } from '../unsubscribe-links'

interface MailingSenderDependencies {
  store: Store
  world: World
  published: Pick<PublishedSurveys, 'find'>
  statusOf: (survey: Survey) => SurveyStatus
  mailer: Pick<Mailer, 'send'>
  unsubscribing: Pick<UnsubscribeLinks, 'linkFor'>
  address: string
}

/** Mail servers slow down or refuse senders that are faster. */
export const lettersPerMinute = 60
const minute = 60_000

const interrupted = 'Tilth stopped while sending this e-mail. It may have arrived, and is not sent again.'

type LetterProgress = Pick<SurveyLetter, 'state' | 'dueAt' | 'outcome'>

/**
 * Sends the letters that wait, one after the other and at most so many a minute. A letter leaves the waiting ones before it
 * is sent, so that none is sent twice.
 */
export class MailingSender {
  constructor(private readonly dependencies: MailingSenderDependencies) {}

  async run(): Promise<void> {
    const { store, world } = this.dependencies
    await giveUpInterrupted(store, interrupted)
    const sent = await countSentSince(store, new Date(world.now().getTime() - minute))
    const freeCount = Math.max(0, lettersPerMinute - sent)
    for (const letter of await lettersDue(store, world.now(), freeCount))
      if (!(await this.send(letter))) return
  }

  /** Returns false if the mail server does not answer, so that others would fail as well. */
  private async send(letter: SurveyLetter): Promise<boolean> {
    const { store, world } = this.dependencies
    const now = world.now()
    const obstacle = await this.obstacleTo(letter)
    if (typeof obstacle === 'string') {
      await saveSending(store, { ...letter, state: 'failed', dueAt: now, outcome: obstacle })
      return true
    }
    if (!(await beginSending(store, letter.id, now))) return true
    const { survey, mailing } = obstacle
    const link = await this.newLink(letter, mailing)
    const content = surveyLetter(survey, mailing, {
      survey: link.address,
      unsubscribe: this.dependencies.unsubscribing.linkFor(letter),
    })
    const result = await this.dependencies.mailer.send({ to: letter.address, ...content })
    // a letter that is sent once more has another link
    if (!result.posted) await revokeLink(store, { ...letter, id: link.id }, world.now())
    await saveSending(store, { id: letter.id, ...this.progress(letter, result) })
    return result.posted || !result.isUnreachable
  }

  private progress({ attempts }: SurveyLetter, result: MailResult): LetterProgress {
    const now = this.dependencies.world.now()
    if (result.posted) return { state: 'sent', dueAt: now, outcome: 'Accepted by the mail server.' }
    const next = result.isFinal ? undefined : nextAttemptAt(attempts + 1, now)
    return { state: next ? 'waiting' : 'failed', dueAt: next ?? now, outcome: result.why }
  }

  /** Why a letter is not sent, looked up just before. */
  private async obstacleTo({
    projectId,
    surveyId,
    address,
    mailingId,
  }: SurveyLetter): Promise<string | { survey: Survey; mailing: SurveyMailing }> {
    const { store, published, statusOf } = this.dependencies
    const survey = published.find(projectId, surveyId)
    const mailing = await mailingWithId(store, mailingId)
    if (!survey || !mailing) return 'The survey was deleted.'
    if (statusOf(survey) !== 'running' || !survey.hostedPage.isOpen)
      return 'The survey no longer takes responses.'
    const suppressed = await suppressedAddresses(store, projectId)
    return suppressed.has(address) ? 'The recipient unsubscribed from survey e-mails.' : { survey, mailing }
  }

  private async newLink(
    { projectId, surveyId, address, distinctId }: SurveyLetter,
    { createdBy, subject }: SurveyMailing,
  ): Promise<{ id: string; address: string }> {
    const { store, world } = this.dependencies
    const token = newToken(world)
    const link = {
      id: newId(world),
      projectId,
      surveyId,
      distinctId,
      email: address,
      label: `E-mail “${subject}”`.slice(0, 200),
      createdBy,
      createdAt: world.now(),
      expiresAt: undefined,
      revokedAt: undefined,
      submissionId: undefined,
      begunAt: undefined,
      answeredAt: undefined,
    }
    await addLinks(store, [{ link, tokenHash: hashToken(token) }])
    return { id: link.id, address: linkAddress(this.dependencies.address, surveyId, token) }
  }
}
