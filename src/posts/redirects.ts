import { z } from 'zod'
import { requireRight, type Viewer } from '../projects/access'
import { record } from '../projects/audit'
import { type Outcome, parse, undone } from '../projects/problems'
import type { Store, StoreTransaction } from '../store/store'
import type { World } from '../world/world'
import { isOurs, pathOf, placeOf } from './addresses'
import { addressOf, type Post, type Redirect } from './post'
import { most } from './post-input'
import type { Published } from './published'
import { forgetRedirect, postsOf, redirectsOf, saveRedirect } from './store'

/** One that came of a changed address leads to its post, wherever that has moved since. */
export interface KeptRedirect {
  from: string
  leadsTo: { address: string } | { post: string }
}

/** As it is shown: with whether it came by itself. */
export interface ListedRedirect extends Redirect {
  isAutomatic: boolean
}

interface Ground {
  store: Store
  world: World
  published: Pick<Published, 'caughtUp' | 'at' | 'site'>
}

const address = (message: string) =>
  z.string({ error: message }).trim().max(500, 'Use at most 500 characters.')
const fromHere = 'Begin with "/": it is an address of this site.'
const toWhere = 'Begin with "/" for an address of this site, or with "https://" for one elsewhere.'

export const newRedirect = z.strictObject({
  from: address(fromHere)
    .regex(/^\/(?!\/)[^\s\\]*$/, fromHere)
    .transform(pathOf),
  to: address(toWhere)
    .regex(/^(?:\/(?!\/)|https?:\/\/)[^\s\\]*$/i, toWhere)
    .refine((to) => to.startsWith('/') || URL.canParse(to), toWhere),
})

/** Where addresses lead that used to be. What is published at an address counts before any of them. */
export class Redirects {
  constructor(private readonly ground: Ground) {}

  async list(projectId: number, viewer: Viewer): Promise<ListedRedirect[]> {
    requireRight('project:read', projectId, viewer)
    const { store } = this.ground
    const posts = await postsOf(store, projectId)
    return listed(await redirectsOf(store, projectId), posts)
  }

  async create(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ redirect: ListedRedirect }>> {
    requireRight('site:write', projectId, viewer)
    const parsed = parse(newRedirect, input)
    if (!parsed.done) return parsed
    const { from } = parsed.value
    const to = this.withinSite(parsed.value.to, projectId)
    return await this.changing(async (transaction) => {
      const objection = await this.objectionTo({ from, to }, projectId, transaction)
      if (objection) return objection
      const now = this.ground.world.now()
      await saveRedirect(transaction, projectId, { from, leadsTo: { address: to } }, now)
      await transaction.announce('posts')
      const deed = { action: 'redirect.create', subject: from, projectId, after: { to } } as const
      await record(transaction, deed, viewer, now)
      return { done: true, redirect: { from, to, isAutomatic: false } }
    })
  }

  async remove(projectId: number, from: string, viewer: Viewer): Promise<Outcome> {
    requireRight('site:write', projectId, viewer)
    return await this.changing(async (transaction) => {
      const all = listed(await redirectsOf(transaction, projectId), await postsOf(transaction, projectId))
      const known = all.find((one) => one.from === pathOf(from))
      if (!known) return undone('There is no redirect from this address.')
      await forgetRedirect(transaction, projectId, known.from)
      await transaction.announce('posts')
      const before = { to: known.to }
      const deed = { action: 'redirect.remove', subject: known.from, projectId, before } as const
      await record(transaction, deed, viewer, this.ground.world.now())
      return { done: true }
    })
  }

  /** Written out in full or not, it is the same place: a circle is one either way. */
  private withinSite(to: string, projectId: number): string {
    const origin = this.ground.published.site(projectId)?.origin
    const read = URL.parse(to)
    return origin !== undefined && read?.origin === origin ? read.href.slice(origin.length) : to
  }

  private async objectionTo({ from, to }: Redirect, projectId: number, transaction: StoreTransaction) {
    if (isOurs(from)) return undone('Tilth itself answers at this address. Choose another.', 'from')
    const { published, world } = this.ground
    const posts = await postsOf(transaction, projectId)
    const there =
      posts.find((post) => !post.archivedAt && placeOf(post) === from) ??
      published.at(projectId, from, world.now())
    if (there) return undone(`“${there.title}” is at this address. Change its address first.`, 'from')
    const others = listed(await redirectsOf(transaction, projectId), posts)
    if (others.length >= most.redirects)
      return undone(`A site has ${most.redirects.toLocaleString('en')} redirects at most. Remove one first.`)
    if (others.some((one) => one.from === from))
      return undone('There is a redirect from this address already. Remove that one first.', 'from')
    return chainIn({ from, to }, others)
  }

  private async changing<Done>(
    work: (transaction: StoreTransaction) => Promise<Outcome<Done>>,
  ): Promise<Outcome<Done>> {
    const outcome = await this.ground.store.transaction(work)
    if (outcome.done) await this.ground.published.caughtUp()
    return outcome
  }
}

function listed(redirects: readonly KeptRedirect[], posts: readonly Post[]): ListedRedirect[] {
  const byId = new Map(posts.map((post) => [post.id, post]))
  return redirects.flatMap(({ from, leadsTo }): ListedRedirect[] => {
    if ('address' in leadsTo) return [{ from, to: leadsTo.address, isAutomatic: false }]
    const post = byId.get(leadsTo.post)
    return post ? [{ from, to: addressOf(post), isAutomatic: true }] : []
  })
}

/** Whoever is sent on is sent on once: a second step is slower, and a third may lead back to the first. */
function chainIn({ from, to }: Redirect, others: readonly Redirect[]) {
  const target = to.startsWith('/') ? pathOf(to) : undefined
  if (target === from) return undone('It would lead to itself.', 'to')
  const next = others.find((one) => one.from === target)
  if (next && pathOf(next.to) === from)
    return undone(
      `“${target}” leads back to “${from}”: nobody would ever arrive. Remove that redirect first.`,
      'to',
    )
  if (next) return undone(`“${target}” is redirected itself, to “${next.to}”. Lead there at once.`, 'to')
  const before = others.find((one) => one.to.startsWith('/') && pathOf(one.to) === from)
  return before && undone(`“${before.from}” leads here. Lead it to “${to}” first.`, 'from')
}

/**
 * Where somebody is sent who asks for a path, in one step; undefined where nobody is, and where redirects lead in a
 * circle, as they can once two people change them at the same moment.
 */
export function destinationOf(path: string, redirects: ReadonlyMap<string, string>): string | undefined {
  const seen = new Set([path])
  let found = redirects.get(path)
  while (found?.startsWith('/')) {
    const place = pathOf(found)
    if (seen.has(place)) return undefined
    const next = redirects.get(place)
    if (next === undefined) return found
    seen.add(place)
    found = next
  }
  return found
}
