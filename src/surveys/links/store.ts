import type { Selectable } from 'kysely'
import { dateOrUndefined, inBatches, isoOrNull } from '#store/rows'
import type { Store } from '#store/store'
import type { SurveyLink } from './survey-link'

interface LinkTables {
  survey_links: {
    id: string
    token_hash: string
    project_id: number
    survey_id: string
    distinct_id: string | null
    email: string | null
    label: string
    created_by: string
    created_at: string
    expires_at: string | null
    revoked_at: string | null
    submission_id: string | null
    begun_at: string | null
    answered_at: string | null
  }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<LinkTables>()

const toLink = (row: Selectable<LinkTables['survey_links']>): SurveyLink => ({
  id: row.id,
  projectId: row.project_id,
  surveyId: row.survey_id,
  distinctId: row.distinct_id ?? undefined,
  email: row.email ?? undefined,
  label: row.label,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
  expiresAt: dateOrUndefined(row.expires_at),
  revokedAt: dateOrUndefined(row.revoked_at),
  submissionId: row.submission_id ?? undefined,
  begunAt: dateOrUndefined(row.begun_at),
  answeredAt: dateOrUndefined(row.answered_at),
})

interface NewLinkRow {
  link: SurveyLink
  tokenHash: string
}

export async function addLinks(store: StoreOrTransaction, links: readonly NewLinkRow[]): Promise<void> {
  for (const portion of inBatches(links))
    await open(store)
      .insertInto('survey_links')
      .values(
        portion.map(({ link, tokenHash }) => ({
          id: link.id,
          token_hash: tokenHash,
          project_id: link.projectId,
          survey_id: link.surveyId,
          distinct_id: link.distinctId ?? null,
          email: link.email ?? null,
          label: link.label,
          created_by: link.createdBy,
          created_at: link.createdAt.toISOString(),
          expires_at: isoOrNull(link.expiresAt),
          revoked_at: null,
          submission_id: null,
          begun_at: null,
          answered_at: null,
        })),
      )
      .execute()
}

/** The latest first. */
export async function linksOf(
  store: StoreOrTransaction,
  projectId: number,
  surveyId: string,
): Promise<SurveyLink[]> {
  const rows = await open(store)
    .selectFrom('survey_links')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('survey_id', '=', surveyId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toLink)
}

export async function countLinks(
  store: StoreOrTransaction,
  projectId: number,
  surveyId: string,
): Promise<number> {
  const { links } = await open(store)
    .selectFrom('survey_links')
    .select(({ fn }) => fn.countAll<number | string>().as('links'))
    .where('project_id', '=', projectId)
    .where('survey_id', '=', surveyId)
    .executeTakeFirstOrThrow()
  return Number(links)
}

export async function linkWithToken(
  store: StoreOrTransaction,
  tokenHash: string,
): Promise<SurveyLink | undefined> {
  const row = await open(store)
    .selectFrom('survey_links')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row && toLink(row)
}

/** Returns whether there was such a link, not answered and not revoked. */
export async function revokeLink(
  store: StoreOrTransaction,
  { projectId, surveyId, id }: Pick<SurveyLink, 'projectId' | 'surveyId' | 'id'>,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await open(store)
    .updateTable('survey_links')
    .set({ revoked_at: now.toISOString() })
    .where('project_id', '=', projectId)
    .where('survey_id', '=', surveyId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('answered_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Binds a link to a submission in one statement: of two that use it at once, one succeeds. A link that is bound takes the
 * rest of its submission until that is complete.
 */
export async function claimLink(
  store: StoreOrTransaction,
  { id, submission, isComplete }: { id: string; submission: string; isComplete: boolean },
  now: Date,
): Promise<boolean> {
  const at = now.toISOString()
  const { numUpdatedRows } = await open(store)
    .updateTable('survey_links')
    .set((row) => ({
      submission_id: submission,
      begun_at: row.fn.coalesce(row.ref('begun_at'), row.val(at)),
      answered_at: isComplete ? at : null,
    }))
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('answered_at', 'is', null)
    .where((row) => row.or([row('submission_id', 'is', null), row('submission_id', '=', submission)]))
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', at)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Opens a link again whose answers could not be recorded; the same submission may be sent once more. */
export async function reopenLink(
  store: StoreOrTransaction,
  { id, submission }: { id: string; submission: string },
): Promise<void> {
  await open(store)
    .updateTable('survey_links')
    .set({ answered_at: null })
    .where('id', '=', id)
    .where('submission_id', '=', submission)
    .execute()
}
