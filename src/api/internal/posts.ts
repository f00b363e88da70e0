import { z } from 'zod'
import { instant, shownAs } from '#collection/entry-shape'
import { authorCollection } from '#posts/authors'
import { revalidateInput } from '#posts/cache-tags'
import { type Comment, commentStates, commentDecision } from '#posts/comments/comment'
import type { PostVersion } from '#posts/history'
import { addressOf, type ChangedFields, type Post } from '#posts/post'
import { newPost, postChange, unpublishedDecision } from '#posts/post-input'
import { postContent, postSchema } from '#posts/post-schema'
import { postListFilter, publishInput } from '#posts/posts'
import { previewDays } from '#posts/previews'
import { newRedirect } from '#posts/redirects'
import { type Site, siteSettings } from '#posts/site'
import { newTrial, winnerInput } from '#posts/trial-input'
import { parseInput, failedOutcome } from '#projects/problems'
import type { Product } from '#server/product'
import { collectionEndpoints } from './collection-endpoints'
import { success, type Endpoint, nothing, mapOutcome } from './endpoint'

const unpublishedShape = z
  .object({
    version: z.number(),
    by: z.string(),
    at: instant,
    fields: z.partialRecord(postContent.keyof(), z.unknown()).meta({
      description:
        'Only what differs from the public text; null for a removed field. Lists leave out the body.',
    }),
  })
  .meta({ id: 'UnpublishedChanges' })

const shownPost = postSchema.omit({ projectId: true, picturesBeside: true }).extend({
  state: z.enum(['draft', 'scheduled', 'published', 'archived']),
  address: z.string().meta({ description: 'From the root of the site' }),
  unpublished: unpublishedShape
    .optional()
    .meta({ description: 'Saved changes of a published post that readers do not see yet' }),
})
const { shape: listedShape } = shownAs('ListedPost', shownPost.omit({ body: true }))
const { shape: postShape } = shownAs('Post', shownPost)
const { shape: publishedShape } = shownAs(
  'PublishedPost',
  shownPost.extend({
    note: z.string().optional().meta({ description: 'Where the clocks skip the time that was said' }),
  }),
)

const versionShape = z.object({
  version: z.number(),
  post: postShape,
  by: z.string(),
  at: instant,
  note: z.string().optional(),
  isUnpublished: z.boolean().meta({ description: 'Whether it was saved without publishing it' }),
})

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

/** Adds the address and the state of a post: both are asked for more often than its contents. */
const postBody = ({ posts }: Product, { projectId: _, picturesBeside: _beside, ...post }: Post) => ({
  ...post,
  address: addressOf(post),
  state: posts.stateOf(post),
})

const changedPost =
  (product: Product) =>
  ({ post, note }: { post: Post; note?: string | undefined }) => ({ ...postBody(product, post), note })

function listedPost(product: Product, post: Post) {
  const { body: _, unpublished, ...listed } = postBody(product, post)
  return {
    ...listed,
    unpublished: unpublished && { ...unpublished, fields: withoutBody(unpublished.fields) },
  }
}

function withoutBody({ body: _, ...fields }: ChangedFields) {
  return fields
}

const postVersionBody = (product: Product, { post, ...version }: PostVersion) => ({
  ...version,
  post: postBody(product, post),
})

const siteBody = ({ projectId: _projectId, timeZone: _timeZone, writeKey: _writeKey, ...site }: Site) => site

const noPost = failedOutcome('There is no such post in this project.')

