import { queueMessage } from '#alerts/deliveries/deliveries'
import { nextAttemptAt } from '#outbound/retry-schedule'
import { newId } from '#projects/secrets'
import { LiveCopy } from '#store/live-copy'
import type { Store, StoreTransaction } from '#store/store'
import type { PublishedSurveys } from '../../internal/published-surveys'
import type { Survey } from '../../survey'
import {
  type AnswerEventRow,
  contentOf,
  inWords,
  leftOutNote,
  mergedContent,
  responsePath,
  submissionOf,
  surveyOf,
  withStoredQuestions,
} from './answer-message'
import {
  allWebhooks,
  deliveriesDue,
  deliveryOfSubmission,
  deliveryTopic,
  forgetDeliveriesBefore,
  saveDelivery,
  type SurveyDelivery,
  type SurveyWebhook,
  webhookOf,
  webhookTopic,
} from './store'
import { callSurveyWebhook, type WebhookCallerDependencies } from './webhook-caller'

type SurveyAddress = Pick<SurveyDelivery, 'projectId' | 'surveyId'>
type DeliveryProgress = Pick<SurveyDelivery, 'state' | 'dueAt' | 'outcome'>

const keyOf = ({ projectId, surveyId }: SurveyAddress): string => `${projectId} ${surveyId}`

/** The name of a survey's letters where their recipients unsubscribe. */
export const aboutResponses = ({ projectId, id }: Pick<Survey, 'projectId' | 'id'>): string =>
  `survey ${projectId} ${id}`

const tooMany = 'There were too many responses in an hour to e-mail this one.'

interface DeliveryQueueDependencies extends WebhookCallerDependencies {
  store: Store
  published: Pick<PublishedSurveys, 'find' | 'versionsOf'>
  /** Whether one more response of this survey is sent by e-mail. */
  mayMail: (survey: string) => boolean
  onTrouble: (problem: unknown) => void
}

/** An incomplete submission counts as abandoned when no answer follows within this time. */
const abandonedAfterMs = 30 * 60_000
const retryMs = 1000
const atOnce = 8
const keptMs = 90 * 24 * 60 * 60_000

/** The responses to one survey that are sent by e-mail, so that forged ones fill no mailbox. */
export const responseLetterLimit = { limit: 100, windowMs: 3_600_000 }

/**
 * Sends each submission of a survey once to its webhook and to those it notifies: when it is complete, or when it was
 * abandoned. Submissions wait in the store, from before their sender is answered.
 */
export class DeliveryQueue {
  private readonly pending: AnswerEventRow[] = []
  /** The surveys with a webhook. */
  private readonly withWebhook: LiveCopy<ReadonlySet<string>>

  private constructor(private readonly dependencies: DeliveryQueueDependencies) {
    const { store } = dependencies
    this.withWebhook = new LiveCopy<ReadonlySet<string>>({
      ...dependencies,
      topics: [webhookTopic],
      initial: new Set(),
      read: async () => new Set((await allWebhooks(store)).map(keyOf)),
      retryMs,
    })
  }

  static async open(dependencies: DeliveryQueueDependencies): Promise<DeliveryQueue> {
    const queue = new DeliveryQueue(dependencies)
    await queue.withWebhook.reload()
    return queue
  }

  /** Queues the submissions of these events. Those that are sent or waiting already are not queued twice. */
  async add(events: readonly AnswerEventRow[]): Promise<void> {
    const wanted = events.filter(
      (event) =>
        event.properties['$survey_test'] !== 'true' &&
        // as in results
        (event.columns.traffic ?? 'human') === 'human' &&
        this.isSent({ projectId: event.projectId, surveyId: surveyOf(event) }),
    )
    if (wanted.length === 0) return
    this.pending.push(...wanted)
    await this.write()
  }

  private isSent(address: SurveyAddress): boolean {
    if (this.withWebhook.value.has(keyOf(address))) return true
    const survey = this.dependencies.published.find(address.projectId, address.surveyId)
    return survey !== undefined && survey.notify.length > 0
  }

  /** A store in trouble does not refuse the answers: they are queued when it is back, unless this process ends before. */
  private async write(): Promise<void> {
    const { store, onTrouble } = this.dependencies
    const events = this.pending.splice(0)
    if (events.length === 0) return
    try {
      await store.transaction(async (transaction) => {
        for (const event of events) await this.addOne(transaction, event)
        await transaction.announce(deliveryTopic)
      })
    } catch (problem) {
      onTrouble(problem)
      this.pending.unshift(...events)
      setTimeout(() => void this.write().catch(onTrouble), retryMs).unref()
    }
  }

