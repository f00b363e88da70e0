import { postMarkdown } from '#posts/post-markdown'
import { notFoundResponse, textResponse } from '#app/(site)/responses'
import { openSite, decodeSlug } from '#app/(site)/open-site'

export const dynamic = 'force-dynamic'

interface MarkdownRequest {
  params: Promise<{ address: string[] }>
}

/** A post or a page as it was written. next.config.js leads here from its address with ".md" at the end. */
export async function GET(_request: Request, { params }: MarkdownRequest): Promise<Response> {
  const [first = '', ...others] = (await params).address.map(decodeSlug)
  const { site, published, now } = openSite()
  const [kind, slug] =
    first === 'blog' ? (['post', others.join('/')] as const) : (['page', pageAt(first, others)] as const)
  const post = published.bySlug(site.projectId, kind, slug, now)
  return post ? textResponse(postMarkdown(post, site), 'text/markdown') : notFoundResponse()
}

/** Home has no name of its own, so it is given one. */
const pageAt = (first: string, others: readonly string[]): string =>
  first === 'index' && others.length === 0 ? '' : [first, ...others].join('/')
