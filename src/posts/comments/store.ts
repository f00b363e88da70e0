import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import { type Comment, type CommentState, commentStates } from './comment'

const open = openTables<{ postComments: RowsOf<Comment> }>()
const columns = ['id', 'projectId', 'postId', 'name', 'text', 'state', 'writtenAt', 'decidedBy'] as const

/** Returns the shown comments of a post, the oldest first. */
export async function shownComments(
  source: TableSource,
  projectId: number,
  postId: string,
): Promise<Comment[]> {
  const rows = await open(source)
    .selectFrom('postComments')
    .selectAll()
    .where('projectId', '=', projectId)
    .where('state', '=', 'shown')
    .where('postId', '=', postId)
    .orderBy('writtenAt')
    .orderBy('id')
    .execute()
  return rows.map(commentIn)
}

/** Returns comments, the latest first. */
export async function commentsIn(
  source: TableSource,
  projectId: number,
  state: CommentState,
  { from, count }: { from: number; count: number },
): Promise<Comment[]> {
  const rows = await open(source)
    .selectFrom('postComments')
    .selectAll()
    .where('projectId', '=', projectId)
    .where('state', '=', state)
    .orderBy('writtenAt', 'desc')
    .orderBy('id')
    .offset(from)
    .limit(count)
    .execute()
  return rows.map(commentIn)
}

export async function countComments(
  source: TableSource,
  projectId: number,
): Promise<Readonly<Record<CommentState, number>>> {
  const rows = await open(source)
    .selectFrom('postComments')
    .select(['state', (of) => of.fn.countAll().as('count')])
    .where('projectId', '=', projectId)
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
  source: TableSource,
  projectId: number,
  id: string,
): Promise<Comment | undefined> {
  const row = await open(source)
    .selectFrom('postComments')
    .selectAll()
    .where('projectId', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && commentIn(row)
}

export async function saveComment(source: TableSource, comment: Comment): Promise<void> {
  await open(source)
    .insertInto('postComments')
    .values(rowOf(columns, comment))
    .onConflict((conflict) => conflict.column('id').doUpdateSet(rowOf(['state', 'decidedBy'], comment)))
    .execute()
}

export async function removeComment(source: TableSource, projectId: number, id: string): Promise<void> {
  await open(source)
    .deleteFrom('postComments')
    .where('projectId', '=', projectId)
    .where('id', '=', id)
    .execute()
}

/** An unknown state of a newer Tilth counts as hidden. */
const commentIn = (row: Comment): Comment => ({
  ...row,
  state: commentStates.find((state) => state === row.state) ?? 'hidden',
})
