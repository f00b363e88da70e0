import type { Selectable } from 'kysely'
import { inBatches } from '#store/rows'
import type { Store } from '#store/store'

interface MailingTables {
  survey_mailings: {
    id: string
    project_id: number
    survey_id: string
    subject: string
    message: string
    created_by: string
    created_at: string
  }
  survey_letters: {
    id: string
    mailing_id: string
    project_id: number
    survey_id: string
    address: string
    distinct_id: string | null
    state: string
    due_at: string
    attempts: number
    sent_at: string | null
    outcome: string | null
  }
  survey_suppressions: { project_id: number; address: string; at: string }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<MailingTables>()

/** Letters with a survey that were ordered together. */
export interface SurveyMailing {
  id: string
  projectId: number
  surveyId: string
  subject: string
  message: string
  createdBy: string
  createdAt: Date
}

type SurveyLetterState = 'waiting' | 'sending' | 'sent' | 'failed'

/** One letter to one recipient. */
export interface SurveyLetter {
  id: string
  mailingId: string
  projectId: number
  surveyId: string
  address: string
  distinctId: string | undefined
  state: SurveyLetterState
  dueAt: Date
  attempts: number
  outcome: string | undefined
}

/** The change feed's topic of letters that wait. */
export const letterTopic = 'survey-letters'

const toMailing = (row: Selectable<MailingTables['survey_mailings']>): SurveyMailing => ({
  id: row.id,
  projectId: row.project_id,
  surveyId: row.survey_id,
  subject: row.subject,
  message: row.message,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
})

const toLetter = (row: Selectable<MailingTables['survey_letters']>): SurveyLetter => ({
  id: row.id,
  mailingId: row.mailing_id,
  projectId: row.project_id,
  surveyId: row.survey_id,
  address: row.address,
  distinctId: row.distinct_id ?? undefined,
  state: row.state as SurveyLetterState, // written by this file alone
  dueAt: new Date(row.due_at),
  attempts: row.attempts,
  outcome: row.outcome ?? undefined,
})

export async function addMailing(store: StoreOrTransaction, mailing: SurveyMailing): Promise<void> {
  await open(store)
    .insertInto('survey_mailings')
    .values({
      id: mailing.id,
      project_id: mailing.projectId,
      survey_id: mailing.surveyId,
      subject: mailing.subject,
      message: mailing.message,
      created_by: mailing.createdBy,
      created_at: mailing.createdAt.toISOString(),
    })
    .execute()
}

export async function addLetters(store: StoreOrTransaction, letters: readonly SurveyLetter[]): Promise<void> {
  for (const portion of inBatches(letters))
    await open(store)
      .insertInto('survey_letters')
      .values(
        portion.map((letter) => ({
          id: letter.id,
          mailing_id: letter.mailingId,
          project_id: letter.projectId,
          survey_id: letter.surveyId,
          address: letter.address,
          distinct_id: letter.distinctId ?? null,
          state: letter.state,
          due_at: letter.dueAt.toISOString(),
          attempts: letter.attempts,
          sent_at: null,
          outcome: letter.outcome ?? null,
        })),
      )
      .execute()
}

export async function mailingWithId(
  store: StoreOrTransaction,
  id: string,
): Promise<SurveyMailing | undefined> {
  const row = await open(store)
    .selectFrom('survey_mailings')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toMailing(row)
}

/** The latest first. */
export async function mailingsOf(
  store: StoreOrTransaction,
  projectId: number,
  surveyId: string,
): Promise<SurveyMailing[]> {
  const rows = await open(store)
    .selectFrom('survey_mailings')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('survey_id', '=', surveyId)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map(toMailing)
}

/** Every letter of a survey. */
export async function lettersOf(
  store: StoreOrTransaction,
  projectId: number,
  surveyId: string,
): Promise<SurveyLetter[]> {
  const rows = await open(store)
    .selectFrom('survey_letters')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('survey_id', '=', surveyId)
    .orderBy('address')
    .execute()
  return rows.map(toLetter)
}

export async function lettersDue(
  store: StoreOrTransaction,
  now: Date,
  limit: number,
): Promise<SurveyLetter[]> {
  const rows = await open(store)
    .selectFrom('survey_letters')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('due_at', '<=', now.toISOString())
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toLetter)
}

export async function countSentSince(store: StoreOrTransaction, at: Date): Promise<number> {
  const { letters } = await open(store)
    .selectFrom('survey_letters')
    .select(({ fn }) => fn.countAll<number | string>().as('letters'))
    .where('sent_at', '>', at.toISOString())
    .executeTakeFirstOrThrow()
  return Number(letters)
}

/** Takes a letter out of those that wait, before it is sent. Returns false if another process has taken it. */
export async function beginSending(store: StoreOrTransaction, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await open(store)
    .updateTable('survey_letters')
    .set((row) => ({
      state: 'sending',
      sent_at: now.toISOString(),
      attempts: row('attempts', '+', 1),
    }))
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function saveSending(
  store: StoreOrTransaction,
  { id, state, dueAt, outcome }: Pick<SurveyLetter, 'id' | 'state' | 'dueAt' | 'outcome'>,
): Promise<void> {
  await open(store)
    .updateTable('survey_letters')
    .set({ state, due_at: dueAt.toISOString(), outcome: outcome ?? null })
    .where('id', '=', id)
    .execute()
}

/** Letters that were being sent when Tilth stopped may have arrived, so they are not sent again. */
export async function giveUpInterrupted(store: StoreOrTransaction, outcome: string): Promise<void> {
  await open(store)
    .updateTable('survey_letters')
    .set({ state: 'failed', outcome })
    .where('state', '=', 'sending')
    .execute()
}

export async function suppressedAddresses(
  store: StoreOrTransaction,
  projectId: number,
): Promise<Set<string>> {
  const rows = await open(store)
    .selectFrom('survey_suppressions')
    .select('address')
    .where('project_id', '=', projectId)
    .execute()
  return new Set(rows.map(({ address }) => address))
}

export async function suppressAddress(
  store: StoreOrTransaction,
  projectId: number,
  address: string,
  now: Date,
): Promise<void> {
  await open(store)
    .insertInto('survey_suppressions')
    .values({ project_id: projectId, address, at: now.toISOString() })
    .onConflict((conflict) => conflict.columns(['project_id', 'address']).doNothing())
    .execute()
}
