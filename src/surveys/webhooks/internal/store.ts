import type { Store } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { SubmissionContent } from './answer-message'

interface WebhookTables {
  surveyWebhooks: SurveyWebhook
  surveyDeliveries: RowsOf<SurveyDelivery>
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = openTables<WebhookTables>({ json: ['content'] })

/** The address that the submissions of a survey are sent to. */
export interface SurveyWebhook {
  projectId: number
  surveyId: string
  url: string
  /** Sealed. */
  secret: string
  createdBy: string
  createdAt: Date
}

/** A submission on its way to a webhook. */
export interface SurveyDelivery {
  id: string
  projectId: number
  surveyId: string
  submission: string
  /** Forgotten once nothing more is sent. */
  content: SubmissionContent | undefined
  createdAt: Date
  state: 'waiting' | 'sent' | 'failed'
  dueAt: Date
  attempts: number
  /** The outcome of the last attempt. */
  outcome: string | undefined
}

/** Topics of the change feed: a webhook was changed, a submission waits to be sent. */
export const webhookTopic = 'survey-webhooks'
export const deliveryTopic = 'survey-deliveries'

const deliveryColumns = [
  'id',
  'projectId',
  'surveyId',
  'submission',
  'content',
  'createdAt',
  'state',
  'dueAt',
  'attempts',
  'outcome',
] as const

const webhooks = (store: StoreOrTransaction) => open(store).selectFrom('surveyWebhooks').selectAll()
const deliveries = (store: StoreOrTransaction) => open(store).selectFrom('surveyDeliveries').selectAll()

export const allWebhooks = async (store: StoreOrTransaction): Promise<SurveyWebhook[]> =>
  await webhooks(store).execute()

export const webhookOf = async (
  store: StoreOrTransaction,
  projectId: number,
  surveyId: string,
): Promise<SurveyWebhook | undefined> =>
  await webhooks(store).where('projectId', '=', projectId).where('surveyId', '=', surveyId).executeTakeFirst()

export async function saveWebhook(store: StoreOrTransaction, webhook: SurveyWebhook): Promise<void> {
  await open(store)
    .insertInto('surveyWebhooks')
    .values(webhook)
    .onConflict((conflict) => conflict.columns(['projectId', 'surveyId']).doUpdateSet(webhook))
    .execute()
}

export async function forgetWebhook(
  store: StoreOrTransaction,
  projectId: number,
  surveyId: string,
): Promise<void> {
  await open(store)
    .deleteFrom('surveyWebhooks')
    .where('projectId', '=', projectId)
    .where('surveyId', '=', surveyId)
    .execute()
}

export async function saveDelivery(store: StoreOrTransaction, delivery: SurveyDelivery): Promise<void> {
  const row = rowOf(deliveryColumns, delivery)
  await open(store)
    .insertInto('surveyDeliveries')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

export const deliveryOfSubmission = async (
  store: StoreOrTransaction,
  { projectId, surveyId, submission }: Pick<SurveyDelivery, 'projectId' | 'surveyId' | 'submission'>,
): Promise<SurveyDelivery | undefined> =>
  await deliveries(store)
    .where('projectId', '=', projectId)
    .where('surveyId', '=', surveyId)
    .where('submission', '=', submission)
    .executeTakeFirst()

export const deliveriesDue = async (
  store: StoreOrTransaction,
  now: Date,
  limit: number,
): Promise<SurveyDelivery[]> =>
  await deliveries(store)
    .where('state', '=', 'waiting')
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .limit(limit)
    .execute()

/** The deliveries to the webhook, the latest first. */
export const latestDeliveries = async (
  store: StoreOrTransaction,
  projectId: number,
  surveyId: string,
  limit: number,
): Promise<SurveyDelivery[]> =>
  await deliveries(store)
    .where('projectId', '=', projectId)
    .where('surveyId', '=', surveyId)
    // responses that went out by e-mail alone were sent without an attempt
    .where((delivery) => delivery.or([delivery('attempts', '>', 0), delivery('state', '!=', 'sent')]))
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

export async function forgetDeliveriesBefore(store: StoreOrTransaction, at: Date): Promise<void> {
  await open(store)
    .deleteFrom('surveyDeliveries')
    .where('state', '!=', 'waiting')
    .where('createdAt', '<', at)
    .execute()
}
