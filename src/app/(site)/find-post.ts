import { permanentRedirect } from 'next/navigation'
import { addressOf, type Post } from '#posts/post'
import type { Site } from '#posts/site'
import { getProduct } from '#studio/product'
import { feedsOf } from './describe-page'
import { type OpenSite, openSite } from './open-site'

export interface OpenPost {
  open: OpenSite
  post: Post
  /** Whether the request has a preview link; the post is not public then. */
  isPreview: boolean
}

/** The post at this address, as the public or the holder of a preview link may read it. */
export async function findPost(
  open: OpenSite,
  kind: Post['kind'],
  slug: string,
  preview: string | undefined,
): Promise<OpenPost | undefined> {
  const { site, published, now } = open
  const draft = preview === undefined ? undefined : await readDraft(open, kind, preview)
  const post = draft ?? published.bySlug(site.projectId, kind, slug, now)
  return post && { open, post, isPreview: post === draft }
}

async function readDraft(
  { site, visit }: OpenSite,
  kind: Post['kind'],
  token: string,
): Promise<Post | undefined> {
  visit.doNotCache()
  const post = await getProduct().posts.readPreview(token)
  return post?.projectId === site.projectId && post.kind === kind ? post : undefined
}

/** As above; redirects from a former address of a post. */
export async function openPost(kind: Post['kind'], slug: string, preview: string | undefined) {
  const open = openSite()
  const found = await findPost(open, kind, slug, preview)
  if (!found) followRedirect(open, addressOf({ kind, slug }))
  return { open, found }
}

function followRedirect({ site, published }: OpenSite, path: string): void {
  const elsewhere = published.redirectFor(site.projectId, path) ?? feedAt(site, path)
  if (elsewhere !== undefined) permanentRedirect(elsewhere)
}

/** Readers of feeds try these addresses, which are those of other publishing systems. */
const usualFeedAddresses: ReadonlySet<string> = new Set(['/feed', '/rss', '/feed.xml', '/rss.xml'])

const feedAt = (site: Site, path: string): string | undefined =>
  usualFeedAddresses.has(path) ? feedsOf(site).rss : undefined
