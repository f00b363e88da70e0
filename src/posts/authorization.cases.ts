import { expect } from 'vitest'
import { operator } from '#projects/access'
import type { Product } from '#server/product'
import { onePixelPng, present, requireDone } from '#test/product/fixture'
import { asking, type AuditedCall, type Stage } from '#test/product/authorization/audited-call'

export const postCalls: Record<string, AuditedCall> = {
  'posts.numbers.of': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, async (product) =>
        product.posts.numbers.of(stage.acme.id, await aReadPost(stage, product), {}, viewer),
      ),
  },
  'posts.numbers.list': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ posts: { numbers: postNumbers } }) => postNumbers.list(stage.acme.id, '30d', viewer)),
  },
  'posts.numbers.attributionFor': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, async (product) =>
        product.posts.numbers.attributionFor(
          stage.acme.id,
          await aReadPost(stage, product),
          { goal: { type: 'revenue' } },
          viewer,
        ),
      ),
  },
  'posts.numbers.trial': {
    right: 'events:read',
    does: async (stage, viewer) => {
      const id = await aTriedPost(stage)
      const { trial } = present(await stage.product.posts.find(stage.acme.id, id, operator()))
      return await asking(stage, ({ posts: { numbers: postNumbers } }) =>
        postNumbers.trial(stage.acme.id, present(trial), viewer),
      )
    },
  },
  'posts.numbers.blocked': {
    right: 'events:read',
    does: (stage, viewer) =>
      asking(stage, ({ posts: { numbers: postNumbers } }) =>
        postNumbers.blocked(stage.acme.id, '30d', viewer),
      ),
  },
  'posts.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.posts.list(acme.id, viewer),
  },
  'posts.find': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.posts.find(acme.id, '1', viewer),
  },
  'posts.create': {
    right: 'posts:write',
    does: ({ product, acme }, viewer) =>
      product.posts.create(acme.id, { title: 'Hello', body: 'Words' }, viewer),
    action: 'post.create',
    writes: () => ({
      subject: 'Hello',
      before: undefined,
      after: expect.objectContaining({ body: '5 characters', version: 1 }),
    }),
  },
  'posts.createAsOf': {
    right: 'posts:write',
    does: ({ product, acme }, viewer) => {
      const at = new Date(0)
      const dates = { publishedAt: at, createdAt: at, changedAt: at }
      return product.posts.createAsOf(acme.id, { title: 'Hello' }, dates, viewer)
    },
  },
  'posts.change': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.change(stage.acme.id, await aPost(stage), { title: 'Bye' }, viewer),
    action: 'post.change',
    writes: () => ({
      subject: 'Bye',
      before: expect.objectContaining({ title: 'Hello', version: 1 }),
      after: expect.objectContaining({ title: 'Bye', version: 2 }),
    }),
  },
  'posts.publishChanges': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.publishChanges(stage.acme.id, await anEditedPost(stage), {}, viewer),
  },
  'posts.discardChanges': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.discardChanges(stage.acme.id, await anEditedPost(stage), {}, viewer),
    action: 'post.discard',
    writes: () => ({ subject: 'Hello', after: expect.objectContaining({ title: 'Hello', version: 4 }) }),
  },
  'posts.publish': {
    right: 'posts:write',
    does: async (stage, viewer) => stage.product.posts.publish(stage.acme.id, await aPost(stage), {}, viewer),
    action: 'post.publish',
    writes: ({ world }) => ({
      subject: 'Hello',
      before: expect.not.objectContaining({ publishedAt: expect.anything() }),
      after: expect.objectContaining({ publishedAt: world.now().toISOString() }),
    }),
  },
  'posts.unpublish': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.unpublish(stage.acme.id, await aPublishedPost(stage), viewer),
    action: 'post.unpublish',
    writes: () => ({
      subject: 'Hello',
      after: expect.not.objectContaining({ publishedAt: expect.anything() }),
    }),
  },
  'posts.archive': {
    right: 'posts:write',
    does: async (stage, viewer) => stage.product.posts.archive(stage.acme.id, await aPost(stage), viewer),
    action: 'post.archive',
    writes: ({ world }) => ({
      subject: 'Hello',
      after: expect.objectContaining({ archivedAt: world.now().toISOString() }),
    }),
  },
  'posts.restore': {
    right: 'posts:write',
    does: async (stage, viewer) => {
      const id = await aPost(stage)
      requireDone(await stage.product.posts.archive(stage.acme.id, id, operator()))
      return await stage.product.posts.restore(stage.acme.id, id, viewer)
    },
    action: 'post.restore',
    writes: () => ({
      subject: 'Hello',
      before: expect.objectContaining({ archivedAt: expect.anything() }),
    }),
  },
  'posts.history': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.posts.history(acme.id, '1', viewer),
  },
  'posts.bringBack': {
    right: 'posts:write',
    does: async (stage, viewer) => {
      const id = await aPost(stage)
      await stage.product.posts.change(stage.acme.id, id, { title: 'Bye' }, operator())
      return await stage.product.posts.bringBack(stage.acme.id, id, 1, viewer)
    },
    action: 'post.revert',
    writes: () => ({
      subject: 'Hello',
      before: expect.objectContaining({ title: 'Bye' }),
      after: expect.objectContaining({ title: 'Hello', version: 3 }),
    }),
  },
  'posts.previewToken': {
    right: 'project:read',
    does: async (stage, viewer) =>
      stage.product.posts.previewToken(stage.acme.id, await aPost(stage), viewer),
  },
  'posts.pagePreviewToken': {
    right: 'project:read',
    does: (stage, viewer) =>
      Promise.resolve(stage.product.posts.pagePreviewToken(stage.acme.id, '/plans', viewer)),
  },
  'posts.startTrial': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.startTrial(stage.acme.id, await aPublishedPost(stage), otherTitle, viewer),
    action: 'post.try',
    writes: () => ({
      subject: 'Hello',
      after: expect.objectContaining({ trial: expect.objectContaining({ state: { name: 'running' } }) }),
    }),
  },
  'posts.stopTrial': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.stopTrial(stage.acme.id, await aTriedPost(stage), viewer),
    action: 'post.untry',
    writes: () => ({
      subject: 'Hello',
      after: expect.objectContaining({
        trial: expect.objectContaining({ state: expect.objectContaining({ name: 'stopped' }) }),
      }),
    }),
  },
  'posts.pickWinner': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.pickWinner(stage.acme.id, await aTriedPost(stage), { winner: 'b' }, viewer),
    action: 'post.win',
    writes: () => ({
      subject: 'Hello, you',
      before: expect.objectContaining({ title: 'Hello' }),
      after: expect.objectContaining({ title: 'Hello, you' }),
    }),
  },
  'posts.authors.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.posts.authors.list(acme.id, viewer),
  },
  'posts.authors.create': {
    right: 'posts:write',
    does: ({ product, acme }, viewer) => product.posts.authors.create(acme.id, { name: 'Eve' }, viewer),
    action: 'author.create',
    writes: () => ({
      subject: 'Eve',
      before: undefined,
      after: expect.objectContaining({ name: 'Eve', bio: '' }),
    }),
  },
  'posts.authors.change': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.authors.change(stage.acme.id, await anAuthor(stage), { bio: 'Writes' }, viewer),
    action: 'author.change',
    writes: () => ({
      subject: 'Eve',
      before: expect.objectContaining({ bio: '' }),
      after: expect.objectContaining({ bio: 'Writes' }),
    }),
  },
  'posts.authors.remove': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.authors.remove(stage.acme.id, await anAuthor(stage), viewer),
    action: 'author.remove',
    writes: () => ({ subject: 'Eve', before: expect.objectContaining({ name: 'Eve' }), after: undefined }),
  },
  'posts.redirects.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.posts.redirects.list(acme.id, viewer),
  },
  'posts.redirects.create': {
    right: 'site:write',
    does: ({ product, acme }, viewer) => product.posts.redirects.create(acme.id, moved, viewer),
    action: 'redirect.create',
    writes: () => ({ subject: '/old', after: { to: '/new' } }),
  },
  'posts.redirects.remove': {
    right: 'site:write',
    does: async ({ product, acme }, viewer) => {
      requireDone(await product.posts.redirects.create(acme.id, moved, operator()))
      return await product.posts.redirects.remove(acme.id, moved.from, viewer)
    },
    action: 'redirect.remove',
    writes: () => ({ subject: '/old', before: { to: '/new' }, after: undefined }),
  },
  'posts.cacheTags.revalidate': {
    right: 'posts:write',
    does: ({ product, acme }, viewer) =>
      product.posts.cacheTags.revalidate(acme.id, { tags: ['jobs'], paths: ['/jobs'] }, viewer),
  },
  'posts.sites.read': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.posts.sites.read(acme.id, viewer),
  },
  'posts.sites.change': {
    right: 'site:write',
    does: ({ product, acme }, viewer) => product.posts.sites.change(acme.id, { layout: 'cards' }, viewer),
    action: 'site.change',
    writes: ({ acme }) => ({
      subject: acme.name,
      before: expect.objectContaining({ layout: 'list' }),
      after: expect.objectContaining({ layout: 'cards' }),
    }),
  },
  'posts.imageLibrary.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.posts.imageLibrary.list(acme.id, viewer),
  },
  'posts.imageLibrary.find': {
    right: 'project:read',
    does: async (stage, viewer) =>
      stage.product.posts.imageLibrary.find(stage.acme.id, await anImage(stage), viewer),
  },
  'posts.imageLibrary.change': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.imageLibrary.change(stage.acme.id, await anImage(stage), { alt: 'A dot' }, viewer),
    action: 'image.change',
    writes: () => ({
      subject: 'dot.png',
      before: { alt: '' },
      after: { alt: 'A dot' },
    }),
  },
  'posts.imageLibrary.remove': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.imageLibrary.remove(stage.acme.id, await anImage(stage), {}, viewer),
    action: 'image.remove',
    writes: () => ({ subject: 'dot.png' }),
  },
  'posts.images.keep': {
    right: 'posts:write',
    does: ({ product, acme }, viewer) =>
      product.posts.images.keep(acme.id, { name: 'dot.png', bytes: onePixelPng }, viewer),
    action: 'image.add',
    writes: () => ({ subject: 'dot.png' }),
  },
  'posts.comments.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.posts.comments.list(acme.id, { state: 'waiting' }, viewer),
  },
  'posts.comments.counts': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.posts.comments.counts(acme.id, viewer),
  },
  'posts.comments.decide': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.comments.decide(stage.acme.id, await aComment(stage), { state: 'shown' }, viewer),
    action: 'comment.decide',
    writes: () => ({ subject: 'Ben', before: { state: 'waiting' }, after: { state: 'shown' } }),
  },
  'posts.comments.remove': {
    right: 'posts:write',
    does: async (stage, viewer) =>
      stage.product.posts.comments.remove(stage.acme.id, await aComment(stage), viewer),
    action: 'comment.remove',
    writes: () => ({ subject: 'Ben' }),
  },
}

