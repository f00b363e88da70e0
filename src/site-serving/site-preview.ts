import type { Exchange } from '#http/trusted-request'
import { answerUnavailable } from '#http/error-page'
import { refuse } from '#http/refusals'
import { authenticateMember } from '#http/watched-session'
import type { Product } from '#server/product'
import type { StaticPages } from './static-pages'

/** The address below which members see the site of a project that has no address of its own yet. */
export const sitePreviewPath = '/_tilth/site-preview'

interface PreviewServices {
  product: Pick<Product, 'signIn' | 'projects'>
  staticPages: Pick<StaticPages, 'preview'>
}

const previewAddress = /^\/_tilth\/site-preview\/(?<slug>[\w-]+)(?<path>\/.*)?$/

/**
 * Shows a page of a project's site on the studio's host. Its scripts and forms are switched off by a sandbox: the page
 * has the origin of the studio, and the visit is not counted.
 */
export async function answerSitePreview(
  { request, response, trustedRequest }: Exchange,
  { product, staticPages }: PreviewServices,
): Promise<void> {
  const { slug = '', path = '/' } = previewAddress.exec(trustedRequest.path)?.groups ?? {}
  const session = await authenticateMember(request, trustedRequest, product, { slug })
  if (!session) return refuse(request, response, 'no-access', 'page')
  const { project, viewer } = session
  const { host, protocol } = trustedRequest
  const query = (request.url ?? '').slice(trustedRequest.path.length)
  const page = await staticPages.preview(project.id, { path: path + query, host, protocol }, viewer)
  if (response.destroyed) return
  if (page === undefined) return refuse(request, response, 'no-access', 'page')
  if (typeof page === 'string') return answerUnavailable(request, response, page)
  const root = `${sitePreviewPath}/${project.slug}`
  const { location, ...headers } = page.headers
  response
    .writeHead(page.status, {
      ...headers,
      ...(typeof location === 'string' && {
        location: location.startsWith('/') ? root + location : location,
      }),
      'cache-control': 'private, no-store',
      'content-security-policy': `${String(headers['content-security-policy'])}; ${sandbox}`,
      'x-robots-tag': 'noindex',
    })
    .end(isHtml(headers['content-type']) ? withLinksBelow(root, page.body.toString()) : page.body)
}

/** Neither scripts nor forms; the studio's origin, so that links carry the session of the member. */
const sandbox = 'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox'

const isHtml = (type: unknown): boolean => typeof type === 'string' && type.startsWith('text/html')

/** Links to pages of this site. Files of Tilth and pages of surveys have the same address on every host. */
const ownLinks = /(<(?:a|area)\s[^>]*?\bhref=")(?=\/(?!\/|_next\/|_tilth\/|s\/))/g

/** React escapes quotes and angle brackets in attributes, so a link is found by its characters. */
const withLinksBelow = (root: string, html: string): string =>
  html.replaceAll(ownLinks, (beginning) => beginning + root)
