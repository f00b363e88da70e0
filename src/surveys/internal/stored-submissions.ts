import { inBatches } from '#store/rows'
import type { StoreTransaction, TableSource } from '#store/store'
import { openTables, type RowsOf } from '#store/tables'

interface SubmissionTables {
  surveySubmissions: BegunSubmission & { begunAt: Date }
  surveyCounts: RowsOf<SurveyAddress & { submissions: number; countedAt: Date | undefined }>
}

const open = openTables<SubmissionTables>()

/** The survey that something is about. */
export interface SurveyAddress {
  projectId: number
  surveyId: string
}

export interface StoredSubmissionCount extends SurveyAddress {
  submissions: number
  /** Whether the events that were stored before the survey had a limit are in it. */
  isComplete: boolean
}

interface BegunSubmission extends SurveyAddress {
  submission: string
}

/** A write announces itself under this topic. */
export const submissionTopic = 'survey-submissions'

export async function submissionCounts(store: TableSource): Promise<StoredSubmissionCount[]> {
  const rows = await open(store).selectFrom('surveyCounts').selectAll().execute()
  return rows.map(({ countedAt, ...count }) => ({ ...count, isComplete: countedAt !== undefined }))
}

export const submissionsBegunSince = async (store: TableSource, at: Date): Promise<BegunSubmission[]> =>
  await open(store)
    .selectFrom('surveySubmissions')
    .select(['projectId', 'surveyId', 'submission'])
    .where('begunAt', '>=', at)
    .execute()

/** Adds those that are not known yet, and counts them. */
export async function addSubmissions(
  transaction: StoreTransaction,
  { projectId, surveyId }: SurveyAddress,
  submissions: readonly string[],
  now: Date,
): Promise<void> {
  let added = 0
  for (const portion of inBatches(submissions)) {
    const { numInsertedOrUpdatedRows = 0n } = await open(transaction)
      .insertInto('surveySubmissions')
      .values(portion.map((submission) => ({ projectId, surveyId, submission, begunAt: now })))
      .onConflict((conflict) => conflict.columns(['projectId', 'surveyId', 'submission']).doNothing())
      .executeTakeFirstOrThrow()
    added += Number(numInsertedOrUpdatedRows)
  }
  await open(transaction)
    .insertInto('surveyCounts')
    .values({ projectId, surveyId, submissions: added, countedAt: null })
    .onConflict((conflict) =>
      conflict
        .columns(['projectId', 'surveyId'])
        .doUpdateSet((row) => ({ submissions: row('surveyCounts.submissions', '+', added) })),
    )
    .execute()
  await transaction.announce(submissionTopic)
}

/** Writes the count of a survey whose stored events were counted, together with what began since. */
export async function saveCompleteCount(
  transaction: StoreTransaction,
  { projectId, surveyId }: SurveyAddress,
  submissions: number,
  now: Date,
): Promise<void> {
  const row = { projectId, surveyId, submissions, countedAt: now }
  await open(transaction)
    .insertInto('surveyCounts')
    .values(row)
    .onConflict((conflict) => conflict.columns(['projectId', 'surveyId']).doUpdateSet(row))
    .execute()
  await transaction.announce(submissionTopic)
}

/** Deletes a count. Submissions that were not counted while a survey had no limit would be missing in it. */
export async function forgetCount(
  transaction: StoreTransaction,
  { projectId, surveyId }: SurveyAddress,
): Promise<void> {
  await open(transaction)
    .deleteFrom('surveyCounts')
    .where('projectId', '=', projectId)
    .where('surveyId', '=', surveyId)
    .execute()
  await transaction.announce(submissionTopic)
}

export async function forgetSubmissionsBefore(store: TableSource, at: Date): Promise<void> {
  await open(store).deleteFrom('surveySubmissions').where('begunAt', '<', at).execute()
}
