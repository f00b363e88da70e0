import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { imageAddress, imagesAddress, imageType, type KeptImage } from '../posts/images'
import { Refused } from '../projects/access'
import { type Outcome, undone } from '../projects/problems'
import type { Arrival } from './arrival'
import type { Body } from './body'
import type { Product } from './product'
import { refuse } from './refusals'
import { type Watching, whoWatches } from './watching'

/** Where members send pictures to: /_tilth/uploads/acme?name=garden.jpg, with nothing but the picture as the body. */
export const uploadsAddress = '/_tilth/uploads'

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  arrival: Arrival
}

/** What is in a file never changes, for its name is made of that. */
const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

export async function showImage(
  { request, response, arrival }: Exchange,
  product: Pick<Product, 'images'> | undefined,
): Promise<void> {
  if (!product) return refuse(request, response, 'starting', 'line')
  const width = new URLSearchParams(request.url?.slice(arrival.path.length + 1)).get('w')
  const path = await product.images.find(
    arrival.path.slice(imagesAddress.length + 1),
    width === null ? undefined : Number(width),
  )
  if (path === undefined) return refuse(request, response, 'no-image', 'line')
  const { size } = await stat(path)
  response.writeHead(200, { ...headers, 'content-type': imageType(basename(path)), 'content-length': size })
  if (request.method === 'HEAD') return void response.end()
  // whoever leaves in the middle has seen enough
  await pipeline(createReadStream(path), response).catch(() => response.destroy())
}

/** What is wrong with a picture is said in words for the member who gave it. */
export async function takeImage(
  { request, response, arrival }: Exchange,
  body: Body,
  product: Product | undefined,
): Promise<void> {
  if (!product) return refuse(request, response, 'starting', 'api')
  const watching = await whoWatches(request, arrival, product)
  if (!watching) return refuse(request, response, 'no-project', 'api')
  const name = new URLSearchParams(request.url?.slice(arrival.path.length + 1)).get('name') ?? ''
  const kept = await keepIfAllowed({ name, bytes: await body.read() }, watching, product)
  if (!kept.done) return answer(response, 422, { problem: kept.problems[0]?.message })
  const { file, width, height } = kept.image
  answer(response, 200, { address: imageAddress(file), width, height })
}

async function keepIfAllowed(
  picture: { name: string; bytes: Uint8Array },
  { project, viewer }: Watching,
  { images }: Product,
): Promise<Outcome<{ image: KeptImage }>> {
  try {
    return await images.keep(project.id, picture, viewer)
  } catch (problem) {
    if (problem instanceof Refused) return undone(problem.message)
    throw problem
  }
}

function answer(response: ServerResponse, status: number, said: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(said))
}
