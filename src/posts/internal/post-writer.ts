import { isDeepStrictEqual } from 'node:util'
import { isSameBut, recordChange } from '#collection/versions'
import type { Viewer } from '#projects/access'
import type { AuditAction } from '#projects/audit-actions'
import { type Outcome, failedOutcome } from '#projects/problems'
import { isUniqueViolation, type Store, type StoreTransaction, type TableSource } from '#store/store'
import type { World } from '#world/world'
import { pathOf, pathOfPost } from '../addresses'
import { addressOf, type Post, stateOf } from '../post'
import type { Published } from '../published/published'
import { findPost, latestVersion, postAt, savePost, saveUnpublished } from './store'
import { authorsOf } from './stored-authors'
import { redirectsOf, removeRedirect, saveRedirect } from './stored-redirects'
import { changedFields, withoutSettledChanges, withUnpublished } from '../unpublished'
import { withPostTransaction } from './post-transaction'

export interface PostWriterDependencies {
  store: Store
  world: World
  published: Pick<Published, 'caughtUp' | 'authors'>
}

/** `note` is a remark for the author, such as that the clocks skip the chosen time. */
export type PostOutcome = Outcome<{ post: Post; note?: string | undefined }>

/** The new version of a post, and the previous one. */
export interface PostEdit {
  action: Extract<AuditAction, `post.${string}`>
  post: Post
  before?: Post | undefined
  /** A note in the history. */
  note?: string | undefined
  /** Whether the editor saved it by itself. A series of such saves is one version in the history, and one audit entry. */
  isAutosave?: boolean
}

interface RecordedEdit extends Pick<PostEdit, 'action' | 'before'> {
  subject: string
  after: Post
}

export type EditDecision = Outcome<{ wanted: PostEdit }>

const autosaveNote = 'Saved automatically'
/** An automatic save begins a version of its own after this time without one. */
const seriesMs = 10 * 60_000

const postMissing = failedOutcome('There is no such post in this project.')

/** Writes posts to the store: with a version in the history, and a redirect if a published address changes. */
export class PostWriter {
  constructor(private readonly dependencies: PostWriterDependencies) {}

  async inTransaction(work: (transaction: StoreTransaction) => Promise<PostOutcome>): Promise<PostOutcome> {
    try {
      return await withPostTransaction(this.dependencies, work)
    } catch (problem) {
      if (isUniqueViolation(problem))
        return failedOutcome('Another post took this address just now. Choose another.', 'slug')
      throw problem
    }
  }

  async edit(
    projectId: number,
    id: string,
    viewer: Viewer,
    makeEdit: (before: Post, transaction: StoreTransaction) => Promise<EditDecision>,
  ): Promise<PostOutcome> {
    return await this.inTransaction(async (transaction) => {
      const before = await studioPost(transaction, projectId, id)
      if (!before) return postMissing
      const made = await makeEdit(before, transaction)
      if (!made.done) return made
      const edit = { ...made.wanted, before }
      return edit.action === 'post.edit'
        ? await this.saveUnpublished(transaction, edit, viewer)
        : await this.save(transaction, edit, viewer)
    })
  }

  async save(transaction: StoreTransaction, edit: PostEdit, viewer: Viewer): Promise<PostOutcome> {
    const { action, post, before } = edit
    if (before && isSameBut(['changedAt'], before, post)) return { done: true, post: before }
    const objection = await this.problemWith(post, before, transaction)
    if (objection) return objection
    const now = this.dependencies.world.now()
    const saved = withoutSettledChanges({ ...post, version: (before?.version ?? 0) + 1 })
    const series = await this.seriesOf(transaction, edit, viewer)
    await savePost(transaction, { post: saved, by: viewer.name, at: now, ...series })
    if (before) await this.redirectOldAddress(transaction, before, saved, now)
    if (series.replaces !== undefined) await transaction.announce('posts')
    else await this.record(transaction, { action, subject: post.title, before, after: saved }, viewer)
    return { done: true, post: saved }
  }

