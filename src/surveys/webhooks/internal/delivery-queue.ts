import { queueMessage } from '#alerts/deliveries/deliveries'
import { type DeliveryAttempt, type DeliveryProgress, Dispatcher } from '#dispatch/dispatcher'
import { addressOfUrl, reachesOut } from '#dispatch/lane'
import { countDropped, forgetOverflowBefore } from '#dispatch/overflow'
import { toDeliveryAttempt } from '#dispatch/webhook-attempt'
import type { JobTurn } from '#jobs/jobs'
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
  countWaitingForSurvey,
  deliveryOfSubmission,
  deliveryTopic,
  deliveryWithId,
  forgetDeliveriesBefore,
  saveDelivery,
  saveDeliveryProgress,
  type SurveyDelivery,
  type SurveyWebhook,
  webhookOf,
  webhookTopic,
} from './store'
import { callSurveyWebhook, type WebhookCallerDependencies } from './webhook-caller'

type SurveyAddress = Pick<SurveyDelivery, 'projectId' | 'surveyId'>

const keyOf = ({ projectId, surveyId }: SurveyAddress): string => `${projectId} ${surveyId}`

/** The name of a survey's letters where their recipients unsubscribe. */
export const aboutResponses = ({ projectId, id }: Pick<Survey, 'projectId' | 'id'>): string =>
  `survey ${projectId} ${id}`

export const removedWebhook = 'The webhook was removed.'
/** Submissions that are not queued are counted by their survey. */
export const overflowKey = ({ projectId, surveyId }: SurveyAddress) => ({
  projectId,
  about: aboutResponses({ projectId, id: surveyId }),
})

const tooMany = 'There were too many responses in an hour to e-mail this one.'

interface DeliveryQueueDependencies extends WebhookCallerDependencies {
  store: Store
  published: Pick<PublishedSurveys, 'find' | 'versionsOf'>
  /** Whether one more response of this survey is sent by e-mail. */
  mayMail: (survey: string) => boolean
  /** The submissions to one survey that may wait, if not `mostWaiting`. */
  mostWaiting?: number
  onTrouble: (problem: unknown) => void
}

/** An incomplete submission counts as abandoned when no answer follows within this time. */
const abandonedAfterMs = 30 * 60_000
const retryMs = 1000
const keptMs = 90 * 24 * 60 * 60_000

