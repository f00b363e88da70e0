import { z } from 'zod'
import type { RequestBody } from '#http/body'
import { unavailablePages } from '#http/error-page'
import { answerJson } from '#http/json-response'
import type { Exchange } from '#http/trusted-request'
import { AccessRefusedError } from '#projects/access'
import { requestOrigin } from '#projects/origin'
import type { Product } from '#server/product'
import type { StaticPages } from './static-pages'

/** Renders a page for `tilth publish`; a key of the project authorizes it. */
export const staticPagePath = '/_tilth/static-page'
/** Decides for a browser on a page of another server. */
export const staticDecisionsPath = '/_tilth/decisions'

interface StaticServices {
  product: Pick<Product, 'projects'>
  staticPages: StaticPages
}

const addressed = z.looseObject({ project: z.number() })

export async function answerStaticPage(
  { request, response, trustedRequest }: Exchange,
  { product, staticPages }: StaticServices,
  body: RequestBody,
): Promise<void> {
  const [, key = ''] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? []
  const viewer = await product.projects.keys.viewer(
    key,
    requestOrigin({
      address: trustedRequest.client,
      userAgent: request.headers['user-agent'] ?? '',
      requestId: trustedRequest.requestId,
    }),
  )
  if (!viewer) return answerJson(response, 401, { error: 'Send a secret key of the project.' })
  const input = addressed.safeParse(parseJson(await body.read()))
  if (!input.success) return answerJson(response, 400, { error: 'The body is not a request for a page.' })
  try {
    const outcome = await staticPages.render(input.data.project, input.data, viewer)
    if (!outcome.done)
      return answerJson(response, 422, { error: outcome.problems.map(({ message }) => message).join(' ') })
    const { page } = outcome
    if (typeof page === 'string') return answerJson(response, 503, { error: unavailablePages[page].title })
    answerJson(response, 200, { ...page, body: page.body.toString('base64') })
  } catch (problem) {
    if (!(problem instanceof AccessRefusedError)) throw problem
    answerJson(response, 403, { error: problem.message })
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}

const maxKeys = 100
const corsHeaders = { 'access-control-allow-origin': '*' }

/** The host is that of the asking page, as in its events, so that both name the same visitor. */
export function answerStaticDecisions(
  { request, response, trustedRequest }: Exchange,
  { product, staticPages }: StaticServices,
): void {
  const { headers, url = '' } = request
  const query = new URL(url, 'http://tilth').searchParams
  const project = product.projects.named(query.get('key') ?? '')
  if (!project) return answerJson(response, 404, { error: 'Unknown project key.' }, corsHeaders)
  const keys = (query.get('flags') ?? '').split(',').slice(0, maxKeys)
  const host = URL.parse(headers.origin ?? headers.referer ?? '')?.host ?? ''
  const asking = { projectId: project.id, host, address: trustedRequest.client, headers, keys }
  answerJson(response, 200, { flags: staticPages.decide(asking) }, corsHeaders)
}
