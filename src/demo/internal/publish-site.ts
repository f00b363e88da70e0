import { posts as read } from './site'
import { dayMs } from './story'
import { authors, type DemoText, readPages, readPosts } from './post-texts'
import type { Viewer } from '#projects/access'
import { requireDone } from './require-done'
import { imagePath } from '#posts/images'
import type { Product } from '#server/product'
import { drawPicture, isPicture, pictures } from './pictures'

const settings = {
  name: 'Pinewise',
  description: 'Boards for teams of two to twenty, quick and quiet.',
  accent: '#2f6f5e',
  theme: 'product',
  layout: 'cards',
  headerMarkdown: 'Boards 2 is here: more columns, less to look at. [See what is new](/blog/boards-2)',
  navigation: [
    { label: 'Prices', address: '/pricing' },
    { label: 'Blog', address: '/blog' },
    { label: 'About', address: '/about' },
    { label: 'Begin for free', address: '/signup' },
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
  requireDone(await product.posts.sites.change(projectId, settings, viewer))
  for (const author of authors) requireDone(await product.posts.authors.create(projectId, author, viewer))
  for (const writing of readPosts())
    await publish(product, projectId, writing, appearedAt(writing, begin), viewer)
  for (const { slug, fields, body } of readPages()) {
    const wanted = {
      ...fields,
      slug,
      kind: 'page',
      body: await withPictures(product, projectId, body, viewer),
    }
    const { post } = requireDone(await product.posts.create(projectId, wanted, viewer))
    requireDone(await product.posts.publish(projectId, post.id, { at: begin.toISOString() }, viewer))
  }
}

/** Puts drawn pictures in the place of their names: `![](board)`. */
async function withPictures(
  product: Product,
  projectId: number,
  body: string,
  viewer: Viewer,
): Promise<string> {
  let text = body
  for (const [written, name = ''] of body.matchAll(/!\[\]\(([\w-]+)/g)) {
    const picture = await keepPicture(product, projectId, name, viewer)
    if (!picture) continue
    const { alt, address, width, height } = picture
    text = text.replace(written, `![${alt}](${address}#${width}x${height}`)
  }
  return text
}

async function keepPicture({ posts }: Product, projectId: number, name: string, viewer: Viewer) {
  const { images, imageLibrary } = posts
  if (!isPicture(name)) return undefined
  const bytes = await drawPicture(name)
  const { image } = requireDone(await images.keep(projectId, { name: `${name}.png`, bytes }, viewer))
  const { alt } = pictures[name]
  requireDone(await imageLibrary.change(projectId, image.file, { alt }, viewer))
  const { width, height } = image
  return { address: imagePath(image.file), alt, width, height }
}

async function publish(
  product: Product,
  projectId: number,
  { slug, fields: { author, ...fields }, body }: DemoText,
  at: Date,
  viewer: Viewer,
): Promise<void> {
  const { posts: written } = product
  const cover = await keepPicture(product, projectId, slug, viewer)
  const { post } = requireDone(
    await written.create(projectId, { ...fields, slug, cover, body, authors: [author] }, viewer),
  )
  requireDone(await written.publish(projectId, post.id, { at: at.toISOString() }, viewer))
  if (slug !== triedPost.slug) return
  const trial = { variants: [{ title: triedPost.title }], metric: 'clicks' }
  requireDone(await written.startTrial(projectId, post.id, trial, viewer))
}

/** Returns the day on which the first visitors read the post. */
function appearedAt({ slug }: Pick<DemoText, 'slug'>, begin: Date): Date {
  const day = read.find(({ url }) => url.endsWith(`/${slug}`))?.published ?? 0
  return new Date(begin.getTime() + day * dayMs)
}
