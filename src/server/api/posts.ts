import { z } from 'zod'
import { authorChange, newAuthor } from '../../posts/authors'
import { type Comment, commentStates, deciding } from '../../posts/comment'
import type { PostVersion } from '../../posts/history'
import { imageAddress, type KeptImage } from '../../posts/images'
import { addressOf, type Post } from '../../posts/post'
import { newPost, picture, postChange } from '../../posts/post-input'
import { postQuestion, publishing } from '../../posts/posts'
import { previewDays } from '../../posts/previews'
import { newRedirect } from '../../posts/redirects'
import { type Site, siteSettings } from '../../posts/site'
import { newTrial, winning } from '../../posts/trial-input'
import { parse, undone } from '../../projects/problems'
import type { Product } from '../product'
import { done, type Endpoint, instant, nothing, shownAs } from './endpoint'

const trialShape = z
  .looseObject({
    key: z.string().meta({ description: 'What events call it' }),
    variants: z.array(z.looseObject({ key: z.string() })),
    startedAt: instant,
    metric: z.enum(['clicks', 'reads']),
    state: z.looseObject({ name: z.enum(['running', 'won', 'stopped']) }),
  })
  .meta({ id: 'PostTrial' })

const listedShape = z
  .object({
    id: z.string().meta({ description: 'A number, or "file:" and the path of a file in a folder' }),
    kind: z.enum(['post', 'page']),
    source: z.enum(['studio', 'folder']),
    state: z.enum(['draft', 'scheduled', 'published', 'archived']),
    slug: z.string(),
    address: z.string().meta({ description: 'From the root of the site' }),
    title: z.string(),
    excerpt: z.string(),
    cover: picture.optional(),
    tags: z.array(z.string()),
    authors: z.array(z.string()),
    series: z.string().optional(),
    isFeatured: z.boolean(),
    allowsComments: z.boolean(),
    metaTitle: z.string(),
    metaDescription: z.string(),
    canonical: z.string(),
    publishedAt: instant.optional(),
    createdAt: instant,
    changedAt: instant,
    version: z.number(),
    archivedAt: instant.optional(),
    trial: trialShape.optional(),
  })
  .meta({ id: 'ListedPost' })

const postShape = listedShape
  .extend({ body: z.string().meta({ description: 'Markdown' }) })
  .meta({ id: 'Post' })

const publishedShape = postShape
  .extend({
    note: z.string().optional().meta({ description: 'Where the clocks skip the time that was said' }),
  })
  .meta({ id: 'PublishedPost' })

const versionShape = z.object({
  version: z.number(),
  post: postShape,
  by: z.string(),
  at: instant,
  note: z.string().optional(),
})

const authorShape = z
  .object({
    slug: z.string(),
    name: z.string(),
    bio: z.string(),
    picture: picture.optional(),
    links: z.array(z.object({ label: z.string(), address: z.string() })),
  })
  .meta({ id: 'Author' })

const redirectShape = z
  .object({
    from: z.string(),
    to: z.string(),
    isAutomatic: z.boolean().meta({ description: 'Whether it came of a changed address' }),
  })
  .meta({ id: 'Redirect' })

const siteShape = siteSettings.extend({ origin: z.string() }).meta({ id: 'Site' })
const siteChange = z.object(
  Object.fromEntries(Object.entries(siteSettings.shape).map(([name, part]) => [name, part.optional()])),
)

const previewShape = z.object({
  token: z.string(),
  path: z.string().meta({ description: 'Below the address of the site' }),
  days: z.number().meta({ description: 'For how many days it shows the post' }),
})

/** With where it is and how it stands: both are asked for more often than what they are made of. */
const shownPost = ({ posts }: Product, { projectId: _, ...post }: Post) => ({
  ...post,
  address: addressOf(post),
  state: posts.stateOf(post),
})

const changedPost =
  (product: Product) =>
  ({ post, note }: { post: Post; note?: string | undefined }) => ({ ...shownPost(product, post), note })

function listedPost(product: Product, post: Post) {
  const { body: _, ...listed } = shownPost(product, post)
  return listed
}

const shownVersion = (product: Product, { post, ...version }: PostVersion) => ({
  ...version,
  post: shownPost(product, post),
})

const shownSite = ({ projectId: _projectId, timeZone: _timeZone, writeKey: _writeKey, ...site }: Site) => site

const noPost = undone('There is no such post in this project.')

