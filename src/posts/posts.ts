import { z } from 'zod'
import type { Seal } from '../flags/sealed'
import { Refused, requireRight, type Viewer } from '../projects/access'
import { type Outcome, parse, undone } from '../projects/problems'
import type { Projects } from '../projects/projects'
import { freeSlug } from '../projects/slug'
import type { StoreTransaction } from '../store/store'
import { objectionToSlug } from './addresses'
import type { PostVersion } from './history'
import { type Post, type PostState, slugOf, stateOf, type TrialState } from './post'
import {
  changedPost,
  most,
  type NewPost,
  newPost,
  note,
  postChange,
  tooManyPosts,
  writtenIn,
} from './post-input'
import { Previews } from './previews'
import type { PostSource } from './published'
import { fileOf } from './published/shelf'
import { momentIn, nameATime } from './schedule'
import { countPosts, nextPostId, postsOf, slugsOf, versionsOf } from './store'
import { asVariant, newTrial, trialOf, winning } from './trial-input'
import { type Changed, Keeping, type KeepingGround, studioPost, type Wanted } from './writing/keeping'

interface Ground extends KeepingGround {
  projects: Pick<Projects, 'numbered'>
  folder: PostSource
  /** Seals preview links. */
  seal: Seal
}

/** What a list of posts is narrowed to. */
export const postQuestion = z.object({
  kind: z.enum(['post', 'page']).optional(),
  state: z.enum(['draft', 'scheduled', 'published', 'archived']).optional(),
  search: z.string().max(200).optional(),
  tag: z.string().max(100).optional(),
})
export type PostQuestion = z.infer<typeof postQuestion>

export const publishing = z.strictObject({
  /** An instant, or a time of the project's clocks; now, where it is absent. */
  at: z.string({ error: nameATime }).optional(),
  note,
})

const archived = undone('It is archived. Bring it back first.')
const published = (post: Post, now: Date): boolean => stateOf(post, now) === 'published'

/** What the site publishes, from the first draft to the archive. What everybody may read is the work of `Published`. */
export class Posts {
  private readonly keeping: Keeping
  private readonly previews: Previews

  constructor(private readonly ground: Ground) {
    this.keeping = new Keeping(ground)
    this.previews = new Previews(ground)
  }

