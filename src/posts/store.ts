import type { Selectable } from 'kysely'
import { inPortions, maybeDate, maybeText } from '../store/rows'
import type { Store } from '../store/store'
import { mostVersions, type PostVersion } from './history'
import type { Author, Post, Trial, TrialState } from './post'
import type { KeptRedirect } from './redirects'

interface Tables {
  posts: {
    id: number
    project_id: number
    kind: string
    slug: string
    definition: string
    version: number
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

export type Source = Pick<Store, 'tables'>

const open = (source: Source) => source.tables<Tables>()

// ── posts ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** All of a post that has no column of its own. */
type Definition = Omit<
  Post,
  | 'id'
  | 'projectId'
  | 'kind'
  | 'source'
  | 'slug'
  | 'version'
  | 'publishedAt'
  | 'createdAt'
  | 'changedAt'
  | 'archivedAt'
>

/** As JSON keeps it. */
type KeptState = Omit<TrialState, 'at'> & { at?: string }
type KeptTrial = Omit<Trial, 'startedAt' | 'state'> & { startedAt: string; state: KeptState }
type KeptDefinition = Omit<Definition, 'trial' | 'cover' | 'series'> &
  Partial<Pick<Definition, 'cover' | 'series'>> & { trial?: KeptTrial }

function definitionIn(text: string): Definition {
  const { trial, cover, series, ...kept } = JSON.parse(text) as KeptDefinition // written by definitionText alone
  return { ...kept, cover, series, trial: trial && trialIn(trial) }
}

const trialIn = ({ startedAt, state, ...trial }: KeptTrial): Trial => ({
  ...trial,
  startedAt: new Date(startedAt),
  // the same state, with its instant read
  state: (state.at === undefined ? state : { ...state, at: new Date(state.at) }) as TrialState,
})

function definitionText({
  id: _id,
  projectId: _projectId,
  kind: _kind,
  source: _source,
  slug: _slug,
  version: _version,
  publishedAt: _publishedAt,
  createdAt: _createdAt,
  changedAt: _changedAt,
  archivedAt: _archivedAt,
  ...definition
}: Post): string {
  return JSON.stringify(definition satisfies Definition)
}

const toPost = (row: Selectable<Tables['posts']>): Post => ({
  ...definitionIn(row.definition),
  id: String(row.id),
  projectId: row.project_id,
  kind: row.kind === 'page' ? 'page' : 'post',
  source: 'studio',
  slug: row.slug,
  version: row.version,
  publishedAt: maybeDate(row.published_at),
  createdAt: new Date(row.created_at),
  changedAt: new Date(row.changed_at),
  archivedAt: maybeDate(row.archived_at),
})

/** Of what is kept, enough to tell what became of it: a version is never two things. */
export interface Stamp {
  id: number
  version: number
}

/** Of every project. */
export async function everyStamp(source: Source): Promise<Stamp[]> {
  return await open(source).selectFrom('posts').select(['id', 'version']).execute()
}

export async function postsNumbered(source: Source, ids: readonly number[]): Promise<Post[]> {
  const found: Post[] = []
  for (const portion of inPortions(ids)) {
    const rows = await open(source).selectFrom('posts').selectAll().where('id', 'in', portion).execute()
    found.push(...rows.map(toPost))
  }
  return found
}

/** What was changed last comes first. */
export async function postsOf(source: Source, projectId: number): Promise<Post[]> {
  const rows = await open(source)
    .selectFrom('posts')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toPost)
}

export async function countPosts(source: Source, projectId: number): Promise<number> {
  const row = await open(source)
    .selectFrom('posts')
    .select(({ fn }) => fn.countAll<number | string>().as('posts'))
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return Number(row?.posts ?? 0)
}

export async function postNumbered(source: Source, projectId: number, id: number): Promise<Post | undefined> {
  const row = await open(source)
    .selectFrom('posts')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toPost(row)
}

export async function postAt(
  source: Source,
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
  source: Source,
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

/** Numbers count through all projects, and none is used twice: nothing is deleted. */
export async function nextPostId(source: Source): Promise<number> {
  const top = await open(source)
    .selectFrom('posts')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  return (top?.id ?? 0) + 1
}

/** How a post is from now on, and the line of its history that says who made it so. */
export interface Change {
  post: Post
  by: string
  at: Date
  note: string | undefined
}

export async function savePost(source: Source, { post, by, at, note }: Change): Promise<void> {
  const said = {
    slug: post.slug,
    definition: definitionText(post),
    version: post.version,
    published_at: maybeText(post.publishedAt),
    archived_at: maybeText(post.archivedAt),
  }
  await keepPost(source, post, said, by)
  const line = { post_id: Number(post.id), changed_by: by, changed_at: at.toISOString(), note: note ?? null }
  await open(source)
    .insertInto('post_versions')
    .values({ ...said, ...line })
    .execute()
  await forgetVersions(source, post)
}

async function keepPost(
  source: Source,
  post: Post,
  said: Pick<Tables['posts'], 'slug' | 'definition' | 'version' | 'published_at' | 'archived_at'>,
  by: string,
): Promise<void> {
  const changed = { ...said, changed_at: post.changedAt.toISOString() }
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

async function forgetVersions(source: Source, { id, version }: Post): Promise<void> {
  if (version <= mostVersions) return
  await open(source)
    .deleteFrom('post_versions')
    .where('post_id', '=', Number(id))
    .where('version', '<=', version - mostVersions)
    .execute()
}

/** The newest first. */
export async function versionsOf(source: Source, post: Post): Promise<PostVersion[]> {
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
      publishedAt: maybeDate(row.published_at),
      archivedAt: maybeDate(row.archived_at),
      changedAt: new Date(row.changed_at),
    },
    by: row.changed_by,
    at: new Date(row.changed_at),
    note: row.note ?? undefined,
  }))
}

