import { z } from 'zod'
import { requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { type Outcome, parseInput, failedOutcome } from '#projects/problems'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { asciiLocation, isReservedPath, pathOf, pathOfPost } from './addresses'
import { addressOf, type Post, type Redirect } from './post'
import { limits } from './post-schema'
import type { Published } from './published/published'
import { postsOf } from './internal/store'
import { redirectsOf, removeRedirect, saveRedirect } from './internal/stored-redirects'
import { withPostTransaction } from './internal/post-transaction'

/** A redirect. One that was created by a changed address follows its post to later addresses. */
export interface StoredRedirect {
  from: string
  leadsTo: { address: string } | { post: string }
}

/** A redirect for display, with whether it was created automatically. */
export interface ListedRedirect extends Redirect {
  isAutomatic: boolean
}

interface Dependencies {
  store: Store
  world: World
  published: Pick<Published, 'caughtUp' | 'at' | 'site'>
}

const address = (message: string) =>
  z.string({ error: message }).trim().max(500, 'Use at most 500 characters.')
const localAddressAdvice = 'Begin with "/": it is an address of this site.'
const destinationAdvice = 'Begin with "/" for an address of this site, or with "https://" for one elsewhere.'

export const newRedirect = z.strictObject({
  from: address(localAddressAdvice)
    .regex(/^\/(?!\/)[^\s\\]*$/, localAddressAdvice)
    .transform(pathOf),
  to: address(destinationAdvice)
    .regex(/^(?:\/(?!\/)|https?:\/\/)[^\s\\]*$/i, destinationAdvice)
    .refine((to) => asciiLocation(to) !== undefined, destinationAdvice),
})

/** Redirects of old addresses. Content published at an address takes precedence. */
export class Redirects {
  constructor(private readonly dependencies: Dependencies) {}

  async list(projectId: number, viewer: Viewer): Promise<ListedRedirect[]> {
    requireRight('project:read', projectId, viewer)
    const { store } = this.dependencies
    const posts = await postsOf(store, projectId)
    return toListed(await redirectsOf(store, projectId), posts)
  }

  async create(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ redirect: ListedRedirect }>> {
    requireRight('site:write', projectId, viewer)
    const parsed = parseInput(newRedirect, input)
    if (!parsed.done) return parsed
    const { from } = parsed.value
    const to = this.withinSite(parsed.value.to, projectId)
    return await withPostTransaction(this.dependencies, async (transaction) => {
      const objection = await this.problemWith({ from, to }, projectId, transaction)
      if (objection) return objection
      const now = this.dependencies.world.now()
      await saveRedirect(transaction, projectId, { from, leadsTo: { address: to } }, now)
      await transaction.announce('posts')
      const auditRecord = { action: 'redirect.create', subject: from, projectId, after: { to } } as const
      await recordAudit(transaction, auditRecord, viewer, now)
      return { done: true, redirect: { from, to, isAutomatic: false } }
    })
  }

  async remove(projectId: number, from: string, viewer: Viewer): Promise<Outcome> {
    requireRight('site:write', projectId, viewer)
    return await withPostTransaction(this.dependencies, async (transaction) => {
      const all = toListed(await redirectsOf(transaction, projectId), await postsOf(transaction, projectId))
      const known = all.find((one) => one.from === pathOf(from))
      if (!known) return failedOutcome('There is no redirect from this address.')
      await removeRedirect(transaction, projectId, known.from)
      await transaction.announce('posts')
      const before = { to: known.to }
      const auditRecord = { action: 'redirect.remove', subject: known.from, projectId, before } as const
      await recordAudit(transaction, auditRecord, viewer, this.dependencies.world.now())
      return { done: true }
    })
  }

  /** Resolves absolute and relative addresses alike, to find cycles. */
  private withinSite(to: string, projectId: number): string {
    const origin = this.dependencies.published.site(projectId)?.origin
    const read = URL.parse(to)
    // a path that begins with two slashes would be an address of another host
    const isWithin = origin !== undefined && read?.origin === origin && !read.pathname.startsWith('//')
    return isWithin ? read.href.slice(origin.length) : to
  }

  private async problemWith({ from, to }: Redirect, projectId: number, transaction: StoreTransaction) {
    if (isReservedPath(from))
      return failedOutcome('Tilth itself answers at this address. Choose another.', 'from')
    const { published, world } = this.dependencies
    const posts = await postsOf(transaction, projectId)
    const there =
      posts.find((post) => !post.archivedAt && pathOfPost(post) === from) ??
      published.at(projectId, from, world.now())
    if (there) return failedOutcome(`“${there.title}” is at this address. Change its address first.`, 'from')
    const others = toListed(await redirectsOf(transaction, projectId), posts)
    if (others.length >= limits.redirects)
      return failedOutcome(
        `A site has at most ${limits.redirects.toLocaleString('en')} redirects. Remove one first.`,
      )
    if (others.some((one) => one.from === from))
      return failedOutcome('There is a redirect from this address already. Remove that one first.', 'from')
    return chainProblem({ from, to }, others)
  }
}

function toListed(redirects: readonly StoredRedirect[], posts: readonly Post[]): ListedRedirect[] {
  const byId = new Map(posts.map((post) => [post.id, post]))
  return redirects.flatMap(({ from, leadsTo }): ListedRedirect[] => {
    if ('address' in leadsTo) return [{ from, to: leadsTo.address, isAutomatic: false }]
    const post = byId.get(leadsTo.post)
    return post ? [{ from, to: addressOf(post), isAutomatic: true }] : []
  })
}

/** Refuses redirect chains: a second step is slower, and a third may lead back to the first. */
function chainProblem({ from, to }: Redirect, others: readonly Redirect[]) {
  const target = to.startsWith('/') ? pathOf(to) : undefined
  if (target === from) return failedOutcome('It would lead to itself.', 'to')
  const next = others.find((one) => one.from === target)
  if (next && pathOf(next.to) === from)
    return failedOutcome(
      `“${target}” redirects back to “${from}”, which would be a loop. Remove that redirect first.`,
      'to',
    )
  if (next)
    return failedOutcome(`“${target}” is redirected itself, to “${next.to}”. Lead there at once.`, 'to')
  const before = others.find((one) => one.to.startsWith('/') && pathOf(one.to) === from)
  return before && failedOutcome(`“${before.from}” leads here. Lead it to “${to}” first.`, 'from')
}

/**
 * The final destination of a path, in one step. Undefined without a redirect, and for a cycle, which two concurrent
 * changes can create.
 */
export function destinationOf(path: string, redirects: ReadonlyMap<string, string>): string | undefined {
  const visited = new Set([path])
  let found = redirects.get(path)
  while (found?.startsWith('/')) {
    const currentPath = pathOf(found)
    if (visited.has(currentPath)) return undefined
    const next = redirects.get(currentPath)
    if (next === undefined) return found
    visited.add(currentPath)
    found = next
  }
  return found
}
