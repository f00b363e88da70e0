import { requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { type Outcome, parseInput, failedOutcome } from '#projects/problems'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { type Comment, type CommentState, commentDecision, maxWaiting, newComment } from './comment'
import type { Post } from '../post'
import { findComment, commentsIn, countComments, removeComment, saveComment, shownComments } from './store'

interface Dependencies {
  store: Store
  world: World
}

const commentMissing = failedOutcome('The comment was deleted.')

/** Comments on posts that allow them. A member reviews each before it is shown. */
export class Comments {
  constructor(private readonly dependencies: Dependencies) {}

  /** Approved comments for readers of the post, the oldest first. */
  async below(post: Pick<Post, 'projectId' | 'id' | 'allowsComments'>): Promise<Comment[]> {
    return post.allowsComments ? await shownComments(this.dependencies.store, post.projectId, post.id) : []
  }

  /** Adds a reader's comment. Only what they wrote is stored. */
  async write(
    post: Pick<Post, 'projectId' | 'id' | 'allowsComments'>,
    input: unknown,
  ): Promise<Outcome<{ comment: Comment }>> {
    if (!post.allowsComments) return failedOutcome('This post has no comments.')
    const parsed = parseInput(newComment, input)
    if (!parsed.done) return parsed
    const { store, world } = this.dependencies
    const { waiting } = await countComments(store, post.projectId)
    if (waiting >= maxWaiting)
      return failedOutcome('Too many comments are waiting for approval. Try again tomorrow.')
    const id = Buffer.from(world.random(12)).toString('hex')
    const always = { state: 'waiting', writtenAt: world.now(), decidedBy: undefined } as const
    const comment: Comment = { ...parsed.value, ...always, id, projectId: post.projectId, postId: post.id }
    await saveComment(store, comment)
    return { done: true, comment }
  }

  async list(
    projectId: number,
    { state, from = 0, count = 50 }: { state: CommentState; from?: number; count?: number },
    viewer: Viewer,
  ): Promise<Comment[]> {
    requireRight('project:read', projectId, viewer)
    return await commentsIn(this.dependencies.store, projectId, state, { from, count: Math.min(count, 200) })
  }

  async counts(projectId: number, viewer: Viewer): Promise<Readonly<Record<CommentState, number>>> {
    requireRight('project:read', projectId, viewer)
    return await countComments(this.dependencies.store, projectId)
  }

  /** Shows or hides a comment; either can be changed later. */
  async decide(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ comment: Comment }>> {
    requireRight('posts:write', projectId, viewer)
    const parsed = parseInput(commentDecision, input)
    if (!parsed.done) return parsed
    const { store, world } = this.dependencies
    return await store.transaction(async (transaction): Promise<Outcome<{ comment: Comment }>> => {
      const before = await findComment(transaction, projectId, id)
      if (!before) return commentMissing
      const comment: Comment = { ...before, state: parsed.value.state, decidedBy: viewer.name }
      await saveComment(transaction, comment)
      const audited = { action: 'comment.decide', subject: before.name, projectId } as const
      const change = { before: { state: before.state }, after: { state: comment.state } }
      await recordAudit(transaction, { ...audited, ...change }, viewer, world.now())
      await transaction.announce('comments')
      return { done: true, comment }
    })
  }

  /** Deletes a comment permanently. */
  async remove(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('posts:write', projectId, viewer)
    const { store, world } = this.dependencies
    return await store.transaction(async (transaction): Promise<Outcome> => {
      const before = await findComment(transaction, projectId, id)
      if (!before) return commentMissing
      await removeComment(transaction, projectId, id)
      const auditRecord = { action: 'comment.remove', subject: before.name, projectId } as const
      await recordAudit(transaction, auditRecord, viewer, world.now())
      await transaction.announce('comments')
      return { done: true }
    })
  }
}
