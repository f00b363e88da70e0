import { posts as read } from './site'
import { dayMs } from './story'
import { authors, pages, posts, type DemoPostText } from './post-texts'
import type { Viewer } from '#projects/access'
import { requireDone } from './furnishing'
import type { Product } from '#server/product'

const settings = {
  name: 'Pinewise',
  description: 'Boards for teams of two to twenty, quick and quiet.',
  accent: '#2f6f5e',
  layout: 'list',
  navigation: [
    { label: 'Prices', address: '/pricing' },
    { label: 'Blog', address: '/blog' },
    { label: 'About', address: '/about' },
  ],
  footer: [{ label: 'What we measure', address: '/blog/what-we-measure' }],
  footerText: 'Pinewise is made up, and so is everybody in it.',
} as const

/** The newest post has a running title trial. */
const triedPost = { slug: 'what-we-measure', title: 'Six numbers, and nobody else looking' } as const

/** Publishes the posts that the generated visitors read, with their dates. */
export async function addDemoSite(
  product: Product,
  projectId: number,
  begin: Date,
  viewer: Viewer,
): Promise<void> {
  requireDone(await product.sites.change(projectId, settings, viewer))
  for (const author of authors) requireDone(await product.authors.create(projectId, author, viewer))
  for (const writing of posts) await publish(product, projectId, writing, appearedAt(writing, begin), viewer)
  for (const { body, ...page } of pages) {
    const wanted = { ...page, kind: 'page', body: body.trim() }
    const { post } = requireDone(await product.posts.create(projectId, wanted, viewer))
    requireDone(await product.posts.publish(projectId, post.id, { at: begin.toISOString() }, viewer))
  }
}

async function publish(
  { posts: written }: Product,
  projectId: number,
  { author, body, ...writing }: DemoPostText,
  at: Date,
  viewer: Viewer,
): Promise<void> {
  const { post } = requireDone(
    await written.create(projectId, { ...writing, body: body.trim(), authors: [author] }, viewer),
  )
  requireDone(await written.publish(projectId, post.id, { at: at.toISOString() }, viewer))
  if (writing.slug !== triedPost.slug) return
  const trial = { variants: [{ title: triedPost.title }], metric: 'clicks' }
  requireDone(await written.startTrial(projectId, post.id, trial, viewer))
}

/** Returns the day on which the first visitors read the post. */
function appearedAt({ slug }: DemoPostText, begin: Date): Date {
  const day = read.find(({ url }) => url.endsWith(`/${slug}`))?.published ?? 0
  return new Date(begin.getTime() + day * dayMs)
}
