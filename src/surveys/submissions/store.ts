import { inBatches } from '#store/rows'
import type { Store, StoreTransaction } from '#store/store'

interface SubmissionTables {
  survey_submissions: { project_id: number; survey_id: string; submission: string; begun_at: string }
  survey_counts: { project_id: number; survey_id: string; submissions: number; counted_at: string | null }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<SubmissionTables>()

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

export async function submissionCounts(store: StoreOrTransaction): Promise<StoredSubmissionCount[]> {
  const rows = await open(store).selectFrom('survey_counts').selectAll().execute()
  return rows.map(({ project_id, survey_id, submissions, counted_at }) => ({
    projectId: project_id,
    surveyId: survey_id,
    submissions,
    isComplete: counted_at !== null,
  }))
}

export async function submissionsBegunSince(store: StoreOrTransaction, at: Date): Promise<BegunSubmission[]> {
  const rows = await open(store)
    .selectFrom('survey_submissions')
    .select(['project_id', 'survey_id', 'submission'])
    .where('begun_at', '>=', at.toISOString())
    .execute()
  return rows.map(({ project_id, survey_id, submission }) => ({
    projectId: project_id,
    surveyId: survey_id,
    submission,
  }))
}

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
      .insertInto('survey_submissions')
      .values(
        portion.map((submission) => ({
          project_id: projectId,
          survey_id: surveyId,
          submission,
          begun_at: now.toISOString(),
        })),
      )
      .onConflict((conflict) => conflict.columns(['project_id', 'survey_id', 'submission']).doNothing())
      .executeTakeFirstOrThrow()
    added += Number(numInsertedOrUpdatedRows)
  }
  await open(transaction)
    .insertInto('survey_counts')
    .values({ project_id: projectId, survey_id: surveyId, submissions: added, counted_at: null })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'survey_id'])
        .doUpdateSet((row) => ({ submissions: row('survey_counts.submissions', '+', added) })),
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
  const columns = { submissions, counted_at: now.toISOString() }
  await open(transaction)
    .insertInto('survey_counts')
    .values({ project_id: projectId, survey_id: surveyId, ...columns })
    .onConflict((conflict) => conflict.columns(['project_id', 'survey_id']).doUpdateSet(columns))
    .execute()
  await transaction.announce(submissionTopic)
}

/** What was not counted while a survey had no limit is missing in its count. */
export async function forgetCount(
  transaction: StoreTransaction,
  { projectId, surveyId }: SurveyAddress,
): Promise<void> {
  await open(transaction)
    .deleteFrom('survey_counts')
    .where('project_id', '=', projectId)
    .where('survey_id', '=', surveyId)
    .execute()
  await transaction.announce(submissionTopic)
}

export async function forgetSubmissionsBefore(store: StoreOrTransaction, at: Date): Promise<void> {
  await open(store).deleteFrom('survey_submissions').where('begun_at', '<', at.toISOString()).execute()
}