const postList: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/posts',
    summary: 'List posts and pages without their bodies, archived ones if asked for',
    right: 'project:read',
    query: postQuestion,
    answers: z.object({ posts: z.array(listedShape) }),
    answer: async ({ product, viewer, project, query }) => {
      const question = parse(postQuestion, Object.fromEntries(query))
      if (!question.done) return question
      const found = await product.posts.list(project().id, viewer, question.value)
      return done({ posts: found.map((post) => listedPost(product, post)) })
    },
  },
  {
    method: 'POST',
    path: '/projects/{project}/posts',
    summary: 'Write a post or a page: a draft, until it is published',
    right: 'posts:write',
    input: newPost,
    answers: postShape,
    status: 201,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(await product.posts.create(project().id, input, viewer), changedPost(product)),
  },
  {
    method: 'GET',
    path: '/projects/{project}/posts/{post}',
    summary: 'Read a post',
    right: 'project:read',
    answers: postShape,
    answer: async ({ product, viewer, project, part }) => {
      const post = await product.posts.find(project().id, part('post'), viewer)
      return post ? done(shownPost(product, post)) : noPost
    },
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/posts/{post}',
    summary: 'Change a post; with a version, only if it is the latest',
    right: 'posts:write',
    input: postChange,
    answers: postShape,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(await product.posts.change(project().id, part('post'), input, viewer), changedPost(product)),
  },
]

const publication: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/publish',
    summary: 'Publish a post, now or at a time to come',
    right: 'posts:write',
    input: publishing,
    answers: publishedShape,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(await product.posts.publish(project().id, part('post'), input, viewer), changedPost(product)),
  },
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/unpublish',
    summary: 'Make a draft of a post again',
    right: 'posts:write',
    answers: postShape,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.posts.unpublish(project().id, part('post'), viewer), changedPost(product)),
  },
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/archive',
    summary: 'Put a post away; its address stays its own',
    right: 'posts:write',
    answers: postShape,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.posts.archive(project().id, part('post'), viewer), changedPost(product)),
  },
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/restore',
    summary: 'Bring back an archived post as it was',
    right: 'posts:write',
    answers: postShape,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.posts.restore(project().id, part('post'), viewer), changedPost(product)),
  },
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/preview',
    summary: 'Make a link that shows the post to whoever has it, published or not',
    right: 'project:read',
    answers: previewShape,
    answer: async ({ product, viewer, project, part }) => {
      const post = await product.posts.find(project().id, part('post'), viewer)
      if (!post) return noPost
      const token = await product.posts.previewToken(project().id, post.id, viewer)
      return done({ token, path: `${addressOf(post)}?preview=${token}`, days: previewDays })
    },
  },
]

const versions: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/posts/{post}/history',
    summary: 'List what a post was, the latest first',
    right: 'project:read',
    answers: z.object({ versions: z.array(versionShape) }),
    answer: async ({ product, viewer, project, part }) => {
      const history = await product.posts.history(project().id, part('post'), viewer)
      return done({ versions: history.map((version) => shownVersion(product, version)) })
    },
  },
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/history/{version}/bring-back',
    summary: 'Make a post say again what it said at a version',
    right: 'posts:write',
    answers: postShape,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(
        await product.posts.bringBack(project().id, part('post'), Number(part('version')), viewer),
        changedPost(product),
      ),
  },
]

const trials: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/trial',
    summary: 'Try titles, excerpts or covers beside a published post’s own',
    right: 'posts:write',
    input: newTrial,
    answers: postShape,
    status: 201,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(
        await product.posts.startTrial(project().id, part('post'), input, viewer),
        changedPost(product),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/trial/stop',
    summary: 'Stop the trial of a post; it stays as it is',
    right: 'posts:write',
    answers: postShape,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.posts.stopTrial(project().id, part('post'), viewer), changedPost(product)),
  },
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/trial/winner',
    summary: 'Write the words of a trial’s winner into the post',
    right: 'posts:write',
    input: winning,
    answers: postShape,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(
        await product.posts.pickWinner(project().id, part('post'), input, viewer),
        changedPost(product),
      ),
  },
]

const authors: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/authors',
    summary: 'List authors',
    right: 'project:read',
    answers: z.object({ authors: z.array(authorShape) }),
    answer: async ({ product, viewer, project }) =>
      done({ authors: await product.authors.list(project().id, viewer) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/authors',
    summary: 'Add an author',
    right: 'posts:write',
    input: newAuthor,
    answers: authorShape,
    status: 201,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(await product.authors.create(project().id, input, viewer), ({ author }) => author),
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/authors/{author}',
    summary: 'Change an author',
    right: 'posts:write',
    input: authorChange,
    answers: authorShape,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(
        await product.authors.change(project().id, part('author'), input, viewer),
        ({ author }) => author,
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/authors/{author}',
    summary: 'Remove an author who wrote nothing',
    right: 'posts:write',
    answers: nothing,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.authors.remove(project().id, part('author'), viewer), () => ({})),
  },
]