/** The submissions to one survey that may wait, so that forged ones do not fill the store. Further ones are counted. */
const mostWaiting = 10_000

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
  private readonly dispatcher: Dispatcher<SurveyDelivery>

  private constructor(private readonly dependencies: DeliveryQueueDependencies) {
    const { store } = dependencies
    this.dispatcher = new Dispatcher<SurveyDelivery>(
      {
        table: 'survey_deliveries',
        topic: deliveryTopic,
        find: (id) => deliveryWithId(store, id),
        send: (delivery) => this.send(delivery),
        save: ({ id, content }, progress) =>
          saveDeliveryProgress(store, {
            id,
            content: progress.state === 'waiting' ? content : undefined,
            ...progress,
          }),
        tidy: () => this.forgetOld(),
      },
      dependencies,
    )
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

  private async forgetOld(): Promise<void> {
    const { store, world } = this.dependencies
    const longAgo = new Date(world.now().getTime() - keptMs)
    await forgetDeliveriesBefore(store, longAgo)
    await forgetOverflowBefore(store, longAgo)
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
        const free = new Map<string, number>()
        for (const event of events) await this.addOne(transaction, event, free)
        await transaction.announce(deliveryTopic)
      })
    } catch (problem) {
      onTrouble(problem)
      this.pending.unshift(...events)
      setTimeout(() => void this.write().catch(onTrouble), retryMs).unref()
    }
  }

  /** Sends what is due. Failed deliveries are repeated with growing pauses. */
  async run(turn?: JobTurn): Promise<void> {
    await this.dispatcher.run(turn)
  }

  async close(): Promise<void> {
    this.dispatcher.close()
    await this.withWebhook.close()
  }

  private async addOne(
    transaction: StoreTransaction,
    event: AnswerEventRow,
    free: Map<string, number>,
  ): Promise<void> {
    const { world } = this.dependencies
    const survey = { projectId: event.projectId, surveyId: surveyOf(event) }
    const address = { ...survey, submission: submissionOf(event) }
    const before = await deliveryOfSubmission(transaction, address)
    if (before && before.state !== 'waiting') return
    const now = world.now()
    if (!before && !(await this.takePlace(transaction, survey, free)))
      return await countDropped(transaction, overflowKey(survey), now)
    const content = before?.content ? mergedContent(before.content, contentOf(event)) : contentOf(event)
    const dueAt = content.isComplete ? now : new Date(now.getTime() + abandonedAfterMs)
    const fresh = {
      ...address,
      id: newId(world),
      address: '',
      createdAt: now,
      attempts: 0,
      outcome: undefined,
    }
    await saveDelivery(transaction, { ...fresh, ...before, content, state: 'waiting', dueAt })
  }

  /** Returns whether one more may wait. What waits is counted once for all submissions of a transaction. */
  private async takePlace(
    transaction: StoreTransaction,
    survey: SurveyAddress,
    free: Map<string, number>,
  ): Promise<boolean> {
    const limit = this.dependencies.mostWaiting ?? mostWaiting
    const key = keyOf(survey)
    const left = free.get(key) ?? limit - (await countWaitingForSurvey(transaction, survey, limit))
    free.set(key, Math.max(0, left - 1))
    return left > 0
  }

  private async send(delivery: SurveyDelivery): Promise<DeliveryAttempt | undefined> {
    if (!reachesOut(delivery)) {
      await this.prepare(delivery)
      return undefined
    }
    const { store, published } = this.dependencies
    const { projectId, surveyId, attempts } = delivery
    const webhook = await webhookOf(store, projectId, surveyId)
    const survey = published.find(projectId, surveyId)
    if (!webhook) return { sent: false, isFinal: true, outcome: removedWebhook }
    if (!survey) return { sent: false, isFinal: false, outcome: 'The survey was not found.' }
    // before the webhook is called
    await saveDeliveryProgress(store, { ...delivery, attempts: attempts + 1 })
    return await this.callWebhook(webhook, delivery, survey)
  }

  /** Queues the e-mails of a submission, and finds the address of its webhook: no receiver holds these up. */
  private async prepare(delivery: SurveyDelivery): Promise<void> {
    const { store, published } = this.dependencies
    const { projectId, surveyId, attempts } = delivery
    const survey = published.find(projectId, surveyId)
    const mailed = survey && attempts === 0 && survey.notify.length > 0 ? survey : undefined
    const mayMail = mailed !== undefined && this.dependencies.mayMail(keyOf(delivery))
    // in one transaction: a letter is never written twice
    await store.transaction(async (transaction) => {
      const webhook = await webhookOf(transaction, projectId, surveyId)
      const prepared = webhook
        ? { ...delivery, address: addressOfUrl(webhook.url) }
        : { ...delivery, content: undefined, ...this.endWithoutWebhook(mailed, mayMail) }
      await saveDelivery(transaction, prepared)
      if (mailed && mayMail) await this.queueLetters(transaction, delivery, mailed)
    })
  }

  private endWithoutWebhook(
    mailed: Survey | undefined,
    mayMail: boolean,
  ): Omit<DeliveryProgress, 'attempts'> {
    const dueAt = this.dependencies.world.now()
    if (mayMail) return { state: 'sent', dueAt, outcome: undefined }
    return { state: 'failed', dueAt, outcome: mailed ? tooMany : removedWebhook }
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
    { id, submission, content }: SurveyDelivery,
    survey: Survey,
  ): Promise<DeliveryAttempt> {
    if (!content) return { sent: false, isFinal: true, outcome: 'Its content was lost.' }
    const versions = this.dependencies.published.versionsOf(survey.projectId, survey.id)
    const asked = withStoredQuestions(content, survey, versions)
    const message = { id, kind: 'survey.answered', survey, submission, content: asked } as const
    return toDeliveryAttempt(await callSurveyWebhook(webhook, message, this.dependencies))
  }
}
