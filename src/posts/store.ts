import type { Selectable } from 'kysely'
import type { z } from 'zod'
import { partOf } from '#collection/change-of'
import { inBatches, dateOrUndefined, isoOrNull } from '#store/rows'
import type { Store } from '#store/store'
import { maxVersions, type PostVersion } from './history'
import type { Author, Post, Trial, TrialState, UnpublishedChanges } from './post'
import { emptyContent, postSchema } from './post-schema'
import type { StoredRedirect } from './redirects'
import { withUnpublished } from './unpublished'

interface PostTables {
  posts: {
    id: number
    project_id: number
    kind: string
    slug: string
    definition: string
    /** The version that readers see. */
    version: number
    /** Changes that readers do not see yet, as JSON. */
    unpublished: string | null
    published_at: string | null
    archived_at: string | null
    created_by: string
    created_at: string
    changed_at: string
  }
  post_versions: {
    post_id: number
    version: number
    slug: string
    definition: string
    published_at: string | null
    archived_at: string | null
    changed_by: string
    changed_at: string
    note: string | null
    is_unpublished: number
  }
  post_authors: { project_id: number; slug: string; definition: string; created_at: string }
  post_redirects: {
    project_id: number
    from_path: string
    to_address: string | null
    post_id: number | null
    created_at: string
  }
  sites: { project_id: number; settings: string; changed_at: string }
}

type PostTableSource = Pick<Store, 'tables'>

const open = (source: PostTableSource) => source.tables<PostTables>()

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

function definitionIn(text: string): PostDefinition {
  const { trial, ...stored } = JSON.parse(text) as StoredDefinition // only `definitionText` writes it
  // what is stored from before a field existed has its default
  return { ...emptyContent, ...stored, trial: trial && trialIn(trial) }
}

const trialIn = ({ startedAt, state, ...trial }: StoredTrial): Trial => ({
  ...trial,
  startedAt: new Date(startedAt),
  // the same state, with its instant parsed
  state: (state.at === undefined ? state : { ...state, at: new Date(state.at) }) as TrialState,
})

const definitionText = (post: Post): string => JSON.stringify(partOf(postDefinition, post))

type PostRow = Selectable<PostTables['posts']>

/** Unpublished changes may be newer than what readers see, or older. */
function toPost(row: PostRow): Post {
  const post = toPublicPost(row)
  const unpublished = unpublishedIn(row.unpublished)
  return unpublished ? { ...post, version: Math.max(post.version, unpublished.version), unpublished } : post
}

function unpublishedIn(text: string | null): UnpublishedChanges | undefined {
  if (text === null) return undefined
  // only `unpublishedText` writes it
  const stored = JSON.parse(text) as Omit<UnpublishedChanges, 'at'> & { at: string }
  return { ...stored, at: new Date(stored.at) }
}

const unpublishedText = ({ unpublished }: Post): string | null =>
  unpublished ? JSON.stringify(unpublished) : null

/** What readers see: its version stays the same while changes are saved that are not published. */
const toPublicPost = (row: PostRow): Post => ({
  ...definitionIn(row.definition),
  id: String(row.id),
  projectId: row.project_id,
  kind: row.kind === 'page' ? 'page' : 'post',
  source: 'studio',
  slug: row.slug,
  version: row.version,
  publishedAt: dateOrUndefined(row.published_at),
  createdAt: new Date(row.created_at),
  changedAt: new Date(row.changed_at),
  archivedAt: dateOrUndefined(row.archived_at),
})

/** Enough of a stored post to detect public changes: the content of a version never changes. */
interface PostStamp {
  id: number
  version: number
}

/** Returns the stamps of all projects. */
export async function allStamps(source: PostTableSource): Promise<PostStamp[]> {
  return await open(source).selectFrom('posts').select(['id', 'version']).execute()
}

/** Returns posts without their unpublished changes. */
export async function findPublicPosts(source: PostTableSource, ids: readonly number[]): Promise<Post[]> {
  const found: Post[] = []
  for (const portion of inBatches(ids)) {
    const rows = await open(source).selectFrom('posts').selectAll().where('id', 'in', portion).execute()
    found.push(...rows.map(toPublicPost))
  }
  return found
}

/** Returns posts, the last changed first. */
export async function postsOf(source: PostTableSource, projectId: number): Promise<Post[]> {
  const rows = await open(source)
    .selectFrom('posts')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toPost)
}

export async function countPosts(source: PostTableSource, projectId: number): Promise<number> {
  const row = await open(source)
    .selectFrom('posts')
    .select(({ fn }) => fn.countAll<number | string>().as('posts'))
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return Number(row?.posts ?? 0)
}

