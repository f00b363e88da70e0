import { inBatches } from '#store/rows'
import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { SurveyLink } from '../survey-link'

const open = openTables<{ surveyLinks: RowsOf<SurveyLink & { tokenHash: string }> }>()
const columns = [
  'id',
  'projectId',
  'surveyId',
  'distinctId',
  'email',
  'label',
  'createdBy',
  'createdAt',
  'expiresAt',
  'revokedAt',
  'submissionId',
  'begunAt',
  'answeredAt',
] as const

const links = (store: TableSource) => open(store).selectFrom('surveyLinks').select(columns)

interface NewLinkRow {
  link: SurveyLink
  tokenHash: string
}

export async function addLinks(store: TableSource, added: readonly NewLinkRow[]): Promise<void> {
  for (const portion of inBatches(added))
    await open(store)
      .insertInto('surveyLinks')
      .values(portion.map(({ link, tokenHash }) => ({ ...rowOf(columns, link), tokenHash })))
      .execute()
}

/** The latest first. */
export const linksOf = async (
  store: TableSource,
  projectId: number,
  surveyId: string,
): Promise<SurveyLink[]> =>
  await links(store)
    .where('projectId', '=', projectId)
    .where('surveyId', '=', surveyId)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()

export async function countLinks(store: TableSource, projectId: number, surveyId: string): Promise<number> {
  const { count } = await open(store)
    .selectFrom('surveyLinks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('projectId', '=', projectId)
    .where('surveyId', '=', surveyId)
    .executeTakeFirstOrThrow()
  return count
}

export const linkWithToken = async (store: TableSource, tokenHash: string): Promise<SurveyLink | undefined> =>
  await links(store).where('tokenHash', '=', tokenHash).executeTakeFirst()

/** Returns whether there was such a link, not answered and not revoked. */
export async function revokeLink(
  store: TableSource,
  { projectId, surveyId, id }: Pick<SurveyLink, 'projectId' | 'surveyId' | 'id'>,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await open(store)
    .updateTable('surveyLinks')
    .set({ revokedAt: now })
    .where('projectId', '=', projectId)
    .where('surveyId', '=', surveyId)
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .where('answeredAt', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Binds a link to a submission in one statement: of two that use it at once, one succeeds. A link that is bound takes the
 * rest of its submission until that is complete.
 */
export async function claimLink(
  store: TableSource,
  { id, submission, isComplete }: { id: string; submission: string; isComplete: boolean },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await open(store)
    .updateTable('surveyLinks')
    .set((row) => ({
      submissionId: submission,
      begunAt: row.fn.coalesce(row.ref('begunAt'), row.val(now)),
      answeredAt: isComplete ? now : null,
    }))
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .where('answeredAt', 'is', null)
    .where((row) => row.or([row('submissionId', 'is', null), row('submissionId', '=', submission)]))
    .where((row) => row.or([row('expiresAt', 'is', null), row('expiresAt', '>', now)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Opens a link again whose answers could not be recorded; the same submission may be sent once more. */
export async function reopenLink(
  store: TableSource,
  { id, submission }: { id: string; submission: string },
): Promise<void> {
  await open(store)
    .updateTable('surveyLinks')
    .set({ answeredAt: null })
    .where('id', '=', id)
    .where('submissionId', '=', submission)
    .execute()
}
