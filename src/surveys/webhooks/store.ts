import type { Selectable } from 'kysely'
import type { Store } from '#store/store'
import type { SubmissionContent } from './answer-message'

interface WebhookTables {
  survey_webhooks: {
    project_id: number
    survey_id: string
    url: string
    secret: string
    created_by: string
    created_at: string
  }
  survey_deliveries: {
    id: string
    project_id: number
    survey_id: string
    submission: string
    content: string | null
    created_at: string
    state: string
    due_at: string
    attempts: number
    outcome: string | null
  }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<WebhookTables>()

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

const toWebhook = (row: Selectable<WebhookTables['survey_webhooks']>): SurveyWebhook => ({
  projectId: row.project_id,
  surveyId: row.survey_id,
  url: row.url,
  secret: row.secret,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
})

export async function allWebhooks(store: StoreOrTransaction): Promise<SurveyWebhook[]> {
  return (await open(store).selectFrom('survey_webhooks').selectAll().execute()).map(toWebhook)
}

export async function webhookOf(
  store: StoreOrTransaction,
  projectId: number,
  surveyId: string,
): Promise<SurveyWebhook | undefined> {
  const row = await open(store)
    .selectFrom('survey_webhooks')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('survey_id', '=', surveyId)
    .executeTakeFirst()
  return row && toWebhook(row)
}

export async function saveWebhook(store: StoreOrTransaction, webhook: SurveyWebhook): Promise<void> {
  const columns = {
    url: webhook.url,
    secret: webhook.secret,
    created_by: webhook.createdBy,
    created_at: webhook.createdAt.toISOString(),
  }
  await open(store)
    .insertInto('survey_webhooks')
    .values({ project_id: webhook.projectId, survey_id: webhook.surveyId, ...columns })
    .onConflict((conflict) => conflict.columns(['project_id', 'survey_id']).doUpdateSet(columns))
    .execute()
}

export async function forgetWebhook(
  store: StoreOrTransaction,
  projectId: number,
  surveyId: string,
): Promise<void> {
  await open(store)
    .deleteFrom('survey_webhooks')
    .where('project_id', '=', projectId)
    .where('survey_id', '=', surveyId)
    .execute()
}

// what is read here was written by saveDelivery
const toDelivery = (row: Selectable<WebhookTables['survey_deliveries']>): SurveyDelivery => ({
  id: row.id,
  projectId: row.project_id,
  surveyId: row.survey_id,
  submission: row.submission,
  content: row.content === null ? undefined : (JSON.parse(row.content) as SubmissionContent),
  createdAt: new Date(row.created_at),
  state: row.state as SurveyDelivery['state'],
  dueAt: new Date(row.due_at),
  attempts: row.attempts,
  outcome: row.outcome ?? undefined,
})

export async function saveDelivery(store: StoreOrTransaction, delivery: SurveyDelivery): Promise<void> {
  const { content, state, dueAt, attempts, outcome } = delivery
  const columns = {
    content: content ? JSON.stringify(content) : null,
    state,
    due_at: dueAt.toISOString(),
    attempts,
    outcome: outcome ?? null,
  }
  await open(store)
    .insertInto('survey_deliveries')
    .values({
      id: delivery.id,
      project_id: delivery.projectId,
      survey_id: delivery.surveyId,
      submission: delivery.submission,
      created_at: delivery.createdAt.toISOString(),
      ...columns,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}

export async function deliveryOfSubmission(
  store: StoreOrTransaction,
  { projectId, surveyId, submission }: Pick<SurveyDelivery, 'projectId' | 'surveyId' | 'submission'>,
): Promise<SurveyDelivery | undefined> {
  const row = await open(store)
    .selectFrom('survey_deliveries')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('survey_id', '=', surveyId)
    .where('submission', '=', submission)
    .executeTakeFirst()
  return row && toDelivery(row)
}

export async function deliveriesDue(
  store: StoreOrTransaction,
  now: Date,
  limit: number,
): Promise<SurveyDelivery[]> {
  const rows = await open(store)
    .selectFrom('survey_deliveries')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('due_at', '<=', now.toISOString())
    .orderBy('due_at')
    .limit(limit)
    .execute()
  return rows.map(toDelivery)
}

/** The deliveries to the webhook, the latest first. */
export async function latestDeliveries(
  store: StoreOrTransaction,
  projectId: number,
  surveyId: string,
  limit: number,
): Promise<SurveyDelivery[]> {
  const rows = await open(store)
    .selectFrom('survey_deliveries')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('survey_id', '=', surveyId)
    // what only letters took was sent without an attempt
    .where((eb) => eb.or([eb('attempts', '>', 0), eb('state', '!=', 'sent')]))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toDelivery)
}

export async function forgetDeliveriesBefore(store: StoreOrTransaction, at: Date): Promise<void> {
  await open(store)
    .deleteFrom('survey_deliveries')
    .where('state', '!=', 'waiting')
    .where('created_at', '<', at.toISOString())
    .execute()
}
