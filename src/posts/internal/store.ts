import type { ColumnType, Selectable } from 'kysely'
import type { z } from 'zod'
import { partOf } from '#collection/change-of'
import { inBatches } from '#store/rows'
import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import { maxVersions, type PostVersion } from '../history'
import type { Post, Trial, TrialState, UnpublishedChanges } from '../post'
import { emptyContent, postSchema } from '../post-schema'
import { withUnpublished } from '../unpublished'

/** The columns of a post that its versions have, too. */
const versionColumns = ['slug', 'version', 'publishedAt', 'archivedAt'] as const

interface PostTables {
  /** The version is the one that readers see. */
  posts: RowsOf<Pick<Post, (typeof versionColumns)[number] | PostField>> & {
    id: number
    definition: DefinitionColumn
    /** Changes that readers do not see yet. */
    unpublished: ColumnType<StoredChanges | undefined, UnpublishedChanges | null, UnpublishedChanges | null>
    createdBy: string
  }
  postVersions: RowsOf<
    Pick<Post, (typeof versionColumns)[number] | 'changedAt'> & {
      postId: number
      changedBy: string
      note: string | undefined
      isUnpublished: boolean
    }
  > & { definition: DefinitionColumn }
}
type PostField = 'projectId' | 'kind' | 'createdAt' | 'changedAt'

const open = openTables<PostTables>({ json: ['definition', 'unpublished'] })

/** The fields of a post without a column of their own. */
const postDefinition = postSchema.omit({
  id: true,
  projectId: true,
  kind: true,
  source: true,
  slug: true,
  version: true,
  publishedAt: true,
  createdAt: true,
  changedAt: true,
  archivedAt: true,
  picturesBeside: true,
  unpublished: true,
})
type PostDefinition = Pick<Post, keyof z.infer<typeof postDefinition>>

/** The JSON representation. */
type StoredTrialState = Omit<TrialState, 'at'> & { at?: string }
type StoredTrial = Omit<Trial, 'startedAt' | 'state'> & { startedAt: string; state: StoredTrialState }
type StoredDefinition = Omit<PostDefinition, 'trial'> & { trial?: StoredTrial }
type StoredChanges = Omit<UnpublishedChanges, 'at'> & { at: string }
type DefinitionColumn = ColumnType<StoredDefinition, PostDefinition, PostDefinition>

/** Completes a stored definition: a field that did not exist then has its default. */
const definitionIn = ({ trial, ...stored }: StoredDefinition): PostDefinition => ({
  ...emptyContent,
  ...stored,
  trial: trial && trialIn(trial),
})

const trialIn = ({ startedAt, state, ...trial }: StoredTrial): Trial => ({
  ...trial,
  startedAt: new Date(startedAt),
  // the same state, with its instant parsed
  state: (state.at === undefined ? state : { ...state, at: new Date(state.at) }) as TrialState,
})

type PostRow = Selectable<PostTables['posts']>

/** Unpublished changes may be newer than what readers see, or older. */
function toPost(row: PostRow): Post {
  const post = toPublicPost(row)
  if (!row.unpublished) return post
  const unpublished = { ...row.unpublished, at: new Date(row.unpublished.at) }
  return { ...post, version: Math.max(post.version, unpublished.version), unpublished }
}

/** Returns the post as readers see it: its version stays the same while changes are saved that are not published. */
const toPublicPost = ({
  definition,
  unpublished: _unpublished,
  createdBy: _createdBy,
  ...row
}: PostRow): Post => ({
  ...definitionIn(definition),
  ...row,
  id: String(row.id),
  kind: row.kind === 'page' ? 'page' : 'post',
  source: 'studio',
})

/** The parts of a stored post that tell public changes: the content of a version never changes. */
interface PostStamp {
  id: number
  version: number
}

/** Returns the stamps of all projects. */
export async function allStamps(source: TableSource): Promise<PostStamp[]> {
  return await open(source).selectFrom('posts').select(['id', 'version']).execute()
}

/** Returns posts without their unpublished changes. */
export async function findPublicPosts(source: TableSource, ids: readonly number[]): Promise<Post[]> {
  const found: Post[] = []
  for (const portion of inBatches(ids)) {
    const rows = await open(source).selectFrom('posts').selectAll().where('id', 'in', portion).execute()
    found.push(...rows.map(toPublicPost))
  }
  return found
}

