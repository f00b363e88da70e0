import type { Store } from '#store/store'

interface RemovalTables {
  survey_removals: {
    project_id: number
    survey_id: string
    submission: string
    removed_by: string
    removed_at: string
  }
  survey_response_tags: {
    project_id: number
    survey_id: string
    submission: string
    tag: string
  }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<RemovalTables>()

/** A submission of a survey. */
interface SubmissionAddress {
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
  { projectId, surveyId, submission }: SubmissionAddress,
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
  { projectId, surveyId, submission }: SubmissionAddress,
): Promise<void> {
  await open(store)
    .deleteFrom('survey_removals')
    .where('project_id', '=', projectId)
    .where('survey_id', '=', surveyId)
    .where('submission', '=', submission)
    .execute()
}

/** The tags of a survey's submissions, each in alphabetical order. */
export async function tagsOf(
  store: StoreOrTransaction,
  projectId: number,
  surveyId: string,
): Promise<Map<string, string[]>> {
  const rows = await open(store)
    .selectFrom('survey_response_tags')
    .select(['submission', 'tag'])
    .where('project_id', '=', projectId)
    .where('survey_id', '=', surveyId)
    .orderBy('tag')
    .execute()
  const bySubmission = Map.groupBy(rows, ({ submission }) => submission)
  return new Map([...bySubmission].map(([submission, tagged]) => [submission, tagged.map(({ tag }) => tag)]))
}

/** Replaces the tags of a submission. */
export async function saveTags(
  store: StoreOrTransaction,
  { projectId, surveyId, submission }: SubmissionAddress,
  tags: readonly string[],
): Promise<void> {
  await open(store)
    .deleteFrom('survey_response_tags')
    .where('project_id', '=', projectId)
    .where('survey_id', '=', surveyId)
    .where('submission', '=', submission)
    .execute()
  if (tags.length === 0) return
  const values = tags.map((tag) => ({ project_id: projectId, survey_id: surveyId, submission, tag }))
  await open(store).insertInto('survey_response_tags').values(values).execute()
}