async function aComment({ product, acme }: Stage): Promise<string> {
  const post = { projectId: acme.id, id: '1', allowsComments: true }
  return requireDone(await product.posts.comments.write(post, { name: 'Ben', text: 'Thank you.' })).comment.id
}

const otherTitle = { variants: [{ title: 'Hello, you' }] }
const moved = { from: '/old', to: '/new' }

async function aPost({ product, acme }: Stage): Promise<string> {
  return requireDone(await product.posts.create(acme.id, { title: 'Hello' }, operator())).post.id
}

export async function aPublishedPost(stage: Stage): Promise<string> {
  const id = await aPost(stage)
  return requireDone(await stage.product.posts.publish(stage.acme.id, id, {}, operator())).post.id
}

async function anEditedPost(stage: Stage): Promise<string> {
  const id = await aPublishedPost(stage)
  const change = { title: 'Bye', keepUnpublished: true }
  return requireDone(await stage.product.posts.change(stage.acme.id, id, change, operator())).post.id
}

async function aTriedPost(stage: Stage): Promise<string> {
  const id = await aPublishedPost(stage)
  return requireDone(await stage.product.posts.startTrial(stage.acme.id, id, otherTitle, operator())).post.id
}

async function aReadPost(stage: Stage, { posts }: Product) {
  return present(await posts.find(stage.acme.id, await aPublishedPost(stage), operator()))
}

async function anImage({ product, acme }: Stage): Promise<string> {
  const picture = { name: 'dot.png', bytes: onePixelPng }
  return requireDone(await product.posts.images.keep(acme.id, picture, operator())).image.file
}

async function anAuthor({ product, acme }: Stage): Promise<string> {
  return requireDone(await product.posts.authors.create(acme.id, { name: 'Eve' }, operator())).author.slug
}
