import { textResponse } from '../responses'
import { openSite } from '../open-site'

export const dynamic = 'force-dynamic'

/** A newer one is ready by then, as a rule. */
const retryAfterSeconds = 2

export async function GET(): Promise<Response> {
  const { site, prepared, visit } = openSite()
  const found = await prepared.llms(site.projectId)
  if (!found) return retryLaterResponse()
  if (!found.isCurrent) visit.cacheFor(retryAfterSeconds)
  return textResponse(found.text)
}

const retryLaterResponse = (): Response =>
  new Response('This list is being prepared. Ask again in a few seconds.\n', {
    status: 503,
    headers: { 'retry-after': '5' },
  })
