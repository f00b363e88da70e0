import type { Selectable } from 'kysely'
import type { Store } from '#store/store'
import { type Comment, type CommentState, commentStates } from './comment'

interface CommentTables {
  post_comments: {
    id: string
    project_id: number
    post_id: string
    name: string
    text: string
    state: string
    written_at: string
    decided_by: string | null
  }
}

type CommentTableSource = Pick<Store, 'tables'>
const open = (source: CommentTableSource) => source.tables<CommentTables>()

/** Returns the shown comments of a post, the oldest first. */
export async function shownComments(
  source: CommentTableSource,
  projectId: number,
  postId: string,
): Promise<Comment[]> {
  const rows = await open(source)
    .selectFrom('post_comments')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('state', '=', 'shown')
    .where('post_id', '=', postId)
    .orderBy('written_at')
    .orderBy('id')
    .execute()
  return rows.map(commentIn)
}

/** Returns comments, the latest first. */
export async function commentsIn(
  source: CommentTableSource,
  projectId: number,
  state: CommentState,
  { from, count }: { from: number; count: number },
): Promise<Comment[]> {
  const rows = await open(source)
    .selectFrom('post_comments')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('state', '=', state)
    .orderBy('written_at', 'desc')
    .orderBy('id')
    .offset(from)
    .limit(count)
    .execute()
  return rows.map(commentIn)
}

export async function countComments(
  source: CommentTableSource,
  projectId: number,
): Promise<Readonly<Record<CommentState, number>>> {
  const rows = await open(source)
    .selectFrom('post_comments')
    .select(['state', (of) => of.fn.countAll().as('count')])
    .where('project_id', '=', projectId)
    .groupBy('state')
    .execute()
  const counted = new Map(rows.map(({ state, count }) => [state, Number(count)]))
  return {
    waiting: counted.get('waiting') ?? 0,
    shown: counted.get('shown') ?? 0,
    hidden: counted.get('hidden') ?? 0,
  }
}

export async function findComment(
  source: CommentTableSource,
  projectId: number,
  id: string,
): Promise<Comment | undefined> {
  const row = await open(source)
    .selectFrom('post_comments')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && commentIn(row)
}

export async function saveComment(source: CommentTableSource, comment: Comment): Promise<void> {
  const { id, projectId, postId, name, text, state, writtenAt, decidedBy } = comment
  await open(source)
    .insertInto('post_comments')
    .values({
      id,
      project_id: projectId,
      post_id: postId,
      name,
      text,
      state,
      written_at: writtenAt.toISOString(),
      decided_by: decidedBy ?? null,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ state, decided_by: decidedBy ?? null }))
    .execute()
}

export async function removeComment(
  source: CommentTableSource,
  projectId: number,
  id: string,
): Promise<void> {
  await open(source)
    .deleteFrom('post_comments')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute()
}

const commentIn = (row: Selectable<CommentTables['post_comments']>): Comment => ({
  id: row.id,
  projectId: row.project_id,
  postId: row.post_id,
  name: row.name,
  text: row.text,
  // an unknown state of a newer Tilth counts as hidden
  state: commentStates.find((state) => state === row.state) ?? 'hidden',
  writtenAt: new Date(row.written_at),
  decidedBy: row.decided_by ?? undefined,
})
