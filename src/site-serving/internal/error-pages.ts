import type { UnavailableReason } from '#http/error-page'
import type { RenderRequest, RenderResponse } from '#http/forward'

interface PageRenderer {
  render: (request: RenderRequest) => Promise<RenderResponse | UnavailableReason>
}

/** The page of `app/(site)` that stands in for one that threw. */
export const errorPagePath = '/_tilth/failed'

/**
 * Puts the error page of the site in the place of a page that threw: Next leaves it to scripts in the browser to draw one.
 * Where that page fails as well, the front's own stands in.
 */
export const withErrorPages = ({ render }: PageRenderer): PageRenderer => ({
  async render(request) {
    const rendered = await render(request)
    if (typeof rendered === 'string' || !isFailedPage(rendered)) return rendered
    const errorPage = await render({ ...request, path: errorPagePath })
    if (typeof errorPage === 'string' || errorPage.status !== 200) return 'failed'
    return { ...errorPage, status: rendered.status }
  },
})

const isFailedPage = ({ status, headers }: RenderResponse): boolean =>
  status >= 500 && headers['content-type']?.startsWith('text/html') === true
