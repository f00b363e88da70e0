import { posts as read } from '../demo/site'
import { dayMs } from '../demo/story'
import { authors, pages, posts, type Writing } from '../demo/writings'
import type { Viewer } from '../projects/access'
import { made } from './demo-furnishing'
import type { Product } from './product'

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

/** Of the newest post, another title is tried: whoever looks can see it run. */
const tried = { slug: 'what-we-measure', title: 'Six numbers, and nobody else looking' } as const

/** What the demo's team publishes: the posts that its visitors read, on the days they appeared. */
export async function furnishSite(
  product: Product,
  projectId: number,
  begin: Date,
  viewer: Viewer,
): Promise<void> {
  made(await product.sites.change(projectId, settings, viewer))
  for (const author of authors) made(await product.authors.create(projectId, author, viewer))
  for (const writing of posts) await publish(product, projectId, writing, appearedAt(writing, begin), viewer)
  for (const { body, ...page } of pages) {
    const wanted = { ...page, kind: 'page', body: body.trim() }
    const { post } = made(await product.posts.create(projectId, wanted, viewer))
    made(await product.posts.publish(projectId, post.id, { at: begin.toISOString() }, viewer))
  }
}

async function publish(
  { posts: written }: Product,
  projectId: number,
  { author, body, ...writing }: Writing,
  at: Date,
  viewer: Viewer,
): Promise<void> {
  const { post } = made(
    await written.create(projectId, { ...writing, body: body.trim(), authors: [author] }, viewer),
  )
  made(await written.publish(projectId, post.id, { at: at.toISOString() }, viewer))
  if (writing.slug !== tried.slug) return
  const trial = { variants: [{ title: tried.title }], metric: 'clicks' }
  made(await written.startTrial(projectId, post.id, trial, viewer))
}

/** On the day from which on it is read. */
function appearedAt({ slug }: Writing, begin: Date): Date {
  const day = read.find(({ url }) => url.endsWith(`/${slug}`))?.published ?? 0
  return new Date(begin.getTime() + day * dayMs)
}