/** Returns posts, the last changed first. */
export async function postsOf(source: TableSource, projectId: number): Promise<Post[]> {
  const rows = await open(source)
    .selectFrom('posts')
    .selectAll()
    .where('projectId', '=', projectId)
    .orderBy('changedAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toPost)
}

export async function countPosts(source: TableSource, projectId: number): Promise<number> {
  const row = await open(source)
    .selectFrom('posts')
    .select(({ fn }) => fn.countAll<number>().as('posts'))
    .where('projectId', '=', projectId)
    .executeTakeFirst()
  return row?.posts ?? 0
}

export async function findPost(
  source: TableSource,
  projectId: number,
  id: number,
): Promise<Post | undefined> {
  const row = await open(source)
    .selectFrom('posts')
    .selectAll()
    .where('projectId', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toPost(row)
}

export async function postAt(
  source: TableSource,
  { projectId, kind, slug }: Pick<Post, 'projectId' | 'kind' | 'slug'>,
): Promise<Post | undefined> {
  const row = await open(source)
    .selectFrom('posts')
    .selectAll()
    .where('projectId', '=', projectId)
    .where('kind', '=', kind)
    .where('slug', '=', slug)
    .executeTakeFirst()
  return row && toPost(row)
}

export async function slugsOf(
  source: TableSource,
  projectId: number,
  kind: Post['kind'],
): Promise<ReadonlySet<string>> {
  const rows = await open(source)
    .selectFrom('posts')
    .select('slug')
    .where('projectId', '=', projectId)
    .where('kind', '=', kind)
    .execute()
  return new Set(rows.map(({ slug }) => slug))
}

/** Post numbers are unique across projects and never reused, because nothing is deleted. */
export async function nextPostId(source: TableSource): Promise<number> {
  const top = await open(source)
    .selectFrom('posts')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  return (top?.id ?? 0) + 1
}

/** A new version of a post, and its entry in the history. */
interface PostRevision {
  post: Post
  by: string
  at: Date
  note: string | undefined
  /** The version that this one takes the place of in the history. */
  replaces?: number | undefined
}

export async function savePost(source: TableSource, revision: PostRevision): Promise<void> {
  await writePost(source, revision.post, revision.by)
  await addVersion(source, revision, { isUnpublished: false })
}

/** Saves unpublished changes; everything that readers see stays, its version included. */
export async function saveUnpublished(source: TableSource, revision: PostRevision): Promise<void> {
  const { post } = revision
  await open(source)
    .updateTable('posts')
    .set({ unpublished: post.unpublished ?? null })
    .where('id', '=', Number(post.id))
    .execute()
  await addVersion(source, { ...revision, post: withUnpublished(post) }, { isUnpublished: true })
}

async function addVersion(
  source: TableSource,
  { post, by, at, note, replaces }: PostRevision,
  { isUnpublished }: { isUnpublished: boolean },
): Promise<void> {
  if (replaces !== undefined) await removeVersion(source, post, replaces)
  await open(source)
    .insertInto('postVersions')
    .values({
      ...contentColumns(post),
      postId: Number(post.id),
      changedBy: by,
      changedAt: at,
      note: note ?? null,
      isUnpublished,
    })
    .execute()
  await removeOldVersions(source, post)
}

const contentColumns = (post: Post) => ({
  ...rowOf(versionColumns, post),
  definition: partOf(postDefinition, post),
})

async function writePost(source: TableSource, post: Post, by: string): Promise<void> {
  const changed = {
    ...contentColumns(post),
    unpublished: post.unpublished ?? null,
    changedAt: post.changedAt,
  }
  await open(source)
    .insertInto('posts')
    .values({
      ...changed,
      ...rowOf(['projectId', 'kind', 'createdAt'], post),
      id: Number(post.id),
      createdBy: by,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changed))
    .execute()
}

async function removeVersion(source: TableSource, { id }: Post, version: number): Promise<void> {
  await open(source)
    .deleteFrom('postVersions')
    .where('postId', '=', Number(id))
    .where('version', '=', version)
    .execute()
}

async function removeOldVersions(source: TableSource, { id, version }: Post): Promise<void> {
  if (version <= maxVersions) return
  const oldest = open(source)
    .selectFrom('postVersions')
    .select('version')
    .where('postId', '=', Number(id))
    .orderBy('version', 'desc')
    .offset(maxVersions - 1)
    .limit(1)
  await open(source)
    .deleteFrom('postVersions')
    .where('postId', '=', Number(id))
    .where('version', '<', oldest)
    .execute()
}

/** Returns the author, time and note of the latest version. */
export async function latestVersion(
  source: TableSource,
  { id, version }: Post,
): Promise<Pick<PostVersion, 'version' | 'by' | 'at' | 'note'> | undefined> {
  const row = await open(source)
    .selectFrom('postVersions')
    .select(['version', 'changedBy', 'changedAt', 'note'])
    .where('postId', '=', Number(id))
    .where('version', '=', version)
    .executeTakeFirst()
  return row && { version, by: row.changedBy, at: row.changedAt, note: row.note }
}

/** Returns versions, the newest first. */
export async function versionsOf(source: TableSource, post: Post): Promise<PostVersion[]> {
  const rows = await open(source)
    .selectFrom('postVersions')
    .selectAll()
    .where('postId', '=', Number(post.id))
    .orderBy('version', 'desc')
    .execute()
  return rows.map((row) => ({
    version: row.version,
    post: {
      ...post,
      ...definitionIn(row.definition),
      slug: row.slug,
      version: row.version,
      publishedAt: row.publishedAt,
      archivedAt: row.archivedAt,
      changedAt: row.changedAt,
      unpublished: undefined,
    },
    by: row.changedBy,
    at: row.changedAt,
    note: row.note,
    isUnpublished: row.isUnpublished,
  }))
}
