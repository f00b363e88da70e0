import { z } from 'zod'
import { postContent, postSchema } from '#posts/post-schema'
import { failedOutcome } from '#projects/problems'
import { defineChange, givenIn, numbered, partLines, reasonField } from './proposable-change'

const rights = { reads: ['project:read'], right: 'posts:write' } as const

const draftInput = z.strictObject({
  kind: postSchema.shape.kind.default('post'),
  ...postContent.pick({ title: true, excerpt: true, body: true, tags: true }).shape,
  slug: postContent.shape.slug.optional(),
  ...reasonField,
})

const pathOf = (post: string): string => `site/posts/${post.split('/').map(encodeURIComponent).join('/')}`

export const postChanges = [
  defineChange({
    name: 'write_post',
    title: 'Write a draft',
    description: 'Writes a draft of a post or a page, in Markdown. No reader sees it before it is published.',
    input: draftInput,
    ...rights,
    isDestructive: false,
    alwaysAsks: () => false,
    async preview({ input: { kind, title, slug, excerpt, body, tags } }) {
      const lines = partLines({ Title: title, Address: slug, Excerpt: excerpt, Tags: tags, Text: body })
      const preview = {
        sentence: `Write a draft of a ${kind}.`,
        lines,
        thing: 'site/posts',
        version: undefined,
      }
      return { done: true, preview }
    },
    async make({ services, projectId, viewer, input }) {
      const outcome = await services.posts.create(projectId, givenIn(input), viewer)
      return outcome.done ? { done: true, path: pathOf(outcome.post.id) } : outcome
    },
  }),
  defineChange({
    name: 'publish_post',
    title: 'Publish a post',
    description: 'Publishes a draft of a post or a page.',
    input: z.strictObject({ id: z.string().max(300), ...reasonField }),
    ...rights,
    isDestructive: false,
    alwaysAsks: () => true,
    async preview({ services, projectId, viewer, input: { id } }) {
      const post = await services.posts.find(projectId, id, viewer)
      if (!post || post.archivedAt) return failedOutcome('There is no such post in this project.', 'id')
      if (services.posts.stateOf(post) === 'published') return failedOutcome('It is published already.', 'id')
      const preview = {
        sentence: `Publish the ${post.kind} “${post.title}”.`,
        lines: partLines({ Address: `/${post.kind === 'post' ? 'blog/' : ''}${post.slug}`, Text: post.body }),
        thing: pathOf(id),
        version: String(post.version),
      }
      return { done: true, preview }
    },
    async make({ services, projectId, viewer, version, input: { id } }) {
      const outcome = await services.posts.publish(projectId, id, { version: numbered(version) }, viewer)
      return outcome.done ? { done: true, path: pathOf(id) } : outcome
    },
  }),
]
