import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { imagePath, imagesPath, imageType, type StoredImage } from '#posts/images'
import { AccessRefusedError } from '#projects/access'
import { type Outcome, failedOutcome } from '#projects/problems'
import type { Exchange } from './trusted-request'
import type { RequestBody } from './body'
import { answerJson } from './json-response'
import type { Product } from '#server/product'
import { refuse } from './refusals'
import { type ProjectSession, authenticateMember } from './watched-session'

/** The address for members' pictures: /_tilth/uploads/acme?name=garden.jpg, with the picture as the body. */
export const uploadsPath = '/_tilth/uploads'

/** A file never changes, because its name is derived from its content. */
const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

export async function serveImage(
  { request, response, trustedRequest }: Exchange,
  { product }: { product: Pick<Product, 'posts'> },
): Promise<void> {
  const width = new URLSearchParams(request.url?.slice(trustedRequest.path.length + 1)).get('w')
  const path = await product.posts.images.find(
    trustedRequest.path.slice(imagesPath.length + 1),
    width === null ? undefined : Number(width),
  )
  if (path === undefined) return refuse(request, response, 'no-image', 'line')
  const { size } = await stat(path)
  response.writeHead(200, { ...headers, 'content-type': imageType(basename(path)), 'content-length': size })
  if (request.method === 'HEAD') return void response.end()
  // a client that disconnects during the download is no error
  await pipeline(createReadStream(path), response).catch(() => response.destroy())
}

/** Stores an uploaded picture; the response explains errors to the member. */
export async function uploadImage(
  { request, response, trustedRequest }: Exchange,
  { product }: { product: Product },
  body: RequestBody,
): Promise<void> {
  const session = await authenticateMember(request, trustedRequest, product)
  if (!session) return refuse(request, response, 'no-project', 'api')
  const name = new URLSearchParams(request.url?.slice(trustedRequest.path.length + 1)).get('name') ?? ''
  const stored = await storeIfAllowed({ name, bytes: await body.read() }, session, product)
  if (!stored.done) return answerJson(response, 422, { problem: stored.problems[0]?.message })
  const { file, width, height } = stored.image
  answerJson(response, 200, { address: imagePath(file), width, height })
}

async function storeIfAllowed(
  picture: { name: string; bytes: Uint8Array },
  { project, viewer }: ProjectSession,
  { posts }: Product,
): Promise<Outcome<{ image: StoredImage }>> {
  const { images } = posts
  try {
    return await images.keep(project.id, picture, viewer)
  } catch (problem) {
    if (problem instanceof AccessRefusedError) return failedOutcome(problem.message)
    throw problem
  }
}
