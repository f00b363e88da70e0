import { z } from 'zod'
import { requireRight, type Viewer } from '../projects/access'
import { record } from '../projects/audit'
import type { AuditAction } from '../projects/audit-actions'
import { type Outcome, parse, undone } from '../projects/problems'
import type { Store, StoreTransaction } from '../store/store'
import type { World } from '../world/world'
import { type Author, slugOf } from './post'
import { line, picture } from './post-input'
import type { Published } from './published'
import { authorsOf, forgetAuthor, postsOf, saveAuthor } from './store'

interface Ground {
  store: Store
  world: World
  published: Pick<Published, 'caughtUp'>
}

const mostAuthors = 1000
const howToName = 'Give the author a name.'

const link = z.strictObject({
  label: line(60).min(1, 'Say what the link is called.'),
  address: z.url({
    protocol: /^(?:https?|mailto)$/,
    error: 'Begin the address with "https://" or "mailto:".',
  }),
})

const parts = {
  name: line(80, howToName).min(1, howToName),
  bio: z.string({ error: 'Write it as text.' }).trim().max(1000, 'Use at most 1,000 characters.'),
  links: z.array(link, { error: 'Give the links as a list.' }).max(10, 'Give at most 10 links.'),
}

export const newAuthor = z.strictObject({
  ...parts,
  /** Made of the name where it is not said. It never changes. */
  slug: line(80)
    .refine((slug) => slug !== '' && slug === slugOf(slug), 'Use lower-case letters, digits and dashes.')
    .optional(),
  bio: parts.bio.default(''),
  links: parts.links.default([]),
  picture: picture.nullish(),
})

export const authorChange = z.strictObject({
  ...z.object(parts).partial().shape,
  // null takes it away
  picture: picture.nullish(),
})

type Changed = Outcome<{ author: Author }>

/** Who writes: they need no account. */
export class Authors {
  constructor(private readonly ground: Ground) {}

  /** By name. */
  async list(projectId: number, viewer: Viewer): Promise<Author[]> {
    requireRight('project:read', projectId, viewer)
    return await authorsOf(this.ground.store, projectId)
  }

  async create(projectId: number, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('posts:write', projectId, viewer)
    const parsed = parse(newAuthor, input)
    if (!parsed.done) return parsed
    const { slug = slugOf(parsed.value.name) || 'author', picture: shown, ...said } = parsed.value
    const author = { ...said, slug, picture: shown ?? undefined }
    return await this.changing(async (transaction) => {
      const others = await authorsOf(transaction, projectId)
      const same = others.find((other) => other.slug === slug)
      if (same) return undone(`“${same.name}” has this address part already. Choose another.`, 'slug')
      if (others.length >= mostAuthors) return undone(`A project has ${mostAuthors} authors at most.`)
      return await this.save(transaction, projectId, { action: 'author.create', author }, viewer)
    })
  }

  async change(projectId: number, slug: string, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('posts:write', projectId, viewer)
    const parsed = parse(authorChange, input)
    if (!parsed.done) return parsed
    const { name, bio, links, picture: shown } = parsed.value
    return await this.changing(async (transaction) => {
      const before = await named(transaction, projectId, slug)
      if (!before) return missing
      const author = {
        slug,
        name: name ?? before.name,
        bio: bio ?? before.bio,
        links: links ?? before.links,
        picture: shown === undefined ? before.picture : (shown ?? undefined),
      }
      return await this.save(transaction, projectId, { action: 'author.change', author, before }, viewer)
    })
  }

  async remove(projectId: number, slug: string, viewer: Viewer): Promise<Outcome> {
    requireRight('posts:write', projectId, viewer)
    return await this.changing(async (transaction) => {
      const before = await named(transaction, projectId, slug)
      if (!before) return missing
      const posts = await postsOf(transaction, projectId)
      const written = posts.find(({ authors }) => authors.includes(slug))
      if (written) return undone(`${before.name} is an author of “${written.title}”. Change that first.`)
      await forgetAuthor(transaction, projectId, slug)
      await transaction.announce('posts')
      const deed = { action: 'author.remove', subject: before.name, projectId, before } as const
      await record(transaction, deed, viewer, this.ground.world.now())
      return { done: true }
    })
  }

  private async save(
    transaction: StoreTransaction,
    projectId: number,
    {
      action,
      author,
      before,
    }: { action: Extract<AuditAction, `author.${string}`>; author: Author; before?: Author },
    viewer: Viewer,
  ): Promise<Changed> {
    const now = this.ground.world.now()
    await saveAuthor(transaction, projectId, author, now)
    await transaction.announce('posts')
    const deed = { action, subject: author.name, projectId, after: author }
    await record(transaction, before ? { ...deed, before } : deed, viewer, now)
    return { done: true, author }
  }

  private async changing<Done>(
    work: (transaction: StoreTransaction) => Promise<Outcome<Done>>,
  ): Promise<Outcome<Done>> {
    const outcome = await this.ground.store.transaction(work)
    if (outcome.done) await this.ground.published.caughtUp()
    return outcome
  }
}

const missing = undone('There is no such author in this project.')

async function named(source: StoreTransaction, projectId: number, slug: string): Promise<Author | undefined> {
  return (await authorsOf(source, projectId)).find((one) => one.slug === slug)
}