// ── authors ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** By name, and by project. */
export async function everyAuthor(source: Source): Promise<Map<number, Author[]>> {
  const rows = await open(source).selectFrom('post_authors').selectAll().execute()
  const byProject = Map.groupBy(rows, ({ project_id }) => project_id)
  return new Map(Array.from(byProject, ([projectId, own]) => [projectId, byName(own.map(toAuthor))]))
}

export async function authorsOf(source: Source, projectId: number): Promise<Author[]> {
  const rows = await open(source)
    .selectFrom('post_authors')
    .selectAll()
    .where('project_id', '=', projectId)
    .execute()
  return byName(rows.map(toAuthor))
}

const toAuthor = ({ slug, definition }: Selectable<Tables['post_authors']>): Author => ({
  ...authorIn(definition),
  slug,
})

function authorIn(definition: string): Omit<Author, 'slug'> {
  const { picture, ...said } = JSON.parse(definition) as Omit<Author, 'slug'> // written by saveAuthor alone
  return { ...said, picture }
}

const byName = (authors: readonly Author[]): Author[] =>
  authors.toSorted((one, other) => one.name.localeCompare(other.name, 'en'))

export async function saveAuthor(
  source: Source,
  projectId: number,
  { slug, ...said }: Author,
  at: Date,
): Promise<void> {
  const definition = JSON.stringify(said)
  await open(source)
    .insertInto('post_authors')
    .values({ project_id: projectId, slug, definition, created_at: at.toISOString() })
    .onConflict((conflict) => conflict.columns(['project_id', 'slug']).doUpdateSet({ definition }))
    .execute()
}

export async function forgetAuthor(source: Source, projectId: number, slug: string): Promise<void> {
  await open(source)
    .deleteFrom('post_authors')
    .where('project_id', '=', projectId)
    .where('slug', '=', slug)
    .execute()
}

// ── redirects ───────────────────────────────────────────────────────────────────────────────────────────────────────

const toRedirect = (row: Selectable<Tables['post_redirects']>): KeptRedirect => ({
  from: row.from_path,
  leadsTo: row.post_id === null ? { address: row.to_address ?? '' } : { post: String(row.post_id) },
})

export async function everyRedirect(source: Source): Promise<Map<number, KeptRedirect[]>> {
  const rows = await open(source).selectFrom('post_redirects').selectAll().orderBy('from_path').execute()
  const byProject = Map.groupBy(rows, ({ project_id }) => project_id)
  return new Map(Array.from(byProject, ([projectId, own]) => [projectId, own.map(toRedirect)]))
}

export async function redirectsOf(source: Source, projectId: number): Promise<KeptRedirect[]> {
  const rows = await open(source)
    .selectFrom('post_redirects')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('from_path')
    .execute()
  return rows.map(toRedirect)
}

/** One from an address that had one leads to where this one does. */
export async function saveRedirect(
  source: Source,
  projectId: number,
  { from, leadsTo }: KeptRedirect,
  at: Date,
): Promise<void> {
  const said = {
    to_address: 'address' in leadsTo ? leadsTo.address : null,
    post_id: 'post' in leadsTo ? Number(leadsTo.post) : null,
  }
  await open(source)
    .insertInto('post_redirects')
    .values({ project_id: projectId, from_path: from, created_at: at.toISOString(), ...said })
    .onConflict((conflict) => conflict.columns(['project_id', 'from_path']).doUpdateSet(said))
    .execute()
}

export async function forgetRedirect(source: Source, projectId: number, from: string): Promise<void> {
  await open(source)
    .deleteFrom('post_redirects')
    .where('project_id', '=', projectId)
    .where('from_path', '=', from)
    .execute()
}

// ── sites ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** By project, as they were written: what they mean is for `Sites` to say. */
export async function everySite(source: Source): Promise<Map<number, unknown>> {
  const rows = await open(source).selectFrom('sites').selectAll().execute()
  return new Map(rows.map((row) => [row.project_id, JSON.parse(row.settings)]))
}

export async function saveSite(source: Source, projectId: number, settings: object, at: Date): Promise<void> {
  const said = { settings: JSON.stringify(settings), changed_at: at.toISOString() }
  await open(source)
    .insertInto('sites')
    .values({ project_id: projectId, ...said })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(said))
    .execute()
}