const redirects: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/redirects',
    summary: 'List redirects, those that came by themselves among them',
    right: 'project:read',
    answers: z.object({ redirects: z.array(redirectShape) }),
    answer: async ({ product, viewer, project }) =>
      done({ redirects: await product.redirects.list(project().id, viewer) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/redirects',
    summary: 'Lead an address that used to be elsewhere',
    right: 'site:write',
    input: newRedirect,
    answers: redirectShape,
    status: 201,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(await product.redirects.create(project().id, input, viewer), ({ redirect }) => redirect),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/redirects/{from}',
    summary: 'Remove a redirect, named by the address it leads from',
    right: 'site:write',
    answers: nothing,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.redirects.remove(project().id, part('from'), viewer), () => ({})),
  },
]

const site: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/site',
    summary: 'Read how the site looks, and where it is',
    right: 'project:read',
    answers: siteShape,
    answer: async ({ product, viewer, project }) =>
      done(shownSite(await product.sites.read(project().id, viewer))),
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/site',
    summary: 'Change how the site looks; what is not said stays',
    right: 'site:write',
    input: siteChange,
    answers: siteShape,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(await product.sites.change(project().id, input, viewer), (changed) => shownSite(changed.site)),
  },
]

const imageShape = z
  .object({
    address: z.string().meta({ description: 'For covers, and between the brackets of a picture' }),
    name: z.string(),
    width: z.number(),
    height: z.number(),
    bytes: z.number(),
    createdBy: z.string(),
    createdAt: instant,
  })
  .meta({ id: 'Image' })

const newImage = z.strictObject({
  name: z.string({ error: 'Say how the picture is called.' }).default(''),
  data: z.base64({ error: 'Give the file in base64.' }),
})

const shownImage = ({ file, ...image }: KeptImage) => ({ ...image, address: imageAddress(file) })

const images: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/images',
    summary: 'List pictures that were uploaded, the latest first',
    right: 'project:read',
    answers: z.object({ images: z.array(imageShape) }),
    answer: async ({ product, viewer, project }) =>
      done({ images: (await product.images.list(project().id, viewer)).map(shownImage) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/images',
    summary: 'Upload a picture of up to 5 MB; larger ones by the editor',
    right: 'posts:write',
    input: newImage,
    answers: imageShape,
    status: 201,
    answer: async ({ product, viewer, input, project }) => {
      const read = parse(newImage, input)
      if (!read.done) return read
      const { name, data } = read.value
      const kept = await product.images.keep(
        project().id,
        { name, bytes: Buffer.from(data, 'base64') },
        viewer,
      )
      return shownAs(kept, ({ image }) => shownImage(image))
    },
  },
]

const commentShape = z
  .object({
    id: z.string(),
    postId: z.string(),
    name: z.string(),
    text: z.string(),
    state: z.enum(commentStates),
    writtenAt: instant,
    decidedBy: z.string().optional(),
  })
  .meta({ id: 'Comment' })

const commentQuestion = z.object({
  state: z.enum(commentStates, { error: 'Say "waiting", "shown" or "hidden".' }).default('waiting'),
  from: z.coerce.number({ error: 'Give it as a number.' }).int().min(0).default(0),
})

const shownComment = ({ projectId: _, ...comment }: Comment) => comment

const comments: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/comments',
    summary: 'List what readers wrote, fifty at a time, the latest first',
    right: 'project:read',
    query: commentQuestion,
    answers: z.object({ comments: z.array(commentShape) }),
    answer: async ({ product, viewer, query, project }) => {
      const read = parse(commentQuestion, Object.fromEntries(query))
      if (!read.done) return read
      const listed = await product.comments.list(project().id, read.value, viewer)
      return done({ comments: listed.map(shownComment) })
    },
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/comments/{comment}',
    summary: 'Let a comment in, or keep it out',
    right: 'posts:write',
    input: deciding,
    answers: commentShape,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(await product.comments.decide(project().id, part('comment'), input, viewer), ({ comment }) =>
        shownComment(comment),
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/comments/{comment}',
    summary: 'Remove a comment for good',
    right: 'posts:write',
    answers: nothing,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.comments.remove(project().id, part('comment'), viewer), () => ({})),
  },
]

export const postEndpoints: readonly Endpoint[] = [
  ...postList,
  ...publication,
  ...versions,
  ...trials,
  ...authors,
  ...redirects,
  ...site,
  ...images,
  ...comments,
]