const postList: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/posts',
    summary: 'List posts and pages without their bodies, archived ones if asked for',
    right: 'project:read',
    query: postListFilter,
    responseSchema: z.object({ posts: z.array(listedShape) }),
    handle: async ({ product, viewer, project, query }) => {
      const filter = parseInput(postListFilter, Object.fromEntries(query))
      if (!filter.done) return filter
      const found = await product.posts.list(project().id, viewer, filter.value)
      return success({ posts: found.map((post) => listedPost(product, post)) })
    },
  },
  {
    method: 'POST',
    path: '/projects/{project}/posts',
    summary: 'Write a post or a page: a draft, until it is published',
    right: 'posts:write',
    input: newPost,
    responseSchema: postShape,
    status: 201,
    handle: async ({ product, viewer, input, project }) =>
      mapOutcome(await product.posts.create(project().id, input, viewer), changedPost(product)),
  },
  {
    method: 'GET',
    path: '/projects/{project}/posts/{post}',
    summary: 'Read a post',
    right: 'project:read',
    responseSchema: postShape,
    handle: async ({ product, viewer, project, pathParameter }) => {
      const post = await product.posts.find(project().id, pathParameter('post'), viewer)
      return post ? success(postBody(product, post)) : noPost
    },
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/posts/{post}',
    summary: 'Change a post; with a version, only if it is the latest',
    right: 'posts:write',
    input: postChange,
    responseSchema: postShape,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.posts.change(project().id, pathParameter('post'), input, viewer),
        changedPost(product),
      ),
  },
]

const publication: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/publish-changes',
    summary: 'Publish the unpublished changes of a published post',
    right: 'posts:write',
    input: unpublishedDecision,
    responseSchema: postShape,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.posts.publishChanges(project().id, pathParameter('post'), input, viewer),
        changedPost(product),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/discard-changes',
    summary: 'Discard the unpublished changes of a post; its history keeps them',
    right: 'posts:write',
    input: unpublishedDecision,
    responseSchema: postShape,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.posts.discardChanges(project().id, pathParameter('post'), input, viewer),
        changedPost(product),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/publish',
    summary: 'Publish a post, now or at a time to come',
    right: 'posts:write',
    input: publishInput,
    responseSchema: publishedShape,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.posts.publish(project().id, pathParameter('post'), input, viewer),
        changedPost(product),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/unpublish',
    summary: 'Make a draft of a post again',
    right: 'posts:write',
    responseSchema: postShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.posts.unpublish(project().id, pathParameter('post'), viewer),
        changedPost(product),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/archive',
    summary: 'Archive a post; its URL stays reserved',
    right: 'posts:write',
    responseSchema: postShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.posts.archive(project().id, pathParameter('post'), viewer),
        changedPost(product),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/restore',
    summary: 'Restore an archived post',
    right: 'posts:write',
    responseSchema: postShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.posts.restore(project().id, pathParameter('post'), viewer),
        changedPost(product),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/preview',
    summary: 'Make a link that shows the post to anyone who has it, published or not',
    right: 'project:read',
    responseSchema: previewShape,
    handle: async ({ product, viewer, project, pathParameter }) => {
      const post = await product.posts.find(project().id, pathParameter('post'), viewer)
      if (!post) return noPost
      const token = await product.posts.previewToken(project().id, post.id, viewer)
      return success({ token, path: `${addressOf(post)}?preview=${token}`, days: previewDays })
    },
  },
]

const restoreParameters = z.object({
  keepUnpublished: z.enum(['true', 'false'], { error: 'Say true or false.' }).optional(),
})

const versions: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/posts/{post}/history',
    summary: 'List the versions of a post, latest first',
    right: 'project:read',
    responseSchema: z.object({ versions: z.array(versionShape) }),
    handle: async ({ product, viewer, project, pathParameter }) => {
      const history = await product.posts.history(project().id, pathParameter('post'), viewer)
      return success({ versions: history.map((version) => postVersionBody(product, version)) })
    },
  },
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/history/{version}/bring-back',
    summary: 'Restore a version of a post, of a published one at once or as unpublished changes',
    right: 'posts:write',
    query: restoreParameters,
    responseSchema: postShape,
    handle: async ({ product, viewer, query, project, pathParameter }) => {
      const read = parseInput(restoreParameters, Object.fromEntries(query))
      if (!read.done) return read
      const version = Number(pathParameter('version'))
      const keepUnpublished = read.value.keepUnpublished === 'true'
      return mapOutcome(
        await product.posts.bringBack(project().id, pathParameter('post'), version, viewer, {
          keepUnpublished,
        }),
        changedPost(product),
      )
    },
  },
]

