import { authorCollection } from '#posts/authors'
import { addressOf } from '#posts/post'
import { newPost } from '#posts/post-input'
import { postContent } from '#posts/post-schema'
import { siteSettings } from '#posts/site'
import { withUnpublished } from '#posts/unpublished'
import { fieldsOf, named, type Section, shapeOf, singleKey } from './section'

const authorFields = ['name', 'bio', 'links']

/** Authors under their slug, by which posts name them. */
export const authors: Section = {
  ...named('author', ({ posts: part }) => part.authors, {
    schema: authorCollection.newEntry,
    fields: authorFields,
    remove: (product, ...of) => product.posts.authors.remove(...of),
  }),
  named: (slug) => ({ slug }),
  list: async ({ product, projectId, viewer }) =>
    (await product.posts.authors.list(projectId, viewer)).map((author) => ({
      id: author.slug,
      key: author.slug,
      fields: fieldsOf(author, authorFields),
    })),
}

const blog = '/blog/'
const postFields = shapeOf(postContent, 'slug')

/** Posts and pages of the studio under their address. Those of a site folder are files already. */
export const posts: Section = {
  noun: 'post',
  fields: postFields,
  schema: newPost,
  named: (address) =>
    address.startsWith(blog)
      ? { kind: 'post', slug: address.slice(blog.length) }
      : { kind: 'page', slug: address },
  list: async ({ product, projectId, viewer }) =>
    (await product.posts.list(projectId, viewer))
      .filter(({ source, archivedAt }) => source === 'studio' && !archivedAt)
      .map(withUnpublished)
      .map((post) => ({ id: post.id, key: addressOf(post), fields: fieldsOf(post, postFields) })),
  create: ({ product, projectId, viewer }, input) => product.posts.create(projectId, input, viewer),
  // readers see a change once a person publishes it
  change: ({ product, projectId, viewer }, { id }, change) =>
    product.posts.change(projectId, String(id), { ...change, keepUnpublished: true }, viewer),
  remove: ({ product, projectId, viewer }, { id }) => product.posts.archive(projectId, String(id), viewer),
}

/** Of one installation: where the site is, and its pictures. */
const ofOneSite = ['address', 'logo', 'favicon', 'socialPicture']
const siteFields = shapeOf(siteSettings, ...ofOneSite)

/** The look and the texts of the project's site. */
export const site: Section = {
  noun: 'site',
  isSingle: true,
  fields: siteFields,
  schema: siteSettings,
  named: () => ({}),
  list: async ({ product, projectId, viewer }) => {
    const settings = await product.posts.sites.read(projectId, viewer)
    const project = product.projects.find(String(projectId), viewer)
    // a site without a name has that of its project
    const name = settings.name === project.name ? '' : settings.name
    return [{ id: projectId, key: singleKey, fields: fieldsOf({ ...settings, name }, siteFields) }]
  },
  create: async () => ({ done: true }),
  change: ({ product, projectId, viewer }, _, change) =>
    product.posts.sites.change(projectId, change, viewer),
}
