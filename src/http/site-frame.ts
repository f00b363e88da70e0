import type { Product } from '#server/product'
import { refuse } from './refusals'
import { securityHeaders, siteFramePolicy } from './security-headers'
import type { Exchange } from './trusted-request'
import { authenticateMember } from './watched-session'

/** The address of the frame of a project's site, for members of the project. */
export const siteFramePath = '/_tilth/site-frame'

const style = 'html,body,iframe{display:block;width:100%;height:100%;margin:0;border:0}'

/**
 * Shows the page of a project's site in a frame of its own: a page of the studio frames this document, and only this
 * document may frame the other origin. Its policy would not reach a page that the studio moves on to without loading.
 */
export async function answerSiteFrame(
  { request, response, trustedRequest }: Exchange,
  { product }: { product: Pick<Product, 'signIn' | 'projects' | 'siteChecks'> },
): Promise<void> {
  const session = await authenticateMember(request, trustedRequest, product)
  if (!session) return refuse(request, response, 'no-access', 'api')
  const studio = `${trustedRequest.protocol}://${trustedRequest.host}`
  const check = await product.siteChecks.check(session.project.id, studio, session.viewer)
  const page = check.is === 'reached' && check.page.mayBeFramed ? URL.parse(check.page.address) : null
  if (response.destroyed) return
  response
    .writeHead(page ? 200 : 404, {
      ...securityHeaders,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': siteFramePolicy({ style, origin: page?.origin }),
    })
    .end(page ? documentOf(page.href) : '')
}

/** An address of a URL has no quotes and no angle brackets. */
const documentOf = (address: string): string =>
  `<!doctype html><html lang="en"><title>Your site</title><style>${style}</style>` +
  '<iframe title="Your site" sandbox="allow-scripts allow-same-origin allow-forms" referrerpolicy="no-referrer"' +
  ` src="${address.replaceAll('&', '&amp;').replaceAll('"', '%22')}"></iframe></html>`