const trials: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/trial',
    summary: 'Start a headline test of a published post',
    right: 'posts:write',
    input: newTrial,
    responseSchema: postShape,
    status: 201,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.posts.startTrial(project().id, pathParameter('post'), input, viewer),
        changedPost(product),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/trial/stop',
    summary: 'Stop the headline test of a post',
    right: 'posts:write',
    responseSchema: postShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.posts.stopTrial(project().id, pathParameter('post'), viewer),
        changedPost(product),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/posts/{post}/trial/winner',
    summary: 'Apply the winner of a headline test',
    right: 'posts:write',
    input: winnerInput,
    responseSchema: postShape,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.posts.pickWinner(project().id, pathParameter('post'), input, viewer),
        changedPost(product),
      ),
  },
]

const redirects: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/redirects',
    summary: 'List redirects, those that came by themselves among them',
    right: 'project:read',
    responseSchema: z.object({ redirects: z.array(redirectShape) }),
    handle: async ({ product, viewer, project }) =>
      success({ redirects: await product.posts.redirects.list(project().id, viewer) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/redirects',
    summary: 'Create a redirect',
    right: 'site:write',
    input: newRedirect,
    responseSchema: redirectShape,
    status: 201,
    handle: async ({ product, viewer, input, project }) =>
      mapOutcome(
        await product.posts.redirects.create(project().id, input, viewer),
        ({ redirect }) => redirect,
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/redirects/{from}',
    summary: 'Remove a redirect, named by the address it leads from',
    right: 'site:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.posts.redirects.remove(project().id, pathParameter('from'), viewer),
        () => ({}),
      ),
  },
]

const site: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/site',
    summary: 'Read the site settings',
    right: 'project:read',
    responseSchema: siteShape,
    handle: async ({ product, viewer, project }) =>
      success(siteBody(await product.posts.sites.read(project().id, viewer))),
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/site',
    summary: 'Change the site settings',
    right: 'site:write',
    input: siteChange,
    responseSchema: siteShape,
    handle: async ({ product, viewer, input, project }) =>
      mapOutcome(await product.posts.sites.change(project().id, input, viewer), (changed) =>
        siteBody(changed.site),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/site/revalidate',
    summary: 'Render pages of the site folder again: those with a tag, and those at a path',
    right: 'posts:write',
    input: revalidateInput,
    responseSchema: nothing,
    handle: async ({ product, viewer, input, project }) =>
      mapOutcome(await product.posts.cacheTags.revalidate(project().id, input, viewer), () => ({})),
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

const commentFilter = z.object({
  state: z.enum(commentStates, { error: 'Say "waiting", "shown" or "hidden".' }).default('waiting'),
  from: z.coerce.number({ error: 'Give it as a number.' }).int().min(0).default(0),
})

const commentBody = ({ projectId: _, ...comment }: Comment) => comment

const comments: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/comments',
    summary: 'List what readers wrote, fifty at a time, the latest first',
    right: 'project:read',
    query: commentFilter,
    responseSchema: z.object({ comments: z.array(commentShape) }),
    handle: async ({ product, viewer, query, project }) => {
      const read = parseInput(commentFilter, Object.fromEntries(query))
      if (!read.done) return read
      const listed = await product.posts.comments.list(project().id, read.value, viewer)
      return success({ comments: listed.map(commentBody) })
    },
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/comments/{comment}',
    summary: 'Approve or hide a comment',
    right: 'posts:write',
    input: commentDecision,
    responseSchema: commentShape,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.posts.comments.decide(project().id, pathParameter('comment'), input, viewer),
        ({ comment }) => commentBody(comment),
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/comments/{comment}',
    summary: 'Remove a comment for good',
    right: 'posts:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.posts.comments.remove(project().id, pathParameter('comment'), viewer),
        () => ({}),
      ),
  },
]

export const postEndpoints: readonly Endpoint[] = [
  ...postList,
  ...publication,
  ...versions,
  ...trials,
  ...collectionEndpoints(authorCollection, ({ posts }) => posts.authors),
  ...redirects,
  ...site,
  ...comments,
]
