import type { Site } from '#posts/site'
import { getProduct } from '#studio/product'
import { textResponse } from '../responses'
import { listedPages } from '../kit/listed-pages'
import { openSite } from '../open-site'

export const dynamic = 'force-dynamic'

/** A newer one is ready by then, as a rule. */
const retryAfterSeconds = 2

export async function GET(): Promise<Response> {
  const open = openSite()
  const { site, published, prepared, visit, now } = open
  // the text is made of all of them in the background
  published.posts(site.projectId, now)
  published.pages(site.projectId, now)
  const pages = await listedPages(open)
  const found = await prepared.llms(site.projectId, pages)
  if (!found) return retryLaterResponse()
  if (!found.isCurrent) visit.cacheFor(retryAfterSeconds)
  return textResponse(withOrigin(found.text, site))
}

/** The text is prepared for the site that Tilth serves itself. */
function withOrigin(text: string, { projectId, origin, staticServer }: Site): string {
  const usual = getProduct().posts.published.site(projectId)?.origin
  return staticServer === undefined || usual === undefined
    ? text
    : text.replaceAll(`](${usual}/`, `](${origin}/`)
}

const retryLaterResponse = (): Response =>
  new Response('This list is being prepared. Ask again in a few seconds.\n', {
    status: 503,
    headers: { 'retry-after': '5' },
  })
