import { z } from 'zod'
import type { Seal } from '#flags/seal'
import { earlierVersion, refuseOutdated } from '#collection/versions'
import { AccessRefusedError, requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { parseInput, failedOutcome } from '#projects/problems'
import type { Projects } from '#projects/projects'
import { freeSlug } from '#projects/slug'
import type { StoreTransaction } from '#store/store'
import { slugProblem } from './addresses'
import type { PostVersion } from './history'
import { type Post, type PostState, slugOf, stateOf, type TrialState } from './post'
import {
  baseVersion,
  changedPost,
  type NewPost,
  newPost,
  note,
  postChange,
  tooManyPosts,
  contentOf,
  unpublishedDecision,
} from './post-input'
import { limits } from './post-schema'
import { Previews } from './previews'
import type { PostSource } from './published/published'
import { fileOf } from './published/internal/published-index'
import { parseScheduledTime, timeAdvice } from './schedule'
import { countPosts, latestVersion, nextPostId, postsOf, slugsOf, versionsOf } from './internal/store'
import { authorsOf, saveAuthor } from './internal/stored-authors'
import { withVariant, newTrial, trialOf, winnerInput } from './trial-input'
import { withChangesApplied, withContentOf, withUnpublished } from './unpublished'
import {
  type PostOutcome,
  PostWriter,
  type PostWriterDependencies,
  studioPost,
  type EditDecision,
  type PostEdit,
} from './internal/post-writer'

interface Dependencies extends PostWriterDependencies {
  projects: Pick<Projects, 'numbered'>
  folder: PostSource
  /** Seals preview links. */
  seal: Seal
}

/** The filter of a list of posts. */
export const postListFilter = z.object({
  kind: z.enum(['post', 'page']).optional(),
  state: z.enum(['draft', 'scheduled', 'published', 'archived']).optional(),
  search: z.string().max(200).optional(),
  tag: z.string().max(100).optional(),
})
export type PostListFilter = z.infer<typeof postListFilter>

export const publishInput = z.strictObject({
  /** An instant, or a time in the project's time zone; now if absent. */
  at: z.string({ error: timeAdvice }).optional(),
  note,
  /** Publishes a post that was taken back as it was, without changes that were saved and never published. */
  keepUnpublished: z.boolean({ error: 'Say true or false.' }).optional(),
  /** The version that is published. It is refused if a newer one exists. */
  version: baseVersion,
})

const archivedProblem = failedOutcome('It is archived. Restore it first.')
const isPublished = (post: Post, now: Date): boolean => stateOf(post, now) === 'published'

/** The posts and pages of a site for their authors, from draft to archive. `Published` serves the public part. */
export class Posts {
  private readonly writer: PostWriter
  private readonly previews: Previews

  constructor(private readonly dependencies: Dependencies) {
    this.writer = new PostWriter(dependencies)
    this.previews = new Previews(dependencies)
  }

  /** Sorted by last change. Posts of a folder are included, and archived ones if the filter asks for them. */
  async list(projectId: number, viewer: Viewer, filter: PostListFilter = {}): Promise<Post[]> {
    requireRight('project:read', projectId, viewer)
    const all = [
      ...(await postsOf(this.dependencies.store, projectId)),
      ...this.dependencies.folder.posts(projectId),
    ]
    const now = this.dependencies.world.now()
    return all
      .filter((post) => matchesFilter(post, filter, now))
      .toSorted((one, other) => lastEdit(other) - lastEdit(one))
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<Post | undefined> {
    requireRight('project:read', projectId, viewer)
    return await this.numbered(projectId, id)
  }

  /** The current state of a post. */
  stateOf(post: Pick<Post, 'publishedAt' | 'archivedAt'>): PostState {
    return stateOf(post, this.dependencies.world.now())
  }

  /** Creates a draft. Without a slug, one is derived from the title. */
  async create(projectId: number, input: unknown, viewer: Viewer): Promise<PostOutcome> {
    requireRight('posts:write', projectId, viewer)
    const parsed = parseInput(newPost, input)
    if (!parsed.done) return parsed
    return await this.creating(projectId, parsed.value, viewer)
  }

  /** Creates a post of another product, with the dates that it has there; without a date of publication it is a draft. */
  async createAsOf(
    projectId: number,
    input: unknown,
    dates: Pick<Post, 'publishedAt' | 'createdAt' | 'changedAt'>,
    viewer: Viewer,
  ): Promise<PostOutcome> {
    requireRight('posts:write', projectId, viewer)
    const parsed = parseInput(newPost, input)
    if (!parsed.done) return parsed
    return await this.creating(projectId, parsed.value, viewer, dates)
  }

  /**
   * Fields that are absent stay unchanged. A `version` other than the latest is refused. A change of a published post
   * appears at once, unless it is to be kept unpublished.
   */
  async change(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
    { isAutosave = false }: { isAutosave?: boolean } = {},
  ): Promise<PostOutcome> {
    requireRight('posts:write', projectId, viewer)
    const parsed = parseInput(postChange, input)
    if (!parsed.done) return parsed
    const { version, slug, note: reason, keepUnpublished } = parsed.value
    const now = this.dependencies.world.now()
    return await this.editing(projectId, id, viewer, async (before, transaction) => {
      if (before.archivedAt) return archivedProblem
      const outdated = await refuseOutdatedPost(transaction, before, version)
      if (outdated) return outdated
      const isPublic = isPublished(before, now)
      const edited = isPublic && !keepUnpublished ? before : withUnpublished(before)
      const objection =
        slug === undefined || slug === edited.slug ? undefined : slugProblem(before.kind, slug)
      if (objection !== undefined) return failedOutcome(objection, 'slug')
      const post = { ...changedPost(edited, parsed.value), changedAt: now }
      if (isPublic && keepUnpublished) return unpublishedEditOf(post, reason, isAutosave)
      const unpublished = isPublic ? before.unpublished : undefined
      return editOf({ action: 'post.change', post: { ...post, unpublished }, note: reason, isAutosave })
    })
  }

  /** Makes the unpublished changes of a published post public. */
  async publishChanges(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<PostOutcome> {
    requireRight('posts:write', projectId, viewer)
    const now = this.dependencies.world.now()
    return await this.decideOnChanges(projectId, id, input, viewer, (before) =>
      isPublished(before, now)
        ? editOf({ action: 'post.change', post: { ...withChangesApplied(before), changedAt: now } })
        : failedOutcome('It is not published. Publish the post: its changes appear with it.'),
    )
  }

  /** Removes the unpublished changes of a post. They stay in its history. */
  async discardChanges(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<PostOutcome> {
    requireRight('posts:write', projectId, viewer)
    return await this.decideOnChanges(projectId, id, input, viewer, (before) =>
      editOf({ action: 'post.discard', post: { ...before, unpublished: undefined } }),
    )
  }

  /** Publishes a post now or at a given time; a published post gets another date. */
  async publish(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<PostOutcome> {
    requireRight('posts:write', projectId, viewer)
    const parsed = parseInput(publishInput, input ?? {})
    if (!parsed.done) return parsed
    const { at, note: reason, keepUnpublished, version } = parsed.value
    const now = this.dependencies.world.now()
    const zone = this.dependencies.projects.numbered(projectId)?.timeZone ?? 'UTC'
    const moment = at === undefined ? { at: now, note: undefined } : parseScheduledTime(at, zone)
    if (!moment) return failedOutcome(timeAdvice, 'at')
    const outcome = await this.editing(projectId, id, viewer, async (before, transaction) => {
      if (before.archivedAt) return archivedProblem
      const outdated = await refuseOutdatedPost(transaction, before, version)
      if (outdated) return outdated
      if (at === undefined && isPublished(before, now)) return failedOutcome('It is published already.')
      const isPublic = isPublished(before, now)
      const post = {
        ...(isPublic || keepUnpublished ? before : withChangesApplied(before)),
        publishedAt: moment.at,
        changedAt: isPublic ? before.changedAt : now,
      }
      return editOf({ action: 'post.publish', post, note: reason })
    })
    return outcome.done ? { ...outcome, note: moment.note } : outcome
  }

  /** Makes a post a draft again, which removes it from the site, and changes nothing else. */
  async unpublish(projectId: number, id: string, viewer: Viewer): Promise<PostOutcome> {
    requireRight('posts:write', projectId, viewer)
    return await this.editing(projectId, id, viewer, async (before) => {
      if (before.archivedAt) return archivedProblem
      if (!before.publishedAt) return failedOutcome('It is a draft already.')
      const post = { ...this.withoutTrial(before, viewer), publishedAt: undefined }
      return editOf({ action: 'post.unpublish', post })
    })
  }

  /** Hides a post with all its versions. Its address stays reserved. */
  async archive(projectId: number, id: string, viewer: Viewer): Promise<PostOutcome> {
    requireRight('posts:write', projectId, viewer)
    return await this.editing(projectId, id, viewer, async (before) => {
      if (before.archivedAt) return failedOutcome('It is archived already.')
      const post = { ...this.withoutTrial(before, viewer), archivedAt: this.dependencies.world.now() }
      return editOf({ action: 'post.archive', post })
    })
  }

  /** Restores an archived post; if it was published, it is published again. */
  async restore(projectId: number, id: string, viewer: Viewer): Promise<PostOutcome> {
    requireRight('posts:write', projectId, viewer)
    return await this.editing(projectId, id, viewer, async (before) => {
      if (!before.archivedAt) return failedOutcome('It is not archived.')
      return editOf({ action: 'post.restore', post: { ...before, archivedAt: undefined } })
    })
  }

  /**
   * Versions, the latest first. Empty for an unknown post, and for a file, which has its history where the files are
   * kept.
   */
  async history(projectId: number, id: string, viewer: Viewer): Promise<PostVersion[]> {
    requireRight('project:read', projectId, viewer)
    const post = await studioPost(this.dependencies.store, projectId, id)
    return post ? await versionsOf(this.dependencies.store, post) : []
  }

  /**
   * Restores an old version's content as a new version, or as unpublished changes of a published post. Publication and
   * trial stay as they are.
   */
  async bringBack(
    projectId: number,
    id: string,
    version: number,
    viewer: Viewer,
    { keepUnpublished = false }: { keepUnpublished?: boolean } = {},
  ): Promise<PostOutcome> {
    requireRight('posts:write', projectId, viewer)
    const now = this.dependencies.world.now()
    return await this.editing(projectId, id, viewer, async (before, transaction) => {
      if (before.archivedAt) return archivedProblem
      const earlier = earlierVersion(await versionsOf(transaction, before), version, 'post')
      if (!earlier.done) return earlier
      const { found: then, note: reason } = earlier
      const authors = then.post.authors.filter((slug) => this.isKnown(before, slug))
      const post = { ...withContentOf(before, { ...then.post, authors }), changedAt: now }
      const isPublic = isPublished(before, now)
      if (isPublic && keepUnpublished) return unpublishedEditOf(post, reason)
      const unpublished = isPublic ? before.unpublished : undefined
      return editOf({ action: 'post.revert', post: { ...post, unpublished }, note: reason })
    })
  }

  /** A token for a preview link to the post with its unpublished changes, valid for seven days. */
  async previewToken(projectId: number, id: string, viewer: Viewer): Promise<string> {
    requireRight('project:read', projectId, viewer)
    const post = await this.numbered(projectId, id)
    if (!post) throw new AccessRefusedError('not-found', 'There is no such post.')
    return this.previews.tokenFor({ kind: 'post', projectId, id: post.id })
  }

  /** Returns undefined if the link has expired, was not created here, or its post is archived. */
  async readPreview(token: string): Promise<Post | undefined> {
    const previewed = this.previews.read('post', token)
    const post = previewed && (await this.numbered(previewed.projectId, previewed.id))
    return post && !post.archivedAt ? withUnpublished(post) : undefined
  }

  /** A token for a preview link to a page of the site folder that is a draft, valid for seven days. */
  pagePreviewToken(projectId: number, path: string, viewer: Viewer): string {
    requireRight('project:read', projectId, viewer)
    return this.previews.tokenFor({ kind: 'page', projectId, id: path })
  }

  /** Whether the link shows this page of the site folder, although it may be a draft. */
  isPagePreview(token: string, page: { projectId: number; path: string }): boolean {
    const previewed = this.previews.read('page', token)
    return previewed?.projectId === page.projectId && previewed.id === page.path
  }

  /** Shows each visitor one of several titles, covers or excerpts in lists. */
  async startTrial(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<PostOutcome> {
    requireRight('posts:write', projectId, viewer)
    const parsed = parseInput(newTrial, input)
    if (!parsed.done) return parsed
    const now = this.dependencies.world.now()
    return await this.editing(projectId, id, viewer, async (before) => {
      if (!isPublished(before, now)) return failedOutcome('Publish the post first.')
      if (before.kind === 'page')
        return failedOutcome('Pages are in no list: there is nothing to try on them.')
      if (before.trial?.state.name === 'running')
        return failedOutcome('A trial of this post is under way. Stop it, or pick its winner first.')
      const made = trialOf(before, parsed.value, now)
      return made.done ? editOf({ action: 'post.try', post: { ...before, trial: made.trial } }) : made
    })
  }

  /** Ends the trial: all visitors see the original again. */
  async stopTrial(projectId: number, id: string, viewer: Viewer): Promise<PostOutcome> {
    requireRight('posts:write', projectId, viewer)
    return await this.editing(projectId, id, viewer, async (before) => {
      if (before.trial?.state.name !== 'running') return noTrialProblem
      return editOf({ action: 'post.untry', post: this.withoutTrial(before, viewer) })
    })
  }

  /** Copies the winner's texts into the post, as an ordinary change. */
  async pickWinner(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<PostOutcome> {
    requireRight('posts:write', projectId, viewer)
    const parsed = parseInput(winnerInput, input)
    if (!parsed.done) return parsed
    const { winner } = parsed.value
    return await this.editing(projectId, id, viewer, async (before) => {
      const { trial } = before
      if (trial?.state.name !== 'running') return noTrialProblem
      const won = trial.variants.find(({ key }) => key === winner)
      if (!won) return failedOutcome(`There is no variant “${winner}” in this trial.`, 'winner')
      const at = this.dependencies.world.now()
      const changedAt = winner === 'a' ? before.changedAt : at
      const state = { name: 'won', winner, at, by: viewer.name } as const
      const post = { ...withVariant(before, won), changedAt, trial: { ...trial, state } }
      return editOf({ action: 'post.win', post, note: `“${winner}” won the trial ${trial.key}.` })
    })
  }

  private async numbered(projectId: number, id: string): Promise<Post | undefined> {
    const ofFolder = this.dependencies.folder.posts(projectId).find((post) => post.id === id)
    return ofFolder ?? (await studioPost(this.dependencies.store, projectId, id))
  }

  /** Refuses posts from files, which are edited in their folder. */
  private async editing(
    projectId: number,
    id: string,
    viewer: Viewer,
    edit: (before: Post, transaction: StoreTransaction) => Promise<EditDecision>,
  ): Promise<PostOutcome> {
    const file = this.dependencies.folder.posts(projectId).find((post) => post.id === id)
    if (file)
      return failedOutcome(`It is the file ${fileOf(file)}. Change it there: it is read again at once.`)
    return await this.writer.edit(projectId, id, viewer, edit)
  }

  private async creating(
    projectId: number,
    input: NewPost,
    viewer: Viewer,
    dates?: Partial<Post>,
  ): Promise<PostOutcome> {
    return await this.writer.inTransaction(async (transaction) => {
      if ((await countPosts(transaction, projectId)) >= limits.posts) return failedOutcome(tooManyPosts)
      const isWrittenHere = dates === undefined && input.kind === 'post' && input.authors === undefined
      const authors = isWrittenHere ? await this.authorsFor(viewer, projectId, transaction) : input.authors
      const post = { ...(await this.newDraft(projectId, { ...input, authors }, transaction)), ...dates }
      return await this.writer.save(transaction, { action: 'post.create', post }, viewer)
    })
  }

  /** The member who begins a post is its author, and becomes an author of the project with their first post. */
  private async authorsFor(
    viewer: Viewer,
    projectId: number,
    transaction: StoreTransaction,
  ): Promise<string[] | undefined> {
    if (viewer.kind !== 'member') return undefined
    const { name } = viewer
    const { published, world } = this.dependencies
    const known = [...(await authorsOf(transaction, projectId)), ...published.authors(projectId)]
    const same = known.find((author) => author.name === name)
    if (same) return [same.slug]
    const slugs = new Set(known.map(({ slug }) => slug))
    const author = {
      slug: freeSlug(slugOf(name) || 'author', slugs),
      name,
      bio: '',
      links: [],
      picture: undefined,
    }
    const now = world.now()
    await saveAuthor(transaction, projectId, author, now)
    const auditRecord = { action: 'author.create', subject: name, projectId, after: author } as const
    await recordAudit(transaction, auditRecord, viewer, now)
    return [author.slug]
  }

  private async decideOnChanges(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
    decide: (before: Post) => EditDecision,
  ): Promise<PostOutcome> {
    const parsed = parseInput(unpublishedDecision, input ?? {})
    if (!parsed.done) return parsed
    const { version, note: reason } = parsed.value
    return await this.editing(projectId, id, viewer, async (before, transaction) => {
      if (before.archivedAt) return archivedProblem
      const outdated = await refuseOutdatedPost(transaction, before, version)
      if (outdated) return outdated
      if (!before.unpublished) return failedOutcome('There are no unpublished changes.')
      const decision = decide(before)
      return decision.done ? { ...decision, wanted: { ...decision.wanted, note: reason } } : decision
    })
  }

  private async newDraft(projectId: number, input: NewPost, transaction: StoreTransaction): Promise<Post> {
    const now = this.dependencies.world.now()
    const { kind } = input
    const slug =
      input.slug ?? freeSlug(freeSlugWords(kind, input.title), await slugsOf(transaction, projectId, kind))
    return {
      ...contentOf(input, slug),
      id: String(await nextPostId(transaction)),
      projectId,
      kind,
      source: 'studio',
      publishedAt: undefined,
      createdAt: now,
      changedAt: now,
      version: 0,
      archivedAt: undefined,
      trial: undefined,
    }
  }

  private withoutTrial(post: Post, { name: by }: Viewer): Post {
    const { trial } = post
    if (trial?.state.name !== 'running') return post
    const state: TrialState = { name: 'stopped', at: this.dependencies.world.now(), by }
    return { ...post, trial: { ...trial, state } }
  }

  private isKnown({ projectId }: Post, slug: string): boolean {
    return this.dependencies.published.authors(projectId).some((author) => author.slug === slug)
  }
}

const editOf = (one: PostEdit): EditDecision => ({ done: true, wanted: one })

const unpublishedEditOf = (post: Post, reason: string | undefined, isAutosave = false): EditDecision =>
  editOf({ action: 'post.edit', post, note: reason, isAutosave })

/** When its authors changed it last, whether readers see it or not. */
const lastEdit = ({ changedAt, unpublished }: Post): number =>
  Math.max(changedAt.getTime(), unpublished?.at.getTime() ?? 0)

const noTrialProblem = failedOutcome('No trial of this post is under way.')

const refuseOutdatedPost = (transaction: StoreTransaction, post: Post, basis: number | undefined) =>
  refuseOutdated({
    name: post.title,
    field: 'version',
    basis,
    current: post.version,
    latest: async () => (await latestVersion(transaction, post)) ?? { by: undefined, at: post.changedAt },
  })

/** A fallback slug for a title that yields none, or one that is reserved. */
function freeSlugWords(kind: Post['kind'], title: string): string {
  const slug = slugOf(title)
  if (slug === '') return kind
  return slugProblem(kind, slug) === undefined ? slug : `${slug}-${kind}`
}

const wordsOf = ({ title, slug, excerpt, body, tags }: Post): string[] => [
  title,
  slug,
  excerpt,
  body,
  ...tags,
]

/** Archived posts match only if the filter asks for them. Words are found in unpublished changes, too. */
function matchesFilter(post: Post, { kind, state, search = '', tag }: PostListFilter, now: Date): boolean {
  const is = stateOf(post, now)
  if (kind !== undefined && post.kind !== kind) return false
  if (state === undefined ? is === 'archived' : is !== state) return false
  if (tag !== undefined && !post.tags.some((one) => slugOf(one) === slugOf(tag))) return false
  const text = [post, withUnpublished(post)].flatMap(wordsOf).join('\n').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
