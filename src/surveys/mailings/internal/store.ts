import { inBatches } from '#store/rows'
import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'

interface MailingTables {
  surveyMailings: SurveyMailing
  surveyLetters: RowsOf<SurveyLetter & { sentAt: Date | undefined }>
  surveySuppressions: { projectId: number; address: string; at: Date }
}

const open = openTables<MailingTables>()

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

/** A letter to one recipient. */
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

const letterColumns = [
  'id',
  'mailingId',
  'projectId',
  'surveyId',
  'address',
  'distinctId',
  'state',
  'dueAt',
  'attempts',
  'outcome',
] as const

const letters = (store: TableSource) => open(store).selectFrom('surveyLetters').select(letterColumns)

export async function addMailing(store: TableSource, mailing: SurveyMailing): Promise<void> {
  await open(store).insertInto('surveyMailings').values(mailing).execute()
}

export async function addLetters(store: TableSource, added: readonly SurveyLetter[]): Promise<void> {
  for (const portion of inBatches(added))
    await open(store)
      .insertInto('surveyLetters')
      .values(portion.map((letter) => rowOf(letterColumns, letter)))
      .execute()
}

export const mailingWithId = async (store: TableSource, id: string): Promise<SurveyMailing | undefined> =>
  await open(store).selectFrom('surveyMailings').selectAll().where('id', '=', id).executeTakeFirst()

/** The latest first. */
export const mailingsOf = async (
  store: TableSource,
  projectId: number,
  surveyId: string,
): Promise<SurveyMailing[]> =>
  await open(store)
    .selectFrom('surveyMailings')
    .selectAll()
    .where('projectId', '=', projectId)
    .where('surveyId', '=', surveyId)
    .orderBy('createdAt', 'desc')
    .execute()

/** Every letter of a survey. */
export const lettersOf = async (
  store: TableSource,
  projectId: number,
  surveyId: string,
): Promise<SurveyLetter[]> =>
  await letters(store)
    .where('projectId', '=', projectId)
    .where('surveyId', '=', surveyId)
    .orderBy('address')
    .execute()

/** Projects take turns, each with the letter that has been due for the longest. */
export const lettersDue = async (store: TableSource, now: Date, limit: number): Promise<SurveyLetter[]> =>
  await letters(store)
    .where('state', '=', 'waiting')
    .where('dueAt', '<=', now)
    .orderBy(({ fn }) =>
      fn.agg<number>('row_number').over((of) => of.partitionBy('projectId').orderBy('dueAt').orderBy('id')),
    )
    .orderBy('dueAt')
    .orderBy('id')
    .limit(limit)
    .execute()

export async function countSentSince(store: TableSource, at: Date): Promise<number> {
  const { count } = await open(store)
    .selectFrom('surveyLetters')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('sentAt', '>', at)
    .executeTakeFirstOrThrow()
  return count
}

/** Takes a letter out of those that wait, before it is sent. Returns false if another process has taken it. */
export async function beginSending(store: TableSource, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await open(store)
    .updateTable('surveyLetters')
    .set((row) => ({
      state: 'sending',
      sentAt: now,
      attempts: row('attempts', '+', 1),
    }))
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function saveSending(
  store: TableSource,
  letter: Pick<SurveyLetter, 'id' | 'state' | 'dueAt' | 'outcome'>,
): Promise<void> {
  await open(store)
    .updateTable('surveyLetters')
    .set(rowOf(['state', 'dueAt', 'outcome'], letter))
    .where('id', '=', letter.id)
    .execute()
}

/** Letters that were being sent when Tilth stopped may have arrived, so they are not sent again. */
export async function giveUpInterrupted(store: TableSource, outcome: string): Promise<void> {
  await open(store)
    .updateTable('surveyLetters')
    .set({ state: 'failed', outcome })
    .where('state', '=', 'sending')
    .execute()
}

export async function suppressedAddresses(store: TableSource, projectId: number): Promise<Set<string>> {
  const rows = await open(store)
    .selectFrom('surveySuppressions')
    .select('address')
    .where('projectId', '=', projectId)
    .execute()
  return new Set(rows.map(({ address }) => address))
}

export async function suppressAddress(
  store: TableSource,
  projectId: number,
  address: string,
  now: Date,
): Promise<void> {
  await open(store)
    .insertInto('surveySuppressions')
    .values({ projectId, address, at: now })
    .onConflict((conflict) => conflict.columns(['projectId', 'address']).doNothing())
    .execute()
}