  /** Saves the content of an edit as unpublished changes. Readers see the post without them. */
  private async saveUnpublished(
    transaction: StoreTransaction,
    edit: PostEdit & { before: Post },
    viewer: Viewer,
  ): Promise<PostOutcome> {
    const { before, post: edited, note } = edit
    const fields = changedFields(before, edited)
    if (isDeepStrictEqual(fields, before.unpublished?.fields ?? {})) return { done: true, post: before }
    if (Object.keys(fields).length === 0) {
      const post = { ...before, unpublished: undefined }
      return await this.save(transaction, { action: 'post.discard', post, before, note }, viewer)
    }
    const known = withUnpublished(before)
    const objection = await this.problemWith(edited, known, transaction)
    if (objection) return objection
    const at = this.dependencies.world.now()
    const version = before.version + 1
    const post = { ...before, version, unpublished: { version, by: viewer.name, at, fields } }
    const series = await this.seriesOf(transaction, edit, viewer)
    await saveUnpublished(transaction, { post, by: viewer.name, at, ...series })
    if (series.replaces !== undefined) await transaction.announce('posts')
    else {
      const states = { before: known, after: withUnpublished(post) }
      await this.record(transaction, { action: 'post.edit', subject: before.title, ...states }, viewer)
    }
    return { done: true, post }
  }

  private async record(
    transaction: StoreTransaction,
    { before, after, ...change }: RecordedEdit,
    viewer: Viewer,
  ): Promise<void> {
    const audited = { before: before && auditShape(before), after: auditShape(after) }
    const recorded = { ...change, topic: 'posts', projectId: after.projectId, ...audited }
    await recordChange(transaction, recorded, viewer, this.dependencies.world.now())
  }

  /** The note of a save in the history, and the version of the same series that it replaces there. */
  private async seriesOf(
    transaction: StoreTransaction,
    { before, note, isAutosave }: PostEdit,
    viewer: Viewer,
  ): Promise<{ note: string | undefined; replaces: number | undefined }> {
    if (!isAutosave || !before) return { note, replaces: undefined }
    const last = await latestVersion(transaction, before)
    const isSameSeries =
      last?.note === autosaveNote &&
      last.by === viewer.name &&
      this.dependencies.world.now().getTime() - last.at.getTime() < seriesMs
    return { note: autosaveNote, replaces: isSameSeries ? last.version : undefined }
  }

  private async problemWith(post: Post, before: Post | undefined, transaction: StoreTransaction) {
    const existing = await postAt(transaction, post)
    if (existing && existing.id !== post.id) return addressTaken(existing)
    const added = post.authors.filter((slug) => !before?.authors.includes(slug))
    if (added.length === 0) return undefined
    const known = [
      ...(await authorsOf(transaction, post.projectId)),
      ...this.dependencies.published.authors(post.projectId),
    ]
    const unknownAuthor = added.find((slug) => !known.some((author) => author.slug === slug))
    return unknownAuthor === undefined
      ? undefined
      : failedOutcome(`There is no author “${unknownAuthor}” in this project. Add them first.`, 'authors')
  }

  /** Redirects the old address of a published post to its new one. */
  private async redirectOldAddress(
    transaction: StoreTransaction,
    before: Post,
    { id, projectId, kind, slug }: Post,
    now: Date,
  ): Promise<void> {
    const from = pathOfPost(before)
    const place = pathOfPost({ kind, slug })
    if (from === place || stateOf(before, now) !== 'published') return
    await removeRedirect(transaction, projectId, place)
    await saveRedirect(transaction, projectId, { from, leadsTo: { post: id } }, now)
    for (const { from: earlier, leadsTo } of await redirectsOf(transaction, projectId)) {
      const isChained =
        'address' in leadsTo && leadsTo.address.startsWith('/') && pathOf(leadsTo.address) === from
      if (isChained) await saveRedirect(transaction, projectId, { from: earlier, leadsTo: { post: id } }, now)
    }
  }
}

export async function studioPost(
  source: TableSource,
  projectId: number,
  id: string,
): Promise<Post | undefined> {
  // a number that fits into the store's column
  return /^\d{1,9}$/.test(id) ? await findPost(source, projectId, Number(id)) : undefined
}

const addressTaken = (existing: Post) =>
  failedOutcome(
    existing.archivedAt
      ? `“${existing.title}” was at ${addressOf(existing)} and is archived. Restore it, or choose another address.`
      : `“${existing.title}” is at ${addressOf(existing)} already. Choose another address.`,
    'slug',
  )

/** The fields in the audit log, without the body, which is in the history. */
const auditShape = ({
  id: _id,
  projectId: _projectId,
  body,
  source: _source,
  createdAt: _createdAt,
  unpublished: _unpublished,
  ...post
}: Post) => ({
  ...post,
  body: `${body.length.toLocaleString('en')} characters`,
})
