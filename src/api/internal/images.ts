import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { imagePath } from '#posts/images'
import {
  imageChange,
  imageListFilter,
  type imageRemoval,
  type LibraryImage,
} from '#posts/pictures/image-library'
import { requireRight, type Viewer } from '#projects/access'
import { failedOutcome, type Outcome, parseInput } from '#projects/problems'
import type { Product } from '#server/product'
import { type Endpoint, nothing, success } from './endpoint'

const imageShape = z
  .object({
    id: z.string().meta({ description: 'Its file name, made of its content' }),
    address: z.string().meta({ description: 'For covers, and between the brackets of a picture' }),
    name: z.string(),
    alt: z.string().meta({ description: 'The alternative text that is offered where it is inserted' }),
    width: z.number(),
    height: z.number(),
    bytes: z.number(),
    createdBy: z.string(),
    createdAt: instant,
    uses: z
      .array(z.object({ in: z.enum(['post', 'page', 'author', 'site']), id: z.string(), title: z.string() }))
      .meta({ description: 'What shows it: posts, pages, authors and settings of the site' }),
  })
  .meta({ id: 'Image' })

const newImage = z.strictObject({
  name: z.string({ error: 'Say how the picture is called.' }).default(''),
  data: z.base64({ error: 'Give the file in base64.' }),
})

/** The query of an address, where everything is text. */
const removalParameters = z.object({
  alsoIfUsed: z.enum(['true', 'false'], { error: 'Say "true" or "false".' }).default('false'),
})

const imageBody = ({ file, ...image }: LibraryImage) => ({ ...image, id: file, address: imagePath(file) })

const path = '/projects/{project}/images/{image}'

export const imageEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/images',
    summary: 'List pictures that were uploaded, the latest first',
    right: 'project:read',
    query: imageListFilter,
    responseSchema: z.object({ images: z.array(imageShape) }),
    handle: async ({ product, viewer, query, project }) => {
      const read = parseInput(imageListFilter, Object.fromEntries(query))
      if (!read.done) return read
      const { images } = await product.posts.imageLibrary.list(project().id, viewer, read.value)
      return success({ images: images.map(imageBody) })
    },
  },
  {
    method: 'POST',
    path: '/projects/{project}/images',
    summary: 'Upload a picture of up to 5 MB; larger ones by the editor',
    right: 'posts:write',
    input: newImage,
    responseSchema: imageShape,
    status: 201,
    handle: async ({ product, viewer, input, project }) => {
      const { id } = project()
      requireRight('posts:write', id, viewer)
      const read = parseInput(newImage, input)
      if (!read.done) return read
      const { name, data } = read.value
      const stored = await product.posts.images.keep(id, { name, bytes: Buffer.from(data, 'base64') }, viewer)
      return stored.done ? await foundImage(product, id, stored.image.file, viewer) : stored
    },
  },
  {
    method: 'GET',
    path,
    summary: 'Read what is known of a picture, and where it is used',
    right: 'project:read',
    responseSchema: imageShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      await foundImage(product, project().id, pathParameter('image'), viewer),
  },
  {
    method: 'PATCH',
    path,
    summary: 'Change the name or the alternative text of a picture',
    right: 'posts:write',
    input: imageChange,
    responseSchema: imageShape,
    handle: async ({ product, viewer, input, project, pathParameter }) => {
      const changed = await product.posts.imageLibrary.change(
        project().id,
        pathParameter('image'),
        input,
        viewer,
      )
      return changed.done ? await foundImage(product, project().id, changed.image.file, viewer) : changed
    },
  },
  {
    method: 'DELETE',
    path,
    summary: 'Delete a picture for good; one that is used only with alsoIfUsed=true',
    right: 'posts:write',
    query: removalParameters,
    responseSchema: nothing,
    handle: async ({ product, viewer, query, project, pathParameter }) => {
      const { id } = project()
      requireRight('posts:write', id, viewer)
      const read = parseInput(removalParameters, Object.fromEntries(query))
      if (!read.done) return read
      const removal: z.input<typeof imageRemoval> = { alsoIfUsed: read.value.alsoIfUsed === 'true' }
      const removed = await product.posts.imageLibrary.remove(id, pathParameter('image'), removal, viewer)
      return removed.done ? success({}) : removed
    },
  },
]

async function foundImage(
  { posts }: Product,
  projectId: number,
  file: string,
  viewer: Viewer,
): Promise<Outcome<{ body: unknown }>> {
  const { imageLibrary } = posts
  const image = await imageLibrary.find(projectId, file, viewer)
  return image ? success(imageBody(image)) : failedOutcome('There is no such image in this project.')
}
