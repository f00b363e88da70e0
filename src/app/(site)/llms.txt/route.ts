import { llms } from '../../../posts/llms'
import { textAnswer } from '../answers'
import { openSite } from '../open-site'

export const dynamic = 'force-dynamic'

export function GET(): Response {
  const { site, published, now } = openSite()
  const { projectId } = site
  return textAnswer(llms(site, published.posts(projectId, now), published.pages(projectId, now)))
}
