import { isDeepStrictEqual } from 'node:util'
import type { Viewer } from '../../projects/access'
import { record } from '../../projects/audit'
import type { AuditAction } from '../../projects/audit-actions'
import { type Outcome, undone } from '../../projects/problems'
import { isTaken, type Store, type StoreTransaction } from '../../store/store'
import type { World } from '../../world/world'
import { pathOf, placeOf } from '../addresses'
import { addressOf, type Post, stateOf } from '../post'
import type { Published } from '../published'
import {
  authorsOf,
  forgetRedirect,
  postAt,
  postNumbered,
  redirectsOf,
  savePost,
  saveRedirect,
} from '../store'

export interface KeepingGround {
  store: Store
  world: World
  published: Pick<Published, 'caughtUp' | 'authors'>
}

/** `note` is what whoever asked should know beside: that the clocks skip a time, for one. */
export type Changed = Outcome<{ post: Post; note?: string | undefined }>

/** A post as it is to be, and how it was. */
export interface Wanted {
  action: Extract<AuditAction, `post.${string}`>
  post: Post
  before?: Post | undefined
  /** For the history. */
  note?: string | undefined
}

export const missing = undone('There is no such post in this project.')

/** How a post gets into the store: with a line in its history, and with a redirect where readers know another address. */
export class Keeping {
  constructor(private readonly ground: KeepingGround) {}

  /**
   * What is read is still so when it is written: writers go one after the other. Does not answer before this process
   * shows it: who publishes a post looks next at where it is.
   */
  async changing(work: (transaction: StoreTransaction) => Promise<Changed>): Promise<Changed> {
    try {
      const outcome = await this.ground.store.transaction(work)
      if (outcome.done) await this.ground.published.caughtUp()
      return outcome
    } catch (problem) {
      if (isTaken(problem)) return undone('Another post took this address just now. Choose another.', 'slug')
      throw problem
    }
  }

  async editing(
    projectId: number,
    id: string,
    viewer: Viewer,
    edit: (before: Post, transaction: StoreTransaction) => Promise<Outcome<{ wanted: Wanted }>>,
  ): Promise<Changed> {
    return await this.changing(async (transaction) => {
      const before = await studioPost(transaction, projectId, id)
      if (!before) return missing
      const edited = await edit(before, transaction)
      if (!edited.done) return edited
      return await this.save(transaction, { ...edited.wanted, before }, viewer)
    })
  }

  async save(transaction: StoreTransaction, wanted: Wanted, viewer: Viewer): Promise<Changed> {
    const { action, post, before, note } = wanted
    if (before && isDeepStrictEqual(plain(before), plain(post))) return { done: true, post: before }
    const objection = await this.objectionTo(post, before, transaction)
    if (objection) return objection
    const now = this.ground.world.now()
    const kept = { ...post, version: (before?.version ?? 0) + 1 }
    await savePost(transaction, { post: kept, by: viewer.name, at: now, note })
    if (before) await this.lead(transaction, before, kept, now)
    await transaction.announce('posts')
    const deed = { action, subject: post.title, projectId: post.projectId, after: shown(kept) }
    await record(transaction, before ? { ...deed, before: shown(before) } : deed, viewer, now)
    return { done: true, post: kept }
  }

  private async objectionTo(post: Post, before: Post | undefined, transaction: StoreTransaction) {
    const there = await postAt(transaction, post)
    if (there && there.id !== post.id) return taken(there)
    const added = post.authors.filter((slug) => !before?.authors.includes(slug))
    if (added.length === 0) return undefined
    const known = [
      ...(await authorsOf(transaction, post.projectId)),
      ...this.ground.published.authors(post.projectId),
    ]
    const stranger = added.find((slug) => !known.some((author) => author.slug === slug))
    return stranger === undefined
      ? undefined
      : undone(`There is no author “${stranger}” in this project. Add them first.`, 'authors')
  }

  /** Whoever kept the old address of something published arrives all the same. */
  private async lead(
    transaction: StoreTransaction,
    before: Post,
    { id, projectId, kind, slug }: Post,
    now: Date,
  ): Promise<void> {
    const from = placeOf(before)
    const place = placeOf({ kind, slug })
    if (from === place || stateOf(before, now) !== 'published') return
    await forgetRedirect(transaction, projectId, place)
    await saveRedirect(transaction, projectId, { from, leadsTo: { post: id } }, now)
    for (const { from: earlier, leadsTo } of await redirectsOf(transaction, projectId)) {
      const isChained =
        'address' in leadsTo && leadsTo.address.startsWith('/') && pathOf(leadsTo.address) === from
      if (isChained) await saveRedirect(transaction, projectId, { from: earlier, leadsTo: { post: id } }, now)
    }
  }
}

export async function studioPost(
  source: Pick<Store, 'tables'>,
  projectId: number,
  id: string,
): Promise<Post | undefined> {
  // a number that the store can hold
  return /^\d{1,9}$/.test(id) ? await postNumbered(source, projectId, Number(id)) : undefined
}

export const taken = (there: Post) =>
  undone(
    there.archivedAt
      ? `“${there.title}” was at ${addressOf(there)} and is archived. Bring it back, or choose another address.`
      : `“${there.title}” is at ${addressOf(there)} already. Choose another address.`,
    'slug',
  )

/** As it is kept: without what is undefined, and without when it was. */
const plain = ({ changedAt: _, ...post }: Post): unknown => JSON.parse(JSON.stringify(post))

/** Without the body, which the history has. */
const shown = ({
  id: _id,
  projectId: _projectId,
  body,
  source: _source,
  createdAt: _createdAt,
  ...post
}: Post) => ({
  ...post,
  body: `${body.length.toLocaleString('en')} characters`,
})
