import { renderDiagram } from '#posts/diagrams'
import { readMarkdown } from '#posts/markdown'
import { notFoundResponse } from '#app/(site)/responses'
import { openSite } from '#app/(site)/open-site'

export const dynamic = 'force-dynamic'

interface DiagramRequest {
  params: Promise<{ diagram: string }>
}

const yearSeconds = 365 * 24 * 60 * 60

/** A diagram of a post that everybody may read, drawn. Its address is made of its code: it never changes. */
export async function GET(_request: Request, { params }: DiagramRequest): Promise<Response> {
  const address = `/_tilth/diagrams/${(await params).diagram}`
  const diagram = diagramAt(address)
  if (!diagram) return notFoundResponse()
  return new Response(await renderDiagram(diagram.code, diagram.language), {
    headers: {
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': `public, max-age=${yearSeconds}, immutable`,
    },
  })
}

function diagramAt(address: string) {
  const { site, published, now } = openSite()
  const all = [...published.posts(site.projectId, now), ...published.pages(site.projectId, now)]
  for (const { body } of all) {
    const found = /```|~~~/.test(body) && readMarkdown(body).diagrams.find((one) => one.address === address)
    if (found) return found
  }
  return undefined
}
