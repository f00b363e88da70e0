import { z } from 'zod'
import { Breakers, shownOutcome } from '#dispatch/breakers'
import { addressOfUrl, type Lane } from '#dispatch/lane'
import { type DeliveryOverflow, overflowOf } from '#dispatch/overflow'
import { newWebhookSecret } from '#outbound/signature'
import { may, requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { failedOutcome, type Outcome, parseInput } from '#projects/problems'
import { newId } from '#projects/secrets'
import type { Store, StoreTransaction } from '#store/store'
import { surveyWithId } from '../internal/store'
import type { Survey } from '../survey'
import { missingSurvey } from '../internal/survey-writer'
import type { SubmissionContent } from './internal/answer-message'
import { overflowKey, removedWebhook } from './internal/delivery-queue'
import {
  deliveryTopic,
  endDeliveries,
  forgetWebhook,
  latestDeliveries,
  moveDeliveries,
  saveDelivery,
  saveWebhook,
  type SurveyDelivery,
  type SurveyWebhook,
  webhookOf,
  webhookTopic,
} from './internal/store'
import { aboutSecret, callSurveyWebhook, type WebhookCallerDependencies } from './internal/webhook-caller'

interface SurveyWebhooksDependencies extends WebhookCallerDependencies {
  store: Store
}

export const webhookInput = z.strictObject({
  url: z.string({ error: 'Give an address.' }).trim().min(1, 'Give an address.').max(2000),
})

/** A webhook as members see it: those who may not change it see the origin of its address alone. */
type ShownWebhook = Pick<SurveyWebhook, 'url' | 'createdBy' | 'createdAt'>

/** A delivery without its content. */
type ShownDelivery = Omit<SurveyDelivery, 'content' | 'projectId' | 'surveyId' | 'address'>

const mostShown = 50
const noWebhook = failedOutcome('This survey has no webhook.')

/** The address of a survey that each submission is sent to. */
export class SurveyWebhooks {
  constructor(private readonly dependencies: SurveyWebhooksDependencies) {}

  async find(projectId: number, surveyId: string, viewer: Viewer): Promise<ShownWebhook | undefined> {
    requireRight('surveys:read', projectId, viewer)
    const found = await webhookOf(this.dependencies.store, projectId, surveyId)
    if (!found) return undefined
    const { url, createdBy, createdAt } = found
    const isWhole = may('surveys:write', projectId, viewer)
    return { url: isWhole ? url : originOf(url), createdBy, createdAt }
  }

  /** Sets the address. The secret that messages are signed with is shown this once. */
  async set(
    projectId: number,
    surveyId: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ secret: string }>> {
    requireRight('surveys:write', projectId, viewer)
    const parsed = parseInput(webhookInput, input)
    if (!parsed.done) return parsed
    const { url } = parsed.value
    const { store, outbound, world, seal } = this.dependencies
    const refusal = outbound.refusalOf(url)
    if (refusal !== undefined) return failedOutcome(refusal, 'url')
    return await store.transaction(async (transaction) => {
      const survey = await surveyWithId(transaction, projectId, surveyId)
      if (!survey) return missingSurvey
      const secret = newWebhookSecret(world)
      const sealed = seal.close(secret, aboutSecret(url))
      const made = { createdBy: viewer.name, createdAt: world.now() }
      await saveWebhook(transaction, { projectId, surveyId, url, secret: sealed, ...made })
      await moveDeliveries(transaction, { projectId, surveyId }, addressOfUrl(url))
      await this.record(
        transaction,
        survey,
        { action: 'survey.set-webhook', after: { url: originOf(url) } },
        viewer,
      )
      return { done: true, secret }
    })
  }

  async remove(projectId: number, surveyId: string, viewer: Viewer): Promise<Outcome> {
    requireRight('surveys:write', projectId, viewer)
    return await this.dependencies.store.transaction(async (transaction) => {
      const survey = await surveyWithId(transaction, projectId, surveyId)
      const webhook = survey && (await webhookOf(transaction, projectId, surveyId))
      if (!survey || !webhook) return survey ? noWebhook : missingSurvey
      await forgetWebhook(transaction, projectId, surveyId)
      const ended = { dueAt: this.dependencies.world.now(), outcome: removedWebhook }
      await endDeliveries(transaction, { projectId, surveyId }, ended)
      const before = { url: originOf(webhook.url) }
      await this.record(transaction, survey, { action: 'survey.remove-webhook', before }, viewer)
      return { done: true }
    })
  }

  /**
   * The last deliveries, the latest first. Those that wait for an address that does not answer say so; before them stands
   * how many were not queued.
   */
  async deliveries(projectId: number, surveyId: string, viewer: Viewer): Promise<ShownDelivery[]> {
    requireRight('surveys:read', projectId, viewer)
    const { store } = this.dependencies
    const webhook = await webhookOf(store, projectId, surveyId)
    const found = await latestDeliveries(store, projectId, surveyId, mostShown)
    const listed = webhook ? found : found.filter(({ state }) => state !== 'waiting')
    const breakers = await Breakers.read(store)
    const shown = listed.map((delivery) => shownDelivery(delivery, breakers))
    const overflow = await overflowOf(store, overflowKey({ projectId, surveyId }))
    return overflow ? [shownOverflow(overflow), ...shown] : shown
  }

  /** Sends an example at once, and says how it was answered. */
  async test(
    projectId: number,
    surveyId: string,
    viewer: Viewer,
  ): Promise<Outcome<{ delivered: boolean; outcome: string }>> {
    requireRight('surveys:write', projectId, viewer)
    const { store, world } = this.dependencies
    const survey = await surveyWithId(store, projectId, surveyId)
    const webhook = await webhookOf(store, projectId, surveyId)
    if (!survey || !webhook) return survey ? noWebhook : missingSurvey
    const now = world.now()
    const id = newId(world)
    const content = exampleOf(survey, now)
    const message = { id, kind: 'survey.test', survey, submission: 'test', content } as const
    const answer = await callSurveyWebhook(webhook, message, this.dependencies)
    const outcome = answer.delivered ? `HTTP ${answer.status}.` : answer.why
    const address = addressOfUrl(webhook.url)
    if (answer.delivered) await this.sendWaiting({ projectId, address })
    await saveDelivery(store, {
      id,
      projectId,
      surveyId,
      submission: `test ${id}`,
      address,
      content: undefined,
      createdAt: now,
      state: answer.delivered ? 'sent' : 'failed',
      dueAt: now,
      attempts: 1,
      outcome,
    })
    return { done: true, delivered: answer.delivered, outcome }
  }

  /** Sends what waits at once: its address answers. */
  private async sendWaiting(lane: Lane): Promise<void> {
    const { store } = this.dependencies
    await (await Breakers.read(store)).close(lane)
    await store.transaction((transaction) => transaction.announce(deliveryTopic))
  }

  private async record(
    transaction: StoreTransaction,
    { name, projectId }: Survey,
    entry: { action: 'survey.set-webhook' | 'survey.remove-webhook'; before?: object; after?: object },
    viewer: Viewer,
  ): Promise<void> {
    await transaction.announce(webhookTopic)
    const now = this.dependencies.world.now()
    await recordAudit(transaction, { ...entry, subject: name, projectId }, viewer, now)
  }
}

/** Addresses are often secrets themselves. */
const originOf = (url: string): string => `${URL.parse(url)?.origin ?? ''}/…`

function shownDelivery(delivery: SurveyDelivery, breakers: Breakers): ShownDelivery {
  const { content: _content, projectId: _project, surveyId: _survey, address: _address, ...shown } = delivery
  return { ...shown, outcome: shownOutcome(breakers, delivery) }
}

/** Stands in the list as one delivery that failed. */
const shownOverflow = ({ dropped, firstAt, lastAt }: DeliveryOverflow): ShownDelivery => ({
  id: 'overflow',
  submission: 'overflow',
  createdAt: lastAt,
  state: 'failed',
  dueAt: lastAt,
  attempts: 0,
  outcome:
    `${dropped} ${dropped === 1 ? 'answer was' : 'answers were'} not queued since ${firstAt.toISOString().slice(0, 10)}: ` +
    'too many were waiting. They are in the results.',
})

const exampleOf = ({ content: { questions }, version }: Survey, now: Date): SubmissionContent => ({
  isComplete: true,
  answeredAt: now.toISOString(),
  language: undefined,
  version,
  distinctId: undefined,
  answers: questions.map(({ id, text }) => ({ id, question: text, answer: 'Example' })),
})