export async function findPost(
  source: PostTableSource,
  projectId: number,
  id: number,
): Promise<Post | undefined> {
  const row = await open(source)
    .selectFrom('posts')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toPost(row)
}

export async function postAt(
  source: PostTableSource,
  { projectId, kind, slug }: Pick<Post, 'projectId' | 'kind' | 'slug'>,
): Promise<Post | undefined> {
  const row = await open(source)
    .selectFrom('posts')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('kind', '=', kind)
    .where('slug', '=', slug)
    .executeTakeFirst()
  return row && toPost(row)
}

export async function slugsOf(
  source: PostTableSource,
  projectId: number,
  kind: Post['kind'],
): Promise<ReadonlySet<string>> {
  const rows = await open(source)
    .selectFrom('posts')
    .select('slug')
    .where('project_id', '=', projectId)
    .where('kind', '=', kind)
    .execute()
  return new Set(rows.map(({ slug }) => slug))
}

/** Post numbers are unique across projects and never reused, because nothing is deleted. */
export async function nextPostId(source: PostTableSource): Promise<number> {
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

export async function savePost(source: PostTableSource, revision: PostRevision): Promise<void> {
  await writePost(source, revision.post, revision.by)
  await addVersion(source, revision, { isUnpublished: false })
}

/** Saves unpublished changes; everything that readers see stays, its version included. */
export async function saveUnpublished(source: PostTableSource, revision: PostRevision): Promise<void> {
  const { post } = revision
  await open(source)
    .updateTable('posts')
    .set({ unpublished: unpublishedText(post) })
    .where('id', '=', Number(post.id))
    .execute()
  await addVersion(source, { ...revision, post: withUnpublished(post) }, { isUnpublished: true })
}

async function addVersion(
  source: PostTableSource,
  { post, by, at, note, replaces }: PostRevision,
  { isUnpublished }: { isUnpublished: boolean },
): Promise<void> {
  if (replaces !== undefined) await removeVersion(source, post, replaces)
  const line = { post_id: Number(post.id), changed_by: by, changed_at: at.toISOString(), note: note ?? null }
  await open(source)
    .insertInto('post_versions')
    .values({ ...contentColumns(post), ...line, is_unpublished: Number(isUnpublished) })
    .execute()
  await removeOldVersions(source, post)
}

const contentColumns = (post: Post) => ({
  slug: post.slug,
  definition: definitionText(post),
  version: post.version,
  published_at: isoOrNull(post.publishedAt),
  archived_at: isoOrNull(post.archivedAt),
})

async function writePost(source: PostTableSource, post: Post, by: string): Promise<void> {
  const changed = {
    ...contentColumns(post),
    unpublished: unpublishedText(post),
    changed_at: post.changedAt.toISOString(),
  }
  await open(source)
    .insertInto('posts')
    .values({
      ...changed,
      id: Number(post.id),
      project_id: post.projectId,
      kind: post.kind,
      created_by: by,
      created_at: post.createdAt.toISOString(),
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changed))
    .execute()
}

async function removeVersion(source: PostTableSource, { id }: Post, version: number): Promise<void> {
  await open(source)
    .deleteFrom('post_versions')
    .where('post_id', '=', Number(id))
    .where('version', '=', version)
    .execute()
}

async function removeOldVersions(source: PostTableSource, { id, version }: Post): Promise<void> {
  if (version <= maxVersions) return
  const oldest = open(source)
    .selectFrom('post_versions')
    .select('version')
    .where('post_id', '=', Number(id))
    .orderBy('version', 'desc')
    .offset(maxVersions - 1)
    .limit(1)
  await open(source)
    .deleteFrom('post_versions')
    .where('post_id', '=', Number(id))
    .where('version', '<', oldest)
    .execute()
}

/** Who saved the latest version, when, and with which note. */
export async function latestVersion(
  source: PostTableSource,
  { id, version }: Post,
): Promise<Pick<PostVersion, 'version' | 'by' | 'at' | 'note'> | undefined> {
  const row = await open(source)
    .selectFrom('post_versions')
    .select(['version', 'changed_by', 'changed_at', 'note'])
    .where('post_id', '=', Number(id))
    .where('version', '=', version)
    .executeTakeFirst()
  return row && { version, by: row.changed_by, at: new Date(row.changed_at), note: row.note ?? undefined }
}

/** Returns versions, the newest first. */
export async function versionsOf(source: PostTableSource, post: Post): Promise<PostVersion[]> {
  const rows = await open(source)
    .selectFrom('post_versions')
    .selectAll()
    .where('post_id', '=', Number(post.id))
    .orderBy('version', 'desc')
    .execute()
  return rows.map((row) => ({
    version: row.version,
    post: {
      ...post,
      ...definitionIn(row.definition),
      slug: row.slug,
      version: row.version,
      publishedAt: dateOrUndefined(row.published_at),
      archivedAt: dateOrUndefined(row.archived_at),
      changedAt: new Date(row.changed_at),
      unpublished: undefined,
    },
    by: row.changed_by,
    at: new Date(row.changed_at),
    note: row.note ?? undefined,
    isUnpublished: row.is_unpublished === 1,
  }))
}

/** Returns authors by project, sorted by name. */
export async function allAuthors(source: PostTableSource): Promise<Map<number, Author[]>> {
  const rows = await open(source).selectFrom('post_authors').selectAll().execute()
  const byProject = Map.groupBy(rows, ({ project_id }) => project_id)
  return new Map(Array.from(byProject, ([projectId, own]) => [projectId, byName(own.map(toAuthor))]))
}

export async function authorsOf(source: PostTableSource, projectId: number): Promise<Author[]> {
  const rows = await open(source)
    .selectFrom('post_authors')
    .selectAll()
    .where('project_id', '=', projectId)
    .execute()
  return byName(rows.map(toAuthor))
}

const toAuthor = ({ slug, definition }: Selectable<PostTables['post_authors']>): Author => ({
  ...authorIn(definition),
  slug,
})

function authorIn(definition: string): Omit<Author, 'slug'> {
  const { picture, ...fields } = JSON.parse(definition) as Omit<Author, 'slug'> // only `saveAuthor` writes it
  return { ...fields, picture }
}

const byName = (authors: readonly Author[]): Author[] =>
  authors.toSorted((one, other) => one.name.localeCompare(other.name, 'en'))

export async function saveAuthor(
  source: PostTableSource,
  projectId: number,
  { slug, ...fields }: Author,
  at: Date,
): Promise<void> {
  const definition = JSON.stringify(fields)
  await open(source)
    .insertInto('post_authors')
    .values({ project_id: projectId, slug, definition, created_at: at.toISOString() })
    .onConflict((conflict) => conflict.columns(['project_id', 'slug']).doUpdateSet({ definition }))
    .execute()
}

export async function removeAuthor(source: PostTableSource, projectId: number, slug: string): Promise<void> {
  await open(source)
    .deleteFrom('post_authors')
    .where('project_id', '=', projectId)
    .where('slug', '=', slug)
    .execute()
}

const toRedirect = (row: Selectable<PostTables['post_redirects']>): StoredRedirect => ({
  from: row.from_path,
  leadsTo: row.post_id === null ? { address: row.to_address ?? '' } : { post: String(row.post_id) },
})

export async function allRedirects(source: PostTableSource): Promise<Map<number, StoredRedirect[]>> {
  const rows = await open(source).selectFrom('post_redirects').selectAll().orderBy('from_path').execute()
  const byProject = Map.groupBy(rows, ({ project_id }) => project_id)
  return new Map(Array.from(byProject, ([projectId, own]) => [projectId, own.map(toRedirect)]))
}

export async function redirectsOf(source: PostTableSource, projectId: number): Promise<StoredRedirect[]> {
  const rows = await open(source)
    .selectFrom('post_redirects')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('from_path')
    .execute()
  return rows.map(toRedirect)
}

/** Saves a redirect. Redirects to its old address get the new destination. */
export async function saveRedirect(
  source: PostTableSource,
  projectId: number,
  { from, leadsTo }: StoredRedirect,
  at: Date,
): Promise<void> {
  const destination = {
    to_address: 'address' in leadsTo ? leadsTo.address : null,
    post_id: 'post' in leadsTo ? Number(leadsTo.post) : null,
  }
  await open(source)
    .insertInto('post_redirects')
    .values({ project_id: projectId, from_path: from, created_at: at.toISOString(), ...destination })
    .onConflict((conflict) => conflict.columns(['project_id', 'from_path']).doUpdateSet(destination))
    .execute()
}

export async function removeRedirect(
  source: PostTableSource,
  projectId: number,
  from: string,
): Promise<void> {
  await open(source)
    .deleteFrom('post_redirects')
    .where('project_id', '=', projectId)
    .where('from_path', '=', from)
    .execute()
}

/** Returns settings by project, unparsed: `Sites` parses them. */
export async function allSites(source: PostTableSource): Promise<Map<number, unknown>> {
  const rows = await open(source).selectFrom('sites').selectAll().execute()
  return new Map(rows.map((row) => [row.project_id, JSON.parse(row.settings)]))
}

export async function saveSite(
  source: PostTableSource,
  projectId: number,
  settings: object,
  at: Date,
): Promise<void> {
  const columns = { settings: JSON.stringify(settings), changed_at: at.toISOString() }
  await open(source)
    .insertInto('sites')
    .values({ project_id: projectId, ...columns })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(columns))
    .execute()
}
