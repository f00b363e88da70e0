import type { TableSource } from '#store/store'
import { openTables } from '#store/tables'

interface RemovalTables {
  surveyRemovals: SubmissionAddress & { removedBy: string; removedAt: Date }
  surveyResponseTags: SubmissionAddress & { tag: string }
}

const open = openTables<RemovalTables>()

/** A submission of a survey. */
interface SubmissionAddress {
  projectId: number
  surveyId: string
  submission: string
}

export async function removedSubmissionsOf(
  store: TableSource,
  projectId: number,
  surveyId: string,
): Promise<string[]> {
  const rows = await open(store)
    .selectFrom('surveyRemovals')
    .select('submission')
    .where('projectId', '=', projectId)
    .where('surveyId', '=', surveyId)
    .orderBy('submission')
    .execute()
  return rows.map(({ submission }) => submission)
}

/** Returns the removed submissions to all surveys of a project. */
export const removedSubmissionsIn = async (
  store: TableSource,
  projectId: number,
): Promise<Pick<SubmissionAddress, 'surveyId' | 'submission'>[]> =>
  await open(store)
    .selectFrom('surveyRemovals')
    .select(['surveyId', 'submission'])
    .where('projectId', '=', projectId)
    .orderBy('submission')
    .execute()

export async function saveRemoval(
  store: TableSource,
  { projectId, surveyId, submission }: SubmissionAddress,
  by: { name: string },
  at: Date,
): Promise<void> {
  await open(store)
    .insertInto('surveyRemovals')
    .values({ projectId, surveyId, submission, removedBy: by.name, removedAt: at })
    .execute()
}

export async function forgetRemoval(
  store: TableSource,
  { projectId, surveyId, submission }: SubmissionAddress,
): Promise<void> {
  await open(store)
    .deleteFrom('surveyRemovals')
    .where('projectId', '=', projectId)
    .where('surveyId', '=', surveyId)
    .where('submission', '=', submission)
    .execute()
}

/** The tags of a survey's submissions, each in alphabetical order. */
export async function tagsOf(
  store: TableSource,
  projectId: number,
  surveyId: string,
): Promise<Map<string, string[]>> {
  const rows = await open(store)
    .selectFrom('surveyResponseTags')
    .select(['submission', 'tag'])
    .where('projectId', '=', projectId)
    .where('surveyId', '=', surveyId)
    .orderBy('tag')
    .execute()
  const bySubmission = Map.groupBy(rows, ({ submission }) => submission)
  return new Map([...bySubmission].map(([submission, tagged]) => [submission, tagged.map(({ tag }) => tag)]))
}

/** Replaces the tags of a submission. */
export async function saveTags(
  store: TableSource,
  { projectId, surveyId, submission }: SubmissionAddress,
  tags: readonly string[],
): Promise<void> {
  await open(store)
    .deleteFrom('surveyResponseTags')
    .where('projectId', '=', projectId)
    .where('surveyId', '=', surveyId)
    .where('submission', '=', submission)
    .execute()
  if (tags.length === 0) return
  const values = tags.map((tag) => ({ projectId, surveyId, submission, tag }))
  await open(store).insertInto('surveyResponseTags').values(values).execute()
}
