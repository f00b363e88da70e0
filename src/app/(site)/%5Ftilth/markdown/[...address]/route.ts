import { postMarkdown } from '../../../../../posts/post-markdown'
import { nothingThere, textAnswer } from '../../../answers'
import { openSite, written } from '../../../open-site'

export const dynamic = 'force-dynamic'

interface MarkdownRequest {
  params: Promise<{ address: string[] }>
}

/** A post or a page as it was written. next.config.js leads here from its address with ".md" at the end. */
export async function GET(_request: Request, { params }: MarkdownRequest): Promise<Response> {
  const [first = '', ...others] = (await params).address.map(written)
  const { site, published, now } = openSite()
  const [kind, slug] =
    first === 'blog' ? (['post', others.join('/')] as const) : (['page', pageAt(first, others)] as const)
  const post = published.bySlug(site.projectId, kind, slug, now)
  return post ? textAnswer(postMarkdown(post, site), 'text/markdown') : nothingThere()
}

/** Home has no name of its own, so it is given one. */
const pageAt = (first: string, others: readonly string[]): string =>
  first === 'index' && others.length === 0 ? '' : [first, ...others].join('/')
