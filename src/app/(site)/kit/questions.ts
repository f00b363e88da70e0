import { AsyncLocalStorage } from 'node:async_hooks'
import { z } from 'zod'
import type { KitQuestions } from '#site-kit/kit-renderer'
import { postsInLanguage } from '#posts/languages'
import { slugOf } from '#posts/post'
import { entriesOf } from '../list-entries'
import { openSite } from '../open-site'
import { withTag } from '../related-posts'
import { kitPostOf } from './kit-post'

const postsQuery = z.object({
  count: z.number().int().min(1).max(100).default(10),
  tag: z.string().max(200).optional(),
})

/** The queries that modules of the site folder may make while they are rendered, answered for the current visit. */
export function kitQuestions(): KitQuestions {
  const within = AsyncLocalStorage.snapshot()
  return { posts: (input) => within(() => findPosts(postsQuery.parse(input ?? {}))) }
}

async function findPosts({
  count,
  tag,
}: z.infer<typeof postsQuery>): Promise<ReturnType<typeof kitPostOf>[]> {
  const open = openSite()
  const all = open.published.posts(open.site.projectId, open.now)
  const posts = tag === undefined ? postsInLanguage(all, open.site) : withTag(all, slugOf(tag))
  const entries = await entriesOf(posts.slice(0, count), open)
  return entries.map(kitPostOf)
}
