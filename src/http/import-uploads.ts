import { AccessRefusedError } from '#projects/access'
import { failedOutcome, type Outcome } from '#projects/problems'
import type { Product } from '#server/product'
import type { RequestBody } from './body'
import { answerJson } from './json-response'
import { refuse } from './refusals'
import type { Exchange } from './trusted-request'
import { authenticateMember, type ProjectSession } from './watched-session'

/**
 * The address for files that members import: `POST /_tilth/imports/acme` begins with a list of the files, and
 * `…?upload=<id>&file=0&at=0` sends the next bytes of one. A file of gigabytes comes in many small requests, so that none
 * takes long, a connection that breaks off costs one of them, and nothing large is held in memory.
 */
export const importUploadsPath = '/_tilth/imports'

export async function receiveImportFiles(
  { request, response, trustedRequest }: Exchange,
  { product }: { product: Product },
  body: RequestBody,
): Promise<void> {
  const session = await authenticateMember(request, trustedRequest, product)
  if (!session) return refuse(request, response, 'no-project', 'api')
  const query = new URLSearchParams(request.url?.slice(trustedRequest.path.length + 1))
  const outcome = await receiveIfAllowed(query, await body.read(), session, product)
  if (outcome.done) answerJson(response, 200, outcome)
  else answerJson(response, 422, { problem: outcome.problems[0]?.message })
}

/** The files in the order in which they are kept, with what has arrived of each. */
interface BegunUpload {
  id: string
  files: readonly { name: string; bytes: number; received: number }[]
}

async function receiveIfAllowed(
  query: URLSearchParams,
  bytes: Buffer,
  { project, viewer }: ProjectSession,
  { imports }: Product,
): Promise<Outcome<BegunUpload | { received: number }>> {
  const { uploads: importUploads } = imports
  try {
    if (query.has('upload')) return await importUploads.write(project.id, partIn(query), bytes, viewer)
    const outcome = await importUploads.begin(project.id, jsonIn(bytes), viewer)
    if (!outcome.done) return outcome
    const { id, files, received } = outcome.upload
    return { done: true, id, files: files.map((file, n) => ({ ...file, received: received[n] ?? 0 })) }
  } catch (problem) {
    if (problem instanceof AccessRefusedError) return failedOutcome(problem.message)
    throw problem
  }
}

const partIn = (query: URLSearchParams) => ({
  upload: query.get('upload'),
  file: Number(query.get('file')),
  at: Number(query.get('at')),
})

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
