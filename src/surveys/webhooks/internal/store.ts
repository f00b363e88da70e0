import type { DeliveryProgress } from '#dispatch/dispatcher'
import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { SubmissionContent } from './answer-message'

interface WebhookTables {
  surveyWebhooks: SurveyWebhook
  surveyDeliveries: RowsOf<SurveyDelivery>
}

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
  /** The host of the webhook, once the delivery has been prepared: its e-mails are queued then. */
  address: string
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
  'address',
  'content',
  'createdAt',
  'state',
  'dueAt',
  'attempts',
  'outcome',
] as const

const webhooks = (store: TableSource) => open(store).selectFrom('surveyWebhooks').selectAll()
const deliveries = (store: TableSource) => open(store).selectFrom('surveyDeliveries').selectAll()

export const allWebhooks = async (store: TableSource): Promise<SurveyWebhook[]> =>
  await webhooks(store).execute()

export const webhookOf = async (
  store: TableSource,
  projectId: number,
  surveyId: string,
): Promise<SurveyWebhook | undefined> =>
  await webhooks(store).where('projectId', '=', projectId).where('surveyId', '=', surveyId).executeTakeFirst()

export async function saveWebhook(store: TableSource, webhook: SurveyWebhook): Promise<void> {
  await open(store)
    .insertInto('surveyWebhooks')
    .values(webhook)
    .onConflict((conflict) => conflict.columns(['projectId', 'surveyId']).doUpdateSet(webhook))
    .execute()
}

export async function forgetWebhook(store: TableSource, projectId: number, surveyId: string): Promise<void> {
  await open(store)
    .deleteFrom('surveyWebhooks')
    .where('projectId', '=', projectId)
    .where('surveyId', '=', surveyId)
    .execute()
}

export async function saveDelivery(store: TableSource, delivery: SurveyDelivery): Promise<void> {
  const row = rowOf(deliveryColumns, delivery)
  await open(store)
    .insertInto('surveyDeliveries')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

export const deliveryOfSubmission = async (
  store: TableSource,
  { projectId, surveyId, submission }: Pick<SurveyDelivery, 'projectId' | 'surveyId' | 'submission'>,
): Promise<SurveyDelivery | undefined> =>
  await deliveries(store)
    .where('projectId', '=', projectId)
    .where('surveyId', '=', surveyId)
    .where('submission', '=', submission)
    .executeTakeFirst()

export const deliveryWithId = async (store: TableSource, id: string): Promise<SurveyDelivery | undefined> =>
  await deliveries(store).where('id', '=', id).executeTakeFirst()

/** Leaves the address alone: the webhook may have got another one meanwhile. */
export async function saveDeliveryProgress(
  store: TableSource,
  delivery: Pick<SurveyDelivery, 'id' | 'content'> & DeliveryProgress,
): Promise<void> {
  const progress = rowOf(['content', 'state', 'dueAt', 'attempts', 'outcome'], delivery)
  await open(store).updateTable('surveyDeliveries').set(progress).where('id', '=', delivery.id).execute()
}

const waitingForWebhook = (
  store: TableSource,
  { projectId, surveyId }: Pick<SurveyDelivery, 'projectId' | 'surveyId'>,
) =>
  open(store)
    .updateTable('surveyDeliveries')
    .where('projectId', '=', projectId)
    .where('surveyId', '=', surveyId)
    .where('state', '=', 'waiting')
    .where('address', '!=', '')

/** Sends what waits for a survey's webhook to its new address. */
export async function moveDeliveries(
  store: TableSource,
  survey: Pick<SurveyDelivery, 'projectId' | 'surveyId'>,
  address: string,
): Promise<void> {
  await waitingForWebhook(store, survey).set({ address }).execute()
}

/** Ends what waits for a webhook that was removed. */
export async function endDeliveries(
  store: TableSource,
  survey: Pick<SurveyDelivery, 'projectId' | 'surveyId'>,
  { dueAt, outcome }: { dueAt: Date; outcome: string },
): Promise<void> {
  const ended = { state: 'failed', content: null, dueAt, outcome } as const
  await waitingForWebhook(store, survey).set(ended).execute()
}

/** Counts what waits for a survey, up to a limit, which is what the count may cost. */
export async function countWaitingForSurvey(
  store: TableSource,
  { projectId, surveyId }: Pick<SurveyDelivery, 'projectId' | 'surveyId'>,
  upTo: number,
): Promise<number> {
  const waiting = open(store)
    .selectFrom('surveyDeliveries')
    .select('id')
    .where('projectId', '=', projectId)
    .where('surveyId', '=', surveyId)
    .where('state', '=', 'waiting')
    .limit(upTo)
  const counted = await open(store)
    .selectFrom(waiting.as('counted'))
    .select((all) => all.fn.countAll<number | string>().as('waiting'))
    .executeTakeFirstOrThrow()
  return Number(counted.waiting)
}

/** The deliveries to the webhook, the latest first. */
export const latestDeliveries = async (
  store: TableSource,
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

export async function forgetDeliveriesBefore(store: TableSource, at: Date): Promise<void> {
  await open(store)
    .deleteFrom('surveyDeliveries')
    .where('state', '!=', 'waiting')
    .where('createdAt', '<', at)
    .execute()
}