  /** What was changed last comes first; those of a folder are among them, archived ones where they are asked for. */
  async list(projectId: number, viewer: Viewer, question: PostQuestion = {}): Promise<Post[]> {
    requireRight('project:read', projectId, viewer)
    const all = [...(await postsOf(this.ground.store, projectId)), ...this.ground.folder.posts(projectId)]
    const now = this.ground.world.now()
    return all
      .filter((post) => isAskedFor(post, question, now))
      .toSorted((one, other) => other.changedAt.getTime() - one.changedAt.getTime())
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<Post | undefined> {
    requireRight('project:read', projectId, viewer)
    return await this.numbered(projectId, id)
  }

  /** How it stands now. */
  stateOf(post: Pick<Post, 'publishedAt' | 'archivedAt'>): PostState {
    return stateOf(post, this.ground.world.now())
  }

  /** A draft. Where no slug is said, it is made of the title. */
  async create(projectId: number, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('posts:write', projectId, viewer)
    const parsed = parse(newPost, input)
    if (!parsed.done) return parsed
    return await this.keeping.changing(async (transaction) => {
      if ((await countPosts(transaction, projectId)) >= most.posts) return undone(tooManyPosts)
      const post = await this.made(projectId, parsed.value, transaction)
      return await this.keeping.save(transaction, { action: 'post.create', post }, viewer)
    })
  }

  /** What is not said stays as it is. With a `version` that is not the latest, nothing is changed. */
  async change(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('posts:write', projectId, viewer)
    const parsed = parse(postChange, input)
    if (!parsed.done) return parsed
    const { version, slug, note: why } = parsed.value
    return await this.editing(projectId, id, viewer, async (before) => {
      if (before.archivedAt) return archived
      if (version !== undefined && version !== before.version) return overtaken(before)
      const objection =
        slug === undefined || slug === before.slug ? undefined : objectionToSlug(before.kind, slug)
      if (objection !== undefined) return undone(objection, 'slug')
      const post = { ...changedPost(before, parsed.value), changedAt: this.ground.world.now() }
      return wanted({ action: 'post.change', post, note: why })
    })
  }

  /** Now, or when its time comes; one that is published already gets another date. */
  async publish(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('posts:write', projectId, viewer)
    const parsed = parse(publishing, input ?? {})
    if (!parsed.done) return parsed
    const { at, note: why } = parsed.value
    const now = this.ground.world.now()
    const zone = this.ground.projects.numbered(projectId)?.timeZone ?? 'UTC'
    const moment = at === undefined ? { at: now, note: undefined } : momentIn(at, zone)
    if (!moment) return undone(nameATime, 'at')
    const outcome = await this.editing(projectId, id, viewer, async (before) => {
      if (before.archivedAt) return archived
      if (at === undefined && published(before, now)) return undone('It is published already.')
      const post = {
        ...before,
        publishedAt: moment.at,
        changedAt: published(before, now) ? before.changedAt : now,
      }
      return wanted({ action: 'post.publish', post, note: why })
    })
    return outcome.done ? { ...outcome, note: moment.note } : outcome
  }

  /** A draft again: nobody can read it, and nothing else changes. */
  async unpublish(projectId: number, id: string, viewer: Viewer): Promise<Changed> {
    requireRight('posts:write', projectId, viewer)
    return await this.editing(projectId, id, viewer, async (before) => {
      if (before.archivedAt) return archived
      if (!before.publishedAt) return undone('It is a draft already.')
      const post = { ...this.withoutTrial(before, viewer), publishedAt: undefined }
      return wanted({ action: 'post.unpublish', post })
    })
  }

  /** Out of sight, with all it ever was; its address stays its own. */
  async archive(projectId: number, id: string, viewer: Viewer): Promise<Changed> {
    requireRight('posts:write', projectId, viewer)
    return await this.editing(projectId, id, viewer, async (before) => {
      if (before.archivedAt) return undone('It is archived already.')
      const post = { ...this.withoutTrial(before, viewer), archivedAt: this.ground.world.now() }
      return wanted({ action: 'post.archive', post })
    })
  }

  /** As it was when it was archived: what was published is so again. */
  async restore(projectId: number, id: string, viewer: Viewer): Promise<Changed> {
    requireRight('posts:write', projectId, viewer)
    return await this.editing(projectId, id, viewer, async (before) => {
      if (!before.archivedAt) return undone('It is not archived.')
      return wanted({ action: 'post.restore', post: { ...before, archivedAt: undefined } })
    })
  }

  /** The latest first; none where there is no such post, or it is a file, whose history is kept with the files. */
  async history(projectId: number, id: string, viewer: Viewer): Promise<PostVersion[]> {
    requireRight('project:read', projectId, viewer)
    const post = await studioPost(this.ground.store, projectId, id)
    return post ? await versionsOf(this.ground.store, post) : []
  }

  /** What it said then, as a new version: whether it is published, and what is tried, stays as it is. */
  async bringBack(projectId: number, id: string, version: number, viewer: Viewer): Promise<Changed> {
    requireRight('posts:write', projectId, viewer)
    return await this.editing(projectId, id, viewer, async (before, transaction) => {
      if (before.archivedAt) return archived
      const then = (await versionsOf(transaction, before)).find((one) => one.version === version)
      if (!then) return undone(`There is no version ${version} of this post.`, 'version')
      const { publishedAt, trial } = before
      const authors = then.post.authors.filter((slug) => this.isKnown(before, slug))
      const post = { ...then.post, authors, publishedAt, trial, archivedAt: undefined }
      const changedAt = this.ground.world.now()
      return wanted({
        action: 'post.revert',
        post: { ...post, changedAt },
        note: `Back to version ${version}.`,
      })
    })
  }

  /** For a link that shows the post as it is now to whoever has it, for seven days. */
  async previewToken(projectId: number, id: string, viewer: Viewer): Promise<string> {
    requireRight('project:read', projectId, viewer)
    const post = await this.numbered(projectId, id)
    if (!post) throw new Refused('not-found', 'There is no such post.')
    return this.previews.tokenFor(post)
  }

  /** Undefined where the link is over, was not made by us, or its post is archived. */
  async readPreview(token: string): Promise<Post | undefined> {
    const previewed = this.previews.read(token)
    const post = previewed && (await this.numbered(previewed.projectId, previewed.id))
    return post?.archivedAt ? undefined : post
  }

  /** Shows each visitor one of several titles, covers or excerpts in lists. */
  async startTrial(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('posts:write', projectId, viewer)
    const parsed = parse(newTrial, input)
    if (!parsed.done) return parsed
    const now = this.ground.world.now()
    return await this.editing(projectId, id, viewer, async (before) => {
      if (!published(before, now)) return undone('Only what is published can be tried. Publish it first.')
      if (before.kind === 'page') return undone('Pages are in no list: there is nothing to try on them.')
      if (before.trial?.state.name === 'running')
        return undone('A trial of this post is under way. Stop it, or pick its winner first.')
      const made = trialOf(before, parsed.value, now)
      return made.done ? wanted({ action: 'post.try', post: { ...before, trial: made.trial } }) : made
    })
  }

  /** Everybody sees the original again. */
  async stopTrial(projectId: number, id: string, viewer: Viewer): Promise<Changed> {
    requireRight('posts:write', projectId, viewer)
    return await this.editing(projectId, id, viewer, async (before) => {
      if (before.trial?.state.name !== 'running') return noTrial
      return wanted({ action: 'post.untry', post: this.withoutTrial(before, viewer) })
    })
  }

  /** Writes the words of the winner into the post, as a change like any other. */
  async pickWinner(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('posts:write', projectId, viewer)
    const parsed = parse(winning, input)
    if (!parsed.done) return parsed
    const { winner } = parsed.value
    return await this.editing(projectId, id, viewer, async (before) => {
      const { trial } = before
      if (trial?.state.name !== 'running') return noTrial
      const won = trial.variants.find(({ key }) => key === winner)
      if (!won) return undone(`There is no variant “${winner}” in this trial.`, 'winner')
      const at = this.ground.world.now()
      const changedAt = winner === 'a' ? before.changedAt : at
      const state = { name: 'won', winner, at, by: viewer.name } as const
      const post = { ...asVariant(before, won), changedAt, trial: { ...trial, state } }
      return wanted({ action: 'post.win', post, note: `“${winner}” won the trial ${trial.key}.` })
    })
  }

  private async numbered(projectId: number, id: string): Promise<Post | undefined> {
    const ofFolder = this.ground.folder.posts(projectId).find((post) => post.id === id)
    return ofFolder ?? (await studioPost(this.ground.store, projectId, id))
  }

  /** A file is changed where it is, by whoever keeps it. */
  private async editing(
    projectId: number,
    id: string,
    viewer: Viewer,
    edit: (before: Post, transaction: StoreTransaction) => Promise<Outcome<{ wanted: Wanted }>>,
  ): Promise<Changed> {
    const file = this.ground.folder.posts(projectId).find((post) => post.id === id)
    if (file) return undone(`It is the file ${fileOf(file)}. Change it there: it is read again at once.`)
    return await this.keeping.editing(projectId, id, viewer, edit)
  }

  private async made(projectId: number, input: NewPost, transaction: StoreTransaction): Promise<Post> {
    const now = this.ground.world.now()
    const { kind } = input
    const slug =
      input.slug ?? freeSlug(wordsFor(kind, input.title), await slugsOf(transaction, projectId, kind))
    return {
      ...writtenIn(input, slug),
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
    const state: TrialState = { name: 'stopped', at: this.ground.world.now(), by }
    return { ...post, trial: { ...trial, state } }
  }

  private isKnown({ projectId }: Post, slug: string): boolean {
    return this.ground.published.authors(projectId).some((author) => author.slug === slug)
  }
}

const wanted = (one: Wanted) => ({ done: true as const, wanted: one })

const noTrial = undone('No trial of this post is under way.')

const overtaken = ({ version, title }: Post) =>
  undone(`“${title}” was changed meanwhile: it is at version ${version}. Look at it again.`, 'version')

/** Of a title that leaves nothing, or that Tilth uses itself, something that stands. */
function wordsFor(kind: Post['kind'], title: string): string {
  const slug = slugOf(title)
  if (slug === '') return kind
  return objectionToSlug(kind, slug) === undefined ? slug : `${slug}-${kind}`
}

/** Archived ones only where they are asked for. */
function isAskedFor(post: Post, { kind, state, search = '', tag }: PostQuestion, now: Date): boolean {
  const is = stateOf(post, now)
  if (kind !== undefined && post.kind !== kind) return false
  if (state === undefined ? is === 'archived' : is !== state) return false
  if (tag !== undefined && !post.tags.some((one) => slugOf(one) === slugOf(tag))) return false
  const text = [post.title, post.slug, post.excerpt, post.body, ...post.tags].join('\n').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
