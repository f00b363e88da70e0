import { requireRight, type Viewer } from '../projects/access'
import { record } from '../projects/audit'
import { type Outcome, parse, undone } from '../projects/problems'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import { type Comment, type CommentState, deciding, mostWaiting, newComment } from './comment'
import type { Post } from './post'
import {
  commentNumbered,
  commentsIn,
  countComments,
  removeComment,
  saveComment,
  shownBelow,
} from './talk/store'

interface Ground {
  store: Store
  world: World
}

const missing = undone('There is no such comment any more.')

/** Below a post that asks for them. Nobody reads one before a member has. */
export class Comments {
  constructor(private readonly ground: Ground) {}

  /** For everybody who reads the post, the oldest first. */
  async below(post: Pick<Post, 'projectId' | 'id' | 'allowsComments'>): Promise<Comment[]> {
    return post.allowsComments ? await shownBelow(this.ground.store, post.projectId, post.id) : []
  }

  /** A reader's. Of them nothing is kept but what they wrote. */
  async write(
    post: Pick<Post, 'projectId' | 'id' | 'allowsComments'>,
    input: unknown,
  ): Promise<Outcome<{ comment: Comment }>> {
    if (!post.allowsComments) return undone('Nothing can be written below this post.')
    const parsed = parse(newComment, input)
    if (!parsed.done) return parsed
    const { store, world } = this.ground
    const { waiting } = await countComments(store, post.projectId)
    if (waiting >= mostWaiting) return undone('Too many comments wait to be read. Try again on another day.')
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
    return await commentsIn(this.ground.store, projectId, state, { from, count: Math.min(count, 200) })
  }

  async counts(projectId: number, viewer: Viewer): Promise<Readonly<Record<CommentState, number>>> {
    requireRight('project:read', projectId, viewer)
    return await countComments(this.ground.store, projectId)
  }

  /** Lets it in or keeps it out; either can be taken back. */
  async decide(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ comment: Comment }>> {
    requireRight('posts:write', projectId, viewer)
    const parsed = parse(deciding, input)
    if (!parsed.done) return parsed
    const { store, world } = this.ground
    return await store.transaction(async (transaction): Promise<Outcome<{ comment: Comment }>> => {
      const before = await commentNumbered(transaction, projectId, id)
      if (!before) return missing
      const comment: Comment = { ...before, state: parsed.value.state, decidedBy: viewer.name }
      await saveComment(transaction, comment)
      const said = { action: 'comment.decide', subject: before.name, projectId } as const
      const change = { before: { state: before.state }, after: { state: comment.state } }
      await record(transaction, { ...said, ...change }, viewer, world.now())
      await transaction.announce('comments')
      return { done: true, comment }
    })
  }

  /** For good: what a reader wants gone is gone. */
  async remove(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('posts:write', projectId, viewer)
    const { store, world } = this.ground
    return await store.transaction(async (transaction): Promise<Outcome> => {
      const before = await commentNumbered(transaction, projectId, id)
      if (!before) return missing
      await removeComment(transaction, projectId, id)
      const deed = { action: 'comment.remove', subject: before.name, projectId } as const
      await record(transaction, deed, viewer, world.now())
      await transaction.announce('comments')
      return { done: true }
    })
  }
}
