import type { Store } from '#store/store'

interface RemovalTables {
  survey_removals: {
    project_id: number
    survey_id: string
    submission: string
    removed_by: string
    removed_at: string
  }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<RemovalTables>()

/** A submission that was taken out of a survey's results. */
interface RemovedSubmission {
  projectId: number
  surveyId: string
  submission: string
}

export async function removedSubmissionsOf(
  store: StoreOrTransaction,
  projectId: number,
  surveyId: string,
): Promise<string[]> {
  const rows = await open(store)
    .selectFrom('survey_removals')
    .select('submission')
    .where('project_id', '=', projectId)
    .where('survey_id', '=', surveyId)
    .orderBy('submission')
    .execute()
  return rows.map(({ submission }) => submission)
}

/** Of all surveys of a project. */
export async function removedSubmissionsIn(store: StoreOrTransaction, projectId: number): Promise<string[]> {
  const rows = await open(store)
    .selectFrom('survey_removals')
    .select('submission')
    .where('project_id', '=', projectId)
    .orderBy('submission')
    .execute()
  return rows.map(({ submission }) => submission)
}

export async function saveRemoval(
  store: StoreOrTransaction,
  { projectId, surveyId, submission }: RemovedSubmission,
  by: { name: string },
  at: Date,
): Promise<void> {
  await open(store)
    .insertInto('survey_removals')
    .values({
      project_id: projectId,
      survey_id: surveyId,
      submission,
      removed_by: by.name,
      removed_at: at.toISOString(),
    })
    .execute()
}

export async function forgetRemoval(
  store: StoreOrTransaction,
  { projectId, surveyId, submission }: RemovedSubmission,
): Promise<void> {
  await open(store)
    .deleteFrom('survey_removals')
    .where('project_id', '=', projectId)
    .where('survey_id', '=', surveyId)
    .where('submission', '=', submission)
    .execute()
}
