import { nextAttemptAt } from '#outbound/retry-schedule'
import { newId } from '#projects/secrets'
import { ReloadLoop } from '#store/reload-loop'
import type { Store, StoreTransaction } from '#store/store'
import type { PublishedSurveys } from '../published-surveys'
import { type AnswerEventRow, contentOf, mergedContent, submissionOf, surveyOf } from './answer-message'
import {
  allWebhooks,
  deliveriesDue,
  deliveryOfSubmission,
  deliveryTopic,
  forgetDeliveriesBefore,
  saveDelivery,
  type SurveyDelivery,
  webhookOf,
  webhookTopic,
} from './store'
import { callSurveyWebhook, type WebhookCallerDependencies } from './webhook-caller'

interface WebhookQueueDependencies extends WebhookCallerDependencies {
  store: Store
  published: Pick<PublishedSurveys, 'find'>
  onTrouble: (problem: unknown) => void
}

/** An incomplete submission counts as abandoned when no answer follows within this time. */
const abandonedAfterMs = 30 * 60_000
const retryMs = 1000
const atOnce = 8
const keptMs = 90 * 24 * 60 * 60_000

/**
 * Sends each submission of a survey with a webhook once: when it is complete, or when it was abandoned. Submissions wait in
 * the store, from before their sender is answered.
 */
export class WebhookQueue {
  private readonly pending: AnswerEventRow[] = []
  private watched: ReadonlySet<string> = new Set()
  private readonly loop: ReloadLoop
  private stopListening: () => void = () => {}

  private constructor(private readonly dependencies: WebhookQueueDependencies) {
    const { store, onTrouble } = dependencies
    this.loop = new ReloadLoop({
      read: async () => {
        const webhooks = await allWebhooks(store)
        this.watched = new Set(webhooks.map(({ projectId, surveyId }) => `${projectId} ${surveyId}`))
      },
      retryMs,
      onTrouble,
    })
  }

  static async open(dependencies: WebhookQueueDependencies): Promise<WebhookQueue> {
    const queue = new WebhookQueue(dependencies)
    queue.stopListening = dependencies.store.onChange((topic) => {
      if (topic === webhookTopic) void queue.loop.reload().catch(dependencies.onTrouble)
    })
    await queue.loop.reload()
    return queue
  }

  /** Queues the submissions of these events. Those that are sent or waiting already are not queued twice. */
  async add(events: readonly AnswerEventRow[]): Promise<void> {
    const wanted = events.filter(
      (event) =>
        this.watched.has(`${event.projectId} ${surveyOf(event)}`) &&
        event.properties['$survey_test'] !== 'true',
    )
    if (wanted.length === 0) return
    this.pending.push(...wanted)
    await this.write()
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
    this.stopListening()
    await this.loop.close()
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
    const attempts = delivery.attempts + 1
    const progress = await this.attempt(delivery, attempts)
    const isOver = progress.state !== 'waiting'
    const content = isOver ? undefined : delivery.content
    await saveDelivery(this.dependencies.store, { ...delivery, ...progress, attempts, content })
  }

  private async attempt(
    { projectId, surveyId, submission, content, id }: SurveyDelivery,
    attempts: number,
  ): Promise<Pick<SurveyDelivery, 'state' | 'dueAt' | 'outcome'>> {
    const { store, world, published } = this.dependencies
    const webhook = await webhookOf(store, projectId, surveyId)
    const survey = published.find(projectId, surveyId)
    const now = world.now()
    if (!webhook || !survey || !content)
      return { state: 'failed', dueAt: now, outcome: 'The webhook was removed.' }
    const message = { id, kind: 'survey.answered', survey, submission, content } as const
    const answer = await callSurveyWebhook(webhook, message, this.dependencies)
    if (answer.delivered) return { state: 'sent', dueAt: now, outcome: `HTTP ${answer.status}.` }
    const next = answer.isFinal ? undefined : nextAttemptAt(attempts, now, answer.retryAfterSeconds)
    return next
      ? { state: 'waiting', dueAt: next, outcome: answer.why }
      : { state: 'failed', dueAt: now, outcome: answer.why }
  }
}