  /** Sends what is due. Failed deliveries are repeated with growing pauses. */
  async run(): Promise<void> {
    const { store, world } = this.dependencies
    for (;;) {
      const due = await deliveriesDue(store, world.now(), atOnce)
      if (due.length === 0) break
      await Promise.all(due.map((delivery) => this.send(delivery)))
    }
    await forgetDeliveriesBefore(store, new Date(world.now().getTime() - keptMs))
  }

  async close(): Promise<void> {
    await this.withWebhook.close()
  }

  private async addOne(transaction: StoreTransaction, event: AnswerEventRow): Promise<void> {
    const { world } = this.dependencies
    const address = {
      projectId: event.projectId,
      surveyId: surveyOf(event),
      submission: submissionOf(event),
    }
    const before = await deliveryOfSubmission(transaction, address)
    if (before && before.state !== 'waiting') return
    const content = before?.content ? mergedContent(before.content, contentOf(event)) : contentOf(event)
    const now = world.now()
    const dueAt = content.isComplete ? now : new Date(now.getTime() + abandonedAfterMs)
    const fresh = { ...address, id: newId(world), createdAt: now, attempts: 0, outcome: undefined }
    await saveDelivery(transaction, { ...fresh, ...before, content, state: 'waiting', dueAt })
  }

  private async send(delivery: SurveyDelivery): Promise<void> {
    const { store, published } = this.dependencies
    const { projectId, surveyId, attempts } = delivery
    const webhook = await webhookOf(store, projectId, surveyId)
    const survey = published.find(projectId, surveyId)
    const mailed = survey && attempts === 0 && survey.notify.length > 0 ? survey : undefined
    const mayMail = mailed !== undefined && this.dependencies.mayMail(keyOf(delivery))
    const begun = webhook
      ? { ...delivery, attempts: attempts + 1 }
      : { ...delivery, content: undefined, ...this.endWithoutWebhook(mailed, mayMail) }
    // in one transaction, and before the webhook is called: a letter is never written twice
    await store.transaction(async (transaction) => {
      await saveDelivery(transaction, begun)
      if (mailed && mayMail) await this.queueLetters(transaction, delivery, mailed)
    })
    if (webhook && survey) await saveDelivery(store, await this.callWebhook(webhook, begun, survey))
  }

  private endWithoutWebhook(mailed: Survey | undefined, mayMail: boolean): DeliveryProgress {
    const dueAt = this.dependencies.world.now()
    if (mayMail) return { state: 'sent', dueAt, outcome: undefined }
    return { state: 'failed', dueAt, outcome: mailed ? tooMany : 'The webhook was removed.' }
  }

  private async queueLetters(
    transaction: StoreTransaction,
    { submission, content }: SurveyDelivery,
    survey: Survey,
  ): Promise<void> {
    const { projects, published, world } = this.dependencies
    const project = projects.numbered(survey.projectId)
    if (!project || !content) return
    const { slug, name } = project
    const asked = withStoredQuestions(content, survey, published.versionsOf(survey.projectId, survey.id))
    const { isComplete, distinctId, answers } = asked
    const message = {
      kind: 'response',
      survey: survey.name,
      project: { slug, name },
      isComplete,
      distinctId,
      answers: answers.map(({ id, question, answer }) => ({
        question: question || id,
        answer: inWords(answer),
      })),
      note: leftOutNote(asked),
      path: responsePath(slug, survey.id, submission),
    } as const
    const about = aboutResponses(survey)
    await queueMessage(transaction, { projectId: survey.projectId, about, message }, survey.notify, world)
  }

  private async callWebhook(
    webhook: SurveyWebhook,
    delivery: SurveyDelivery,
    survey: Survey,
  ): Promise<SurveyDelivery> {
    const { id, submission, content, attempts } = delivery
    const over = { ...delivery, content: undefined, dueAt: this.dependencies.world.now() }
    if (!content) return { ...over, state: 'failed', outcome: undefined }
    const versions = this.dependencies.published.versionsOf(survey.projectId, survey.id)
    const asked = withStoredQuestions(content, survey, versions)
    const message = { id, kind: 'survey.answered', survey, submission, content: asked } as const
    const answer = await callSurveyWebhook(webhook, message, this.dependencies)
    if (answer.delivered) return { ...over, state: 'sent', outcome: `HTTP ${answer.status}.` }
    const next = answer.isFinal ? undefined : nextAttemptAt(attempts, over.dueAt, answer.retryAfterSeconds)
    return next
      ? { ...delivery, state: 'waiting', dueAt: next, outcome: answer.why }
      : { ...over, state: 'failed', outcome: answer.why }
  }
}
